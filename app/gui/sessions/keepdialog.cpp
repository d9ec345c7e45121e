// SPDX-License-Identifier: GPL-3.0-or-later
#include "keepdialog.h"

#include "base/untrusted.h"
#include "base/words.h"
#include "changesmodel.h"
#include "gui/common/confirm.h"
#include "gui/common/fittoscreen.h"

#include <QCheckBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <utility>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

constexpr qsizetype listed = 8;

QString lines(const QStringList &all)
{
    QString text = all.first(qMin(all.size(), listed)).join(u'\n');
    if (all.size() > listed)
        text += u'\n' + KeepDialog::tr("… and %n more", nullptr, int(all.size() - listed));
    return text;
}

// Invalid: the row cannot be kept.
QVariant tickOf(const QModelIndex &index)
{
    return index.siblingAtColumn(ChangesModel::Name).data(Qt::CheckStateRole);
}

} // namespace

KeepDialog::KeepDialog(const PrivateSession &session, QWidget *parent)
    : QDialog(parent), m_session(session), m_model(new ChangesModel(this)), m_text(new QLabel(this)), m_filter(new QLineEdit(this)),
      m_hidden(new QCheckBox(this)), m_tree(new QTreeView(this)), m_count(new QLabel(this)),
      m_original(new QRadioButton(tr("&Back to the original place"), this)), m_elsewhere(new QRadioButton(tr("&Into the folder"), this)),
      m_folder(new QPushButton(tr("C&hoose…"), this)), m_progress(new QProgressBar(this)), m_result(new QLabel(this))
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
    fitToScreen(this, {fontMetrics().averageCharWidth() * 110, fontMetrics().height() * 32});
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
    // A row that is only highlighted would look selected, and not be kept.
    m_tree->setSelectionMode(QAbstractItemView::NoSelection);
    m_tree->setExpandsOnDoubleClick(false);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(ChangesModel::Name, QHeaderView::Stretch);
    const int character = fontMetrics().averageCharWidth();
    for (const ChangesModel::Column column : {ChangesModel::Type, ChangesModel::Kind, ChangesModel::Size})
        m_tree->setColumnWidth(column, character * 14);
    connect(m_filter, &QLineEdit::textChanged, this, &KeepDialog::onFilterChanged);
    connect(m_hidden, &QCheckBox::toggled, this, &KeepDialog::onFilterChanged);
    connect(m_model, &ChangesModel::chosenChanged, this, &KeepDialog::refresh);
    connect(m_tree, &QTreeView::pressed, this, [this](const QModelIndex &index) { m_pressed = tickOf(index); });
    connect(m_tree, &QTreeView::clicked, this, &KeepDialog::onClicked);
}

// A click anywhere in a row ticks it. One on the box has done so already, and is not told as pressed.
void KeepDialog::onClicked(const QModelIndex &index)
{
    const QVariant pressed = std::exchange(m_pressed, {});
    const QVariant tick = tickOf(index);
    if (!tick.isValid() || tick != pressed)
        return;
    const bool isTicked = tick.value<Qt::CheckState>() == Qt::Checked;
    m_model->setData(index.siblingAtColumn(ChangesModel::Name), isTicked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
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
    refuseEnter(m_end);
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

void KeepDialog::setSession(const PrivateSession &session)
{
    m_session = session;
    describe();
    refresh();
}

void KeepDialog::sessionGone(const QString &why)
{
    m_gone = true;
    // Removes the session's files from the screen; the result of keeping them is told.
    m_model->setChanges({});
    if (!m_keeper) {
        QDialog::reject();
        return;
    }
    m_keeper->abandon(why);
    m_text->setText(why);
    refresh();
}

void KeepDialog::takeChanges(quint64 id, const QList<SessionChange> &changes)
{
    if (id != m_session.id || m_loaded)
        return;
    m_loaded = true;
    m_model->setChanges(changes);
    m_hidden->setText(tr("&Show settings and caches too (%n)", nullptr, m_model->hiddenCount()));
    m_hidden->setVisible(m_model->hiddenCount() > 0);
    onFilterChanged();
    describe();
}

void KeepDialog::changesFailed(quint64 id, const DaemonError &error)
{
    if (id != m_session.id)
        return;
    m_text->setText(tr("What the session wrote could not be read: %1").arg(Words::error(error.name, error.message)));
}

void KeepDialog::describe()
{
    if (m_gone)
        return;
    const QString name = shown(m_session.application, 60);
    const bool ended = m_session.state == SessionState::Waiting;
    if (!m_loaded)
        m_text->setText(tr("Reading what %1 wrote…").arg(name));
    else if (m_model->changes().isEmpty())
        m_text->setText(ended ? tr("%1 has ended and wrote nothing.").arg(name) : tr("%1 has written nothing yet.").arg(name));
    else if (ended)
        m_text->setText(tr("%1 has ended. Pick out what you want to keep; all else is gone when you end the session.").arg(name));
    else
        m_text->setText(tr("%1 is still running. What you keep now is copied as it is at this moment.").arg(name));
}

void KeepDialog::onFilterChanged()
{
    m_model->setFilter(m_filter->text(), m_hidden->isChecked());
    constexpr int few = 300;
    if (m_model->shownCount() <= few)
        m_tree->expandAll();
    else
        m_tree->expandToDepth(0);
    refresh();
}

void KeepDialog::refresh()
{
    const bool running = m_keeper && m_keeper->isRunning();
    const qsizetype chosen = m_model->chosen().size();
    const bool onlyHidden = m_model->shownCount() == 0 && m_model->hiddenCount() > 0 && m_filter->text().isEmpty();
    if (onlyHidden && chosen == 0)
        m_count->setText(tr("Only settings and caches were written. What the program had not saved is not among them."));
    else if (chosen == 0)
        m_count->setText(tr("Nothing is selected."));
    else
        m_count->setText(tr("%n file(s) selected, %1", nullptr, int(chosen)).arg(Words::bytes(m_model->chosenSize())));
    const bool hasPlace = m_original->isChecked() || !m_path.isEmpty();
    m_keep->setEnabled(chosen > 0 && hasPlace && !running && !m_gone);
    m_end->setVisible(m_session.state == SessionState::Waiting && !m_gone);
    m_end->setEnabled(!running);
    m_end->setText(m_kept ? tr("&End: everything else is gone") : tr("&End: everything is gone"));
    m_close->setText(running ? tr("Cancel") : m_end->isVisibleTo(this) ? tr("&Later") : tr("&Close"));
    m_folder->setEnabled(m_elsewhere->isChecked() && !running);
    for (QWidget *widget : {static_cast<QWidget *>(m_tree), static_cast<QWidget *>(m_original), static_cast<QWidget *>(m_elsewhere)})
        widget->setEnabled(!running && !m_gone);
    m_progress->setVisible(running);
}

void KeepDialog::chooseFolder()
{
    auto *dialog = new QFileDialog(this, tr("Keep the files in this folder"), m_path.isEmpty() ? QDir::homePath() : m_path);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &folder) {
        m_path = folder;
        m_folder->setText(shownPath(folder));
        refresh();
    });
    dialog->open();
}

void KeepDialog::keep()
{
    delete m_keeper;
    const QByteArray folder = m_original->isChecked() ? QByteArray() : QFile::encodeName(m_path);
    m_keeper = new Keeper(m_session.id, m_model->changes(), m_model->chosen(), folder, this);
    connect(m_keeper, &Keeper::copyWanted, this, &KeepDialog::copyWanted);
    connect(m_keeper, &Keeper::finished, this, &KeepDialog::onFinished);
    connect(m_keeper, &Keeper::progressed, m_progress, &QProgressBar::setValue);
    m_result->clear();
    if (const QString problem = m_keeper->problem(); !problem.isEmpty()) {
        m_result->setText(tr("Nothing was kept: %1").arg(problem));
        return;
    }
    const QList<QByteArray> taken = m_keeper->taken();
    if (taken.isEmpty())
        startKeeper(Keeper::Existing::Skip);
    else
        askToReplace(taken);
}

void KeepDialog::askToReplace(const QList<QByteArray> &taken)
{
    QStringList names;
    for (const QByteArray &path : taken)
        names.append(m_original->isChecked() ? shownPath(u'/' + QFile::decodeName(path)) : shown(QFile::decodeName(path)));
    confirm(
        this,
        {.name = u"replaceQuestion"_s,
         .title = tr("Replace files?"),
         .question = tr("%n file(s) exist already. Replace them?", nullptr, int(taken.size())),
         .details = lines(names),
         .buttons = {{tr("&Replace"), u"replaceButton"_s, QMessageBox::DestructiveRole, [this] { startKeeper(Keeper::Existing::Replace); }},
                     {tr("&Leave them"), u"skipButton"_s, QMessageBox::AcceptRole, [this] { startKeeper(Keeper::Existing::Skip); }}}});
}

void KeepDialog::startKeeper(Keeper::Existing existing)
{
    m_progress->setRange(0, m_keeper->total());
    m_keeper->start(existing);
    refresh();
}

void KeepDialog::onCopied(quint64 id, const QByteArray &path)
{
    if (m_keeper)
        m_keeper->onCopied(id, path);
}

void KeepDialog::onNotCopied(quint64 id, const QByteArray &path, const DaemonError &error)
{
    if (m_keeper)
        m_keeper->onNotCopied(id, path, error);
}

void KeepDialog::onFinished()
{
    m_kept = m_kept || m_keeper->kept() > 0;
    QStringList parts{tr("%n file(s) kept", nullptr, m_keeper->kept())};
    if (m_keeper->skipped() > 0)
        parts.append(tr("%n left as they were", nullptr, m_keeper->skipped()));
    const int open = m_keeper->total() - m_keeper->kept() - m_keeper->skipped() - int(m_keeper->failures().size());
    if (open > 0)
        parts.append(tr("%n not copied, as you cancelled", nullptr, open));
    QString text = parts.join(tr(", "));
    if (!m_keeper->failures().isEmpty()) {
        QStringList failed;
        for (const KeepFailure &failure : m_keeper->failures())
            failed.append(tr("%1: %2").arg(shownPath(QFile::decodeName(failure.path)), failure.why));
        text = tr("%1, %n failed:", nullptr, int(failed.size())).arg(text) + u'\n' + lines(failed);
    } else {
        text += u'.';
    }
    m_result->setText(text);
    refresh();
}

void KeepDialog::end()
{
    Q_EMIT endRequested(m_session.id);
    accept();
}

// The button and Escape: while files are copied they stop that, otherwise they close the window.
void KeepDialog::reject()
{
    if (m_keeper && m_keeper->isRunning())
        m_keeper->cancel();
    else
        QDialog::reject();
}

} // namespace Tacet
