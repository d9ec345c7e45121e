// SPDX-License-Identifier: GPL-3.0-or-later
#include "statusbanner.h"

#include "base/statuswords.h"
#include "gui/common/statusicons.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace Tacet {

StatusBanner::StatusBanner(QWidget *parent)
    : QFrame(parent), m_icon(new QLabel(this)), m_title(new QLabel(this)), m_text(new QLabel(this)),
      m_retry(addButton(tr("Try &again"), u"retryButton"_s)), m_resume(addButton(tr("&Resume protection"), u"resumeButton"_s)),
      m_questions(addButton(tr("&Show questions"), u"questionsButton"_s))
{
    setObjectName(u"statusBanner"_s);
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(tr("State of protection"));
    m_title->setObjectName(u"statusTitle"_s);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_text->setObjectName(u"statusText"_s);
    m_text->setTextFormat(Qt::RichText);
    m_text->setWordWrap(true);
    // The commands in it are there to be copied.
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);

    auto *texts = new QVBoxLayout;
    texts->addWidget(m_title);
    texts->addWidget(m_text);
    auto *layout = new QHBoxLayout(this);
    layout->addWidget(m_icon, 0, Qt::AlignTop);
    layout->addLayout(texts, 1);
    for (QPushButton *button : {m_retry, m_resume, m_questions})
        layout->addWidget(button, 0, Qt::AlignVCenter);
    connect(m_retry, &QPushButton::clicked, this, &StatusBanner::retryRequested);
    connect(m_resume, &QPushButton::clicked, this, &StatusBanner::resumeRequested);
    connect(m_questions, &QPushButton::clicked, this, &StatusBanner::questionsRequested);
}

QPushButton *StatusBanner::addButton(const QString &text, const QString &name)
{
    auto *button = new QPushButton(text, this);
    button->setObjectName(name);
    return button;
}

void StatusBanner::setState(const DaemonState &state)
{
    const Condition condition = conditionOf(state);
    m_icon->setPixmap(statusIcon(condition).pixmap(32));
    m_title->setText(StatusWords::title(state));
    QStringList paragraphs;
    if (const QString text = StatusWords::consequence(state); !text.isEmpty())
        paragraphs.append(text.toHtmlEscaped());
    if (const QString text = StatusWords::remedy(state); !text.isEmpty())
        paragraphs.append(text);
    m_text->setText(paragraphs.join("<br>"_L1));
    m_text->setVisible(!paragraphs.isEmpty());
    m_retry->setVisible(condition == Condition::Absent || condition == Condition::Denied || condition == Condition::Mismatch);
    m_resume->setVisible(condition == Condition::Paused);
    m_questions->setVisible(condition == Condition::Question);
}

} // namespace Tacet
