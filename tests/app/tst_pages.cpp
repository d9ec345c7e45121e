// SPDX-License-Identifier: GPL-3.0-or-later
// The main window's pages and the tray, driven by the same state and signals as in the program.
#include "fakedaemon.h"
#include "gui/activity/activitypage.h"
#include "gui/common/statusicons.h"
#include "gui/files/filespage.h"
#include "gui/files/markdialog.h"
#include "gui/rules/ruleeditor.h"
#include "gui/rules/rulespage.h"
#include "gui/tray/tray.h"
#include "gui/window/mainwindow.h"
#include "readystate.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QStackedLayout>
#include <QTableView>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace Tacet;

namespace {

LogEntry entry(quint64 id, LogKind kind = LogKind::Answered, std::optional<Verdict> verdict = Verdict::Allow)
{
    LogEntry result;
    result.id = id;
    result.time = QDateTime::currentDateTime();
    result.kind = kind;
    result.verdict = verdict;
    result.executable = u"/usr/bin/curl"_s;
    result.file = u"/home/anna/%1.csv"_s.arg(id);
    result.host = u"remote"_s;
    result.port = 80;
    return result;
}

FilePage page(quint32 offset, quint32 count, quint32 total)
{
    FilePage result{.offset = offset, .listed = count, .total = total, .files = {}};
    for (quint32 index = offset; index < offset + count; ++index) {
        LabelledFile file;
        file.path = u"/home/anna/%1.csv"_s.arg(index, 5, 10, QChar(u'0'));
        result.files.append(file);
    }
    return result;
}

} // namespace

class TestPages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void banner_data();
    void banner();
    void partIsNotGreen();
    void stoppedDaemonIsNotAnEmptyList();
    void filesAreFetchedInPages();
    void filesReloadKeepsPlace();
    void filesFilterFetchesAll();
    void emptyFilesOfferFirstStep();
    void droppedFilesAskForCategory();
    void unmarkAsks();
    void guardFollowsTheDaemon();
    void activityNewestFirst();
    void activityOlderAcrossGaps();
    void activityFilters();
    void alwaysDoThis();
    void rulesInWords();
    void ruleEditorChecks();
    void enterMakesNoRule();
    void ruleEditorKeepsUnknownCategory();
    void failuresAreShown();
    void trayMenu();
    void trayPause();
};

void TestPages::banner_data()
{
    QTest::addColumn<DaemonState>("state");
    QTest::addColumn<QString>("visibleButton");
    DaemonState state;
    state.connection = Connection::Absent;
    QTest::newRow("absent") << state << u"retryButton"_s;
    state.connection = Connection::Denied;
    QTest::newRow("denied") << state << u"retryButton"_s;
    state.connection = Connection::Mismatch;
    QTest::newRow("mismatch") << state << u"retryButton"_s;
    state = ready();
    QTest::newRow("protected") << state << QString();
    state.module = ModuleState::Absent;
    QTest::newRow("module absent") << state << QString();
    state = ready();
    state.pausedUntil = QDateTime::currentDateTime().addSecs(300);
    QTest::newRow("paused") << state << u"resumeButton"_s;
    state = ready();
    state.questions.append(*Question::parse(questionMap(1)));
    QTest::newRow("question") << state << u"questionsButton"_s;
}

void TestPages::banner()
{
    QFETCH(DaemonState, state);
    QFETCH(QString, visibleButton);
    MainWindow window;
    window.setState(state);
    window.showPage(Page::Files);
    QVERIFY(!window.findChild<QLabel *>(u"statusTitle"_s)->text().isEmpty());
    for (const QString &name : {u"retryButton"_s, u"resumeButton"_s, u"questionsButton"_s})
        QCOMPARE(window.findChild<QPushButton *>(name)->isVisible(), name == visibleButton);
    QCOMPARE(window.findChild<QPushButton *>(u"addRuleButton"_s)->isEnabled(), state.isReady());
}

// The colours of the icons: more green than red and blue together means that all is well.
void TestPages::partIsNotGreen()
{
    const auto isGreen = [](Condition condition) {
        const QImage picture = statusIcon(condition).pixmap(32).toImage();
        const QColor colour = picture.pixelColor(picture.width() / 4, picture.height() / 3);
        return colour.alpha() == 255 && colour.green() > colour.red() && colour.green() > colour.blue();
    };
    QVERIFY(isGreen(Condition::Protected));
    for (const Condition condition : {Condition::Partial, Condition::Private, Condition::Paused, Condition::Question, Condition::Absent,
                                      Condition::ModuleAbsent, Condition::Denied, Condition::Unasked})
        QVERIFY2(!isGreen(condition), qPrintable(statusIconName(condition)));
}

void TestPages::stoppedDaemonIsNotAnEmptyList()
{
    MainWindow window;
    DaemonState state = ready();
    window.setState(state);
    auto *title = window.rules()->findChild<QLabel *>(u"emptyTitle"_s);
    QVERIFY(title->text().contains(u"no rules"_s));
    state.connection = Connection::Absent;
    window.setState(state);
    const QList<QLabel *> titles = window.findChildren<QLabel *>(u"emptyTitle"_s);
    QCOMPARE(titles.size(), 4);
    for (const QLabel *page : titles)
        QVERIFY2(page->text().contains(u"not running"_s), qPrintable(page->text()));
    window.setState(ready());
    QVERIFY(title->text().contains(u"no rules"_s));
}

void TestPages::filesAreFetchedInPages()
{
    FilesModel model;
    QSignalSpy wanted(&model, &FilesModel::pageWanted);
    model.reload();
    QCOMPARE(wanted.size(), 1);
    model.takePage(page(0, 200, 500));
    QCOMPARE(model.rowCount(), 200);
    QVERIFY(model.canFetchMore({}));
    model.fetchMore({});
    model.fetchMore({});
    QCOMPARE(wanted.size(), 2);
    QCOMPARE(wanted.last().first().toUInt(), 200U);
    model.takePage(page(200, 200, 500));
    model.fetchMore({});
    model.takePage(page(400, 100, 500));
    QCOMPARE(model.rowCount(), 500);
    QVERIFY(!model.canFetchMore({}));
}

void TestPages::filesReloadKeepsPlace()
{
    FilesModel model;
    QSignalSpy wanted(&model, &FilesModel::pageWanted);
    QSignalSpy reset(&model, &FilesModel::modelReset);
    model.reload();
    model.takePage(page(0, 200, 300));
    QCOMPARE(reset.size(), 1);
    // The same again: views keep their selection.
    model.reload();
    model.takePage(page(0, 200, 300));
    QCOMPARE(reset.size(), 1);
    // A change while an answer is under way: asked once more.
    model.reload();
    model.reload();
    model.takePage(page(0, 200, 300));
    QCOMPARE(wanted.size(), 4);
    model.takePage(page(0, 10, 10));
    QCOMPARE(model.rowCount(), 10);
}

void TestPages::filesFilterFetchesAll()
{
    FilesPage files;
    files.setUsable({});
    QSignalSpy wanted(files.model(), &FilesModel::pageWanted);
    files.model()->reload();
    files.model()->takePage(page(0, 200, 2000));
    files.findChild<QLineEdit *>(u"filesFilter"_s)->setText(u"01999"_s);
    QCOMPARE(wanted.last().at(1).toUInt(), 1000U);
    files.model()->takePage(page(200, 1000, 2000));
    files.model()->takePage(page(1200, 800, 2000));
    QCOMPARE(files.findChild<QTableView *>(u"filesTable"_s)->model()->rowCount(), 1);
}

void TestPages::emptyFilesOfferFirstStep()
{
    FilesPage files;
    files.setUsable({});
    files.model()->reload();
    files.model()->takePage(page(0, 0, 0));
    files.show();
    QVERIFY(files.findChild<QPushButton *>(u"firstStepButton"_s)->isVisible());
    files.model()->reload();
    files.model()->takePage(page(0, 1, 1));
    QVERIFY(!files.findChild<QPushButton *>(u"firstStepButton"_s)->isVisible());
}

void TestPages::droppedFilesAskForCategory()
{
    FilesPage files;
    files.setUsable({});
    files.show();
    QSignalSpy marked(&files, &FilesPage::markRequested);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(u"/home/anna/a b.csv"_s), QUrl(u"https://example.org/x"_s)});
    QDragEnterEvent enter({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&files, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&files, &drop);
    auto *dialog = files.findChild<MarkDialog *>();
    QVERIFY(dialog);
    auto *category = dialog->findChild<QComboBox *>(u"categoryCombo"_s);
    category->setCurrentIndex(category->findData(u"health"_s));
    dialog->accept();
    QCOMPARE(marked.size(), 1);
    QCOMPARE(marked.first().at(0).toStringList(), QStringList{u"/home/anna/a b.csv"_s});
    QCOMPARE(marked.first().at(1).toString(), u"health"_s);
}

void TestPages::unmarkAsks()
{
    FilesPage files;
    files.setUsable({});
    files.model()->reload();
    files.model()->takePage(page(0, 3, 3));
    files.show();
    QSignalSpy unmarked(&files, &FilesPage::unmarkRequested);
    files.findChild<QTableView *>(u"filesTable"_s)->selectRow(1);
    files.findChild<QPushButton *>(u"unmarkButton"_s)->click();
    auto *box = files.findChild<QMessageBox *>(u"unmarkQuestion"_s);
    QVERIFY(box);
    QVERIFY(box->defaultButton() == box->button(QMessageBox::Cancel));
    for (QAbstractButton *button : box->buttons()) {
        if (box->buttonRole(button) == QMessageBox::AcceptRole)
            QTest::keyClick(button, Qt::Key_Return);
    }
    QCOMPARE(unmarked.size(), 0);
    QTest::keyClick(box, Qt::Key_Return);
    QTRY_VERIFY(!files.findChild<QMessageBox *>(u"unmarkQuestion"_s));
    QCOMPARE(unmarked.size(), 0);
    files.findChild<QPushButton *>(u"unmarkButton"_s)->click();
    box = files.findChild<QMessageBox *>(u"unmarkQuestion"_s);
    QVERIFY(box);
    for (QAbstractButton *button : box->buttons()) {
        if (box->buttonRole(button) == QMessageBox::AcceptRole)
            button->click();
    }
    QCOMPARE(unmarked.size(), 1);
    QCOMPARE(unmarked.first().first().toStringList(), QStringList{u"/home/anna/00001.csv"_s});
}

void TestPages::guardFollowsTheDaemon()
{
    FilesPage files;
    files.setUsable({});
    QSignalSpy requested(&files, &FilesPage::guardRequested);
    auto *guard = files.findChild<QCheckBox *>(u"guardCheck"_s);
    guard->click();
    QCOMPARE(requested.last().first().toStringList(), markableCategories());
    files.setGuarded({u"finance"_s});
    QCOMPARE(guard->checkState(), Qt::PartiallyChecked);
    files.setGuarded(markableCategories());
    QCOMPARE(guard->checkState(), Qt::Checked);
    guard->click();
    QVERIFY(requested.last().first().toStringList().isEmpty());
    // It was refused.
    files.setGuarded(markableCategories());
    QCOMPARE(guard->checkState(), Qt::Checked);
}

void TestPages::activityNewestFirst()
{
    ActivityModel model;
    QSignalSpy wanted(&model, &ActivityModel::entriesWanted);
    model.refresh();
    QCOMPARE(wanted.last().first().toULongLong(), 0U);
    model.takeEntries(0, {entry(10), entry(11)});
    QCOMPARE(model.entry(0).id, 11U);
    // Several signals while an answer is under way make one more question.
    model.refresh();
    model.refresh();
    model.refresh();
    QCOMPARE(wanted.size(), 2);
    QCOMPARE(wanted.last().first().toULongLong(), 11U);
    model.takeEntries(11, {entry(12), entry(13)});
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.entry(0).id, 13U);
    QCOMPARE(wanted.size(), 3);
}

void TestPages::activityOlderAcrossGaps()
{
    ActivityModel model;
    QSignalSpy wanted(&model, &ActivityModel::entriesWanted);
    model.refresh();
    model.takeEntries(0, {entry(5000)});
    QVERIFY(model.canFetchMore({}));
    model.fetchMore({});
    QCOMPARE(wanted.last().at(0).toULongLong(), 4799U);
    // Another user was busy there: it looks further back by itself.
    model.takeEntries(4799, {entry(5000)});
    QCOMPARE(model.rowCount(), 1);
    model.takeEntries(wanted.last().at(0).toULongLong(), {});
    const quint64 after = wanted.last().at(0).toULongLong();
    QVERIFY(after < 4799);
    model.takeEntries(after, {entry(after + 1)});
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.entry(1).id, after + 1);
}

void TestPages::activityFilters()
{
    ActivityPage activity;
    activity.setUsable({});
    activity.model()->refresh();
    activity.model()->takeEntries(0, {entry(1), entry(2, LogKind::Missed, std::nullopt), entry(3, LogKind::Labelled, std::nullopt),
                                      entry(4, LogKind::Rule, Verdict::Scrub), entry(5, LogKind::Answered, Verdict::Takeover)});
    const auto *rows = activity.findChild<QTableView *>(u"activityTable"_s)->model();
    auto *kind = activity.findChild<QComboBox *>(u"activityKind"_s);
    const auto count = [rows, kind](ActivityFilter::Kind which) {
        kind->setCurrentIndex(kind->findData(QVariant::fromValue(which)));
        return rows->rowCount();
    };
    QCOMPARE(count(ActivityFilter::Everything), 5);
    QCOMPARE(count(ActivityFilter::Decisions), 4);
    QCOMPARE(count(ActivityFilter::Blocked), 1);
    QCOMPARE(count(ActivityFilter::Allowed), 1);
    QCOMPARE(count(ActivityFilter::Scrubbed), 2);
    QCOMPARE(count(ActivityFilter::Labels), 1);
    count(ActivityFilter::Everything);
    activity.findChild<QLineEdit *>(u"activityFilter"_s)->setText(u"2.csv"_s);
    QCOMPARE(rows->rowCount(), 1);
}

void TestPages::alwaysDoThis()
{
    ActivityPage activity;
    activity.setUsable({});
    activity.model()->refresh();
    activity.model()->takeEntries(0, {entry(2, LogKind::Missed, std::nullopt), entry(3, LogKind::Labelled, std::nullopt)});
    activity.show();
    QSignalSpy chosen(&activity, &ActivityPage::ruleChosen);
    auto *table = activity.findChild<QTableView *>(u"activityTable"_s);
    auto *always = activity.findChild<QPushButton *>(u"alwaysButton"_s);
    table->selectRow(0);
    QVERIFY(!always->isEnabled());
    table->selectRow(1);
    QVERIFY(always->isEnabled());
    always->click();
    auto *editor = activity.findChild<RuleEditor *>();
    QVERIFY(editor);
    editor->accept();
    QCOMPARE(chosen.size(), 1);
    const auto draft = chosen.first().first().value<RuleDraft>();
    QCOMPARE(draft.verdict, Verdict::Block);
    QCOMPARE(draft.scope, (RuleScope{SubjectKind::File, u"/home/anna/2.csv"_s, u"/usr/bin/curl"_s, u"remote"_s, 80}));
}

void TestPages::rulesInWords()
{
    RulesPage rules;
    DaemonState state = ready();
    Rule rule;
    rule.id = 4;
    rule.hits = 3;
    state.rules = {rule};
    rules.setState(state);
    rules.show();
    auto *list = rules.findChild<QListView *>(u"rulesList"_s);
    QVERIFY(list->model()->index(0, 0).data().toString().startsWith(u"Block any app"_s));
    list->setCurrentIndex(list->model()->index(0, 0));
    QSignalSpy removed(&rules, &RulesPage::removeRequested);
    rules.findChild<QPushButton *>(u"removeRuleButton"_s)->click();
    auto *box = rules.findChild<QMessageBox *>(u"removeRuleQuestion"_s);
    QVERIFY(box && removed.isEmpty());
    for (QAbstractButton *button : box->buttons()) {
        if (box->buttonRole(button) == QMessageBox::AcceptRole)
            button->click();
    }
    QCOMPARE(removed.first().first().toULongLong(), 4U);
    // The selection outlives an update.
    Rule other = rule;
    other.id = 1;
    state.rules = {other, rule};
    rules.setState(state);
    QCOMPARE(list->currentIndex().row(), 1);
}

void TestPages::ruleEditorChecks()
{
    RuleEditor editor({});
    auto *save = editor.findChild<QPushButton *>(u"saveRuleButton"_s);
    auto *kind = editor.findChild<QComboBox *>(u"ruleSubjectKind"_s);
    QVERIFY(save->isEnabled());
    kind->setCurrentIndex(kind->findData(QVariant::fromValue(SubjectKind::File)));
    QVERIFY(!save->isEnabled());
    editor.findChild<QLineEdit *>(u"rulePath"_s)->setText(u"/home/anna/a"_s);
    QVERIFY(save->isEnabled());
    editor.findChild<QLineEdit *>(u"ruleExecutable"_s)->setText(u"curl"_s);
    QVERIFY(!save->isEnabled());
    editor.findChild<QLineEdit *>(u"ruleExecutable"_s)->setText(u"/usr/bin/curl"_s);
    editor.findChild<QLineEdit *>(u"ruleHost"_s)->setText(u"http://remote"_s);
    QVERIFY(!save->isEnabled());
    editor.findChild<QLineEdit *>(u"ruleHost"_s)->setText(u"remote"_s);
    QVERIFY(save->isEnabled());
    auto *words = editor.findChild<QLabel *>(u"ruleWords"_s);
    QVERIFY(words->text().contains(u"curl"_s) && !words->text().contains(u"cannot continue"_s));
    auto *verdict = editor.findChild<QComboBox *>(u"ruleVerdict"_s);
    verdict->setCurrentIndex(verdict->findData(QVariant::fromValue(Verdict::Takeover)));
    QVERIFY(words->text().contains(u"cannot continue"_s));
    QCOMPARE(editor.draft().verdict, Verdict::Takeover);
    QCOMPARE(editor.draft().scope, (RuleScope{SubjectKind::File, u"/home/anna/a"_s, u"/usr/bin/curl"_s, u"remote"_s, 0}));
}

// The empty editor would say "block any app, any data, any host, always".
void TestPages::enterMakesNoRule()
{
    for (const char *focus : {"ruleVerdict", "ruleExecutable", "ruleHost", "saveRuleButton"}) {
        for (const bool touched : {false, true}) {
            RuleEditor editor({});
            editor.show();
            if (touched)
                editor.findChild<QLineEdit *>(u"ruleHost"_s)->setText(u"remote"_s);
            auto *widget = editor.findChild<QWidget *>(QLatin1StringView(focus));
            widget->setFocus();
            QTest::keyClick(widget, Qt::Key_Return);
            QCOMPARE(editor.result(), int(QDialog::Rejected));
            QVERIFY2(editor.isVisible() || !touched, focus);
            QVERIFY(!editor.findChild<QFileDialog *>());
        }
    }
    RuleEditor editor({});
    editor.findChild<QPushButton *>(u"saveRuleButton"_s)->click();
    QCOMPARE(editor.result(), int(QDialog::Accepted));
}

void TestPages::ruleEditorKeepsUnknownCategory()
{
    const RuleDraft draft{Verdict::Allow, Duration::Always, {SubjectKind::Label, u"recipes"_s, {}, {}, 0}};
    QCOMPARE(RuleEditor(draft).draft(), draft);
}

void TestPages::failuresAreShown()
{
    MainWindow window;
    window.show();
    window.showFailure(Operation::Pause, {u"org.freedesktop.DBus.Error.AccessDenied"_s, {}});
    auto *box = window.findChild<QMessageBox *>(u"failureMessage"_s);
    QVERIFY(box && box->informativeText().contains(u"permitted"_s));
    delete box;
    window.showLabelFailures(Operation::AddLabels, {{u"/a"_s, u"x"_s, u"Disk full"_s}});
    box = window.findChild<QMessageBox *>(u"failureMessage"_s);
    QVERIFY(box && box->informativeText().contains(u"/a: Disk full"_s));
}

void TestPages::trayMenu()
{
    Tray tray;
    DaemonState state = ready();
    state.questions.append(*Question::parse(questionMap(1)));
    tray.setState(state);
    const auto action = [&tray](const QString &name) { return tray.menu()->findChild<QAction *>(name); };
    QVERIFY(action(u"questionsAction"_s)->isEnabled());
    QVERIFY(action(u"questionsAction"_s)->text().contains(u"1"_s));
    QSignalSpy pages(tray.actions(), &TrayActions::pageRequested);
    action(u"rulesAction"_s)->trigger();
    QCOMPARE(pages.first().first().value<Page>(), Page::Rules);
    QVERIFY(action(u"quitAction"_s)->text().contains(u"protection goes on"_s));
    state.questions.clear();
    tray.setState(state);
    QVERIFY(!action(u"questionsAction"_s)->isEnabled());
}

void TestPages::trayPause()
{
    Tray tray;
    tray.setState(ready());
    QSignalSpy pause(tray.actions(), &TrayActions::pauseRequested);
    auto *action = tray.menu()->findChild<QAction *>(u"pause15Action"_s);
    QVERIFY(action->text().contains(u"15"_s) && action->text().contains(u"until"_s));
    action->trigger();
    QCOMPARE(pause.first().first().toUInt(), 15U);
    QVERIFY(!tray.menu()->findChild<QAction *>(u"resumeAction"_s)->isVisible());
    DaemonState paused = ready();
    paused.pausedUntil = QDateTime::currentDateTime().addSecs(600);
    tray.setState(paused);
    QVERIFY(tray.menu()->findChild<QAction *>(u"resumeAction"_s)->isVisible());
}

QTEST_MAIN(TestPages)
#include "tst_pages.moc"
