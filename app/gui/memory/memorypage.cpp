// SPDX-License-Identifier: GPL-3.0-or-later
#include "memorypage.h"

#include "base/secretprograms.h"
#include "base/statuswords.h"
#include "base/untrusted.h"
#include "common/heap_reach.h"
#include "memorychart.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QFile>
#include <QFileDialog>
#include <QGridLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <utility>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

constexpr int pathRole = Qt::UserRole;
constexpr auto programFolder = "/usr/bin"_L1;

QLabel *sentence(const QString &text, const QString &name, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

} // namespace

MemoryPage::MemoryPage(QWidget *parent)
    : QWidget(parent), m_state(sentence({}, u"memoryState"_s, this)), m_scopes(new QButtonGroup(this)), m_chart(new MemoryChart(this))
{
    setObjectName(u"memoryPage"_s);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(sentence(tr("A program that no longer needs a password or a key gives its memory back. Usually they stay there until "
                                  "something happens to overwrite them. Tacet wipes them at once."),
                               u"memoryWhat"_s, this));
    layout->addWidget(m_state);
    layout->addWidget(buildScopes());
    m_choice = buildPrograms();
    auto *below = new QHBoxLayout;
    below->addWidget(m_choice, 1);
    below->addWidget(m_chart, 1);
    layout->addLayout(below, 1);
    setState({});
}

QWidget *MemoryPage::buildScopes()
{
    auto *box = new QGroupBox(tr("Wipe what is no longer needed by"), this);
    auto *layout = new QVBoxLayout(box);
    const struct
    {
        MemoryScope scope;
        QString text;
    } choices[] = {
        {MemoryScope::Off, tr("&private programs only")},
        {MemoryScope::Sensitive, tr("private programs, and programs that have opened a &sensitive file")},
        {MemoryScope::Chosen, tr("these, and the programs that are &ticked below (recommended)")},
        {MemoryScope::Everything, tr("&all programs, which makes the whole computer a little slower")},
    };
    for (const auto &choice : choices) {
        auto *button = new QRadioButton(choice.text, box);
        button->setObjectName(u"memoryScope-"_s + wordOf(choice.scope));
        m_scopes->addButton(button, int(choice.scope));
        layout->addWidget(button);
    }
    auto *details = new QPushButton(tr("D&etails"), box);
    details->setObjectName(u"memoryDetailsButton"_s);
    details->setCheckable(true);
    auto *below = new QHBoxLayout;
    below->addWidget(
        sentence(tr("A change holds for everybody on this computer, and needs an administrator's password."), u"memoryWho"_s, box), 1);
    below->addWidget(details);
    layout->addLayout(below);
    buildLayers(box);
    layout->addWidget(m_layers);
    connect(details, &QPushButton::toggled, m_layers, &QWidget::setVisible);
    connect(m_scopes, &QButtonGroup::idClicked, this, [this](int id) {
        if (m_policy && int(m_policy->scope) != id)
            Q_EMIT scopeRequested(MemoryScope(id));
    });
    return box;
}

void MemoryPage::buildLayers(QWidget *parent)
{
    m_layers = new QWidget(parent);
    m_layers->setVisible(false);
    auto *layout = new QGridLayout(m_layers);
    layout->setContentsMargins({});
    const struct
    {
        MemoryLayer layer;
        QString text;
    } choices[] = {
        {MemoryLayer::Pages, tr("memory that they &give back, or have when they end")},
        {MemoryLayer::Buffers, tr("messages, &names and typed text on their way")},
        {MemoryLayer::Stack, tr("what f&unctions left on the stack (ticked programs)")},
        {MemoryLayer::Heap, tr("what they &free on the heap (ticked programs)")},
    };
    for (const auto &choice : choices) {
        auto *check = new QCheckBox(choice.text, m_layers);
        check->setObjectName(u"memoryLayer-"_s + wordOf(choice.layer));
        m_layerBoxes.insert(choice.layer, check);
        layout->addWidget(check, layout->count() / 2, layout->count() % 2);
        connect(check, &QCheckBox::clicked, this, [this, layer = choice.layer](bool wiped) { Q_EMIT layerRequested(layer, wiped); });
    }
    // A layout with sentences that wrap would squeeze the boxes.
    m_layers->setMinimumHeight(m_layers->sizeHint().height());
}

QWidget *MemoryPage::buildPrograms()
{
    auto *box = new QGroupBox(tr("Programs that see your passwords and keys"), this);
    auto *layout = new QVBoxLayout(box);
    m_programs = new QListWidget(box);
    m_programs->setObjectName(u"memoryPrograms"_s);
    m_programs->setAccessibleName(tr("Programs"));
    m_programs->setAlternatingRowColors(true);
    m_programs->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_programs->setWordWrap(true);
    m_programs->setSpacing(fontMetrics().height() / 6);
    m_add = new QPushButton(QIcon::fromTheme(u"list-add"_s), tr("A&dd another program…"), box);
    m_add->setObjectName(u"addMemoryProgramButton"_s);
    layout->addWidget(m_programs, 1);
    layout->addWidget(
        sentence(tr("A program is wiped at once, and more thoroughly from its next start on. Some manage most of their memory "
                    "themselves, and are wiped completely when they end."),
                 u"memoryWhen"_s, box));
    layout->addWidget(m_add, 0, Qt::AlignLeft);
    connect(m_programs, &QListWidget::itemChanged, this, &MemoryPage::onItemChanged);
    connect(m_add, &QPushButton::clicked, this, &MemoryPage::chooseProgram);
    return box;
}

void MemoryPage::setState(const DaemonState &state)
{
    const QString whyUnusable = StatusWords::whyUnusable(state);
    const auto policy = whyUnusable.isEmpty() ? state.memory : std::nullopt;
    const bool outdated = policy != m_policy || m_asked || m_programs->count() == 0;
    m_policy = policy;
    m_state->setText(whyUnusable);
    m_state->setVisible(!whyUnusable.isEmpty());
    const auto buttons = m_scopes->buttons();
    for (QAbstractButton *button : buttons)
        button->setEnabled(m_policy.has_value());
    if (m_policy)
        m_scopes->button(int(m_policy->scope))->setChecked(true);
    m_layers->setEnabled(m_policy && m_policy->scope != MemoryScope::Off);
    for (auto box = m_layerBoxes.cbegin(); box != m_layerBoxes.cend(); ++box)
        (*box)->setChecked(m_policy && m_policy->layers.contains(box.key()));
    m_chart->setEnabled(m_policy.has_value());
    m_choice->setEnabled(m_policy && m_policy->scope >= MemoryScope::Chosen);
    if (outdated)
        showPrograms();
}

void MemoryPage::showPrograms()
{
    const QSignalBlocker blocker(m_programs);
    const QString current = m_programs->currentItem() ? m_programs->currentItem()->data(pathRole).toString() : QString();
    m_programs->clear();
    m_asked = false;
    QStringList others = m_policy ? m_policy->programs : QStringList();
    const auto known = SecretPrograms::installed();
    for (const SecretProgram &program : known) {
        addItem(program.path, program.name);
        others.removeAll(program.path);
    }
    for (const QString &path : std::as_const(others))
        addItem(path, SecretPrograms::nameOf(path));
    for (int row = 0; row < m_programs->count(); ++row) {
        if (m_programs->item(row)->data(pathRole) == current)
            m_programs->setCurrentRow(row);
    }
}

void MemoryPage::addItem(const QString &path, const QString &name)
{
    const bool isWhole = tacet::is_heap_reached(QFile::encodeName(path).toStdString());
    auto *item = new QListWidgetItem(isWhole ? shown(name, 60) : tr("%1 (completely only when it ends)").arg(shown(name, 60)), m_programs);
    item->setData(pathRole, path);
    item->setToolTip(shownPath(path));
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(m_policy && m_policy->programs.contains(path) ? Qt::Checked : Qt::Unchecked);
}

void MemoryPage::onItemChanged(const QListWidgetItem *item)
{
    // If the daemon refuses it, the box is shown as it was.
    m_asked = true;
    const QString path = item->data(pathRole).toString();
    if (item->checkState() == Qt::Checked)
        Q_EMIT addRequested(path);
    else
        Q_EMIT removeRequested(path);
}

void MemoryPage::chooseProgram()
{
    auto *dialog = new QFileDialog(this, tr("Add a program"), programFolder);
    dialog->setObjectName(u"memoryProgramDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString &file) { Q_EMIT addRequested(QFileInfo(file).canonicalFilePath()); });
    dialog->open();
}

} // namespace Tacet
