// SPDX-License-Identifier: GPL-3.0-or-later
// Asks the person before something that cannot be taken back, or that lets more out. Enter cancels.
#pragma once

#include <QList>
#include <QMessageBox>

#include <functional>

namespace Tacet {

struct ConfirmButton
{
    QString text;
    QString name;
    QMessageBox::ButtonRole role;
    std::function<void()> act;
};

struct Confirmation
{
    QString name; // of the box, for tests and accessibility tools
    QString title;
    QString question;
    QString details;
    QList<ConfirmButton> buttons; // besides "Cancel", which does nothing
};

// Enter does not press the button, wherever the keyboard is: a click, its letter and the space bar do. Some platform themes press
// every button by Enter.
void refuseEnter(QPushButton *button);

// Returns at once; the box belongs to the parent and goes when it is closed.
void confirm(QWidget *parent, const Confirmation &confirmation);

} // namespace Tacet
