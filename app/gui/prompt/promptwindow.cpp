// SPDX-License-Identifier: GPL-3.0-or-later
#include "promptwindow.h"

#include "base/questionwords.h"
#include "base/rulewords.h"
#include "base/untrusted.h"
#include "gui/common/fittoscreen.h"
#include "gui/common/statusicons.h"
#include "inputguard.h"
#include "layersurface.h"
#include "promptsettings.h"
#include "questiondetails.h"
#include "scopepicker.h"

#include <QAccessible>
#include <QApplication>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Tacet {

PromptWindow::PromptWindow(Countdown::Clock clock, QWidget *parent)
    : QWidget(parent), m_countdown(new Countdown(std::move(clock), this)), m_guard(new InputGuard(this))
{
    m_countdown->setObjectName(u"countdown"_s);
    build();
    connect(m_countdown, &Countdown::held, this, &PromptWindow::onHeld);
    connect(m_guard, &InputGuard::activated, this, &PromptWindow::onActivated);
    connect(m_guard, &InputGuard::used, m_countdown, &Countdown::hold);
    connect(m_similar, &QCheckBox::toggled, this, [this](bool checked) { m_ticked = checked ? m_similarIds : QList<quint64>(); });
}

void PromptWindow::build()
{
    setObjectName(u"promptWindow"_s);
    setWindowIcon(statusIcon(Condition::Question));
    setAttribute(Qt::WA_ShowWithoutActivating);
    setAttribute(Qt::WA_Hover);
    setAttribute(Qt::WA_QuitOnClose, false);
    setWindowFlags(Qt::Dialog | Qt::WindowStaysOnTopHint | Qt::WindowCloseButtonHint | Qt::WindowTitleHint);

    m_onLayer = LayerSurface::isOffered();
    if (m_onLayer)
        LayerSurface::make(this);

    auto *layout = new QVBoxLayout(this);
    m_title = addLabel(u"titleText"_s);
    m_title->setTextFormat(Qt::PlainText);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_title->setVisible(m_onLayer);
    layout->addWidget(m_title);
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

QPushButton *PromptWindow::addVerdict(const QString &name, Verdict verdict)
{
    auto *button = new QPushButton(this);
    button->setObjectName(name);
    button->setAutoDefault(false);
    button->installEventFilter(this);
    connect(button, &QPushButton::clicked, this, [this, verdict] { choose(verdict); });
    return button;
}

void PromptWindow::addButtons(QVBoxLayout *layout)
{
    m_block = addVerdict(u"blockButton"_s, Verdict::Block);
    m_scrub = addVerdict(u"scrubButton"_s, Verdict::Scrub);
    m_scrub->setAccessibleDescription(tr("The same message goes out with the sensitive content blanked"));
    m_allow = addVerdict(u"allowButton"_s, Verdict::Allow);

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

    m_dismiss = new QPushButton(this);
    m_dismiss->setObjectName(u"dismissButton"_s);
    m_dismiss->setAutoDefault(false);
    connect(m_dismiss, &QPushButton::clicked, this, [this] {
        if (m_guard->isOpen())
            dismiss();
    });

    auto *row = new QHBoxLayout;
    row->addWidget(m_more);
    row->addWidget(m_dismiss);
    row->addStretch(1);
    row->addWidget(m_allow);
    row->addWidget(m_scrub);
    row->addWidget(m_block);
    layout->addLayout(row);
}

// What was asked is either still open, and the answer is for now, or over, and the answer is for the next time.
void PromptWindow::nameVerdicts()
{
    m_block->setText(m_late ? tr("Next time: &block") : tr("&Block"));
    m_scrub->setText(m_late ? tr("Next time: &send scrubbed copy") : tr("&Send scrubbed copy"));
    m_allow->setText(m_late ? tr("Next time: &allow") : tr("&Allow"));
    m_dismiss->setText(m_late ? tr("D&ismiss") : tr("La&ter"));
    m_dismiss->setAccessibleDescription(m_late ? tr("Closes the window; nothing changes") : tr("The question stays in the tray"));
    // Without a title bar there is no other way to put the window away.
    m_dismiss->setVisible(m_late || m_onLayer);
    m_dismiss->setDefault(m_late);
    m_block->setDefault(!m_late);
    const QString title = m_late ? QuestionWords::lateTitle(m_question) : QuestionWords::title(m_question);
    setAccessibleName(title);
    m_title->setText(title);
    //: %1: what the window says
    setWindowTitle(tr("Tacet – %1").arg(title));
}

void PromptWindow::appear()
{
    if (LayerSurface::isWanted() && !m_onLayer)
        return;
    appearAnyhow();
}

void PromptWindow::appearAnyhow()
{
    if (m_question.id == 0 || isVisible())
        return;
    if (m_onLayer)
        LayerSurface::setKeyboard(this, false);
    show();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void PromptWindow::comeForward()
{
    if (m_question.id == 0)
        return;
    if (m_onLayer)
        LayerSurface::setKeyboard(this, true);
    show();
    raise();
    activateWindow();
    m_guard->setActivated(true);
}

void PromptWindow::onActivated()
{
    if (m_onLayer)
        LayerSurface::setKeyboard(this, true);
}

void PromptWindow::onHeld()
{
    Q_EMIT attended(m_question.id);
    if (!m_late)
        Q_EMIT timeWanted(m_question.id);
}

void PromptWindow::setExpires(quint64 expires)
{
    m_question.expires = expires;
    m_countdown->setExpires(expires);
}

// A surface has neither title bar nor frame.
void PromptWindow::paintEvent(QPaintEvent *event)
{
    QWidget::paintEvent(event);
    if (!m_onLayer)
        return;
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void PromptWindow::showEvent(QShowEvent *event)
{
    m_guard->close();
    m_guard->setActivated(false);
    (m_late ? m_dismiss : m_block)->setFocus();
    fit();
    QWidget::showEvent(event);
}

void PromptWindow::showQuestion(const Question &question)
{
    // The button under the pointer belonged to the question before.
    m_guard->close();
    if (QWidget *popup = QApplication::activePopupWidget())
        popup->close();

    m_question = question;
    m_late = false;
    m_escapes = 0;
    m_hinted.reset();
    m_similar->setChecked(false);
    m_error->hide();
    setBusy(false);
    m_sentence->setText(QuestionWords::sentence(question));
    renderKind();
    renderFacts();
    m_quit->setText(tr("&Quit %1 (process %2)").arg(shown(question.appName(), 40), QString::number(question.pid)));
    m_quit->setVisible(true);
    m_scrub->setEnabled(question.canSendScrubbed());
    m_scrub->setToolTip(question.canSendScrubbed() ? QString() : tr("There is no scrubbed copy, since the program has no doppelganger."));
    renderTakeover();
    m_details->setQuestion(question);
    m_scope->setQuestion(question);
    m_scope->setDurations(question.inSession ? ScopePicker::Durations::OfProcess : ScopePicker::Durations::All);
    m_scope->setDuration(PromptSettings::lastDuration());
    m_countdown->start(question.expires);
    nameVerdicts();
    m_block->setFocus();
    renderWarning();
    onScopeChanged();
}

// Fills in the choices and their explanations.
void PromptWindow::renderKind()
{
    const bool change = m_question.isChange();
    m_scrub->setVisible(!change);
    m_takeover->setVisible(!change);
    m_block->setAccessibleDescription(change ? tr("The file stays as it is; the app gets an error")
                                             : tr("Nothing is sent; the app gets an error"));
    m_allow->setAccessibleDescription(change ? tr("The app may change the file") : tr("The sensitive data itself goes out"));
}

void PromptWindow::renderFacts()
{
    QStringList facts;
    if (const QString chain = QuestionWords::chain(m_question); !chain.isEmpty())
        facts.append(chain);
    if (m_question.tainted)
        facts.append(QuestionWords::likeness(m_question));
    if (m_question.inSession)
        facts.append(tr("It runs privately: neither this question nor your answer is kept."));
    m_facts->setText(facts.join(u'\n'));
    m_facts->setVisible(!facts.isEmpty());
}

void PromptWindow::renderTakeover()
{
    const QString words =
        m_question.canTakeOver
            ? tr("The program goes on with the scrubbed copy until it quits. What it saves from then on is scrubbed too.")
            : tr("This program cannot go on with the scrubbed copy: it has several threads or shares memory, or it has no doppelganger.");
    m_takeover->setEnabled(m_question.canTakeOver);
    m_takeover->setToolTip(words);
    m_takeover->setWhatsThis(words);
}

void PromptWindow::renderWarning()
{
    m_warning->setVisible(m_question.binaryChanged);
    if (m_question.binaryChanged)
        m_warning->setText(u"⚠ "_s
                           + tr("The program file of %1 has changed since you last answered for it.").arg(shownBold(m_question.appName())));
}

void PromptWindow::setWaiting(const QList<Question> &similar, qsizetype others)
{
    m_similarIds.clear();
    QStringList files;
    for (const Question &question : similar) {
        m_similarIds.append(question.id);
        if (files.size() < 4)
            files.append(shownPath(question.file, 50));
    }
    files.removeDuplicates();
    // The person did not agree to questions that came after the tick.
    if (m_similar->isChecked() && !std::ranges::all_of(m_similarIds, [this](quint64 id) { return m_ticked.contains(id); })) {
        m_similar->setChecked(false);
        m_guard->close();
    }
    m_similar->setVisible(!similar.isEmpty());
    m_similar->setText(tr("Apply to %n similar", nullptr, int(similar.size())));
    m_similarFiles->setText(tr("The same app and destination: %1").arg(files.join(u", "_s)));
    m_similarFiles->setVisible(!similar.isEmpty());
    m_waiting->setVisible(others > 0);
    m_waiting->setText(tr("%n more question(s) waiting.", nullptr, int(others)));
    fit();
}

void PromptWindow::renderRule()
{
    const Duration duration = m_scope->duration();
    const bool makesRule = duration != Duration::Once && !m_question.inSession;
    m_rule->setVisible(makesRule);
    if (!makesRule)
        return;
    const RuleScope scope = m_scope->choice().scopeFor(m_question);
    m_rule->setText(m_hinted ? RuleWords::sentence({*m_hinted, duration, scope}, RuleWords::Rich)
                             : RuleWords::sentenceWithoutVerdict(duration, scope, RuleWords::Rich));
}

void PromptWindow::onScopeChanged()
{
    const Duration duration = m_scope->duration();
    const RuleScope scope = m_scope->choice().scopeFor(m_question);
    // Room for the longest of the sentences: when the pointer changes them, no button may move under it.
    m_rule->setMinimumHeight(0);
    int height = 0;
    QStringList sentences{RuleWords::sentenceWithoutVerdict(duration, scope, RuleWords::Rich)};
    for (const Verdict verdict : {Verdict::Block, Verdict::Allow, Verdict::Scrub})
        sentences.append(RuleWords::sentence({verdict, duration, scope}, RuleWords::Rich));
    for (const QString &sentence : std::as_const(sentences)) {
        m_rule->setText(sentence);
        height = qMax(height, m_rule->heightForWidth(textWidth()));
    }
    m_rule->setMinimumHeight(height);
    renderRule();
    fit();
}

int PromptWindow::textWidth() const
{
    const QMargins margins = layout()->contentsMargins();
    return windowWidth() - margins.left() - margins.right();
}

int PromptWindow::windowWidth() const
{
    const int wide = fontMetrics().averageCharWidth() * (m_detailsArea->isHidden() ? 84 : 110);
    return qMin(qMax(wide, layout()->minimumSize().width()), screen()->availableSize().width());
}

// Labels that wrap tell their height only for a width, so the window's size is asked of the layout.
void PromptWindow::fit()
{
    const int width = windowWidth();
    // Uses what a small screen leaves: the details scroll, the buttons must be reached.
    const int space = spaceOnScreen(this).height();
    m_detailsArea->setMinimumHeight(0);
    m_countdown->reserveHeight(textWidth());
    layout()->activate();
    const int rest = layout()->totalHeightForWidth(width);
    const int wanted = qMax(m_details->heightForWidth(textWidth()), m_details->minimumSizeHint().height());
    const int details = m_detailsArea->isHidden() ? 0 : qBound(0, wanted, qMax(0, space - rest));
    m_detailsArea->setMinimumHeight(details);
    fitToScreen(this, {width, rest + details});
}

void PromptWindow::setDetailsShown(bool shown)
{
    m_countdown->hold();
    m_detailsArea->setVisible(shown);
    onScopeChanged();
}

void PromptWindow::setBusy(bool busy)
{
    m_busy = busy;
    for (QWidget *widget : std::initializer_list<QWidget *>{m_scope, m_similar, m_more, m_allow, m_block})
        widget->setEnabled(!busy);
    m_scrub->setEnabled(!busy && m_question.canSendScrubbed());
}

void PromptWindow::choose(Verdict verdict)
{
    if (!m_guard->isOpen() || m_busy || m_question.id == 0)
        return;
    m_countdown->hold();
    m_error->hide();
    const Duration duration = m_scope->duration();
    if (!m_late)
        PromptSettings::remember({.verdict = verdict, .duration = duration, .scope = {}});
    Q_EMIT chosen({.verdict = verdict, .duration = duration, .scope = m_scope->choice(), .similar = m_ticked});
}

void PromptWindow::showError(const QString &text)
{
    m_error->setText(text);
    m_error->show();
    fit();
}

void PromptWindow::showLate()
{
    m_late = true;
    m_guard->close();
    m_sentence->setText(QuestionWords::lateSentence(m_question));
    m_takeover->setEnabled(false);
    m_quit->setVisible(false);
    m_more->setEnabled(false);
    m_scope->setDurations(ScopePicker::Durations::Lasting);
    m_countdown->showExpired();
    nameVerdicts();
    m_dismiss->setFocus();
    onScopeChanged();
}

void PromptWindow::showNothing()
{
    m_question = {};
    m_late = false;
    hide();
}

bool PromptWindow::isBeingRead() const
{
    return isVisible() && m_countdown->isHeld();
}

// An open question stays in the tray. One that is over is done with.
void PromptWindow::dismiss()
{
    if (m_late)
        Q_EMIT dismissed();
    else
        hide();
}

void PromptWindow::pressEscape()
{
    if (m_busy)
        return;
    if (m_late || ++m_escapes < 2) {
        dismiss();
        return;
    }
    // A key that is pressed to be rid of a window must not make a rule.
    Q_EMIT chosen({.verdict = Verdict::Block, .duration = Duration::Once, .scope = {}, .similar = {}});
}

void PromptWindow::keyPressEvent(QKeyEvent *event)
{
    if (!m_guard->isOpen() || event->isAutoRepeat())
        return;
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Escape)
        pressEscape();
    else if (enter && m_late)
        dismiss();
    else if (enter)
        choose(Verdict::Block);
    else
        QWidget::keyPressEvent(event);
}

bool PromptWindow::event(QEvent *event)
{
    const bool hovering = event->type() == QEvent::HoverMove || event->type() == QEvent::HoverEnter;
    // A window that opens under a resting pointer is not being read.
    if (hovering && m_guard->isOpen() && m_question.id != 0) {
        // A compositor gives the keyboard to what a click hits, if it may have it already.
        if (m_onLayer)
            LayerSurface::setKeyboard(this, true);
        m_countdown->hold();
    }
    return QWidget::event(event);
}

// Enter on a button does what the button says, except that it never allows, and makes no rule once the question is over. Some
// platform themes press buttons by Enter. The space bar is too easily hit to allow.
bool PromptWindow::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Space || key == Qt::Key_Select)
            return watched == m_allow;
        if (key != Qt::Key_Return && key != Qt::Key_Enter)
            return false;
        if (m_late)
            dismiss();
        else if (watched != m_allow && m_guard->isOpen())
            static_cast<QPushButton *>(watched)->click();
        return true;
    }
    const bool pointedAt = event->type() == QEvent::Enter || event->type() == QEvent::FocusIn;
    if (pointedAt) {
        m_hinted = watched == m_allow ? Verdict::Allow : watched == m_scrub ? Verdict::Scrub : Verdict::Block;
        renderRule();
    } else if (event->type() == QEvent::Leave || event->type() == QEvent::FocusOut) {
        m_hinted.reset();
        renderRule();
    }
    return false;
}

} // namespace Tacet
