// SPDX-License-Identifier: GPL-3.0-or-later
// The page "Rules": in words; add, edit, remove.
#pragma once

#include "base/daemonstate.h"

#include <QWidget>

class QLineEdit;
class QListView;
class QPushButton;
class QSortFilterProxyModel;
class QStackedLayout;

namespace Tacet {

class EmptyPage;
class RulesModel;

class RulesPage : public QWidget
{
    Q_OBJECT

public:
    explicit RulesPage(QWidget *parent = nullptr);

    void setState(const DaemonState &state);

Q_SIGNALS:
    void addRequested(const Tacet::RuleDraft &draft);
    void replaceRequested(quint64 id, const Tacet::RuleDraft &draft);
    void removeRequested(quint64 id);

private:
    QWidget *buildList();
    QPushButton *addButton(const QString &icon, const QString &text, const QString &name);
    void refreshButtons();
    void addRule();
    void editRule();
    void confirmRemove();
    const Rule *selectedRule() const;
    void select(quint64 id);

    RulesModel *m_model;
    QSortFilterProxyModel *m_filtered;
    QStackedLayout *m_stack;
    EmptyPage *m_empty;
    QListView *m_list;
    QLineEdit *m_filter;
    QPushButton *m_add;
    QPushButton *m_edit;
    QPushButton *m_remove;
    bool m_usable = false;
};

} // namespace Tacet
