// SPDX-License-Identifier: GPL-3.0-or-later
// The part of KeepDialog that builds its widgets.
#include "keepdialog.h"

#include "base/untrusted.h"
#include "changesmodel.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QTreeView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace Tacet {

KeepDialog::KeepDialog(const PrivateSession &session, QWidget *parent)
    : QDialog(parent)
    , m_session(session)
    , m_model(new ChangesModel(this))
    , m_text(new QLabel(this))
    , m_filter(new QLineEdit(this))
    , m_hidden(new QCheckBox(this))
    , m_tree(new QTreeView(this))
    , m_count(new QLabel(this))
    , m_original(new QRadioButton(tr("&Back to the original place"), this))
    , m_elsewhere(new QRadioButton(tr("&Into the folder"), this))
    , m_folder(new QPushButton(tr("C&hoose…"), this))
    , m_progress(new QProgressBar(this))
    , m_result(new QLabel(this))
{
    setObjectName(u"keepDialog"_s);
    setWindowTitle(tr("Keep files: %1").arg(shown(session.application, 60)));
    setAttribute(Qt::WA_QuitOnClose, false);
    m_text->setObjectName(u"keepText"_s);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_count->setObjectName(u"keepCount"_s);
    m_result->setObjectName(u"keepResult"_s);
    m_result->setTextFormat(Qt::PlainText);
    m_result->setWordWrap(true);
    m_progress->setObjectName(u"keepProgress"_s);
    m_progress->setAccessibleName(tr("Files copied"));
    buildTree();

    auto *top = new QHBoxLayout;
    top->addWidget(m_filter, 1);
    top->addWidget(m_hidden);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_text);
    layout->addLayout(top);
    layout->addWidget(m_tree, 1);
    layout->addWidget(m_count);
    layout->addWidget(buildPlace());
    layout->addWidget(m_progress);
    layout->addWidget(m_result);
    layout->addWidget(buildButtons());
    resize(fontMetrics().averageCharWidth() * 110, fontMetrics().height() * 32);
    describe();
    refresh();
}

void KeepDialog::buildTree()
{
    m_filter->setObjectName(u"keepFilter"_s);
    m_filter->setPlaceholderText(tr("Filter by path"));
    m_filter->setAccessibleName(tr("Show only files whose path contains"));
    m_filter->setClearButtonEnabled(true);
    m_hidden->setObjectName(u"keepHidden"_s);
    m_hidden->hide();
    m_tree->setObjectName(u"keepTree"_s);
    m_tree->setAccessibleName(tr("What the session wrote"));
    m_tree->setModel(m_model);
    m_tree->setUniformRowHeights(true);
    m_tree->setAlternatingRowColors(true);
    m_tree->setAllColumnsShowFocus(true);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(ChangesModel::Name, QHeaderView::Stretch);
    const int character = fontMetrics().averageCharWidth();
    for (const ChangesModel::Column column : {ChangesModel::Type, ChangesModel::Kind, ChangesModel::Size})
        m_tree->setColumnWidth(column, character * 14);
    connect(m_filter, &QLineEdit::textChanged, this, &KeepDialog::onFilterChanged);
    connect(m_hidden, &QCheckBox::toggled, this, &KeepDialog::onFilterChanged);
    connect(m_model, &ChangesModel::chosenChanged, this, &KeepDialog::refresh);
}

QWidget *KeepDialog::buildPlace()
{
    m_original->setObjectName(u"originalPlace"_s);
    m_original->setChecked(true);
    m_elsewhere->setObjectName(u"otherPlace"_s);
    m_folder->setObjectName(u"keepFolder"_s);
    m_folder->setAccessibleName(tr("Folder for the files"));
    m_folder->setAutoDefault(false);
    auto *place = new QWidget(this);
    auto *row = new QHBoxLayout(place);
    row->setContentsMargins({});
    row->addWidget(m_original);
    row->addSpacing(fontMetrics().averageCharWidth() * 3);
    row->addWidget(m_elsewhere);
    row->addWidget(m_folder);
    row->addStretch(1);
    connect(m_original, &QRadioButton::toggled, this, &KeepDialog::refresh);
    connect(m_folder, &QPushButton::clicked, this, &KeepDialog::chooseFolder);
    return place;
}

QWidget *KeepDialog::buildButtons()
{
    m_keep = new QPushButton(QIcon::fromTheme(u"document-save"_s), tr("&Keep the selected"), this);
    m_keep->setObjectName(u"keepButton"_s);
    m_keep->setDefault(true);
    m_end = new QPushButton(QIcon::fromTheme(u"edit-delete"_s), {}, this);
    m_end->setObjectName(u"endButton"_s);
    m_end->setAutoDefault(false);
    m_close = new QPushButton(this);
    m_close->setObjectName(u"closeButton"_s);
    m_close->setAutoDefault(false);
    auto *buttons = new QWidget(this);
    auto *row = new QHBoxLayout(buttons);
    row->setContentsMargins({});
    row->addWidget(m_end);
    row->addStretch(1);
    row->addWidget(m_keep);
    row->addWidget(m_close);
    connect(m_keep, &QPushButton::clicked, this, &KeepDialog::keep);
    connect(m_end, &QPushButton::clicked, this, &KeepDialog::end);
    connect(m_close, &QPushButton::clicked, this, &KeepDialog::reject);
    return buttons;
}

} // namespace Tacet
