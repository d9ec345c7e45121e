// SPDX-License-Identifier: GPL-3.0-or-later
// The page "Sensitive files".
#pragma once

#include "filesmodel.h"
#include "gui/common/listpage.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace Tacet {

class FilesPage : public ListPage
{
    Q_OBJECT

public:
    explicit FilesPage(QWidget *parent = nullptr);

    FilesModel *model() const { return m_model; }
    // Why the daemon can neither be asked nor told; empty: it can.
    void setUsable(const QString &whyNot);
    // Categories whose files are not changed without a question.
    void setGuarded(const QStringList &categories);
    // Asks for a category first.
    void offerToMark(const QStringList &paths);

Q_SIGNALS:
    void markRequested(const QStringList &paths, const QString &category);
    void unmarkRequested(const QStringList &paths);
    void guardRequested(const QStringList &categories);

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void buildTable();
    void buildBelow();
    void chooseFiles();
    void confirmUnmark();
    void onLoaded();
    void onFilterChanged(const QString &text);
    void refreshButtons() override;
    QStringList selectedPaths() const;

    FilesModel *m_model;
    QSortFilterProxyModel *m_filtered;
    QLineEdit *m_filter;
    QPushButton *m_add;
    QPushButton *m_remove;
    QTableView *m_table;
    QCheckBox *m_guard;
    QLabel *m_count;
};

} // namespace Tacet
