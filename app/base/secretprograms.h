// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that usually see passwords and keys.
#pragma once

#include <QCoreApplication>
#include <QList>
#include <QString>

namespace Tacet {

struct SecretProgram
{
    QString path; // of the executable
    QString name;
};

class SecretPrograms
{
    Q_DECLARE_TR_FUNCTIONS(SecretPrograms)

public:
    // Returns those that are installed.
    static QList<SecretProgram> installed();
    // Of one that is not known, the name of its file.
    static QString nameOf(const QString &path);
};

} // namespace Tacet
