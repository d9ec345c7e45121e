// SPDX-License-Identifier: GPL-3.0-or-later
// A rule as a sentence.
#pragma once

#include "rule.h"

#include <QCoreApplication>

namespace Tacet {

class RuleWords
{
    Q_DECLARE_TR_FUNCTIONS(RuleWords)

public:
    // Plain goes into lists and to screen readers, Rich into labels: names bold, markup escaped.
    enum Format { Plain, Rich };

    static QString sentence(const RuleDraft &draft, Format format);
    // An existing rule: with the time that it expires.
    static QString sentence(const Rule &rule, Format format);
    // Before a verdict is chosen: what the answer will apply to.
    static QString sentenceWithoutVerdict(Duration duration, const RuleScope &scope, Format format);

private:
    static QString sentence(Verdict verdict, const RuleScope &scope, const QString &duration, Format format);
    static QString changeSentence(Verdict verdict, const RuleScope &scope, const QString &duration, Format format);
    static QString app(const RuleScope &scope, Format format);
    static QString files(const RuleScope &scope, Format format);
    static QString data(const RuleScope &scope, Format format);
    static QString destination(const RuleScope &scope, Format format);
    static QString host(const RuleScope &scope, Format format);
    static QString duration(Duration duration);
};

} // namespace Tacet
