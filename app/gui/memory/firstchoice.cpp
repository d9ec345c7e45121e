// SPDX-License-Identifier: GPL-3.0-or-later
#include "firstchoice.h"

#include <QSettings>

using namespace Qt::StringLiterals;

namespace Tacet::FirstChoice {

QStringList take(const QList<SecretProgram> &known, const MemoryPolicy &policy)
{
    constexpr auto key = "memory/offered"_L1;
    QSettings settings;
    const QStringList before = settings.value(key).toStringList();
    QStringList offered = before, due;
    for (const SecretProgram &program : known) {
        if (offered.contains(program.path))
            continue;
        offered.append(program.path);
        if (!policy.programs.contains(program.path))
            due.append(program.path);
    }
    if (offered == before)
        return {};
    settings.setValue(key, offered);
    settings.sync();
    return settings.status() == QSettings::NoError ? due : QStringList();
}

} // namespace Tacet::FirstChoice
