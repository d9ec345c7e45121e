// SPDX-License-Identifier: GPL-3.0-or-later
// The page "Rules": in words; add, edit, remove.
#pragma once

#include "base/daemonstate.h"
#include "gui/common/listpage.h"

class QLineEdit;
class QListView;
class QPushButton;
class QSortFilterProxyModel;

namespace Tacet {

class RulesModel;

class RulesPage : public ListPage
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
    void buildList();
    void refreshButtons() override;
    void addRule();
    void editRule();
    void confirmRemove();
    const Rule *selectedRule() const;
    void select(quint64 id);

    RulesModel *m_model;
    QSortFilterProxyModel *m_filtered;
    QLineEdit *m_filter;
    QPushButton *m_add;
    QPushButton *m_edit;
    QPushButton *m_remove;
    QListView *m_list;
};

} // namespace Tacet
