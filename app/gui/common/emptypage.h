// SPDX-License-Identifier: GPL-3.0-or-later
// The page in place of an empty list: it tells what the list is for, and the first step.
#pragma once

#include <QWidget>

class QPushButton;

namespace Tacet {

class EmptyPage : public QWidget
{
    Q_OBJECT

public:
    // step is the text of the button for the first step; empty: none.
    EmptyPage(const QString &title, const QString &text, const QString &step, QWidget *parent = nullptr);

    void setStepEnabled(bool enabled);

Q_SIGNALS:
    void stepRequested();

private:
    QPushButton *m_step;
};

} // namespace Tacet
