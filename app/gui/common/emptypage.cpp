// SPDX-License-Identifier: GPL-3.0-or-later
#include "emptypage.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace Tacet {

EmptyPage::EmptyPage(const QString &title, const QString &text, const QString &step, QWidget *parent)
    : QWidget(parent), m_step(new QPushButton(step, this))
{
    auto *heading = new QLabel(title, this);
    QFont large = heading->font();
    large.setPointSizeF(large.pointSizeF() * 1.4);
    heading->setFont(large);
    heading->setAlignment(Qt::AlignCenter);
    heading->setWordWrap(true);
    auto *explanation = new QLabel(text, this);
    explanation->setObjectName(u"emptyText"_s);
    explanation->setWordWrap(true);
    explanation->setAlignment(Qt::AlignHCenter);
    const int width = fontMetrics().averageCharWidth() * 75;
    explanation->setFixedWidth(width);
    explanation->setMinimumHeight(explanation->heightForWidth(width));
    m_step->setObjectName(u"firstStepButton"_s);
    m_step->setVisible(!step.isEmpty());

    auto *layout = new QVBoxLayout(this);
    layout->addStretch(2);
    layout->addWidget(heading);
    layout->addWidget(explanation, 0, Qt::AlignHCenter);
    layout->addSpacing(fontMetrics().height() / 2);
    layout->addWidget(m_step, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    connect(m_step, &QPushButton::clicked, this, &EmptyPage::stepRequested);
}

void EmptyPage::setStepEnabled(bool enabled)
{
    m_step->setEnabled(enabled);
}

} // namespace Tacet
