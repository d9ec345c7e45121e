// SPDX-License-Identifier: GPL-3.0-or-later
// The contract's code words in the person's language.
#pragma once

#include "question.h"

#include <QCoreApplication>
#include <QDBusError>

namespace Tacet {

class Words
{
    Q_DECLARE_TR_FUNCTIONS(Words)

public:
    static QString verdict(Verdict verdict);
    static QString duration(Duration duration);
    static QString category(const QString &code);
    static QString categories(const QStringList &codes);
    static QString bytes(quint64 count);
    // The error names of the contract and of the bus; the daemon's own English text stands in for unknown ones.
    static QString error(const QString &name, const QString &message);
    // A protection's name and the code of why it is not in force.
    static QString protection(const QString &name);
    static QString protectionDetail(const QString &code);
    // Today's times without the date.
    static QString time(const QDateTime &time);
    static QString dateAndTime(const QDateTime &time);

private:
    // Empty: it has no words of ours.
    static QString errorOf(ErrorCode code);
    static QString busError(QDBusError::ErrorType type);
};

} // namespace Tacet
