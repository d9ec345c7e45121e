// SPDX-License-Identifier: GPL-3.0-or-later
#include "markdialog.h"

#include "base/labelledfile.h"
#include "base/untrusted.h"
#include "base/words.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace Tacet {

MarkDialog::MarkDialog(const QStringList &paths, QWidget *parent) : QDialog(parent), m_category(new QComboBox(this))
{
    setObjectName(u"markDialog"_s);
    setWindowTitle(tr("Mark as sensitive"));
    constexpr qsizetype listed = 8;
    QStringList lines;
    for (const QString &path : paths.first(qMin(paths.size(), listed)))
        lines.append(shownPath(path, 80));
    if (paths.size() > listed)
        lines.append(tr("… and %n more", nullptr, int(paths.size() - listed)));
    auto *files = new QLabel(lines.join(u'\n'), this);
    files->setTextFormat(Qt::PlainText);

    m_category->setObjectName(u"categoryCombo"_s);
    const QStringList categories = markableCategories();
    for (const QString &code : categories)
        m_category->addItem(Words::category(code), code);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("&Mark"));
    buttons->button(QDialogButtonBox::Ok)->setObjectName(u"markAcceptButton"_s);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto *form = new QFormLayout;
    form->addRow(tr("C&ategory:"), m_category);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(new QLabel(tr("Mark %n file(s) as sensitive:", nullptr, int(paths.size())), this));
    layout->addWidget(files);
    layout->addLayout(form);
    layout->addStretch(1);
    layout->addWidget(buttons);
}

QString MarkDialog::category() const
{
    return m_category->currentData().toString();
}

} // namespace Tacet
