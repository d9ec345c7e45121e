// SPDX-License-Identifier: GPL-3.0-or-later
// Private sessions in the window, the tray's menu and the Keep dialog, over the bus with the false daemon.
#include "base/statuswords.h"
#include "fakedaemon.h"
#include "gui/sessioncoordinator.h"
#include "gui/sessions/changesmodel.h"
#include "gui/sessions/keepdialog.h"
#include "gui/sessions/panicshortcut.h"
#include "gui/sessions/sessionsmodel.h"
#include "gui/sessions/sessionspage.h"
#include "gui/tray/tray.h"
#include "gui/window/mainwindow.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

using namespace Qt::StringLiterals;
using namespace Tacet;

namespace {

QVariantMap sessionMap(quint64 id, const QString &state = u"running"_s)
{
    return {{u"id"_s, id},
            {u"uid"_s, 1000U},
            {u"application"_s, u"FeatherPad"_s},
            {u"since"_s, quint64(1'790'000'000)},
            {u"state"_s, state},
            {u"network"_s, true},
            {u"audio"_s, false},
            {u"on_disk"_s, false},
            {u"store"_s, quint64(0)},
            {u"memory"_s, quint64(4096)},
            {u"swap"_s, quint64(0)}};
}

QVariantMap changeMap(const QString &path)
{
    return {{u"path"_s, path.toUtf8()}, {u"change"_s, u"created"_s}, {u"kind"_s, u"file"_s},
            {u"size"_s, quint64(20)},   {u"mode"_s, 0644U},          {u"modified"_s, quint64(1'790'000'000)}};
}

KeepDialog *keepDialog()
{
    const auto windows = QApplication::topLevelWidgets();
    for (QWidget *window : windows) {
        if (auto *dialog = qobject_cast<KeepDialog *>(window); dialog && dialog->isVisible())
            return dialog;
    }
    return nullptr;
}

} // namespace

class TestSessions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void pageLists();
    void selectionStays();
    void endAsksFirst();
    void trayMenu();
    void panicAsksNobody();
    void shortcutIsTold();
    void waitingOpensKeepOnce();
    void nothingToKeepEndsByItself();
    void keepsThroughDaemon();
    void keepAsksBeforeReplacing();
    void clickAnywhereInARowTicksIt();
    void keepGoesWithItsSession();
    void fullStoreIsToldOnce();
    void daemonGone();
    void malformedSessionsAreLeftOut();

private:
    QTableView *table() const { return m_window->findChild<QTableView *>(u"sessionsTable"_s); }
    void setSessions(const QList<QVariantMap> &sessions);
    QString keptFile() const { return m_folder->filePath(u"report.txt"_s); }
    KeepDialog *openKeep();

    std::unique_ptr<FakeDaemon> m_daemon;
    std::unique_ptr<DaemonClient> m_client;
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<Tray> m_tray;
    std::unique_ptr<SessionCoordinator> m_coordinator;
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestSessions::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_daemon = std::make_unique<FakeDaemon>();
    QVERIFY(m_daemon->start());
    m_client = std::make_unique<DaemonClient>(QDBusConnection::sessionBus());
    m_window = std::make_unique<MainWindow>();
    m_tray = std::make_unique<Tray>();
    m_coordinator = std::make_unique<SessionCoordinator>(m_client.get(), m_window.get(), m_tray->actions(), QDBusConnection::sessionBus());
    connect(m_client.get(), &DaemonClient::stateChanged, m_window.get(), &MainWindow::setState);
    connect(m_client.get(), &DaemonClient::stateChanged, m_tray.get(), &Tray::setState);
    m_client->connectToDaemon();
    QTRY_VERIFY(m_client->state().agentRegistered);
}

void TestSessions::cleanup()
{
    delete keepDialog();
    m_coordinator.reset();
    m_tray.reset();
    m_window.reset();
    m_client.reset();
    m_daemon.reset();
}

void TestSessions::setSessions(const QList<QVariantMap> &sessions)
{
    m_daemon->setList(u"sessions"_s, sessions);
    QTRY_COMPARE(m_client->state().sessions.size(), sessions.size());
}

void TestSessions::pageLists()
{
    m_window->showPage(Page::Sessions);
    QVERIFY(!table()->isVisible());
    m_daemon->setList(u"changes"_s, {changeMap(keptFile())});
    setSessions({sessionMap(1), sessionMap(2, u"waiting"_s)});
    QVERIFY(table()->isVisible());
    QCOMPARE(table()->model()->rowCount(), 2);
    QCOMPARE(table()->model()->index(0, 0).data().toString(), u"FeatherPad"_s);
    QVERIFY(table()->model()->index(1, 1).data().toString().contains(u"files wait"_s));
    // Memory changes without a signal: it is asked for while the page shows, and only then.
    const qsizetype before = m_daemon->callsOf(u"Sessions.List"_s).size();
    QTRY_VERIFY_WITH_TIMEOUT(m_daemon->callsOf(u"Sessions.List"_s).size() > before, 4000);
    m_window->hide();
    QTest::qWait(100);
    const qsizetype hidden = m_daemon->callsOf(u"Sessions.List"_s).size();
    QTest::qWait(2500);
    QCOMPARE(m_daemon->callsOf(u"Sessions.List"_s).size(), hidden);
}

void TestSessions::selectionStays()
{
    setSessions({sessionMap(1), sessionMap(2)});
    table()->selectRow(1);
    QVariantMap grown = sessionMap(2);
    grown.insert(u"memory"_s, quint64(1) << 30);
    setSessions({sessionMap(1), grown});
    QTRY_COMPARE(m_client->state().session(2)->memory, quint64(1) << 30);
    QCOMPARE(table()->selectionModel()->selectedRows().value(0).row(), 1);
    setSessions({grown, sessionMap(3)});
    QTRY_VERIFY(m_client->state().session(3));
    QCOMPARE(table()->selectionModel()->selectedRows().value(0).row(), 0);
}

void TestSessions::endAsksFirst()
{
    m_window->showPage(Page::Sessions);
    setSessions({sessionMap(1), sessionMap(2)});
    auto *end = m_window->findChild<QPushButton *>(u"endSessionButton"_s);
    QVERIFY(!end->isEnabled());
    table()->selectRow(0);
    end->click();
    QVERIFY(m_daemon->callsOf(u"Sessions.End"_s).isEmpty());
    auto *question = m_window->findChild<QMessageBox *>(u"endQuestion"_s);
    QVERIFY(question);
    QTest::keyClick(question, Qt::Key_Return);
    QTRY_VERIFY(!m_window->findChild<QMessageBox *>(u"endQuestion"_s));
    QVERIFY(m_daemon->callsOf(u"Sessions.End"_s).isEmpty());
    end->click();
    question = m_window->findChild<QMessageBox *>(u"endQuestion"_s);
    QVERIFY(question);
    for (QAbstractButton *button : question->buttons()) {
        if (question->buttonRole(button) == QMessageBox::DestructiveRole)
            button->click();
    }
    QTRY_COMPARE(table()->model()->rowCount(), 1);
    QCOMPARE(m_daemon->callsOf(u"Sessions.End"_s), QStringList{u"[\"Sessions.End\", 1]"_s});
}

void TestSessions::trayMenu()
{
    QVERIFY(!m_tray->menu()->findChild<QMenu *>(u"session1Menu"_s));
    setSessions({sessionMap(1), sessionMap(2)});
    QVERIFY(m_tray->menu()->findChild<QMenu *>(u"session1Menu"_s));
    m_tray->menu()->findChild<QAction *>(u"endSession2Action"_s)->trigger();
    QTRY_COMPARE(m_client->state().sessions.size(), 1);
    QTRY_VERIFY(!m_tray->menu()->findChild<QMenu *>(u"session2Menu"_s));
    QCOMPARE(conditionOf(m_client->state()), Condition::Private);
}

void TestSessions::panicAsksNobody()
{
    setSessions({sessionMap(1), sessionMap(2)});
    m_tray->menu()->findChild<QAction *>(u"panicAction"_s)->trigger();
    QTRY_VERIFY(m_client->state().sessions.isEmpty());
    QCOMPARE(m_daemon->callsOf(u"Sessions.EndAll"_s).size(), 1);
}

void TestSessions::shortcutIsTold()
{
    const auto *panic = m_tray->menu()->findChild<QAction *>(u"panicAction"_s);
    QVERIFY(panic->text().contains(u"no key"_s)); // offscreen has none
    m_tray->actions()->setShortcut(PanicShortcut::defaultName(), ShortcutState::Held);
    QVERIFY(panic->text().contains(u"Ctrl+Alt+Shift+P"_s) && !panic->text().contains(u"taken"_s));
    m_tray->actions()->setShortcut(PanicShortcut::defaultName(), ShortcutState::Taken);
    QVERIFY(panic->text().contains(u"taken"_s));
}

void TestSessions::waitingOpensKeepOnce()
{
    m_daemon->setList(u"changes"_s, {changeMap(keptFile())});
    setSessions({sessionMap(1)});
    QVERIFY(!keepDialog());
    m_daemon->setList(u"sessions"_s, {sessionMap(1, u"waiting"_s)});
    QTRY_VERIFY(keepDialog());
    keepDialog()->findChild<QPushButton *>(u"closeButton"_s)->click();
    QTRY_VERIFY(!keepDialog());
    m_daemon->setList(u"sessions"_s, {sessionMap(1, u"waiting"_s), sessionMap(2)});
    QTRY_COMPARE(m_client->state().sessions.size(), 2);
    QTest::qWait(300);
    QVERIFY(!keepDialog());
    // From the menu it comes back.
    m_tray->menu()->findChild<QAction *>(u"keepSession1Action"_s)->trigger();
    QTRY_VERIFY(keepDialog());
    keepDialog()->findChild<QPushButton *>(u"endButton"_s)->click();
    QTRY_COMPARE(m_client->state().sessions.size(), 1);
}

void TestSessions::nothingToKeepEndsByItself()
{
    m_daemon->setList(u"sessions"_s, {sessionMap(1, u"waiting"_s)});
    QTRY_COMPARE(m_daemon->callsOf(u"Sessions.End"_s).size(), 1);
    QVERIFY(!keepDialog());
}

KeepDialog *TestSessions::openKeep()
{
    m_daemon->setList(u"changes"_s, {changeMap(keptFile()), changeMap(m_folder->filePath(u"unreadable.txt"_s))});
    setSessions({sessionMap(1)});
    m_coordinator->keepFiles(1);
    if (!QTest::qWaitFor([] { return keepDialog() && keepDialog()->findChild<QTreeView *>(u"keepTree"_s)->model()->rowCount() > 0; }))
        return nullptr;
    KeepDialog *dialog = keepDialog();
    auto *model = dialog->findChild<QTreeView *>(u"keepTree"_s)->model();
    model->setData(model->index(0, 0), Qt::Checked, Qt::CheckStateRole);
    dialog->findChild<QPushButton *>(u"keepButton"_s)->click();
    return dialog;
}

void TestSessions::keepsThroughDaemon()
{
    KeepDialog *dialog = openKeep();
    QVERIFY(dialog);
    const auto *result = dialog->findChild<QLabel *>(u"keepResult"_s);
    QTRY_VERIFY(!result->text().isEmpty());
    QVERIFY2(result->text().contains(u"unreadable.txt"_s) && result->text().startsWith(u"1 "_s), qPrintable(result->text()));
    QFile file(keptFile());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), "content of " + keptFile().toUtf8());
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden), QStringList{u"report.txt"_s});
}

void TestSessions::clickAnywhereInARowTicksIt()
{
    m_daemon->setList(u"changes"_s, {changeMap(keptFile()), changeMap(m_folder->filePath(u"unreadable.txt"_s))});
    setSessions({sessionMap(1)});
    m_coordinator->keepFiles(1);
    QTRY_VERIFY(keepDialog() && keepDialog()->findChild<QTreeView *>(u"keepTree"_s)->model()->rowCount() > 0);
    KeepDialog *dialog = keepDialog();
    auto *tree = dialog->findChild<QTreeView *>(u"keepTree"_s);
    const auto *count = dialog->findChild<QLabel *>(u"keepCount"_s);
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    const QModelIndex folder = tree->model()->index(0, 0);
    const QModelIndex file = tree->model()->index(0, 0, folder);
    const auto click = [tree](const QModelIndex &index, const QPoint &place) {
        // Two clicks within that time would be one double click.
        QTest::qWait(QApplication::doubleClickInterval() * 2);
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, place.isNull() ? tree->visualRect(index).center() : place);
    };
    click(file, {});
    QVERIFY2(count->text().startsWith(u"1 "_s), qPrintable(count->text()));
    click(file.siblingAtColumn(ChangesModel::Size), {});
    QVERIFY2(count->text().startsWith(u"Nothing"_s), qPrintable(count->text()));
    // The box itself does it once, not twice.
    const QRect row = tree->visualRect(file);
    click(file, {row.left() + row.height() / 2, row.center().y()});
    QVERIFY2(count->text().startsWith(u"1 "_s), qPrintable(count->text()));
    QVERIFY(dialog->findChild<QPushButton *>(u"keepButton"_s)->isEnabled());
}

void TestSessions::keepGoesWithItsSession()
{
    m_daemon->setList(u"changes"_s, {changeMap(keptFile())});
    setSessions({sessionMap(1)});
    m_coordinator->keepFiles(1);
    QTRY_VERIFY(keepDialog());
    setSessions({});
    QTRY_VERIFY(!keepDialog());
}

void TestSessions::keepAsksBeforeReplacing()
{
    QFile file(keptFile());
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
    file.close();
    KeepDialog *dialog = openKeep();
    QVERIFY(dialog);
    auto *question = dialog->findChild<QMessageBox *>(u"replaceQuestion"_s);
    QVERIFY(question && m_daemon->callsOf(u"Sessions.Keep"_s).isEmpty());
    question->findChild<QPushButton *>(u"skipButton"_s)->click();
    QTRY_VERIFY(!dialog->findChild<QLabel *>(u"keepResult"_s)->text().isEmpty());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("mine"));
}

void TestSessions::fullStoreIsToldOnce()
{
    QSignalSpy told(m_coordinator.get(), &SessionCoordinator::storeFull);
    QVariantMap session = sessionMap(7);
    setSessions({session});
    QCOMPARE(told.size(), 0);
    session[u"full"_s] = true;
    setSessions({session});
    QTRY_COMPARE(told.size(), 1);
    setSessions({session, sessionMap(8)});
    QCOMPARE(told.size(), 1);
    QVERIFY(table()->model()->index(0, SessionsModel::Written).data().toString().contains(u"full"_s));
    session[u"full"_s] = false;
    setSessions({session});
    QTRY_VERIFY(!m_client->state().session(7)->isFull);
    session[u"full"_s] = true;
    session[u"box"_s] = u"shop"_s;
    setSessions({session});
    QTRY_COMPARE(told.size(), 2);
    QVERIFY(table()->model()->index(0, SessionsModel::Written).data().toString().contains(u"in “shop” (full)"_s));
}

void TestSessions::daemonGone()
{
    m_daemon->ignore(u"Sessions.Keep"_s);
    KeepDialog *dialog = openKeep();
    QVERIFY(dialog);
    QTRY_COMPARE(m_daemon->callsOf(u"Sessions.Keep"_s).size(), 1);
    m_daemon->kill();
    QTRY_VERIFY(dialog->findChild<QLabel *>(u"keepResult"_s)->text().contains(u"not running"_s));
    QVERIFY(!dialog->findChild<QPushButton *>(u"keepButton"_s)->isEnabled());
    QVERIFY(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden).isEmpty());
}

void TestSessions::malformedSessionsAreLeftOut()
{
    QVariantMap odd = sessionMap(2, u"dancing"_s);
    QVariantMap wrong = sessionMap(3);
    wrong.insert(u"memory"_s, u"much"_s);
    m_daemon->setList(u"sessions"_s, {odd, wrong, sessionMap(4)});
    QTRY_COMPARE(m_client->state().sessions.size(), 1);
    QCOMPARE(m_client->state().sessions.first().id, 4U);
}

QTEST_MAIN(TestSessions)
#include "tst_sessions.moc"
