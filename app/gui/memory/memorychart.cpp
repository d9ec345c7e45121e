// SPDX-License-Identifier: GPL-3.0-or-later
#include "memorychart.h"

#include <QBarCategoryAxis>
#include <QChart>
#include <QChartView>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineSeries>
#include <QPushButton>
#include <QVBoxLayout>
#include <QValueAxis>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

constexpr int chartHeight = 130;
constexpr double lineWidth = 2.5;
constexpr float gridStrength = 0.2F;
constexpr double whole = 100; // percent
constexpr auto notWiped = "#d0453a"_L1;
constexpr auto wiped = "#2f8f4e"_L1;

QLineSeries *makeLine(const QString &name, QLatin1StringView colour, QObject *parent)
{
    auto *line = new QLineSeries(parent);
    line->setName(name);
    line->setPen(QPen(QColor(colour), lineWidth));
    line->setPointsVisible(true);
    return line;
}

} // namespace

MemoryChart::MemoryChart(QWidget *parent)
    : QGroupBox(tr("See it on this computer"), parent), m_look(new QPushButton(tr("Show how &long data stays"), this)),
      m_cost(new QPushButton(tr("&Measure what wiping costs"), this)), m_text(new QLabel(this)),
      m_other(makeLine(tr("any program"), notWiped, this)), m_chosen(makeLine(tr("a ticked program"), wiped, this)),
      m_moments(new QBarCategoryAxis(this)), m_shares(new QValueAxis(this)), m_view(buildChart())
{
    setObjectName(u"memoryChart"_s);
    m_look->setObjectName(u"memoryLookButton"_s);
    m_cost->setObjectName(u"memoryCostButton"_s);
    m_text->setObjectName(u"memoryChartText"_s);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setText(tr("Tacet puts marks into memory, gives it back, and looks for them in all of this computer's memory."));
    auto *layout = new QVBoxLayout(this);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_look);
    buttons->addWidget(m_cost);
    buttons->addStretch(1);
    layout->addLayout(buttons);
    layout->addWidget(m_text);
    layout->addWidget(m_view, 1);
    layout->addStretch(0);
    m_view->hide();
    connect(m_look, &QPushButton::clicked, this, [this] {
        clear();
        setRunning(tr("Looking for one minute…"));
        m_probe.look();
    });
    connect(m_cost, &QPushButton::clicked, this, [this] {
        setRunning(tr("Measuring for some seconds…"));
        m_probe.measureCost();
    });
    connect(&m_probe, &MemoryProbe::counted, this, &MemoryChart::addMoment);
    connect(&m_probe, &MemoryProbe::costMeasured, this, &MemoryChart::showCost);
    connect(&m_probe, &MemoryProbe::ended, this, &MemoryChart::onEnded);
}

QChartView *MemoryChart::buildChart()
{
    auto *chart = new QChart;
    chart->addSeries(m_other);
    chart->addSeries(m_chosen);
    chart->addAxis(m_moments, Qt::AlignBottom);
    chart->addAxis(m_shares, Qt::AlignLeft);
    for (QLineSeries *line : {m_other, m_chosen}) {
        line->attachAxis(m_moments);
        line->attachAxis(m_shares);
    }
    m_shares->setRange(0, whole);
    m_shares->setTickCount(3);
    m_shares->setLabelFormat(u"%d%%"_s);
    chart->legend()->setAlignment(Qt::AlignTop);
    chart->setMargins({});
    chart->setBackgroundVisible(false);
    const QColor text = palette().color(QPalette::WindowText);
    chart->legend()->setLabelColor(text);
    QColor faint = text;
    faint.setAlphaF(gridStrength);
    for (QAbstractAxis *axis : {static_cast<QAbstractAxis *>(m_shares), static_cast<QAbstractAxis *>(m_moments)}) {
        axis->setLabelsColor(text);
        axis->setGridLineColor(faint);
    }
    auto *view = new QChartView(chart, this);
    view->setRenderHint(QPainter::Antialiasing);
    view->setMinimumHeight(chartHeight);
    view->setAccessibleName(tr("How long data stays in memory"));
    return view;
}

void MemoryChart::clear()
{
    m_other->clear();
    m_chosen->clear();
    m_moments->clear();
}

void MemoryChart::addMoment(const MemoryProbe::Moment &moment)
{
    const auto place = double(m_other->count());
    const QString name = place == 0 ? tr("now") : moment.name == "ended"_L1 ? tr("quit") : moment.name;
    m_moments->append(name);
    if (place == 0)
        m_first = std::max<qint64>({moment.other, moment.chosen, 1});
    m_other->append(place, whole * double(moment.other) / double(m_first));
    m_chosen->append(place, whole * double(moment.chosen) / double(m_first));
    // One point is no line, so that the axis would be too short for it.
    m_moments->setRange(m_moments->at(0), name);
    m_view->show();
    m_text->setText(
        tr("%1: %L2 marks of any program are still in memory, and %L3 of a ticked one.").arg(name).arg(moment.other).arg(moment.chosen));
}

void MemoryChart::showCost(const MemoryProbe::Cost &cost)
{
    const int least = qRound(std::max(0.0, cost.least)), most = qRound(std::max(0.0, cost.most));
    const QString range = least == most ? tr("%1%").arg(most) : tr("%1% to %2%").arg(least).arg(most);
    m_text->setText(tr("On this computer, work that does little but use memory takes a ticked program %1 longer. Others take up "
                       "to 2% longer meanwhile. With init_on_free=1 among its arguments, the kernel would wipe for all programs, at "
                       "about this price.")
                        .arg(range));
}

void MemoryChart::setRunning(const QString &what)
{
    m_text->setText(what);
    m_look->setEnabled(false);
    m_cost->setEnabled(false);
}

void MemoryChart::onEnded(const QString &why)
{
    if (!why.isEmpty())
        m_text->setText(why);
    m_look->setEnabled(true);
    m_cost->setEnabled(true);
}

} // namespace Tacet
