// SPDX-License-Identifier: GPL-3.0-or-later
// The page "Memory": of which programs what they no longer need is wiped, and which memory.
#pragma once

#include "base/daemonstate.h"

#include <QMap>
#include <QWidget>

class QButtonGroup;
class QCheckBox;
class QLabel;
class QListWidget;
class QListWidgetItem;
class QPushButton;

namespace Tacet {

class MemoryChart;

class MemoryPage : public QWidget
{
    Q_OBJECT

public:
    explicit MemoryPage(QWidget *parent = nullptr);

    void setState(const DaemonState &state);

Q_SIGNALS:
    void scopeRequested(Tacet::MemoryScope scope);
    void layerRequested(Tacet::MemoryLayer layer, bool wiped);
    void addRequested(const QString &program);
    void removeRequested(const QString &program);

private:
    QWidget *buildScopes();
    void buildLayers(QWidget *parent);
    QWidget *buildPrograms();
    void showPrograms();
    void addItem(const QString &path, const QString &name);
    void onItemChanged(const QListWidgetItem *item);
    void chooseProgram();

    QLabel *m_state;
    QButtonGroup *m_scopes;
    QWidget *m_layers;
    QMap<MemoryLayer, QCheckBox *> m_layerBoxes;
    MemoryChart *m_chart;
    QWidget *m_choice;
    QListWidget *m_programs;
    QPushButton *m_add;
    std::optional<MemoryPolicy> m_policy;
    bool m_asked = false; // a box was ticked or cleared, and the daemon has not answered
};

} // namespace Tacet
