// SPDX-License-Identifier: GPL-3.0-or-later
// The page "Sensitive files".
#pragma once

#include "filesmodel.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QStackedLayout;
class QTableView;

namespace Tacet {

class EmptyPage;

class FilesPage : public QWidget
{
    Q_OBJECT

public:
    explicit FilesPage(QWidget *parent = nullptr);

    FilesModel *model() const { return m_model; }
    void setUsable(bool usable);
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
    QWidget *buildList();
    void buildTable();
    void chooseFiles();
    void confirmUnmark();
    void onLoaded();
    void onFilterChanged(const QString &text);
    void refreshButtons();
    QStringList selectedPaths() const;

    FilesModel *m_model;
    QSortFilterProxyModel *m_filtered;
    QStackedLayout *m_stack;
    EmptyPage *m_empty;
    QTableView *m_table;
    QLineEdit *m_filter;
    QLabel *m_count;
    QPushButton *m_add;
    QPushButton *m_remove;
    QCheckBox *m_guard;
    bool m_usable = false;
};

} // namespace Tacet
