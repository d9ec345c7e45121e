// SPDX-License-Identifier: GPL-3.0-or-later
#include "filespage.h"

#include "base/labelledfile.h"
#include "base/statuswords.h"
#include "gui/common/confirm.h"
#include "markdialog.h"

#include <QCheckBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Tacet {

FilesPage::FilesPage(QWidget *parent)
    : ListPage(tr("No file is marked as sensitive yet"),
               tr("Mark files whose content must not leave this computer without your consent. Tacet then asks "
                  "before a program sends anything that derives from them. You can also drop files here."),
               tr("&Mark files…"), parent),
      m_model(new FilesModel(this)), m_filtered(new QSortFilterProxyModel(this)),
      m_filter(addFilter(u"filesFilter"_s, tr("Filter by path"), tr("Show only files whose path contains"))),
      m_add(addButton(u"list-add"_s, tr("&Mark files…"), u"markButton"_s)),
      m_remove(addButton(u"list-remove"_s, tr("&Unmark…"), u"unmarkButton"_s)), m_table(new QTableView(this)),
      m_guard(new QCheckBox(tr("&Ask before a program changes or removes sensitive files"), this)), m_count(new QLabel(this))
{
    setObjectName(u"filesPage"_s);
    setAcceptDrops(true);
    m_filtered->setSourceModel(m_model);
    m_filtered->setFilterRole(FilesModel::PathRole);
    m_filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
    buildTable();
    buildBelow();

    connect(this, &FilesPage::firstStepRequested, this, &FilesPage::chooseFiles);
    connect(m_add, &QPushButton::clicked, this, &FilesPage::chooseFiles);
    connect(m_remove, &QPushButton::clicked, this, &FilesPage::confirmUnmark);
    connect(m_filter, &QLineEdit::textChanged, this, &FilesPage::onFilterChanged);
    connect(m_model, &FilesModel::loaded, this, &FilesPage::onLoaded);
    setUsable(StatusWords::whyUnusable({}));
}

void FilesPage::buildTable()
{
    setList(m_table, m_filtered, u"filesTable"_s, tr("Sensitive files"));
    const int character = fontMetrics().averageCharWidth();
    m_table->setColumnWidth(FilesModel::Name, character * 30);
    m_table->setColumnWidth(FilesModel::Category, character * 24);
    m_table->setColumnWidth(FilesModel::Why, character * 28);
    m_table->setColumnWidth(FilesModel::Since, character * 22);
    m_table->horizontalHeader()->setSectionResizeMode(FilesModel::Folder, QHeaderView::Stretch);
}

void FilesPage::buildBelow()
{
    m_guard->setObjectName(u"guardCheck"_s);
    m_guard->setToolTip(tr("Answer “Allow” and “always” for the programs that you work with."));
    m_count->setObjectName(u"filesCount"_s);
    addBelow(m_guard);
    addSpaceBelow();
    addBelow(m_count);
    connect(m_guard, &QCheckBox::clicked, this,
            [this](bool checked) { Q_EMIT guardRequested(checked ? markableCategories() : QStringList()); });
}

void FilesPage::setUsable(const QString &whyNot)
{
    if (!whyNot.isEmpty())
        m_model->forgetRequest();
    setListUsable(whyNot);
}

void FilesPage::setGuarded(const QStringList &categories)
{
    const QStringList all = markableCategories();
    const bool complete = std::ranges::all_of(all, [&](const QString &category) { return categories.contains(category); });
    m_guard->setTristate(false);
    // Some of them only: set by the command line.
    m_guard->setCheckState(categories.isEmpty() ? Qt::Unchecked : complete ? Qt::Checked : Qt::PartiallyChecked);
}

void FilesPage::refreshButtons()
{
    m_guard->setEnabled(isUsable());
    m_add->setEnabled(isUsable());
    m_remove->setEnabled(isUsable() && !selectedRows().isEmpty());
}

void FilesPage::onLoaded()
{
    setEmpty(m_model->total() == 0);
    m_count->setText(tr("%n file(s)", nullptr, int(m_model->total())));
    refreshButtons();
}

void FilesPage::onFilterChanged(const QString &text)
{
    if (!text.isEmpty())
        m_model->fetchAll();
    m_filtered->setFilterFixedString(text);
}

QStringList FilesPage::selectedPaths() const
{
    QStringList paths;
    const auto rows = selectedRows();
    for (const QModelIndex &row : rows)
        paths.append(row.data(FilesModel::PathRole).toString());
    return paths;
}

void FilesPage::chooseFiles()
{
    auto *dialog = new QFileDialog(this, tr("Mark files as sensitive"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, &FilesPage::offerToMark);
    dialog->open();
}

void FilesPage::offerToMark(const QStringList &paths)
{
    if (!isUsable() || paths.isEmpty())
        return;
    auto *dialog = new MarkDialog(paths, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &MarkDialog::accepted, this, [this, dialog, paths] { Q_EMIT markRequested(paths, dialog->category()); });
    dialog->open();
}

void FilesPage::confirmUnmark()
{
    const QStringList paths = selectedPaths();
    if (paths.isEmpty())
        return;
    confirm(this, {.name = u"unmarkQuestion"_s,
                   .title = tr("Not sensitive after all?"),
                   .question = tr("Should %n file(s) no longer be sensitive?", nullptr, int(paths.size())),
                   .details = tr("Programs can then send what is in them without a question."),
                   .buttons = {{tr("&Unmark"), u"unmarkAcceptButton"_s, QMessageBox::AcceptRole,
                                [this, paths] { Q_EMIT unmarkRequested(paths); }}}});
}

void FilesPage::dragEnterEvent(QDragEnterEvent *event)
{
    if (isUsable() && event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void FilesPage::dropEvent(QDropEvent *event)
{
    QStringList paths;
    const auto urls = event->mimeData()->urls();
    for (const QUrl &url : urls) {
        if (url.isLocalFile())
            paths.append(url.toLocalFile());
    }
    event->acceptProposedAction();
    offerToMark(paths);
}

} // namespace Tacet
