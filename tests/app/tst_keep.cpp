// SPDX-License-Identifier: GPL-3.0-or-later
// Keeping files: what reaches the disk, whatever names and links a session or somebody else made.
#include "base/keeper.h"
#include "gui/sessions/changesmodel.h"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace Tacet;

namespace {

SessionChange change(const QByteArray &path, ChangeType type = ChangeType::Created, FileKind kind = FileKind::File, quint32 mode = 0644)
{
    return {.path = path, .type = type, .kind = kind, .size = 100, .mode = mode, .modified = {}};
}

QVariantMap changeMap(const QByteArray &path)
{
    return {{u"path"_s, path}, {u"change"_s, u"created"_s}, {u"kind"_s, u"file"_s}, {u"size"_s, quint64(3)}, {u"mode"_s, 0644U}};
}

} // namespace

class TestKeep : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void hostilePathsAreRefused_data();
    void hostilePathsAreRefused();
    void keepsInFolder();
    void keepsInOriginalPlace();
    void neverFollowsLinks();
    void neverReplacesUnasked();
    void replacesWhenAsked();
    void failureLeavesNothing();
    void cancelLeavesNothing();
    void oddNames();
    void treeOfChanges();
    void filterKeepsTicks();

private:
    QByteArray path(const QByteArray &relative) const { return QFile::encodeName(m_folder->path()) + '/' + relative; }
    QByteArray content(const QByteArray &relative) const;
    QStringList files() const;
    // Answers each copy as the daemon would.
    void run(Keeper &keeper, Keeper::Existing existing);

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestKeep::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir(m_folder->path()).mkdir(u"out"_s));
}

QByteArray TestKeep::content(const QByteArray &relative) const
{
    // Not QFile: its names are UTF-8.
    const int number = open(path(relative).constData(), O_RDONLY | O_CLOEXEC);
    QFile file;
    return number >= 0 && file.open(number, QIODevice::ReadOnly, QFileDevice::AutoCloseHandle) ? file.readAll() : "none";
}

QStringList TestKeep::files() const
{
    return QDir(m_folder->path() + u"/out"_s).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
}

void TestKeep::run(Keeper &keeper, Keeper::Existing existing)
{
    connect(&keeper, &Keeper::copyWanted, this, [&keeper](quint64 session, const QByteArray &path, int file) {
        if (path.contains("unreadable")) {
            keeper.onNotCopied(session, path, {u"org.tacet.Error.NotFound"_s, {}});
            return;
        }
        const QByteArray text = "of " + path;
        QCOMPARE(write(file, text.constData(), size_t(text.size())), text.size());
        keeper.onCopied(session, path);
    });
    keeper.start(existing);
}

void TestKeep::hostilePathsAreRefused_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<bool>("good");
    QTest::newRow("plain") << QByteArray("/home/anna/a") << true;
    QTest::newRow("any bytes") << QByteArray("/home/\xff\n\x1b[2J") << true;
    QTest::newRow("dots in a name") << QByteArray("/home/..a/b..") << true;
    QTest::newRow("up") << QByteArray("/home/../etc/passwd") << false;
    QTest::newRow("here") << QByteArray("/home/./a") << false;
    QTest::newRow("up at the end") << QByteArray("/home/..") << false;
    QTest::newRow("relative") << QByteArray("home/a") << false;
    QTest::newRow("empty name") << QByteArray("/home//a") << false;
    QTest::newRow("folder") << QByteArray("/home/") << false;
    QTest::newRow("root") << QByteArray("/") << false;
    QTest::newRow("empty") << QByteArray() << false;
    QTest::newRow("zero byte") << QByteArray("/home/a\0b", 9) << false;
}

void TestKeep::hostilePathsAreRefused()
{
    QFETCH(QByteArray, path);
    QFETCH(bool, good);
    QCOMPARE(SessionChange::parse(changeMap(path)).has_value(), good);
}

void TestKeep::keepsInFolder()
{
    const QList<SessionChange> all{change("/home/anna/doc", ChangeType::Created, FileKind::Directory, 0700),
                                   change("/home/anna/doc/a", ChangeType::Created, FileKind::File, 04755),
                                   change("/home/anna/doc/sub", ChangeType::Created, FileKind::Directory, 0700),
                                   change("/home/anna/doc/sub/b", ChangeType::Changed, FileKind::File, 0600),
                                   change("/home/anna/gone", ChangeType::Deleted)};
    Keeper keeper(7, all, {1, 3, 4}, path("out"));
    QCOMPARE(keeper.problem(), QString());
    QSignalSpy finished(&keeper, &Keeper::finished);
    run(keeper, Keeper::Existing::Skip);
    QCOMPARE(finished.size(), 1);
    QCOMPARE(keeper.kept(), 2);
    QVERIFY(keeper.failures().isEmpty());
    // Below the deepest folder that they share; the set-user-id bit is gone.
    QCOMPARE(content("out/doc/a"), QByteArray("of /home/anna/doc/a"));
    QCOMPARE(content("out/doc/sub/b"), QByteArray("of /home/anna/doc/sub/b"));
    struct stat status{};
    QCOMPARE(stat(path("out/doc/a").constData(), &status), 0);
    QCOMPARE(status.st_mode & 07777, 0755U);
    QCOMPARE(stat(path("out/doc/sub").constData(), &status), 0);
    QCOMPARE(status.st_mode & 07777, 0700U);
}

void TestKeep::keepsInOriginalPlace()
{
    Keeper keeper(7, {change(path("out/new/file"))}, {0}, {});
    QVERIFY(keeper.taken().isEmpty());
    run(keeper, Keeper::Existing::Skip);
    QCOMPARE(keeper.kept(), 1);
    QCOMPARE(content("out/new/file"), "of " + path("out/new/file"));
}

// A folder of the session's can be a link here, and a file's name can be one: neither leads the copy elsewhere.
void TestKeep::neverFollowsLinks()
{
    QVERIFY(QDir(m_folder->path()).mkdir(u"target"_s));
    QCOMPARE(symlink(path("target").constData(), path("out/folder").constData()), 0);
    QCOMPARE(symlink(path("target/victim").constData(), path("out/file").constData()), 0);
    Keeper keeper(7, {change("/x/folder/a"), change("/x/file")}, {0, 1}, path("out"));
    QCOMPARE(keeper.taken(), QList<QByteArray>{"file"});
    run(keeper, Keeper::Existing::Replace);
    QCOMPARE(keeper.kept(), 1);
    QCOMPARE(keeper.failures().size(), 1);
    QCOMPARE(keeper.failures().first().path, QByteArray("/x/folder/a"));
    QVERIFY(QDir(m_folder->path() + u"/target"_s).isEmpty());
    QVERIFY(!QFileInfo(QFile::decodeName(path("out/file"))).isSymLink());
    QCOMPARE(content("out/file"), QByteArray("of /x/file"));
}

void TestKeep::neverReplacesUnasked()
{
    QFile old(QFile::decodeName(path("out/a")));
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("mine") == 4);
    old.close();
    Keeper keeper(7, {change("/x/a"), change("/x/b")}, {0, 1}, path("out"));
    QCOMPARE(keeper.taken(), QList<QByteArray>{"a"});
    // One that appears while it is copied stays too.
    connect(&keeper, &Keeper::copyWanted, this, [this](quint64, const QByteArray &) {
        QFile late(QFile::decodeName(path("out/b")));
        QVERIFY(late.open(QIODevice::WriteOnly) && late.write("late") == 4);
    });
    run(keeper, Keeper::Existing::Skip);
    QCOMPARE(keeper.skipped(), 2);
    QCOMPARE(content("out/a"), QByteArray("mine"));
    QCOMPARE(content("out/b"), QByteArray("late"));
    QCOMPARE(files(), (QStringList{u"a"_s, u"b"_s}));
}

void TestKeep::replacesWhenAsked()
{
    QFile old(QFile::decodeName(path("out/a")));
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("mine") == 4);
    old.close();
    QVERIFY(QDir(m_folder->path()).mkpath(u"out/b/c"_s));
    Keeper keeper(7, {change("/x/a"), change("/x/b")}, {0, 1}, path("out"));
    run(keeper, Keeper::Existing::Replace);
    QCOMPARE(content("out/a"), QByteArray("of /x/a"));
    QCOMPARE(keeper.failures().size(), 1); // a file does not take a folder's place
    QCOMPARE(files(), (QStringList{u"a"_s, u"b"_s}));
}

void TestKeep::failureLeavesNothing()
{
    Keeper keeper(7, {change("/x/a"), change("/x/unreadable"), change("/x/z")}, {0, 1, 2}, path("out"));
    run(keeper, Keeper::Existing::Skip);
    QCOMPARE(keeper.kept(), 2);
    QCOMPARE(keeper.failures().size(), 1);
    QCOMPARE(files(), (QStringList{u"a"_s, u"z"_s}));
    Keeper nowhere(7, {change("/x/a")}, {0}, path("missing"));
    QVERIFY(!nowhere.problem().isEmpty());
}

void TestKeep::cancelLeavesNothing()
{
    Keeper keeper(7, {change("/x/a"), change("/x/b")}, {0, 1}, path("out"));
    keeper.start(Keeper::Existing::Skip);
    QCOMPARE(files().size(), 1); // a part, under another name
    keeper.cancel();
    QVERIFY(!keeper.isRunning());
    keeper.onCopied(7, "/x/a"); // too late
    QCOMPARE(keeper.kept(), 0);
    QVERIFY(files().isEmpty());
    Keeper abandoned(7, {change("/x/a"), change("/x/b")}, {0, 1}, path("out"));
    abandoned.start(Keeper::Existing::Skip);
    abandoned.abandon(u"gone"_s);
    QCOMPARE(abandoned.failures().size(), 2);
    QVERIFY(files().isEmpty());
}

void TestKeep::oddNames()
{
    const QByteArray longName(255, 'n');
    const QList<SessionChange> all{change("/x/-rf"),           change("/x/\n\xff"),
                                   change("/x/" + longName),   change("/x/" + longName + "n"),
                                   change("/x/.tacet-x.part"), change("/x/a b\"'$(id)")};
    Keeper keeper(7, all, {0, 1, 2, 3, 4, 5}, path("out"));
    run(keeper, Keeper::Existing::Skip);
    QCOMPARE(keeper.kept(), 5);
    QCOMPARE(keeper.failures().size(), 1);
    QCOMPARE(keeper.failures().first().path, all.at(3).path);
    QCOMPARE(content("out/\n\xff"), QByteArray("of /x/\n\xff"));
    QCOMPARE(unlink(path("out/\n\xff").constData()), 0); // QTemporaryDir could not
}

void TestKeep::treeOfChanges()
{
    ChangesModel model;
    model.setChanges({change("/home/anna/Documents/a.txt"), change("/home/anna/Documents/b.txt", ChangeType::Deleted),
                      change("/home/anna/Documents/sub", ChangeType::Created, FileKind::Directory),
                      change("/home/anna/Documents/sub/c.txt"), change("/home/anna/.cache/x")});
    QCOMPARE(model.hiddenCount(), 1);
    QVERIFY(model.chosen().isEmpty());
    const QModelIndex documents = model.index(0, 0);
    QCOMPARE(documents.data().toString(), u"/home/anna/Documents"_s);
    QCOMPARE(model.rowCount(documents), 3);
    // The deleted one has no box.
    QVERIFY(!model.index(1, 0, documents).data(Qt::CheckStateRole).isValid());
    QVERIFY(model.setData(model.index(0, 0, documents), Qt::Checked, Qt::CheckStateRole));
    QCOMPARE(documents.data(Qt::CheckStateRole).value<Qt::CheckState>(), Qt::PartiallyChecked);
    QVERIFY(model.setData(documents, Qt::Checked, Qt::CheckStateRole));
    QCOMPARE(model.chosen(), (QList<int>{0, 3}));
    QCOMPARE(model.chosenSize(), 200U);
}

void TestKeep::filterKeepsTicks()
{
    ChangesModel model;
    model.setChanges({change("/home/anna/a.txt"), change("/home/anna/b.png"), change("/home/anna/.cache/x")});
    model.setFilter(u"PNG"_s, false);
    QCOMPARE(model.shownCount(), 1);
    // A folder's box stands for what is shown.
    QVERIFY(model.setData(model.index(0, 0), Qt::Checked, Qt::CheckStateRole));
    QCOMPARE(model.chosen(), QList<int>{1});
    model.setFilter({}, true);
    QCOMPARE(model.shownCount(), 3);
    QCOMPARE(model.chosen(), QList<int>{1});
}

QTEST_MAIN(TestKeep)
#include "tst_keep.moc"
