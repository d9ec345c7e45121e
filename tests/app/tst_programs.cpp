// SPDX-License-Identifier: GPL-3.0-or-later
// Desktop entries, their command lines, what "Open privately" runs, and the launcher.
#include "base/privatestart.h"
#include "gui/sessions/launcherdialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

using namespace Qt::StringLiterals;
using namespace Tacet;

class TestPrograms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void execIsExpanded_data();
    void execIsExpanded();
    void terminalProgramsGetTerminal();
    void installedArePresent();
    void openedFiles();
    void downloadedEntryIsRefused();
    void tacetIsGivenTheOptions();
    void failedStartIsTold();
    void launcherByKeyboard();
    void launcherOptions();
    void launcherAlways();
    void launcherBox();
    void boxGetsItsPassphrase();

private:
    QString write(const QString &name, const QByteArray &content, bool executable = false);
    QString entry(const QString &name, const QByteArray &keys);
    Program program(const QString &id);

    QTemporaryDir m_folder;
};

QString TestPrograms::write(const QString &name, const QByteArray &content, bool executable)
{
    const QString path = m_folder.filePath(name);
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", qPrintable(path));
    if (executable)
        file.setPermissions(file.permissions() | QFile::ExeOwner);
    return path;
}

QString TestPrograms::entry(const QString &name, const QByteArray &keys)
{
    return write(u"share/applications/%1.desktop"_s.arg(name), "[Desktop Entry]\nType=Application\n" + keys);
}

Program TestPrograms::program(const QString &id)
{
    const QList<Program> all = installedPrograms();
    const auto found = std::ranges::find(all, id, &Program::id);
    return found == all.cend() ? Program() : *found;
}

// GIO reads the environment once, so all entries are there before it is first asked.
void TestPrograms::initTestCase()
{
    write(u"bin/sketch"_s, "#!/bin/sh\n", true);
    write(u"bin/x-terminal-emulator"_s, "#!/bin/sh\n", true);
    write(u"bin/tacet"_s, "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$TACET_TEST_OUTPUT\"\nexit ${TACET_TEST_STATUS:-0}\n", true);
    entry(u"sketch"_s, "Name=Sketch\nName[de]=Skizze\nComment=Draw\\s& paint\nKeywords=picture;colour;\n"
                       "Exec=sketch --new %U\nIcon=sketch\nMimeType=text/x-sketch;text/plain;\n");
    entry(u"sketch-hidden"_s, "Name=Hidden\nExec=sketch\nHidden=true\n");
    entry(u"sketch-nodisplay"_s, "Name=NoDisplay\nExec=sketch\nNoDisplay=true\n");
    entry(u"sketch-elsewhere"_s, "Name=Elsewhere\nExec=sketch\nOnlyShowIn=Pantheon;\n");
    entry(u"sketch-missing"_s, "Name=Missing\nExec=sketch\nTryExec=no-such-program-anywhere\n");
    entry(u"sketch-shell"_s, "Name=Shell sketch\nExec=sketch --shell\nTerminal=true\n");
    write(u"share/applications/mimeapps.list"_s, "[Default Applications]\ntext/plain=sketch.desktop\n");
    qputenv("XDG_DATA_HOME", m_folder.filePath(u"share"_s).toUtf8());
    qputenv("XDG_CONFIG_HOME", m_folder.filePath(u"config"_s).toUtf8());
    qputenv("XDG_CURRENT_DESKTOP", "LXQt");
    qputenv("PATH", m_folder.filePath(u"bin"_s).toUtf8() + ':' + qgetenv("PATH"));
}

void TestPrograms::execIsExpanded_data()
{
    QTest::addColumn<QString>("exec");
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<QStringList>("command"); // empty: malformed
    const QStringList one{u"/home/anna/a b.txt"_s};
    const QStringList two{u"/home/anna/a b.txt"_s, u"/home/anna/ü.txt"_s};
    const auto row = [](const char *name, const QString &exec, const QStringList &files, const QStringList &command) {
        QTest::newRow(name) << exec << files << command;
    };
    row("plain", u"sketch --new"_s, {}, {u"sketch"_s, u"--new"_s});
    row("quoted", u"\"/opt/my app/sketch\" \"a \\\"b\\\" \\$c\""_s, {}, {u"/opt/my app/sketch"_s, u"a \"b\" $c"_s});
    row("one file", u"sketch %f"_s, two, {u"sketch"_s, two.first()});
    row("no file", u"sketch %f"_s, {}, {u"sketch"_s});
    row("files", u"sketch %F -"_s, two, {u"sketch"_s, two.at(0), two.at(1), u"-"_s});
    row("urls", u"sketch %U"_s, two, {u"sketch"_s, u"file:///home/anna/a%20b.txt"_s, u"file:///home/anna/%C3%BC.txt"_s});
    row("one url", u"sketch %u"_s, one, {u"sketch"_s, u"file:///home/anna/a%20b.txt"_s});
    row("inside a word", u"sketch --open=%f"_s, one, {u"sketch"_s, u"--open="_s + one.first()});
    row("name, file and icon", u"sketch %c %k %i"_s, {},
        {u"sketch"_s, u"The \"Sketch\""_s, u"/usr/share/sketch.desktop"_s, u"--icon"_s, u"pencil"_s});
    row("percent", u"sketch 100%%"_s, {}, {u"sketch"_s, u"100%"_s});
    row("withdrawn codes", u"sketch %d %D %n %N %v %m"_s, {}, {u"sketch"_s});
    row("appended", u"sketch"_s, one, {u"sketch"_s, one.first()});
    row("a file's name is not expanded again", u"sketch %f"_s, {u"/tmp/%k $(id)"_s}, {u"sketch"_s, u"/tmp/%k $(id)"_s});
    row("unknown code", u"sketch %x"_s, {}, {});
    row("lone percent", u"sketch 5%"_s, {}, {});
    row("open quote", u"sketch \"a"_s, {}, {});
    row("empty", u""_s, {}, {});
}

void TestPrograms::execIsExpanded()
{
    QFETCH(QString, exec);
    QFETCH(QStringList, files);
    QFETCH(QStringList, command);
    Program program;
    program.name = u"The \"Sketch\""_s;
    program.file = u"/usr/share/sketch.desktop"_s;
    program.icon = u"pencil"_s;
    program.exec = exec;
    QCOMPARE(expandExec(program, files).value_or(QStringList()), command);
}

void TestPrograms::terminalProgramsGetTerminal()
{
    const Program shell = program(u"sketch-shell.desktop"_s);
    QVERIFY(shell.terminal);
    QCOMPARE(commandOf(shell, {}).value(), (QStringList{u"x-terminal-emulator"_s, u"-e"_s, u"sketch"_s, u"--shell"_s}));
}

void TestPrograms::installedArePresent()
{
    const Program sketch = program(u"sketch.desktop"_s);
    QCOMPARE(sketch.name, u"Sketch"_s);
    QCOMPARE(sketch.comment, u"Draw & paint"_s);
    QCOMPARE(sketch.icon, u"sketch"_s);
    QVERIFY(sketch.takesMany());
    QVERIFY(sketch.matches(u"COLOUR sket"_s) && !sketch.matches(u"sketch spreadsheet"_s));
    for (const QString &name : {u"hidden"_s, u"nodisplay"_s, u"elsewhere"_s, u"missing"_s})
        QVERIFY2(program(u"sketch-%1.desktop"_s.arg(name)).name.isEmpty(), qPrintable(name));
}

void TestPrograms::openedFiles()
{
    const QString first = write(u"letter.txt"_s, "Dear Anna\n");
    // As on a FAT file system: a document that may be executed is still one.
    const QString second = write(u"other.txt"_s, "Dear Bo\n", true);
    const QString script = write(u"install"_s, "#!/bin/sh\n", true);
    const QString unknown = write(u"thing.unknown"_s, QByteArray("\x01\x02\x00\xff", 4));
    QStringList problems;
    const auto commands = PrivateCommands::ofFiles({first, script, second, unknown, u"/nowhere/x"_s,
                                                    entry(u"own"_s, "Name=Own\n"
                                                                    "Exec=sketch -o\n")},
                                                   &problems);
    const QStringList urls{QUrl::fromLocalFile(first).toString(), QUrl::fromLocalFile(second).toString()};
    QCOMPARE(commands.size(), 3);
    QCOMPARE(commands.at(0).command, QStringList{script});
    QCOMPARE(commands.at(1).command, (QStringList{u"sketch"_s, u"--new"_s} + urls));
    QCOMPARE(commands.at(1).name, u"Sketch"_s);
    QCOMPARE(commands.at(2).command, (QStringList{u"sketch"_s, u"-o"_s}));
    QCOMPARE(problems.size(), 2);
    QVERIFY(problems.at(0).contains(u"thing.unknown"_s) && problems.at(1).contains(u"does not exist"_s));
}

void TestPrograms::downloadedEntryIsRefused()
{
    const QByteArray content = "[Desktop Entry]\nType=Application\nName=Invoice\nExec=sketch --steal\n";
    QStringList problems;
    QVERIFY(PrivateCommands::ofFiles({write(u"Downloads/invoice.pdf.desktop"_s, content)}, &problems).isEmpty());
    QCOMPARE(problems.size(), 1);
    const auto trusted = PrivateCommands::ofFiles({write(u"Downloads/mine.desktop"_s, content, true)}, &problems);
    QCOMPARE(trusted.value(0).command, (QStringList{u"sketch"_s, u"--steal"_s}));
}

void TestPrograms::tacetIsGivenTheOptions()
{
    const QString output = m_folder.filePath(u"arguments"_s);
    qputenv("TACET_TEST_OUTPUT", output.toUtf8());
    PrivateStarter starter;
    starter.start({.name = u"--odd"_s, .command = {u"sketch"_s, u"--net"_s}, .directory = {}},
                  {.network = false, .screenReader = true, .sshAgent = true, .onDisk = true, .keep = true});
    QTRY_VERIFY(QFileInfo(output).size() > 0);
    QFile file(output);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("run\n--name\n--odd\n--net\noff\n--audio\non\n--screen-reader\non\n--ssh-agent\non\n"
                                        "--store\ndisk\n--keep\n--\nsketch\n--net\n"));
    const QStringList usual = PrivateCommands::tacetArguments({.name = u"S"_s, .command = {u"s"_s}, .directory = {}}, {});
    QVERIFY(!usual.contains(u"--store"_s) && !usual.contains(u"--ssh-agent"_s) && usual.contains(u"--keep"_s));
}

void TestPrograms::failedStartIsTold()
{
    qputenv("TACET_TEST_STATUS", "125");
    PrivateStarter starter;
    QSignalSpy told(&starter, &PrivateStarter::notStarted);
    starter.start({.name = u"Sketch"_s, .command = {u"sketch"_s}, .directory = {}}, {});
    QTRY_COMPARE(told.size(), 1);
    QCOMPARE(told.first().first().toString(), u"Sketch"_s);
    // One that did its work, or that the person ended, is no failure.
    for (const QByteArray &status : {"0"_ba, "137"_ba}) {
        qputenv("TACET_TEST_STATUS", status);
        starter.start({.name = u"Sketch"_s, .command = {u"sketch"_s}, .directory = {}}, {});
        if (status == "137")
            starter.expectEnd();
        QTest::qWait(500);
        QCOMPARE(told.size(), 1);
    }
    qunsetenv("TACET_TEST_STATUS");
}

void TestPrograms::launcherByKeyboard()
{
    LauncherDialog dialog(installedPrograms());
    dialog.show();
    QSignalSpy chosen(&dialog, &LauncherDialog::chosen);
    auto *search = dialog.findChild<QLineEdit *>(u"programSearch"_s);
    auto *list = dialog.findChild<QTreeView *>(u"programList"_s);
    QTest::keyClicks(search, u"no such program"_s);
    QVERIFY(!list->isVisible() && !dialog.findChild<QPushButton *>(u"launchButton"_s)->isEnabled());
    search->clear();
    QTest::keyClicks(search, u"sketch"_s);
    QCOMPARE(list->model()->index(0, 0).data().toString(), u"Sketch"_s);
    QTest::keyClick(search, Qt::Key_Down);
    QCOMPARE(list->currentIndex().row(), 1);
    QTest::keyClick(search, Qt::Key_Up);
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen.first().first().value<PrivateCommand>().command, (QStringList{u"sketch"_s, u"--new"_s}));
    QVERIFY(!dialog.isVisible());
}

void TestPrograms::launcherOptions()
{
    qunsetenv("SSH_AUTH_SOCK");
    QVERIFY(!LauncherDialog({}).findChild<QCheckBox *>(u"sshAgentCheck"_s)->isEnabled());
    qputenv("SSH_AUTH_SOCK", "/run/agent");
    LauncherDialog dialog({});
    QVERIFY(dialog.options().network && !dialog.options().audio && !dialog.options().sshAgent && !dialog.options().onDisk
            && dialog.options().keep);
    dialog.findChild<QCheckBox *>(u"networkCheck"_s)->setChecked(false);
    dialog.findChild<QCheckBox *>(u"audioCheck"_s)->setChecked(true);
    dialog.findChild<QCheckBox *>(u"sshAgentCheck"_s)->setChecked(true);
    dialog.findChild<QCheckBox *>(u"keepCheck"_s)->setChecked(false);
    dialog.findChild<QComboBox *>(u"storeCombo"_s)->setCurrentIndex(1);
    const PrivateOptions options = dialog.options();
    QVERIFY(!options.network && options.audio && !options.screenReader && options.sshAgent && options.onDisk && !options.keep);
    // A screen reader speaks.
    dialog.findChild<QCheckBox *>(u"audioCheck"_s)->setChecked(false);
    dialog.findChild<QCheckBox *>(u"screenReaderCheck"_s)->setChecked(true);
    QVERIFY(dialog.options().screenReader && dialog.options().audio);
    QVERIFY(!dialog.findChild<QCheckBox *>(u"audioCheck"_s)->isEnabled());
}

void TestPrograms::launcherAlways()
{
    const QString file = m_folder.filePath(u"share/applications/sketch.desktop"_s);
    const auto lines = [&file] {
        QFile entry(file);
        return entry.open(QIODevice::ReadOnly) ? entry.readAll() : QByteArray();
    };
    const QByteArray before = lines();
    // Whether the check box was set before, and what was started.
    const auto run = [this](bool always) -> std::pair<bool, QStringList> {
        LauncherDialog dialog({program(u"sketch.desktop"_s)});
        auto *check = dialog.findChild<QCheckBox *>(u"alwaysCheck"_s);
        const bool was = check->isChecked();
        check->setChecked(always);
        QSignalSpy chosen(&dialog, &LauncherDialog::chosen);
        dialog.findChild<QPushButton *>(u"launchButton"_s)->click();
        return {was, chosen.value(0).value(0).value<PrivateCommand>().command};
    };
    // What is started is the program itself, whatever its entry says.
    const QStringList command{u"sketch"_s, u"--new"_s};
    QCOMPARE(run(false), std::pair(false, command));
    QCOMPARE(lines(), before);
    QCOMPARE(run(true), std::pair(false, command));
    QVERIFY(lines().contains("\nExec=tacet run \"--net\" \"on\" \"--audio\" \"off\" \"--keep\" -- sketch --new %U\n"));
    QTRY_VERIFY(program(u"sketch.desktop"_s).alwaysPrivate);
    QCOMPARE(run(true), std::pair(true, command));
    QCOMPARE(run(false), std::pair(true, command));
    QVERIFY(!lines().contains("tacet") && lines().contains("\nExec=sketch --new %U\n"));
}

void TestPrograms::launcherBox()
{
    LauncherDialog dialog({program(u"sketch.desktop"_s)});
    dialog.setBoxes({u"bank"_s});
    const auto *run = dialog.findChild<QPushButton *>(u"launchButton"_s);
    auto *name = dialog.findChild<QComboBox *>(u"boxName"_s);
    auto *passphrase = dialog.findChild<QLineEdit *>(u"boxPassphrase"_s);
    auto *again = dialog.findChild<QLineEdit *>(u"boxPassphraseAgain"_s);
    QVERIFY(run->isEnabled() && dialog.options().box.isEmpty());
    dialog.findChild<QComboBox *>(u"storeCombo"_s)->setCurrentIndex(2);
    // One that is there needs its passphrase once.
    QVERIFY(!run->isEnabled() && again->isHidden());
    passphrase->setText(u"short"_s);
    QVERIFY(run->isEnabled());
    QCOMPARE(dialog.options().box, u"bank"_s);
    QVERIFY(!dialog.options().keep && !dialog.options().onDisk);
    // A new one needs a long one twice, and a name.
    name->setEditText(u"shop"_s);
    QVERIFY(!run->isEnabled() && !again->isHidden());
    again->setText(u"short"_s);
    QVERIFY(!run->isEnabled());
    passphrase->setText(u"correct hörse"_s);
    QVERIFY(!run->isEnabled());
    again->setText(u"correct hörse"_s);
    QVERIFY(run->isEnabled());
    QCOMPARE(dialog.options().passphrase, "correct h\xc3\xb6rse"_ba);
    for (const QString &bad : {u""_s, u"a b"_s, u"../shop"_s}) {
        name->setEditText(bad);
        QVERIFY2(!run->isEnabled(), qPrintable(bad));
    }
    dialog.findChild<QComboBox *>(u"storeCombo"_s)->setCurrentIndex(0);
    QVERIFY(run->isEnabled() && dialog.options().passphrase.isEmpty());
}

void TestPrograms::boxGetsItsPassphrase()
{
    const QString output = m_folder.filePath(u"passphrase"_s);
    write(u"box/tacet"_s,
          "#!/bin/sh\n[ \"$4 $5 $6 $7\" = '--box shop --passphrase-file /dev/stdin' ] && cat >\"$TACET_TEST_OUTPUT\"; exit 125\n", true);
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", m_folder.filePath(u"box"_s).toUtf8() + ':' + path);
    qputenv("TACET_TEST_OUTPUT", output.toUtf8());
    PrivateStarter starter;
    QSignalSpy told(&starter, &PrivateStarter::notStarted);
    starter.start({.name = u"S"_s, .command = {u"s"_s}, .directory = {}}, {.box = u"shop"_s, .passphrase = "correct horse"_ba});
    QTRY_COMPARE(told.size(), 1);
    qputenv("PATH", path);
    QFile file(output);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), "correct horse\n"_ba);
    QVERIFY(told.first().at(1).toString().contains(u"passphrase"_s));
}

QTEST_MAIN(TestPrograms)
#include "tst_programs.moc"
