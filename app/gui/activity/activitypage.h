// SPDX-License-Identifier: GPL-3.0-or-later
// The page "Activity": every decision, with a filter, and "always do this".
#pragma once

#include "activitymodel.h"
#include "base/rule.h"
#include "gui/common/listpage.h"

#include <QSortFilterProxyModel>

class QComboBox;
class QLineEdit;
class QPushButton;
class QTableView;

namespace Tacet {

// Text and kind of event together.
class ActivityFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    enum Kind { Everything, Decisions, Blocked, Allowed, Scrubbed, Missed, Labels };

    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setKind(Kind kind);

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    Kind m_kind = Everything;
};

class ActivityPage : public ListPage
{
    Q_OBJECT

public:
    explicit ActivityPage(QWidget *parent = nullptr);

    ActivityModel *model() const { return m_model; }
    // Why the daemon can neither be asked nor told; empty: it can.
    void setUsable(const QString &whyNot);

Q_SIGNALS:
    void ruleChosen(const Tacet::RuleDraft &draft);

private:
    void buildTable();
    void fillKinds();
    void onLoaded();
    void refreshButtons() override;
    void editRule();
    const LogEntry *selectedEntry() const;

    ActivityModel *m_model;
    ActivityFilter *m_filtered;
    QLineEdit *m_filter;
    QComboBox *m_kind;
    QPushButton *m_always = nullptr;
    QTableView *m_table;
};

} // namespace Tacet
