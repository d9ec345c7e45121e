// SPDX-License-Identifier: GPL-3.0-or-later
#include "dbuslists.h"

namespace Tacet {

Q_LOGGING_CATEGORY(logClient, "tacet.client")

QList<LabelFailure> parseFailures(const QVariant &argument)
{
    QList<LabelFailure> failures;
    const auto list = argument.value<QDBusArgument>();
    list.beginArray();
    while (!list.atEnd()) {
        LabelFailure failure;
        list.beginStructure();
        list >> failure.path >> failure.errorName >> failure.message;
        list.endStructure();
        failures.append(failure);
    }
    list.endArray();
    return failures;
}

} // namespace Tacet
