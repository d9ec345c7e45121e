// SPDX-License-Identifier: GPL-3.0-or-later
// The page Memory, its chart, and the programs that are chosen for the person.
#include "gui/memory/firstchoice.h"
#include "gui/memory/memorychart.h"
#include "gui/memory/memorypage.h"
#include "readystate.h"

#include <QChart>
#include <QChartView>
#include <QCheckBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineSeries>
#include <QListWidget>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace Tacet;

class TestMemory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pageFollowsTheDaemon();
    void firstChoiceIsMadeOnce();
    void chartShowsWhatIsMeasured();
};

void TestMemory::pageFollowsTheDaemon()
{
    MemoryPage page;
    QSignalSpy scopes(&page, &MemoryPage::scopeRequested), added(&page, &MemoryPage::addRequested),
        removed(&page, &MemoryPage::removeRequested), layers(&page, &MemoryPage::layerRequested);
    auto *everything = page.findChild<QRadioButton *>(u"memoryScope-everything"_s);
    auto *chosen = page.findChild<QRadioButton *>(u"memoryScope-chosen"_s);
    auto *programs = page.findChild<QListWidget *>(u"memoryPrograms"_s);
    QVERIFY(!chosen->isEnabled());
    DaemonState state = ready();
    state.memory = MemoryPolicy{MemoryScope::Chosen, {MemoryLayer::Pages, MemoryLayer::Heap}, {u"/opt/vault/vault"_s}};
    page.setState(state);
    QVERIFY(chosen->isChecked() && chosen->isEnabled() && programs->isEnabled());
    const auto vault = [programs] { return programs->item(programs->count() - 1); };
    // Its file is not there, so that nobody can tell.
    QCOMPARE(vault()->text(), u"vault (completely only when it ends)"_s);
    QCOMPARE(vault()->checkState(), Qt::Checked);
    QVERIFY(scopes.isEmpty() && added.isEmpty() && removed.isEmpty());
    vault()->setCheckState(Qt::Unchecked);
    QCOMPARE(removed.last().first().toString(), u"/opt/vault/vault"_s);
    // It was refused.
    page.setState(state);
    QCOMPARE(vault()->checkState(), Qt::Checked);
    auto *heap = page.findChild<QCheckBox *>(u"memoryLayer-heap"_s);
    QVERIFY(heap->isChecked() && !page.findChild<QCheckBox *>(u"memoryLayer-stack"_s)->isChecked() && layers.isEmpty());
    heap->click();
    QCOMPARE(layers.last(), (QVariantList{QVariant::fromValue(MemoryLayer::Heap), false}));
    page.setState(state);
    QVERIFY(heap->isChecked());
    everything->click();
    QCOMPARE(scopes.last().first().value<MemoryScope>(), MemoryScope::Everything);
    page.setState(state);
    QVERIFY(chosen->isChecked());
    state.memory = MemoryPolicy{MemoryScope::Sensitive, {}, {}};
    page.setState(state);
    QVERIFY(!programs->isEnabled());
    QVERIFY(added.isEmpty());
}

void TestMemory::firstChoiceIsMadeOnce()
{
    QCoreApplication::setOrganizationName(u"tacet-test"_s);
    QCoreApplication::setApplicationName(u"tst_memory"_s);
    QSettings().clear();
    const QString agent = u"/usr/bin/gpg-agent"_s, vault = u"/usr/bin/keepassxc"_s, browser = u"/usr/lib/firefox-esr/firefox-esr"_s;
    const QList<SecretProgram> known{{agent, {}}, {vault, {}}};
    const MemoryPolicy own{MemoryScope::Chosen, {}, {vault}};
    QCOMPARE(FirstChoice::take(known, own), QStringList{agent});
    // What was taken off the list since then stays off, also what the person had chosen before.
    QCOMPARE(FirstChoice::take(known, {}), QStringList());
    // A program that was installed later.
    QCOMPARE(FirstChoice::take(known + QList<SecretProgram>{{browser, {}}}, {}), QStringList{browser});
    QFile settings(QSettings().fileName());
    QVERIFY(settings.remove() && QDir().mkpath(settings.fileName()));
    QCOMPARE(FirstChoice::take(known, {}), QStringList());
    QVERIFY(QDir().rmdir(settings.fileName()));
}

void TestMemory::chartShowsWhatIsMeasured()
{
    const auto first = MemoryProbe::parseMoment(
        R"({"moment":"0 s","seconds":0,"left":[{"place":"heap","chosen":false,"count":70},{"place":"pipe","chosen":false,"count":5},)"
        R"({"place":"heap","chosen":true,"count":2}]})"_ba);
    QVERIFY(first && *first == (MemoryProbe::Moment{u"0 s"_s, 75, 2}));
    QVERIFY(!MemoryProbe::parseMoment("tacet: the daemon is absent"_ba) && !MemoryProbe::parseCost("[]"_ba));
    const auto cost =
        MemoryProbe::parseCost(R"([{"work":"heap","other_us":1000,"chosen_us":1030},{"work":"pipe","other_us":200,"chosen_us":199}])"_ba);
    QVERIFY(cost && qRound(cost->most) == 3 && cost->least < 0);

    MemoryChart chart;
    chart.show();
    auto *text = chart.findChild<QLabel *>(u"memoryChartText"_s);
    auto *view = chart.findChild<QChartView *>();
    QVERIFY(!view->isVisible());
    chart.addMoment(*first);
    chart.addMoment({u"1 s"_s, 60, 0});
    QVERIFY(view->isVisible() && text->text().contains(u"1 s: 60 marks"_s) && text->text().contains(u"and 0 of"_s));
    const auto lines = view->chart()->series();
    QCOMPARE(lines.size(), 2);
    QCOMPARE(qobject_cast<QLineSeries *>(lines.first())->points().last().y(), 80.0); // percent
    chart.showCost(*cost);
    QVERIFY(text->text().contains(u"0% to 3% longer"_s));
    // Without the program it says so, and both buttons can be pressed again.
    qputenv("PATH", "/nowhere");
    auto *look = chart.findChild<QPushButton *>(u"memoryLookButton"_s);
    look->click();
    QTRY_VERIFY(look->isEnabled() && text->text().contains(u"was not found"_s));
}

QTEST_MAIN(TestMemory)
#include "tst_memory.moc"
