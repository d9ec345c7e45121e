// SPDX-License-Identifier: GPL-3.0-or-later
#include "confirm.h"

#include <QKeyEvent>
#include <QPushButton>

namespace Tacet {

namespace {

class EnterFilter : public QObject
{
public:
    using QObject::QObject;

    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() != QEvent::KeyPress)
            return false;
        const int key = static_cast<QKeyEvent *>(event)->key();
        return key == Qt::Key_Return || key == Qt::Key_Enter;
    }
};

} // namespace

void refuseEnter(QPushButton *button)
{
    button->setAutoDefault(false);
    button->installEventFilter(new EnterFilter(button));
}

void confirm(QWidget *parent, const Confirmation &confirmation)
{
    auto *box = new QMessageBox(QMessageBox::Question, confirmation.title, confirmation.question, QMessageBox::Cancel, parent);
    box->setObjectName(confirmation.name);
    box->setAttribute(Qt::WA_DeleteOnClose);
    // Names of files and hosts are in it.
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(confirmation.details);
    for (const ConfirmButton &wanted : confirmation.buttons) {
        QPushButton *button = box->addButton(wanted.text, wanted.role);
        button->setObjectName(wanted.name);
        refuseEnter(button);
        QObject::connect(button, &QPushButton::clicked, parent, wanted.act);
    }
    box->setDefaultButton(QMessageBox::Cancel);
    box->open();
}

} // namespace Tacet
