// SPDX-License-Identifier: GPL-3.0-or-later
// A file that carries a label, and why the daemon could not label another.
#pragma once

#include <QDateTime>
#include <QStringList>
#include <QVariantMap>

#include <optional>

namespace Tacet {

struct LabelledFile
{
    QString path;
    QStringList categories;
    bool derived = false;
    QDateTime since;
    bool missing = false;
    bool shadow = false;

    static std::optional<LabelledFile> parse(const QVariantMap &map);
    bool operator==(const LabelledFile &) const = default;
};

// A part of the daemon's list. `listed` counts what was sent, also what did not fit the contract and is not in `files`.
struct FilePage
{
    quint32 offset = 0;
    quint32 listed = 0;
    quint32 total = 0;
    QList<LabelledFile> files;
};

struct LabelFailure
{
    QString path;
    QString errorName;
    QString message;
};

// The categories that a person can give a file; codes of the contract.
QStringList markableCategories();

} // namespace Tacet
