// SPDX-License-Identifier: GPL-3.0-or-later
#include "confirm.h"

#include <QPushButton>

namespace Tacet {

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
        QObject::connect(button, &QPushButton::clicked, parent, wanted.act);
    }
    box->open();
}

} // namespace Tacet
