// SPDX-License-Identifier: GPL-3.0-or-later
// What the breach prompt consists of.
#include "inputguard.h"
#include "promptwindow.h"
#include "questiondetails.h"
#include "scopepicker.h"
#include "statusicons.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace Tacet {

void PromptWindow::build()
{
    setObjectName(u"promptWindow"_s);
    setWindowIcon(statusIcon(Condition::Question));
    setAttribute(Qt::WA_ShowWithoutActivating);
    setAttribute(Qt::WA_Hover);
    setAttribute(Qt::WA_QuitOnClose, false);
    setWindowFlags(Qt::Dialog | Qt::WindowStaysOnTopHint | Qt::WindowCloseButtonHint | Qt::WindowTitleHint);

    auto *layout = new QVBoxLayout(this);
    addSentence(layout);
    addDetails(layout);
    addAnswer(layout);
    addSimilar(layout);
    m_error = addLabel(u"errorText"_s);
    m_error->hide();
    layout->addWidget(m_error);
    layout->addWidget(m_countdown);
    addButtons(layout);
}

QLabel *PromptWindow::addLabel(const QString &name)
{
    auto *label = new QLabel(this);
    label->setObjectName(name);
    label->setWordWrap(true);
    return label;
}

void PromptWindow::addSentence(QVBoxLayout *layout)
{
    m_icon = new QLabel(this);
    m_icon->setPixmap(statusIcon(Condition::Question).pixmap(48));
    m_sentence = addLabel(u"sentenceText"_s);
    m_sentence->setTextFormat(Qt::RichText);
    QFont large = m_sentence->font();
    large.setPointSizeF(large.pointSizeF() * 1.15);
    m_sentence->setFont(large);
    m_facts = addLabel(u"factsText"_s);
    m_facts->setTextFormat(Qt::PlainText);
    m_warning = addLabel(u"warningText"_s);
    m_warning->setTextFormat(Qt::RichText);

    auto *texts = new QVBoxLayout;
    texts->addWidget(m_sentence);
    texts->addWidget(m_facts);
    texts->addWidget(m_warning);
    auto *row = new QHBoxLayout;
    row->setSpacing(row->spacing() * 2);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addLayout(texts, 1);
    layout->addLayout(row);
}

void PromptWindow::addDetails(QVBoxLayout *layout)
{
    m_detailsButton = new QPushButton(tr("&Details"), this);
    m_detailsButton->setObjectName(u"detailsButton"_s);
    m_detailsButton->setAccessibleDescription(tr("Shows the program, its command line and what would be sent"));
    m_detailsButton->setCheckable(true);
    m_detailsButton->setAutoDefault(false);
    m_details = new QuestionDetails(this);
    m_details->setObjectName(u"details"_s);
    m_detailsArea = new QScrollArea(this);
    m_detailsArea->setObjectName(u"detailsArea"_s);
    m_detailsArea->setFrameShape(QFrame::NoFrame);
    m_detailsArea->setFocusPolicy(Qt::NoFocus);
    m_detailsArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_detailsArea->setWidgetResizable(true);
    // Its own size hint is of no use: the window gives it what there is.
    m_detailsArea->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    m_detailsArea->setWidget(m_details);
    m_detailsArea->hide();
    layout->addWidget(m_detailsButton, 0, Qt::AlignLeading);
    layout->addWidget(m_detailsArea, 1);
    connect(m_detailsButton, &QPushButton::toggled, this, &PromptWindow::setDetailsShown);
}

void PromptWindow::addAnswer(QVBoxLayout *layout)
{
    m_scope = new ScopePicker(this);
    m_scope->setObjectName(u"scopePicker"_s);
    m_rule = addLabel(u"ruleText"_s);
    m_rule->setTextFormat(Qt::RichText);
    layout->addWidget(m_scope);
    layout->addWidget(m_rule);
    connect(m_scope, &ScopePicker::changed, this, &PromptWindow::onScopeChanged);
}

void PromptWindow::addSimilar(QVBoxLayout *layout)
{
    m_similar = new QCheckBox(this);
    m_similar->setObjectName(u"similarCheck"_s);
    m_similarFiles = addLabel(u"similarFilesText"_s);
    m_similarFiles->setTextFormat(Qt::PlainText);
    m_waiting = addLabel(u"waitingText"_s);
    layout->addWidget(m_similar);
    layout->addWidget(m_similarFiles);
    layout->addWidget(m_waiting);
}

QPushButton *PromptWindow::addVerdict(const QString &text, const QString &name, Verdict verdict)
{
    auto *button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setAutoDefault(false);
    button->installEventFilter(this);
    connect(button, &QPushButton::clicked, this, [this, verdict] { choose(verdict); });
    return button;
}

void PromptWindow::addButtons(QVBoxLayout *layout)
{
    m_block = addVerdict(tr("&Block"), u"blockButton"_s, Verdict::Block);
    m_block->setDefault(true);
    m_scrub = addVerdict(tr("&Send scrubbed copy"), u"scrubButton"_s, Verdict::Scrub);
    m_scrub->setAccessibleDescription(tr("The same message goes out with the sensitive content blanked"));
    m_allow = addVerdict(tr("&Allow"), u"allowButton"_s, Verdict::Allow);

    m_more = new QPushButton(tr("&More"), this);
    m_more->setObjectName(u"moreButton"_s);
    m_more->setAutoDefault(false);
    auto *menu = new QMenu(m_more);
    menu->setObjectName(u"moreMenu"_s);
    menu->setToolTipsVisible(true);
    m_takeover = menu->addAction(tr("&Continue on scrubbed data"));
    m_takeover->setObjectName(u"takeoverAction"_s);
    connect(m_takeover, &QAction::triggered, this, [this] { choose(Verdict::Takeover); });
    m_quit = menu->addAction(QString());
    m_quit->setObjectName(u"quitAction"_s);
    connect(m_quit, &QAction::triggered, this, [this] { choose(Verdict::Quit); });
    m_more->setMenu(menu);

    auto *row = new QHBoxLayout;
    row->addWidget(m_more);
    row->addStretch(1);
    row->addWidget(m_allow);
    row->addWidget(m_scrub);
    row->addWidget(m_block);
    layout->addLayout(row);
}

} // namespace Tacet
