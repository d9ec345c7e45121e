// SPDX-License-Identifier: GPL-3.0-or-later
// The page "Private sessions": what runs privately now, and ending it.
#pragma once

#include "base/daemonstate.h"
#include "gui/common/listpage.h"

#include <QTimer>

class QPushButton;
class QTableView;

namespace Tacet {

class SessionsModel;

class SessionsPage : public ListPage
{
    Q_OBJECT

public:
    explicit SessionsPage(QWidget *parent = nullptr);

    void setState(const DaemonState &state);

Q_SIGNALS:
    void runRequested();
    void endRequested(quint64 id);
    void endAllRequested();
    void keepRequested(quint64 id);
    // Memory and swap change without a signal: asked for while somebody looks.
    void refreshRequested();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void buildBar();
    void buildTable();
    QList<quint64> selected() const;
    void refreshButtons() override;
    void endSelected();
    void keepSelected();
    void confirmEndAll();

    SessionsModel *m_model;
    QPushButton *m_run = nullptr;
    QPushButton *m_keep = nullptr;
    QPushButton *m_end = nullptr;
    QPushButton *m_endAll = nullptr;
    QTableView *m_table;
    QTimer m_refresh{this};
};

} // namespace Tacet
