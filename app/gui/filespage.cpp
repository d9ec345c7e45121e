// SPDX-License-Identifier: GPL-3.0-or-later
#include "filespage.h"

#include "base/labelledfile.h"
#include "confirm.h"
#include "emptypage.h"
#include "listtable.h"
#include "markdialog.h"

#include <QCheckBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QHeaderView>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Tacet {

FilesPage::FilesPage(QWidget *parent)
    : QWidget(parent)
    , m_model(new FilesModel(this))
    , m_filtered(new QSortFilterProxyModel(this))
    , m_stack(new QStackedLayout(this))
    , m_empty(new EmptyPage(tr("No file is marked as sensitive yet"),
                            tr("Mark files whose content must not leave this computer without your consent. Tacet then asks "
                               "before a program sends anything that derives from them. You can also drop files here."),
                            tr("&Mark files…"), this))
    , m_table(new QTableView(this))
    , m_filter(new QLineEdit(this))
    , m_count(new QLabel(this))
    , m_add(new QPushButton(QIcon::fromTheme(u"list-add"_s), tr("&Mark files…"), this))
    , m_remove(new QPushButton(QIcon::fromTheme(u"list-remove"_s), tr("&Unmark…"), this))
    , m_guard(new QCheckBox(tr("&Ask before a program changes or removes marked files"), this))
{
    setObjectName(u"filesPage"_s);
    setAcceptDrops(true);
    m_filtered->setSourceModel(m_model);
    m_filtered->setFilterRole(FilesModel::PathRole);
    m_filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(buildList());

    connect(m_empty, &EmptyPage::stepRequested, this, &FilesPage::chooseFiles);
    connect(m_add, &QPushButton::clicked, this, &FilesPage::chooseFiles);
    connect(m_remove, &QPushButton::clicked, this, &FilesPage::confirmUnmark);
    connect(m_guard, &QCheckBox::clicked, this,
            [this](bool checked) { Q_EMIT guardRequested(checked ? markableCategories() : QStringList()); });
    connect(m_filter, &QLineEdit::textChanged, this, &FilesPage::onFilterChanged);
    connect(m_model, &FilesModel::loaded, this, &FilesPage::onLoaded);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &FilesPage::refreshButtons);
    refreshButtons();
}

QWidget *FilesPage::buildList()
{
    m_filter->setObjectName(u"filesFilter"_s);
    m_filter->setAccessibleName(tr("Show only files whose path contains"));
    m_filter->setPlaceholderText(tr("Filter by path"));
    m_filter->setClearButtonEnabled(true);
    m_add->setObjectName(u"markButton"_s);
    m_remove->setObjectName(u"unmarkButton"_s);
    m_count->setObjectName(u"filesCount"_s);
    m_guard->setObjectName(u"guardCheck"_s);
    m_guard->setToolTip(tr("Answer “Allow” and “always” for the programs that you work with."));
    buildTable();

    auto *list = new QWidget(this);
    auto *top = new QHBoxLayout;
    top->addWidget(m_filter, 1);
    top->addWidget(m_add);
    top->addWidget(m_remove);
    auto *layout = new QVBoxLayout(list);
    layout->setContentsMargins({});
    layout->addLayout(top);
    layout->addWidget(m_table, 1);
    auto *bottom = new QHBoxLayout;
    bottom->addWidget(m_guard);
    bottom->addStretch(1);
    bottom->addWidget(m_count);
    layout->addLayout(bottom);
    return list;
}

void FilesPage::buildTable()
{
    m_table->setObjectName(u"filesTable"_s);
    m_table->setAccessibleName(tr("Sensitive files"));
    m_table->setModel(m_filtered);
    setUpListTable(m_table);
    const int character = fontMetrics().averageCharWidth();
    m_table->setColumnWidth(FilesModel::Name, character * 30);
    m_table->setColumnWidth(FilesModel::Category, character * 24);
    m_table->setColumnWidth(FilesModel::Why, character * 28);
    m_table->setColumnWidth(FilesModel::Since, character * 22);
    m_table->horizontalHeader()->setSectionResizeMode(FilesModel::Folder, QHeaderView::Stretch);
}

void FilesPage::setUsable(bool usable)
{
    m_usable = usable;
    if (!usable)
        m_model->forgetRequest();
    refreshButtons();
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
    m_guard->setEnabled(m_usable);
    m_add->setEnabled(m_usable);
    m_empty->setStepEnabled(m_usable);
    m_remove->setEnabled(m_usable && m_table->selectionModel()->hasSelection());
}

void FilesPage::onLoaded()
{
    m_stack->setCurrentIndex(m_model->total() > 0 ? 1 : 0);
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
    const auto rows = m_table->selectionModel()->selectedRows();
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
    if (!m_usable || paths.isEmpty())
        return;
    auto *dialog = new MarkDialog(paths, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &MarkDialog::accepted, this,
            [this, dialog, paths] { Q_EMIT markRequested(paths, dialog->category()); });
    dialog->open();
}

void FilesPage::confirmUnmark()
{
    const QStringList paths = selectedPaths();
    if (paths.isEmpty())
        return;
    confirm(this,
            {.name = u"unmarkQuestion"_s,
             .title = tr("Not sensitive after all?"),
             .question = tr("Remove the mark from %n file(s)?", nullptr, int(paths.size())),
             .details = tr("Programs can then send what is in them without a question."),
             .buttons = {{tr("&Unmark"), u"unmarkAcceptButton"_s, QMessageBox::AcceptRole,
                          [this, paths] { Q_EMIT unmarkRequested(paths); }}}});
}

void FilesPage::dragEnterEvent(QDragEnterEvent *event)
{
    if (m_usable && event->mimeData()->hasUrls())
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
