// SPDX-License-Identifier: GPL-3.0-or-later
#include "promptwindow.h"

#include "base/questionwords.h"
#include "base/rulewords.h"
#include "base/untrusted.h"
#include "base/words.h"
#include "inputguard.h"
#include "promptsettings.h"
#include "questiondetails.h"
#include "scopepicker.h"

#include <QAccessible>
#include <QApplication>
#include <QCheckBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLayout>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>

using namespace Qt::StringLiterals;

namespace Tacet {

PromptWindow::PromptWindow(Countdown::Clock clock, QWidget *parent)
    : QWidget(parent)
    , m_countdown(new Countdown(std::move(clock), this))
    , m_guard(new InputGuard(this))
{
    m_countdown->setObjectName(u"countdown"_s);
    build();
    connect(m_countdown, &Countdown::held, this, [this] { Q_EMIT attended(m_question.id); });
    connect(m_similar, &QCheckBox::toggled, this,
            [this](bool checked) { m_similarIds = checked ? similarIds() : QList<quint64>(); });
}

void PromptWindow::setState(const DaemonState &state)
{
    m_open = state.questions;
    if (m_question.id == 0 && !m_open.isEmpty())
        showQuestion(m_open.constFirst());
    renderWaiting();
}

void PromptWindow::showUnasked()
{
    if (m_question.id == 0 || isVisible())
        return;
    show();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void PromptWindow::showOnDemand(quint64 id)
{
    const auto wanted = std::ranges::find(m_open, id, &Question::id);
    if (wanted != m_open.cend() && m_question.id != id && !m_busy)
        showQuestion(*wanted);
    if (m_question.id == 0)
        return;
    show();
    raise();
    activateWindow();
}

void PromptWindow::showEvent(QShowEvent *event)
{
    m_guard->close();
    m_block->setFocus();
    fit();
    QWidget::showEvent(event);
}

void PromptWindow::showQuestion(const Question &question)
{
    // What was under the pointer belonged to the question before.
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
    m_scrub->setToolTip(question.canSendScrubbed() ? QString() : tr("There is no scrubbed run that could send its copy."));
    renderTakeover();
    m_details->setQuestion(question);
    m_scope->setQuestion(question);
    m_scope->setDurations(question.inSession ? ScopePicker::Durations::OfProcess : ScopePicker::Durations::All);
    m_scope->setDuration(PromptSettings::lastDuration());
    m_countdown->start(question.expires);
    m_block->setFocus();
    renderWarning();
    renderWaiting();
    onScopeChanged();
}

// What there is to choose, and what the choices mean.
void PromptWindow::renderKind()
{
    const bool change = m_question.isChange();
    setAccessibleName(QuestionWords::title(m_question));
    setWindowTitle(change ? tr("Tacet – a marked file is about to change") : tr("Tacet – sensitive data is about to be sent"));
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
    const QString words = m_question.canTakeOver
        ? tr("The program goes on with the scrubbed copy until it quits. What it saves from then on is scrubbed too.")
        : tr("This program cannot go on with the scrubbed copy: it has several threads or shares memory, or there is no scrubbed run.");
    m_takeover->setEnabled(m_question.canTakeOver);
    m_takeover->setToolTip(words);
    m_takeover->setWhatsThis(words);
}

void PromptWindow::renderWarning()
{
    m_warning->setVisible(m_question.binaryChanged);
    if (m_question.binaryChanged)
        m_warning->setText(u"⚠ "_s + tr("The program file of %1 has changed since you last answered for it.")
                                         .arg(shownBold(m_question.appName())));
}

void PromptWindow::renderWaiting()
{
    const QList<quint64> similar = similarIds();
    // What came after the tick was not agreed to.
    if (m_similar->isChecked() && !std::ranges::all_of(similar, [this](quint64 id) { return m_similarIds.contains(id); })) {
        m_similar->setChecked(false);
        m_guard->close();
    }
    m_similar->setVisible(!similar.isEmpty());
    m_similar->setText(tr("Apply to %n similar", nullptr, int(similar.size())));
    QStringList files;
    for (const Question &question : std::as_const(m_open)) {
        if (similar.contains(question.id) && files.size() < 4)
            files.append(shownPath(question.file, 50));
    }
    files.removeDuplicates();
    m_similarFiles->setText(tr("The same app and destination: %1").arg(files.join(u", "_s)));
    m_similarFiles->setVisible(!similar.isEmpty());

    const auto others = m_open.size() - similar.size() - (m_late || m_question.id == 0 ? 0 : 1);
    m_waiting->setVisible(others > 0);
    m_waiting->setText(tr("%n more question(s) waiting.", nullptr, int(others)));
    fit();
}

QList<quint64> PromptWindow::similarIds() const
{
    QList<quint64> ids;
    for (const Question &question : m_open) {
        if (question.isSimilarTo(m_question))
            ids.append(question.id);
    }
    return ids;
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
    // What is left of a small screen; the details scroll, the buttons must be reached.
    const int space = screen()->availableSize().height() - fontMetrics().height() * 3;
    m_detailsArea->setMinimumHeight(0);
    layout()->activate();
    const int rest = layout()->totalHeightForWidth(width);
    const int wanted = qMax(m_details->heightForWidth(textWidth()), m_details->minimumSizeHint().height());
    const int details = m_detailsArea->isHidden() ? 0 : qBound(0, wanted, qMax(0, space - rest));
    m_detailsArea->setMinimumHeight(details);
    resize(width, qMin(rest + details, space));
    stayOnScreen();
}

// A window that grew must not push its buttons off the screen. Where windows cannot move themselves (Wayland) the compositor sees to it.
void PromptWindow::stayOnScreen()
{
    if (!isVisible())
        return;
    const QRect space = screen()->availableGeometry();
    const QSize border = frameGeometry().size() - geometry().size();
    const QSize outer = size() + border;
    const QPoint wanted(qBound(space.left(), frameGeometry().left(), qMax(space.left(), space.right() + 1 - outer.width())),
                        qBound(space.top(), frameGeometry().top(), qMax(space.top(), space.bottom() + 1 - outer.height())));
    if (wanted != frameGeometry().topLeft())
        move(wanted);
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

Answer PromptWindow::answerFor(const Question &question, Verdict verdict) const
{
    const Duration duration = m_scope->duration();
    return {.verdict = verdict, .duration = duration, .scope = m_scope->choice().scopeFor(question)};
}

void PromptWindow::choose(Verdict verdict)
{
    if (!m_guard->isOpen() || m_busy || m_question.id == 0)
        return;
    m_countdown->hold();
    m_error->hide();
    if (m_late) {
        chooseLate(verdict);
        return;
    }
    const Answer answer = answerFor(m_question, verdict);
    PromptSettings::remember(answer);
    m_batch = m_similarIds;
    m_batchAnswer = answer;
    m_batchChoice = m_scope->choice();
    setBusy(true);
    Q_EMIT answerChosen(m_question.id, answer);
}

void PromptWindow::chooseLate(Verdict verdict)
{
    const Answer answer = answerFor(m_question, verdict);
    Q_EMIT ruleChosen({answer.verdict, answer.duration, answer.scope});
    moveOn();
}

// One after the other: a rule of the first may settle the rest, and two password dialogs at once help nobody.
void PromptWindow::sendNextOfBatch()
{
    while (!m_batch.isEmpty()) {
        const quint64 id = m_batch.takeFirst();
        const auto next = std::ranges::find(m_open, id, &Question::id);
        if (next == m_open.cend())
            continue;
        const QList<quint64> rest = m_batch;
        showQuestion(*next);
        m_batch = rest;
        setBusy(true);
        m_batchAnswer.scope = m_batchChoice.scopeFor(*next);
        Q_EMIT answerChosen(id, m_batchAnswer);
        return;
    }
    moveOn();
}

void PromptWindow::onWithdrawn(quint64 id, WithdrawReason reason)
{
    m_open.removeIf([id](const Question &question) { return question.id == id; });
    if (id != m_question.id || m_late) {
        renderWaiting();
        return;
    }
    const bool reading = isVisible() && m_countdown->isHeld() && !m_busy;
    if (reason == WithdrawReason::Expired && reading && m_open.isEmpty() && !m_question.inSession)
        showLate();
    else
        sendNextOfBatch();
}

void PromptWindow::onAnswerFailed(quint64 id, const DaemonError &error)
{
    if (id != m_question.id)
        return;
    m_batch.clear();
    setBusy(false);
    m_error->setText(tr("Not answered: %1").arg(Words::error(error.name, error.message)));
    m_error->show();
    fit();
}

void PromptWindow::moveOn()
{
    m_batch.clear();
    m_late = false;
    if (!m_open.isEmpty()) {
        showQuestion(m_open.constFirst());
        return;
    }
    m_question = {};
    hide();
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
    renderWaiting();
    onScopeChanged();
}

void PromptWindow::pressEscape()
{
    if (m_late) {
        moveOn();
        return;
    }
    m_countdown->hold();
    if (++m_escapes < 2 || m_busy)
        return;
    // A key that is pressed to be rid of a window must not make a rule.
    setBusy(true);
    Q_EMIT answerChosen(m_question.id, {.verdict = Verdict::Block, .duration = Duration::Once, .scope = {}});
}

void PromptWindow::keyPressEvent(QKeyEvent *event)
{
    if (!m_guard->isOpen() || event->isAutoRepeat())
        return;
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Escape)
        pressEscape();
    else if (enter)
        choose(Verdict::Block);
    else
        QWidget::keyPressEvent(event);
}

bool PromptWindow::event(QEvent *event)
{
    const bool hovering = event->type() == QEvent::HoverMove || event->type() == QEvent::HoverEnter;
    // A window that opens under a resting pointer is not being read.
    if (hovering && m_guard->isOpen() && m_question.id != 0)
        m_countdown->hold();
    return QWidget::event(event);
}

// Enter on a button does what the button says, except that it never allows: some platform themes press buttons by Enter.
bool PromptWindow::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key != Qt::Key_Return && key != Qt::Key_Enter)
            return false;
        if (watched != m_allow && m_guard->isOpen())
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
