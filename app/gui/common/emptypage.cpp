// SPDX-License-Identifier: GPL-3.0-or-later
#include "emptypage.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace Tacet {

EmptyPage::EmptyPage(const QString &title, const QString &text, const QString &step, QWidget *parent)
    : QWidget(parent), m_title(title), m_text(text), m_heading(new QLabel(title, this)), m_explanation(new QLabel(text, this)),
      m_step(new QPushButton(step, this))
{
    QFont large = m_heading->font();
    large.setPointSizeF(large.pointSizeF() * 1.4);
    m_heading->setObjectName(u"emptyTitle"_s);
    m_heading->setFont(large);
    m_heading->setAlignment(Qt::AlignCenter);
    m_heading->setWordWrap(true);
    m_explanation->setObjectName(u"emptyText"_s);
    m_explanation->setWordWrap(true);
    m_explanation->setAlignment(Qt::AlignHCenter);
    const int width = fontMetrics().averageCharWidth() * 75;
    m_explanation->setFixedWidth(width);
    m_explanation->setMinimumHeight(m_explanation->heightForWidth(width));
    m_step->setObjectName(u"firstStepButton"_s);
    m_step->setVisible(!step.isEmpty());

    auto *layout = new QVBoxLayout(this);
    layout->addStretch(2);
    layout->addWidget(m_heading);
    layout->addWidget(m_explanation, 0, Qt::AlignHCenter);
    layout->addSpacing(fontMetrics().height() / 2);
    layout->addWidget(m_step, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    connect(m_step, &QPushButton::clicked, this, &EmptyPage::stepRequested);
}

void EmptyPage::setUnknown(const QString &why)
{
    m_heading->setText(why.isEmpty() ? m_title : why);
    m_explanation->setText(why.isEmpty() ? m_text : tr("What belongs here is kept, and is shown as soon as the daemon can be asked."));
    m_step->setEnabled(why.isEmpty());
}

} // namespace Tacet
