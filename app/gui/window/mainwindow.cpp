// SPDX-License-Identifier: GPL-3.0-or-later
#include "mainwindow.h"

#include "base/statuswords.h"
#include "base/untrusted.h"
#include "base/words.h"
#include "gui/activity/activitypage.h"
#include "gui/common/fittoscreen.h"
#include "gui/common/statusicons.h"
#include "gui/files/filespage.h"
#include "gui/memory/memorypage.h"
#include "gui/rules/rulespage.h"
#include "gui/sessions/sessionspage.h"
#include "statusbanner.h"

#include <QHBoxLayout>
#include <QListWidget>
#include <QMessageBox>
#include <QStackedWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace Tacet {

MainWindow::MainWindow(QWidget *parent)
    : QMainWindow(parent), m_banner(new StatusBanner(this)), m_navigation(new QListWidget(this)), m_pages(new QStackedWidget(this)),
      m_files(new FilesPage(this)), m_activity(new ActivityPage(this)), m_sessions(new SessionsPage(this)), m_memory(new MemoryPage(this)),
      m_rules(new RulesPage(this))
{
    setObjectName(u"mainWindow"_s);
    setWindowTitle(tr("Tacet"));
    setWindowIcon(appIcon());
    setAttribute(Qt::WA_QuitOnClose, false);
    m_navigation->setObjectName(u"navigation"_s);
    m_navigation->setAccessibleName(tr("Pages"));
    m_navigation->setIconSize({22, 22});
    m_navigation->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    addPage(Page::Files, m_files, tr("Sensitive files"), u"document-encrypted"_s);
    addPage(Page::Activity, m_activity, tr("Activity"), u"view-history"_s);
    addPage(Page::Sessions, m_sessions, tr("Private sessions"), u"view-private"_s);
    addPage(Page::Memory, m_memory, tr("Memory"), u"edit-clear-all"_s);
    addPage(Page::Rules, m_rules, tr("Rules"), u"view-filter"_s);

    auto *row = new QHBoxLayout;
    row->addWidget(m_navigation);
    row->addWidget(m_pages, 1);
    auto *central = new QWidget(this);
    auto *layout = new QVBoxLayout(central);
    layout->addWidget(m_banner);
    layout->addLayout(row, 1);
    setCentralWidget(central);
    fitToScreen(this, {fontMetrics().averageCharWidth() * 170, fontMetrics().height() * 40});

    connect(m_navigation, &QListWidget::currentRowChanged, m_pages, &QStackedWidget::setCurrentIndex);
    connect(m_banner, &StatusBanner::retryRequested, this, &MainWindow::retryRequested);
    connect(m_banner, &StatusBanner::resumeRequested, this, &MainWindow::resumeRequested);
    connect(m_banner, &StatusBanner::questionsRequested, this, &MainWindow::questionsRequested);
    m_navigation->setCurrentRow(0);
}

void MainWindow::addPage(Page page, QWidget *widget, const QString &title, const QString &icon)
{
    Q_ASSERT(m_pages->count() == int(page));
    auto *item = new QListWidgetItem(QIcon::fromTheme(icon), title, m_navigation);
    const int margin = fontMetrics().averageCharWidth() * 3;
    const int width = m_navigation->iconSize().width() + fontMetrics().horizontalAdvance(title) + 2 * margin;
    item->setSizeHint({width, fontMetrics().height() * 2});
    m_navigation->setFixedWidth(qMax(m_navigation->minimumWidth(), width + 2 * m_navigation->frameWidth()));
    m_pages->addWidget(widget);
}

void MainWindow::setState(const DaemonState &state)
{
    m_banner->setState(state);
    const QString whyUnusable = StatusWords::whyUnusable(state);
    m_files->setUsable(whyUnusable);
    m_files->setGuarded(state.guarded);
    m_activity->setUsable(whyUnusable);
    m_sessions->setState(state);
    m_memory->setState(state);
    m_rules->setState(state);
}

void MainWindow::showPage(Page page)
{
    m_navigation->setCurrentRow(int(page));
    show();
    setWindowState(windowState() & ~Qt::WindowMinimized);
    raise();
    activateWindow();
}

void MainWindow::showMessage(const QString &text, const QString &details)
{
    auto *box = new QMessageBox(QMessageBox::Warning, tr("Tacet"), text, QMessageBox::Ok, isVisible() ? this : nullptr);
    box->setObjectName(u"failureMessage"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setAttribute(Qt::WA_QuitOnClose, false);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(details);
    box->open();
}

void MainWindow::showFailure(Operation operation, const DaemonError &error)
{
    const auto title = [operation] {
        switch (operation) {
        case Operation::Answer:
            return tr("The question was not answered.");
        case Operation::AddRule:
            return tr("The rule was not saved.");
        case Operation::RemoveRule:
            return tr("The rule was not removed.");
        case Operation::AddLabels:
            return tr("The files were not marked as sensitive.");
        case Operation::RemoveLabels:
            return tr("The files are still sensitive.");
        case Operation::Guard:
            return tr("Whether changes are asked about was not changed.");
        case Operation::Pause:
            return tr("Protection was not paused.");
        case Operation::Resume:
            return tr("Protection was not resumed.");
        case Operation::EndSession:
            return tr("The private session was not ended.");
        case Operation::ChangeMemory:
            return tr("What is wiped from memory was not changed.");
        case Operation::ListFiles:
        case Operation::ListLog:
            return tr("The list could not be read.");
        }
        Q_UNREACHABLE_RETURN(QString());
    };
    showMessage(title(), Words::error(error.name, error.message));
}

void MainWindow::showLabelFailures(Operation operation, const QList<LabelFailure> &failures)
{
    constexpr qsizetype listed = 10;
    QStringList lines;
    for (const LabelFailure &failure : failures.first(qMin(failures.size(), listed)))
        lines.append(tr("%1: %2").arg(shownPath(failure.path), Words::error(failure.errorName, failure.message)));
    if (failures.size() > listed)
        lines.append(tr("… and %n more", nullptr, int(failures.size() - listed)));
    const int count = int(failures.size());
    showMessage(operation == Operation::AddLabels ? tr("%n file(s) could not be marked as sensitive.", nullptr, count)
                                                  : tr("%n file(s) are still sensitive.", nullptr, count),
                lines.join(u'\n'));
}

} // namespace Tacet
