// SPDX-License-Identifier: GPL-3.0-or-later
// The breach prompt: shows open questions one after the other and emits the person's answers.
#pragma once

#include "base/daemonlink.h"
#include "base/daemonstate.h"
#include "base/scopechoice.h"
#include "countdown.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace Tacet {

class InputGuard;
class QuestionDetails;
class ScopePicker;

class PromptWindow : public QWidget
{
    Q_OBJECT

public:
    explicit PromptWindow(Countdown::Clock clock, QWidget *parent = nullptr);

    void setState(const DaemonState &state);
    // An open question appears by itself, without taking the keyboard.
    void showUnasked();
    // The person asked for it: a click on the tray or on a notification.
    void showOnDemand(quint64 id = 0);

    quint64 currentId() const { return m_question.id; }

public Q_SLOTS:
    void onWithdrawn(quint64 id, Tacet::WithdrawReason reason);
    void onAnswerFailed(quint64 id, const Tacet::DaemonError &error);

Q_SIGNALS:
    void answerChosen(quint64 id, const Tacet::Answer &answer);
    // The person turned to the question here: what tells of it elsewhere is only in the way.
    void attended(quint64 id);
    // For a question that expired while the person was reading.
    void ruleChosen(const Tacet::RuleDraft &draft);

protected:
    bool event(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void build();
    void addSentence(QVBoxLayout *layout);
    void addDetails(QVBoxLayout *layout);
    void addAnswer(QVBoxLayout *layout);
    void addSimilar(QVBoxLayout *layout);
    void addButtons(QVBoxLayout *layout);
    QPushButton *addVerdict(const QString &text, const QString &name, Verdict verdict);
    QLabel *addLabel(const QString &name);

    void showQuestion(const Question &question);
    void showLate();
    void moveOn();
    void renderKind();
    void renderFacts();
    void renderTakeover();
    void renderWarning();
    void renderWaiting();
    void renderRule();
    void onScopeChanged();
    int textWidth() const;
    int windowWidth() const;
    void setBusy(bool busy);
    void setDetailsShown(bool shown);
    void fit();
    void stayOnScreen();

    void choose(Verdict verdict);
    void chooseLate(Verdict verdict);
    void sendNextOfBatch();
    Answer answerFor(const Question &question, Verdict verdict) const;
    void pressEscape();
    QList<quint64> similarIds() const;

    Countdown *m_countdown;
    InputGuard *m_guard;
    QLabel *m_icon = nullptr;
    QLabel *m_sentence = nullptr;
    QLabel *m_facts = nullptr;
    QLabel *m_warning = nullptr;
    QPushButton *m_detailsButton = nullptr;
    QScrollArea *m_detailsArea = nullptr;
    QuestionDetails *m_details = nullptr;
    ScopePicker *m_scope = nullptr;
    QLabel *m_rule = nullptr;
    QCheckBox *m_similar = nullptr;
    QLabel *m_similarFiles = nullptr;
    QLabel *m_waiting = nullptr;
    QLabel *m_error = nullptr;
    QPushButton *m_more = nullptr;
    QAction *m_takeover = nullptr;
    QAction *m_quit = nullptr;
    QPushButton *m_allow = nullptr;
    QPushButton *m_scrub = nullptr;
    QPushButton *m_block = nullptr;

    QList<Question> m_open;
    Question m_question; // id 0: none
    // The verdict that a button under the pointer or with the keyboard focus stands for; named in the rule's words.
    std::optional<Verdict> m_hinted;
    // What "apply to similar" covers: what was counted when it was ticked, nothing that came later.
    QList<quint64> m_similarIds;
    QList<quint64> m_batch;
    Answer m_batchAnswer;
    ScopeChoice m_batchChoice;
    bool m_late = false;
    bool m_busy = false;
    int m_escapes = 0;
};

} // namespace Tacet
