// SPDX-License-Identifier: GPL-3.0-or-later
#include "boxfields.h"

#include "common/box.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>

using namespace Qt::StringLiterals;

namespace Tacet {

BoxFields::BoxFields(QWidget *parent)
    : QWidget(parent), m_name(new QComboBox(this)), m_passphrase(new QLineEdit(this)),
      m_againLabel(new QLabel(tr("The same again:"), this)), m_again(new QLineEdit(this)), m_problem(new QLabel(this))
{
    m_name->setObjectName(u"boxName"_s);
    m_name->setEditable(true);
    m_name->lineEdit()->setPlaceholderText(tr("such as “shop”"));
    m_passphrase->setObjectName(u"boxPassphrase"_s);
    m_again->setObjectName(u"boxPassphraseAgain"_s);
    m_againLabel->setBuddy(m_again);
    for (QLineEdit *field : {m_passphrase, m_again})
        field->setEchoMode(QLineEdit::Password);
    m_problem->setObjectName(u"boxProblem"_s);
    m_problem->setWordWrap(true);

    auto *form = new QFormLayout(this);
    form->setContentsMargins({});
    form->addRow(tr("Name of the &box:"), m_name);
    form->addRow(tr("&Passphrase:"), m_passphrase);
    form->addRow(m_againLabel, m_again);
    form->addRow(m_problem);
    connect(m_name, &QComboBox::editTextChanged, this, &BoxFields::refresh);
    connect(m_passphrase, &QLineEdit::textChanged, this, &BoxFields::refresh);
    connect(m_again, &QLineEdit::textChanged, this, &BoxFields::refresh);
    refresh();
}

void BoxFields::setBoxes(const QStringList &names)
{
    m_boxes = names;
    const QString typed = name();
    m_name->clear();
    m_name->addItems(names);
    if (!typed.isEmpty())
        m_name->setEditText(typed);
    refresh();
}

QString BoxFields::name() const
{
    return m_name->currentText();
}

QByteArray BoxFields::passphrase() const
{
    return m_passphrase->text().toUtf8();
}

bool BoxFields::isNew() const
{
    return !m_boxes.contains(name());
}

QString BoxFields::problem() const
{
    if (name().isEmpty())
        return tr("A box keeps what the program changes, for the next time. It needs a name.");
    if (!tacet::is_box_name(name().toStdString()))
        return tr("A name has letters, digits, dots, dashes and underscores.");
    if (isNew() && passphrase().size() < qsizetype(tacet::passphrase_least))
        return tr("This box is new. Its passphrase has at least %1 characters. Nobody can give you a forgotten one back.")
            .arg(tacet::passphrase_least);
    if (isNew() && m_again->text() != m_passphrase->text())
        return tr("This box is new. Type the same passphrase again.");
    if (passphrase().isEmpty())
        return tr("The box opens with its passphrase.");
    return passphrase().size() < qsizetype(tacet::passphrase_max) ? QString() : tr("The passphrase is too long.");
}

void BoxFields::refresh()
{
    m_againLabel->setVisible(isNew());
    m_again->setVisible(isNew());
    m_problem->setText(problem());
    Q_EMIT changed();
}

} // namespace Tacet
