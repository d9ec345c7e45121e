// SPDX-License-Identifier: GPL-3.0-or-later
#include "application.h"

#include "base/timestamps.h"
#include "gui/activity/activitypage.h"
#include "gui/files/filespage.h"
#include "gui/memory/firstchoice.h"
#include "gui/memory/memorypage.h"
#include "gui/rules/rulespage.h"

#include <QApplication>

using namespace Qt::StringLiterals;

namespace Tacet {

Application::Application(const QDBusConnection &daemonBus, const QDBusConnection &sessionBus, QObject *parent)
    : QObject(parent), m_lock(QDBusConnection::systemBus()), m_client(daemonBus), m_notifier(sessionBus, &m_lock),
      m_prompt(boottimeMicroseconds), m_sessions(&m_client, &m_window, m_tray.actions(), sessionBus)
{
    connectState();
    connectPrompt();
    connectNotifier();
    connectTray();
    connectWindow();
    connectFiles();
    connectActivity();
    m_window.setState(m_client.state());
}

void Application::start()
{
    m_client.connectToDaemon();
}

QStringList Application::pageNames()
{
    return QStringList(std::begin(pageWords), std::end(pageWords));
}

void Application::show(const QString &page)
{
    const qsizetype index = pageNames().indexOf(page);
    if (index >= 0)
        m_window.showPage(static_cast<Page>(index));
    else if (m_prompt.currentId() != 0)
        m_prompt.showOnDemand();
    else
        m_window.showPage(Page::Files);
}

void Application::runPrivately(const QStringList &files)
{
    if (files.isEmpty())
        m_sessions.openLauncher();
    else
        m_sessions.openFiles(files);
}

void Application::connectState()
{
    connect(&m_client, &DaemonClient::stateChanged, &m_prompt, &Prompt::setState);
    connect(&m_client, &DaemonClient::stateChanged, &m_tray, &Tray::setState);
    connect(&m_client, &DaemonClient::stateChanged, &m_window, &MainWindow::setState);
    connect(&m_client, &DaemonClient::stateChanged, this, &Application::makeFirstChoice);
    connect(&m_client, &DaemonClient::questionAsked, &m_prompt, &Prompt::showUnasked);
    connect(&m_client, &DaemonClient::questionAsked, &m_notifier, &Notifier::show);
    connect(&m_client, &DaemonClient::questionWithdrawn, &m_prompt, &Prompt::onWithdrawn);
    connect(&m_client, &DaemonClient::questionWithdrawn, &m_notifier, &Notifier::close);
    connect(&m_client, &DaemonClient::failed, &m_window, &MainWindow::showFailure);
    connect(&m_client, &DaemonClient::labelsRefused, &m_window, &MainWindow::showLabelFailures);
}

void Application::makeFirstChoice(const DaemonState &state)
{
    if (m_hasChosen || !state.memory)
        return;
    m_hasChosen = true;
    const QStringList due = FirstChoice::take(SecretPrograms::installed(), *state.memory);
    for (const QString &path : due)
        m_client.addMemoryProgram(path);
}

void Application::connectPrompt()
{
    connect(&m_prompt, &Prompt::answerChosen, &m_client, &DaemonClient::answer);
    connect(&m_prompt, &Prompt::timeWanted, &m_client, &DaemonClient::extend);
    connect(&m_prompt, &Prompt::attended, &m_notifier, &Notifier::close);
    connect(&m_prompt, &Prompt::ruleChosen, &m_client, &DaemonClient::addRule);
    connect(&m_client, &DaemonClient::answerFailed, this, &Application::onAnswerFailed);
}

void Application::onAnswerFailed(quint64 id, const DaemonError &error)
{
    // The prompt says it beside the question; an answer from a notification has no other place than a message.
    if (m_prompt.window()->isVisible() && m_prompt.currentId() == id)
        m_prompt.onAnswerFailed(id, error);
    else if (m_client.state().question(id))
        m_window.showFailure(Operation::Answer, error);
}

void Application::connectNotifier()
{
    connect(&m_notifier, &Notifier::answerChosen, &m_client, &DaemonClient::answer);
    connect(&m_notifier, &Notifier::notShown, &m_prompt, &Prompt::showWithoutNotification);
    connect(&m_notifier, &Notifier::detailsChosen, &m_prompt, &Prompt::showOnDemand);
    connect(&m_sessions, &SessionCoordinator::storeFull, &m_notifier, &Notifier::tellStoreFull);
}

void Application::connectTray()
{
    connect(m_tray.actions(), &TrayActions::questionsRequested, &m_prompt, [this] { m_prompt.showOnDemand(); });
    connect(m_tray.actions(), &TrayActions::pageRequested, &m_window, &MainWindow::showPage);
    connect(m_tray.actions(), &TrayActions::pauseRequested, &m_client, &DaemonClient::pause);
    connect(m_tray.actions(), &TrayActions::resumeRequested, &m_client, &DaemonClient::resume);
    connect(m_tray.actions(), &TrayActions::quitRequested, qApp, &QApplication::quit);
}

void Application::connectWindow()
{
    connect(&m_window, &MainWindow::retryRequested, &m_client, &DaemonClient::connectToDaemon);
    connect(&m_window, &MainWindow::resumeRequested, &m_client, &DaemonClient::resume);
    connect(&m_window, &MainWindow::questionsRequested, &m_prompt, [this] { m_prompt.showOnDemand(); });
    connect(m_window.memory(), &MemoryPage::scopeRequested, &m_client, &DaemonClient::setMemoryScope);
    connect(m_window.memory(), &MemoryPage::layerRequested, &m_client, &DaemonClient::setMemoryLayer);
    connect(m_window.memory(), &MemoryPage::addRequested, &m_client, &DaemonClient::addMemoryProgram);
    connect(m_window.memory(), &MemoryPage::removeRequested, &m_client, &DaemonClient::removeMemoryProgram);
    connect(m_window.rules(), &RulesPage::addRequested, &m_client, &DaemonClient::addRule);
    connect(m_window.rules(), &RulesPage::replaceRequested, &m_client, &DaemonClient::replaceRule);
    connect(m_window.rules(), &RulesPage::removeRequested, &m_client, &DaemonClient::removeRule);
}

void Application::connectFiles()
{
    FilesPage *files = m_window.files();
    connect(files->model(), &FilesModel::pageWanted, &m_client, &DaemonClient::listFiles);
    connect(&m_client, &DaemonClient::filesListed, files->model(), &FilesModel::takePage);
    connect(&m_client, &DaemonClient::labelsChanged, files->model(), &FilesModel::reload);
    connect(&m_client, &DaemonClient::failed, files->model(), [files](Operation operation) {
        if (operation == Operation::ListFiles)
            files->model()->forgetRequest();
    });
    connect(files, &FilesPage::markRequested, &m_client, &DaemonClient::addLabels);
    connect(files, &FilesPage::unmarkRequested, &m_client, &DaemonClient::removeLabels);
    connect(files, &FilesPage::guardRequested, &m_client, &DaemonClient::guard);
}

void Application::connectActivity()
{
    ActivityPage *activity = m_window.activity();
    connect(activity->model(), &ActivityModel::entriesWanted, &m_client, &DaemonClient::listLog);
    connect(&m_client, &DaemonClient::logListed, activity->model(), &ActivityModel::takeEntries);
    connect(&m_client, &DaemonClient::logAdded, activity->model(), &ActivityModel::refresh);
    connect(&m_client, &DaemonClient::failed, activity->model(), [activity](Operation operation) {
        if (operation == Operation::ListLog)
            activity->model()->forgetRequest();
    });
    connect(activity, &ActivityPage::ruleChosen, &m_client, &DaemonClient::addRule);
}

} // namespace Tacet
