// SPDX-License-Identifier: GPL-3.0-or-later
// A question as sentences: what is about to happen, and how sure Tacet is.
#pragma once

#include "question.h"

#include <QCoreApplication>

namespace Tacet {

class QuestionWords
{
    Q_DECLARE_TR_FUNCTIONS(QuestionWords)

public:
    static QString title(const Question &question);
    // After the daemon blocked it because nobody answered in time.
    static QString lateTitle(const Question &question);
    static QString sentence(const Question &question);
    // For notifications, which have room for little.
    static QString shortSentence(const Question &question);
    static QString lateSentence(const Question &question);
    static QString destination(const Question &question);
    // Names the program that read the file and those that its data went through; empty when the sender read it itself.
    static QString chain(const Question &question);
    static QString likeness(const Question &question);
    static QString amounts(const Question &question);
    // For notifications: no name of a file, since it may be read by whoever stands before a locked screen.
    static QString sentenceWithoutFile(const Question &question);

private:
    static QString data(const Question &question);
    static QString app(const Question &question);
    static QString changeSentence(const QString &app, const QString &file, bool removes);
};

} // namespace Tacet
