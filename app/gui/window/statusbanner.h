// SPDX-License-Identifier: GPL-3.0-or-later
// The banner on top of the main window: what is enforced, what is not, and what to do.
#pragma once

#include "base/daemonstate.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace Tacet {

class StatusBanner : public QFrame
{
    Q_OBJECT

public:
    explicit StatusBanner(QWidget *parent = nullptr);

    void setState(const DaemonState &state);

Q_SIGNALS:
    void retryRequested();
    void resumeRequested();
    void questionsRequested();

private:
    QPushButton *addButton(const QString &text, const QString &name);

    QLabel *m_icon;
    QLabel *m_title;
    QLabel *m_text;
    QPushButton *m_retry;
    QPushButton *m_resume;
    QPushButton *m_questions;
};

} // namespace Tacet
