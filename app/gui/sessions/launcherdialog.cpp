// SPDX-License-Identifier: GPL-3.0-or-later
#include "launcherdialog.h"

#include "boxfields.h"
#include "gui/common/fittoscreen.h"
#include "programsmodel.h"

#include "common/screen_reader.h"

#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTreeView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

enum Store { Memory, Disk, Box };

} // namespace

LauncherDialog::LauncherDialog(const QList<Program> &programs, QWidget *parent)
    : QDialog(parent), m_model(new ProgramsModel(programs, this)), m_search(new QLineEdit(this)), m_list(new QTreeView(this)),
      m_nothing(new QLabel(tr("No installed program matches."), this)), m_network(new QCheckBox(tr("&Network"), this)),
      m_audio(new QCheckBox(tr("S&ound"), this)), m_sshAgent(new QCheckBox(tr("SSH &keys"), this)),
      m_screenReader(new QCheckBox(tr("Screen rea&der"), this)), m_keep(new QCheckBox(tr("&Ask what to keep at the end"), this)),
      m_always(new QCheckBox(tr("Al&ways start this program privately"), this)), m_store(new QComboBox(this)), m_box(new BoxFields(this))
{
    setObjectName(u"launcherDialog"_s);
    setWindowTitle(tr("Run privately"));
    setAttribute(Qt::WA_QuitOnClose, false);
    m_search->setObjectName(u"programSearch"_s);
    m_search->setPlaceholderText(tr("Search for a program"));
    m_search->setAccessibleName(tr("Search for a program"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->hide();
    buildList();

    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_search);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_nothing, 1);
    layout->addWidget(buildOptions());
    layout->addWidget(m_box);
    layout->addWidget(buildButtons());
    fitToScreen(this, {fontMetrics().averageCharWidth() * 95, fontMetrics().height() * 30});
    connect(m_search, &QLineEdit::textChanged, this, &LauncherDialog::onSearched);
    connect(m_list, &QTreeView::doubleClicked, this, &LauncherDialog::run);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &LauncherDialog::onSelected);
    onSearched({});
    m_search->setFocus();
}

void LauncherDialog::buildList()
{
    m_list->setObjectName(u"programList"_s);
    m_list->setAccessibleName(tr("Programs"));
    m_list->setModel(m_model);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->setHeaderHidden(true);
    m_list->setIconSize({24, 24});
    m_list->setColumnWidth(ProgramsModel::Name, fontMetrics().averageCharWidth() * 36);
    m_list->header()->setStretchLastSection(true);
}

QWidget *LauncherDialog::buildOptions()
{
    m_network->setObjectName(u"networkCheck"_s);
    m_network->setChecked(true);
    m_audio->setObjectName(u"audioCheck"_s);
    m_sshAgent->setObjectName(u"sshAgentCheck"_s);
    m_sshAgent->setEnabled(qEnvironmentVariableIsSet("SSH_AUTH_SOCK"));
    m_sshAgent->setToolTip(m_sshAgent->isEnabled()
                               ? tr("It may log in to other computers with the keys in your SSH agent. It cannot read or change them.")
                               : tr("No SSH agent runs in your desktop session."));
    const bool hasReader = QFileInfo(QString::fromLatin1(tacet::screen_reader)).isExecutable();
    m_screenReader->setObjectName(u"screenReaderCheck"_s);
    m_screenReader->setEnabled(hasReader);
    m_screenReader->setToolTip(hasReader ? tr("Orca reads its windows to you, with sound. The one of your desktop cannot look inside.")
                                         : tr("Orca is not installed."));
    connect(m_screenReader, &QCheckBox::toggled, this, &LauncherDialog::onScreenReaderChosen);
    m_screenReader->setChecked(hasReader && QAccessible::isActive());
    m_keep->setObjectName(u"keepCheck"_s);
    m_keep->setChecked(true);
    m_keep->setToolTip(tr("Otherwise all that the program wrote is gone when it ends."));
    m_always->setObjectName(u"alwaysCheck"_s);
    m_always->setToolTip(tr("Menus, links and documents then start it so, with these settings. A terminal does not."));
    m_store->setObjectName(u"storeCombo"_s);
    m_store->addItem(tr("memory"), Memory);
    m_store->addItem(tr("the disk, encrypted (for large files)"), Disk);
    m_store->addItem(tr("a box, which stays (asks for a passphrase)"), Box);
    connect(m_store, &QComboBox::currentIndexChanged, this, &LauncherDialog::onStoreChosen);
    connect(m_box, &BoxFields::changed, this, &LauncherDialog::refreshRun);
    m_box->hide();
    auto *label = new QLabel(tr("It &writes to:"), this);
    label->setBuddy(m_store);

    auto *options = new QWidget(this);
    auto *grid = new QGridLayout(options);
    grid->setContentsMargins({});
    grid->addWidget(m_network, 0, 0);
    grid->addWidget(m_audio, 1, 0);
    grid->addWidget(m_sshAgent, 2, 0);
    grid->addWidget(m_screenReader, 3, 0);
    grid->addWidget(m_keep, 0, 1, 1, 2);
    grid->addWidget(label, 1, 1);
    grid->addWidget(m_store, 1, 2);
    grid->addWidget(m_always, 2, 1, 1, 2);
    grid->setColumnMinimumWidth(0, fontMetrics().averageCharWidth() * 20);
    grid->setColumnStretch(2, 1);
    return options;
}

QWidget *LauncherDialog::buildButtons()
{
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_run = buttons->button(QDialogButtonBox::Ok);
    m_run->setText(tr("&Run privately"));
    m_run->setObjectName(u"launchButton"_s);
    m_other = buttons->addButton(tr("Other program or &file…"), QDialogButtonBox::ActionRole);
    m_other->setObjectName(u"otherFileButton"_s);
    m_other->setAutoDefault(false);
    connect(m_other, &QPushButton::clicked, this, &LauncherDialog::chooseFile);
    connect(buttons, &QDialogButtonBox::accepted, this, &LauncherDialog::run);
    connect(buttons, &QDialogButtonBox::rejected, this, &LauncherDialog::reject);
    return buttons;
}

PrivateOptions LauncherDialog::options() const
{
    return {.network = m_network->isChecked(),
            .audio = m_audio->isChecked(),
            .screenReader = m_screenReader->isChecked(),
            .sshAgent = m_sshAgent->isChecked(),
            .onDisk = m_store->currentData().toInt() == Disk,
            .keep = m_keep->isChecked() && !hasBox(),
            .box = hasBox() ? m_box->name() : QString(),
            .passphrase = hasBox() ? m_box->passphrase() : QByteArray()};
}

void LauncherDialog::setUsable(bool usable)
{
    m_usable = usable;
    refreshRun();
}

void LauncherDialog::setBoxes(const QStringList &names)
{
    m_box->setBoxes(names);
}

bool LauncherDialog::hasBox() const
{
    return m_store->currentData().toInt() == Box;
}

// What is in a box is kept anyway, and a menu could not ask for its passphrase.
void LauncherDialog::onStoreChosen()
{
    m_box->setVisible(hasBox());
    m_keep->setEnabled(!hasBox());
    m_always->setEnabled(!hasBox());
    refreshRun();
}

void LauncherDialog::onScreenReaderChosen(bool chosen)
{
    m_audio->setChecked(chosen);
    m_audio->setEnabled(!chosen);
}

void LauncherDialog::onSearched(const QString &text)
{
    m_model->search(text);
    m_list->setVisible(m_model->rowCount() > 0);
    m_nothing->setVisible(m_model->rowCount() == 0);
    m_list->setCurrentIndex(m_model->index(0, 0));
    refreshRun();
}

void LauncherDialog::onSelected()
{
    const QModelIndex current = m_list->currentIndex();
    m_always->setChecked(current.isValid() && m_model->program(current.row()).alwaysPrivate);
    refreshRun();
}

void LauncherDialog::refreshRun()
{
    const bool isReady = m_usable && (!hasBox() || m_box->problem().isEmpty());
    m_run->setEnabled(isReady && m_list->currentIndex().isValid());
    m_other->setEnabled(isReady);
}

void LauncherDialog::run()
{
    const QModelIndex current = m_list->currentIndex();
    if (!m_run->isEnabled())
        return;
    const Program &program = m_model->program(current.row());
    if (m_always->isEnabled() && (m_always->isChecked() || program.alwaysPrivate)) {
        if (const QString problem = PrivateCommands::setAlways(program, options(), m_always->isChecked()); !problem.isEmpty()) {
            QMessageBox::warning(this, tr("The menu was not changed"), problem);
            return;
        }
    }
    Q_EMIT chosen(PrivateCommands::ofProgram(program), options());
    accept();
}

void LauncherDialog::chooseFile()
{
    auto *dialog = new QFileDialog(this, tr("Program or document to open privately"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList &files) {
        Q_EMIT filesChosen(files, options());
        accept();
    });
    dialog->open();
}

// One types and chooses without leaving the search field.
bool LauncherDialog::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        for (const int moving : {Qt::Key_Up, Qt::Key_Down, Qt::Key_PageUp, Qt::Key_PageDown}) {
            if (key->key() == moving)
                return QCoreApplication::sendEvent(m_list, event);
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace Tacet
