// SPDX-License-Identifier: GPL-3.0-or-later
// The window with the pages; passes the person's intentions on.
#pragma once

#include "base/daemonclient.h"
#include "gui/common/page.h"

#include <QMainWindow>

class QListWidget;
class QStackedWidget;

namespace Tacet {

class ActivityPage;
class FilesPage;
class MemoryPage;
class RulesPage;
class SessionsPage;
class StatusBanner;

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(QWidget *parent = nullptr);

    void setState(const DaemonState &state);
    void showPage(Page page);
    void showFailure(Operation operation, const DaemonError &error);
    void showMessage(const QString &text, const QString &details);
    void showLabelFailures(Operation operation, const QList<LabelFailure> &failures);

    FilesPage *files() const { return m_files; }
    ActivityPage *activity() const { return m_activity; }
    MemoryPage *memory() const { return m_memory; }
    RulesPage *rules() const { return m_rules; }
    SessionsPage *sessions() const { return m_sessions; }

Q_SIGNALS:
    void retryRequested();
    void resumeRequested();
    void questionsRequested();

private:
    void addPage(Page page, QWidget *widget, const QString &title, const QString &icon);

    StatusBanner *m_banner;
    QListWidget *m_navigation;
    QStackedWidget *m_pages;
    FilesPage *m_files;
    ActivityPage *m_activity;
    SessionsPage *m_sessions;
    MemoryPage *m_memory;
    RulesPage *m_rules;
};

} // namespace Tacet
