// SPDX-License-Identifier: GPL-3.0-or-later
// Renders the prompt and the pages with made-up content, to be looked at. usage: screenshots DIRECTORY [dark] [Qt options]
#include "base/timestamps.h"
#include "fakedaemon.h"
#include "gui/activity/activitypage.h"
#include "gui/files/filespage.h"
#include "gui/memory/memorychart.h"
#include "gui/prompt/prompt.h"
#include "gui/rules/ruleeditor.h"
#include "gui/sessions/keepdialog.h"
#include "gui/sessions/launcherdialog.h"
#include "gui/tray/tray.h"
#include "gui/window/mainwindow.h"
#include "readystate.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QTableView>
#include <QTest>
#include <QTranslator>
#include <QTreeView>

using namespace Qt::StringLiterals;
using namespace Tacet;

namespace {

QString directory;

void save(QWidget &widget, const QString &name)
{
    widget.show();
    QTest::qWait(200);
    widget.grab().save(directory + u'/' + name + u".png"_s);
}

// Stands in for a language whose words are long, before anybody has translated.
class Lengthener : public QTranslator
{
public:
    QString translate(const char *, const char *source, const char *, int) const override
    {
        const QString text = QString::fromUtf8(source);
        return text.isEmpty() || text.contains(u'%') || text.size() > 60 ? text : text + QString(text.size() / 3 + 1, u'ü');
    }
    bool isEmpty() const override { return false; }
};

void prompts()
{
    DaemonState state = ready();
    Prompt prompt(boottimeMicroseconds);
    PromptWindow &window = *prompt.window();
    state.questions = {*Question::parse(questionMap(1))};
    prompt.setState(state);
    save(window, u"prompt"_s);
    window.findChild<QComboBox *>(u"durationCombo"_s)->setCurrentIndex(5);
    window.findChild<QComboBox *>(u"subjectCombo"_s)->setCurrentIndex(2);
    save(window, u"prompt-rule"_s);
    QVariantMap other = questionMap(4);
    other.insert(u"executable"_s, u"/usr/bin/nc"_s);
    state.questions += {*Question::parse(questionMap(2, u"/home/anna/Documents/bonus.ods"_s)),
                        *Question::parse(questionMap(3, u"/home/anna/Documents/contracts/2026/schmidt.pdf"_s)), *Question::parse(other)};
    prompt.setState(state);
    window.findChild<QPushButton *>(u"detailsButton"_s)->setChecked(true);
    save(window, u"prompt-details"_s);
    window.findChild<QComboBox *>(u"previewFormat"_s)->setCurrentIndex(1);
    save(window, u"prompt-hex"_s);
}

void taintedPrompt()
{
    DaemonState state = ready();
    Prompt prompt(boottimeMicroseconds);
    PromptWindow &window = *prompt.window();
    QVariantMap map = questionMap(1, u"/home/anna/Documents/a rather long folder name/and another/"
                                     "quarterly-report-for-the-board-of-directors-final-final.csv"_s);
    map.insert(u"tainted"_s, true);
    map.insert(u"binary_changed"_s, true);
    map.insert(u"host"_s, u"upload.eu-central-1.storage.some-cloud-provider.example.com"_s);
    state.questions = {*Question::parse(map)};
    prompt.setState(state);
    save(window, u"prompt-tainted"_s);
    prompt.onAnswerFailed(1, {u"org.freedesktop.DBus.Error.AccessDenied"_s, {}});
    window.findChild<QPushButton *>(u"detailsButton"_s)->setChecked(true);
    save(window, u"prompt-tainted-details"_s);
}

LogEntry entry(quint64 id, LogKind kind, std::optional<Verdict> verdict, const QString &app, const QString &file)
{
    LogEntry result;
    result.id = id;
    result.time = QDateTime::currentDateTime().addSecs(qint64(id) * 400 - 100'000);
    result.kind = kind;
    result.verdict = verdict;
    result.executable = app;
    result.file = file;
    result.host = app.isEmpty() ? QString() : u"remote.example"_s;
    result.port = app.isEmpty() ? 0 : 443;
    return result;
}

void fillFiles(MainWindow &window)
{
    FilePage page{.offset = 0, .listed = 3, .total = 3, .files = {}};
    const auto now = QDateTime::currentDateTime();
    page.files = {{u"/home/anna/Documents/salaries.csv"_s, {u"finance"_s}, false, now.addDays(-3), false, true},
                  {u"/home/anna/.ssh/id_ed25519"_s, {u"keys"_s}, false, now.addSecs(-900), false, true},
                  {u"/home/anna/Downloads/copy of salaries.csv"_s, {u"finance"_s, u"health"_s}, true, now, true, false}};
    window.files()->model()->reload();
    window.files()->model()->takePage(page);
}

void pages()
{
    DaemonState state = ready();
    Rule rule{.id = 1, .uid = 0, .draft = {}, .pid = 0, .expires = {}, .created = QDateTime::currentDateTime().addDays(-1), .hits = 3};
    rule.draft = {Verdict::Block,
                  Duration::Always,
                  {SubjectKind::File, u"/home/anna/Documents/salaries.csv"_s, u"/usr/bin/curl"_s, u"remote.example"_s, 443}};
    state.rules = {rule};
    rule.id = 2;
    rule.hits = 0;
    rule.draft = {
        Verdict::Scrub, Duration::Hour, {SubjectKind::Label, u"keys"_s, {}, u"a-very-long-host-name.some-cloud-provider.example.com"_s, 0}};
    rule.expires = QDateTime::currentDateTime().addSecs(1800);
    state.rules.append(rule);
    rule.id = 3;
    rule.expires = {};
    rule.draft = {Verdict::Allow, Duration::Always, {SubjectKind::Folder, u"/srv/backup"_s, u"/usr/bin/restic"_s, {}, 0}};
    state.rules.append(rule);
    MainWindow window;
    window.setState(state);
    save(window, u"files-empty"_s);
    fillFiles(window);
    save(window, u"files"_s);
    state.memory = MemoryPolicy{MemoryScope::Chosen,
                                {MemoryLayer::Pages, MemoryLayer::Buffers, MemoryLayer::Stack, MemoryLayer::Heap},
                                {u"/usr/bin/gpg"_s, u"/opt/vault/vault"_s}};
    window.setState(state);
    window.showPage(Page::Memory);
    save(window, u"memory"_s);
    auto *chart = window.findChild<MemoryChart *>();
    chart->addMoment({u"0 s"_s, 1'529'867, 12'749});
    chart->addMoment({u"1 s"_s, 1'529'867, 6});
    chart->addMoment({u"5 s"_s, 1'498'120, 6});
    chart->addMoment({u"1 min"_s, 1'216'540, 6});
    save(window, u"memory-chart"_s);
    chart->showCost({1, 7});
    save(window, u"memory-cost"_s);
    window.findChild<QPushButton *>(u"memoryDetailsButton"_s)->click();
    save(window, u"memory-details"_s);
    window.showPage(Page::Rules);
    save(window, u"rules"_s);
    window.activity()->model()->refresh();
    window.activity()->model()->takeEntries(
        0, {entry(1, LogKind::Labelled, std::nullopt, {}, u"/home/anna/Documents/salaries.csv"_s),
            entry(200, LogKind::Answered, Verdict::Scrub, u"/usr/bin/curl"_s, u"/home/anna/Documents/salaries.csv"_s),
            entry(230, LogKind::Missed, std::nullopt, u"/usr/bin/python3.13"_s, u"/home/anna/Documents/salaries.csv"_s),
            entry(240, LogKind::Rule, Verdict::Block, u"/usr/bin/nc"_s, u"/home/anna/.ssh/id_ed25519"_s),
            entry(250, LogKind::Derived, std::nullopt, u"/usr/bin/cp"_s, u"/home/anna/Downloads/copy of salaries.csv"_s)});
    window.showPage(Page::Activity);
    save(window, u"activity"_s);
    RuleEditor editor(rule.draft);
    save(editor, u"rule-editor"_s);
    state.connection = Connection::Absent;
    state.rules.clear();
    window.setState(state);
    save(window, u"daemon-absent"_s);
    state = ready();
    state.module = ModuleState::Absent;
    state.protections = {{u"labels"_s, true, u"tacet.ko"_s, {}},
                         {u"interposition"_s, false, {}, u"module-absent"_s},
                         {u"disclosure"_s, false, {}, u"module-absent"_s}};
    window.setState(state);
    window.showPage(Page::Rules);
    save(window, u"module-absent"_s);
}

PrivateSession session(quint64 id, const QString &application, SessionState state)
{
    PrivateSession result;
    result.id = id;
    result.application = application;
    result.since = QDateTime::currentDateTime().addSecs(-500 * qint64(id));
    result.state = state;
    result.network = id != 2;
    result.onDisk = id == 3;
    result.box = id == 2 ? u"shop"_s : QString();
    result.store = id * 7'340'032;
    result.memory = 180'000'000 * id;
    result.swap = id == 3 ? 40'000'000 : 0;
    return result;
}

QList<PrivateSession> someSessions()
{
    return {session(1, u"Firefox ESR"_s, SessionState::Running), session(2, u"FeatherPad"_s, SessionState::Waiting),
            session(3, u"GNU Image Manipulation Program"_s, SessionState::Starting), session(4, u"feh"_s, SessionState::Ending)};
}

SessionChange change(const QByteArray &path, quint64 size, ChangeType type = ChangeType::Created, FileKind kind = FileKind::File)
{
    return {.path = path, .type = type, .kind = kind, .size = size, .mode = 0644, .modified = {}};
}

void keepFiles()
{
    KeepDialog dialog(someSessions().at(1));
    save(dialog, u"keep-loading"_s);
    const QByteArray home = QFile::encodeName(QDir::homePath());
    dialog.takeChanges(2,
                       {change(home + "/.cache/thumbnails/a.png", 8000), change(home + "/.config/featherpad/fp.conf", 2000),
                        change(home + "/Documents/letter to Bo.txt", 3400, ChangeType::Changed),
                        change(home + "/Documents/old.txt", 0, ChangeType::Deleted),
                        change(home + "/Documents/plans", 0, ChangeType::Created, FileKind::Directory),
                        change(home + "/Documents/plans/2026.ods", 1'400'000), change(home + "/Documents/plans/2027.ods", 20'400'000),
                        change(home + "/Documents/plans/latest", 0, ChangeType::Created, FileKind::Link), change("/var/tmp/scratch", 512)});
    auto *tree = dialog.findChild<QTreeView *>(u"keepTree"_s);
    QAbstractItemModel *model = tree->model();
    const QModelIndex documents = model->index(0, 0);
    for (int row = 0; row < model->rowCount(documents); ++row) {
        const QModelIndex index = model->index(row, 0, documents);
        if (row != 1)
            model->setData(index, Qt::Checked, Qt::CheckStateRole);
    }
    save(dialog, u"keep"_s);
    auto *elsewhere = dialog.findChild<QRadioButton *>(u"otherPlace"_s);
    elsewhere->setChecked(true);
    save(dialog, u"keep-elsewhere"_s);
    dialog.findChild<QRadioButton *>(u"originalPlace"_s)->setChecked(true);
    dialog.findChild<QLabel *>(u"keepResult"_s)->setText(u"2 files kept, 1 failed:\n~/Documents/plans/2027.ods: the disk is full"_s);
    save(dialog, u"keep-result"_s);
}

void privateSessions()
{
    MainWindow window;
    DaemonState state = ready();
    window.setState(state);
    window.showPage(Page::Sessions);
    save(window, u"sessions-empty"_s);
    state.sessions = someSessions();
    window.setState(state);
    window.findChild<QTableView *>(u"sessionsTable"_s)->selectRow(0);
    save(window, u"sessions"_s);
    const auto program = [](const QString &name, const QString &comment) {
        return Program{.id = {}, .file = {}, .name = name, .comment = comment, .icon = {}, .keywords = {}, .exec = {}, .directory = {}};
    };
    LauncherDialog launcher(
        {program(u"FeatherPad"_s, u"Lightweight Qt text editor"_s), program(u"Firefox ESR"_s, u"Browse the World Wide Web"_s),
         program(u"LibreOffice Calc"_s, u"Perform calculations, analyze information and manage lists in spreadsheets"_s),
         program(u"QTerminal"_s, u"Terminal emulator with tabs and Qt"_s)});
    save(launcher, u"launcher"_s);
    launcher.findChild<QLineEdit *>(u"programSearch"_s)->setText(u"qt"_s);
    save(launcher, u"launcher-search"_s);
    launcher.findChild<QLineEdit *>(u"programSearch"_s)->setText(u"no such thing"_s);
    save(launcher, u"launcher-nothing"_s);
    launcher.findChild<QLineEdit *>(u"programSearch"_s)->clear();
    launcher.setBoxes({u"bank"_s, u"shop"_s});
    launcher.findChild<QComboBox *>(u"storeCombo"_s)->setCurrentIndex(2);
    save(launcher, u"launcher-box"_s);
    launcher.findChild<QComboBox *>(u"boxName"_s)->setEditText(u"work"_s);
    save(launcher, u"launcher-box-new"_s);
    keepFiles();
}

void tray()
{
    Tray tray;
    DaemonState state = ready();
    state.sessions = someSessions().first(3);
    tray.actions()->setShortcut(u"Ctrl+Alt+Shift+P"_s, ShortcutState::Held);
    state.questions = {*Question::parse(questionMap(1))};
    tray.setState(state);
    tray.menu()->popup({10, 10});
    QTest::qWait(200);
    tray.menu()->grab().save(directory + u"/tray-menu.png"_s);
    tray.menu()->close();
}

} // namespace

int main(int argc, char *argv[])
{
    QApplication app(argc, argv);
    QApplication::setOrganizationName(u"tacet-test"_s);
    QApplication::setApplicationName(u"screenshots"_s);
    QSettings().clear();
    const QStringList arguments = QApplication::arguments();
    directory = arguments.value(1, u"."_s);
    QDir().mkpath(directory);
    if (arguments.contains(u"dark"_s))
        QApplication::setPalette(QPalette(QColor(0x2a, 0x2e, 0x32)));
    Lengthener lengthener;
    QTranslator english;
    if (arguments.contains(u"long"_s))
        QApplication::installTranslator(&lengthener);
    else if (english.load(u":/translations/tacet_en.qm"_s))
        QApplication::installTranslator(&english);
    prompts();
    taintedPrompt();
    pages();
    privateSessions();
    tray();
    return 0;
}
