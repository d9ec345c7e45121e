// SPDX-License-Identifier: GPL-3.0-or-later
// Shows how long freed data stays in this computer's memory, and what wiping it costs, when it is asked to.
#pragma once

#include "base/memoryprobe.h"

#include <QGroupBox>

class QBarCategoryAxis;
class QChartView;
class QLabel;
class QLineSeries;
class QPushButton;
class QValueAxis;

namespace Tacet {

class MemoryChart : public QGroupBox
{
    Q_OBJECT

public:
    explicit MemoryChart(QWidget *parent = nullptr);

    void addMoment(const MemoryProbe::Moment &moment);
    void showCost(const MemoryProbe::Cost &cost);

private:
    QChartView *buildChart();
    void clear();
    void setRunning(const QString &what);
    void onEnded(const QString &why);

    MemoryProbe m_probe;
    QPushButton *m_look;
    QPushButton *m_cost;
    QLabel *m_text;
    QLineSeries *m_other;
    QLineSeries *m_chosen;
    QBarCategoryAxis *m_moments;
    QValueAxis *m_shares; // percent of what was there at first
    QChartView *m_view;
    qint64 m_first = 1;
};

} // namespace Tacet
