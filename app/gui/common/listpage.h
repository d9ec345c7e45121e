// SPDX-License-Identifier: GPL-3.0-or-later
// A page with one list: a filter and buttons above it, and as long as it is empty what it is for and the first step.
#pragma once

#include <QAbstractItemView>
#include <QWidget>

class QHBoxLayout;
class QLineEdit;
class QPushButton;
class QStackedLayout;
class QVBoxLayout;

namespace Tacet {

class EmptyPage;

class ListPage : public QWidget
{
    Q_OBJECT

public:
    // Sets what the page shows while the list is empty. step: the button's text; empty: no button.
    ListPage(const QString &title, const QString &text, const QString &step, QWidget *parent);

Q_SIGNALS:
    void firstStepRequested();

protected:
    // Above the list, from left to right; the keyboard goes the same way.
    QLineEdit *addFilter(const QString &name, const QString &placeholder, const QString &accessibleName);
    QPushButton *addButton(const QString &icon, const QString &text, const QString &name);
    void addAbove(QWidget *widget);
    void addSpaceAbove();
    void addBelow(QWidget *widget);
    void addSpaceBelow();

    // Takes the list in, with its model. Of a table rows are selected, striped and roomy; there is no grid; Tab leaves it.
    void setList(QAbstractItemView *list, QAbstractItemModel *model, const QString &name, const QString &accessibleName);
    void setEmpty(bool empty);
    // Why the daemon can neither be asked nor told; empty: it can.
    void setListUsable(const QString &whyNot);
    bool isUsable() const { return m_usable; }
    // One index for each selected row.
    QModelIndexList selectedRows() const;
    // After what is selected or usable has changed.
    virtual void refreshButtons() = 0;

private:
    QHBoxLayout *below();

    QStackedLayout *m_stack;
    EmptyPage *m_empty;
    QVBoxLayout *m_layout;
    QHBoxLayout *m_above;
    QHBoxLayout *m_below = nullptr;
    QAbstractItemView *m_list = nullptr;
    bool m_usable = false;
};

} // namespace Tacet
