// SPDX-License-Identifier: GPL-3.0-or-later
// The prompt: shows one question and emits the person's choice. Which question that is, PromptQueue decides.
#pragma once

#include "countdown.h"
#include "promptqueue.h"

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

    void showQuestion(const Question &question);
    // The current question waits until then.
    void setExpires(quint64 expires);
    // The questions that wait beside it: those that the same answer may settle, and the number of others.
    void setWaiting(const QList<Question> &similar, qsizetype others);
    // The question expired while the person was reading: what is chosen now is for the next time.
    void showLate();
    void showNothing();
    void showError(const QString &text);
    // An answer is on its way.
    void setBusy(bool busy);
    bool isBeingRead() const;

    // By itself, without taking the keyboard. Where no window can do that, nothing happens: the notification comes first there.
    void appear();
    // By itself, as there is no notification either.
    void appearAnyhow();
    // The person asked for it.
    void comeForward();

Q_SIGNALS:
    void chosen(const Tacet::PromptChoice &choice);
    // The person has put away a question that was shown after its time.
    void dismissed();
    // The person turned to the question here: what tells of it elsewhere is only in the way.
    void attended(quint64 id);
    // The person reads the question, so it should not run out.
    void timeWanted(quint64 id);

protected:
    bool event(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void build();
    void addSentence(QVBoxLayout *layout);
    void addDetails(QVBoxLayout *layout);
    void addAnswer(QVBoxLayout *layout);
    void addSimilar(QVBoxLayout *layout);
    void addButtons(QVBoxLayout *layout);
    QPushButton *addVerdict(const QString &name, Verdict verdict);
    QLabel *addLabel(const QString &name);

    void renderKind();
    void renderFacts();
    void renderTakeover();
    void renderWarning();
    void renderRule();
    void onScopeChanged();
    int textWidth() const;
    int windowWidth() const;
    void setDetailsShown(bool shown);
    void fit();

    void nameVerdicts();
    void choose(Verdict verdict);
    void pressEscape();
    void dismiss();
    void onActivated();
    void onHeld();

    Countdown *m_countdown;
    InputGuard *m_guard;
    QLabel *m_title = nullptr;
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
    QPushButton *m_dismiss = nullptr;
    QPushButton *m_more = nullptr;
    QAction *m_takeover = nullptr;
    QAction *m_quit = nullptr;
    QPushButton *m_allow = nullptr;
    QPushButton *m_scrub = nullptr;
    QPushButton *m_block = nullptr;

    Question m_question; // id 0: none
    // The verdict that a button under the pointer or with the keyboard focus stands for; named in the rule's words.
    std::optional<Verdict> m_hinted;
    QList<quint64> m_similarIds;
    // The questions that "apply to similar" covers: those counted when it was ticked, none that came later.
    QList<quint64> m_ticked;
    bool m_onLayer = false; // a surface without a title bar
    bool m_late = false;
    bool m_busy = false;
    int m_escapes = 0;
};

} // namespace Tacet
