// SPDX-License-Identifier: GPL-3.0-or-later
// The page "Private sessions": what runs privately now, and ending it.
#pragma once

#include "base/daemonstate.h"

#include <QTimer>
#include <QWidget>

class QPushButton;
class QStackedLayout;
class QTableView;

namespace Tacet {

class EmptyPage;
class SessionsModel;

class SessionsPage : public QWidget
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
    QWidget *buildList();
    void buildTable();
    QPushButton *addButton(const QString &icon, const QString &text, const QString &name);
    QList<quint64> selected() const;
    void refreshButtons();
    void endSelected();
    void keepSelected();
    void confirmEndAll();

    SessionsModel *m_model;
    QStackedLayout *m_stack;
    EmptyPage *m_empty;
    QTableView *m_table;
    QPushButton *m_run;
    QPushButton *m_keep;
    QPushButton *m_end;
    QPushButton *m_endAll;
    QTimer m_refresh{this};
    bool m_usable = false;
};

} // namespace Tacet
