// SPDX-License-Identifier: GPL-3.0-or-later
#include "labelledfile.h"

#include "fields.h"
#include "timestamps.h"

using namespace Qt::StringLiterals;

namespace Tacet {

std::optional<LabelledFile> LabelledFile::parse(const QVariantMap &map)
{
    Fields fields(map);
    LabelledFile file;
    file.path = fields.required<QString>("path"_L1);
    file.categories = fields.optional<QStringList>("categories"_L1);
    file.derived = fields.optional<bool>("derived"_L1);
    file.since = fromUnixTime(fields.optional<quint64>("since"_L1));
    file.missing = fields.optional<bool>("missing"_L1);
    file.shadow = fields.optional<bool>("shadow"_L1);
    if (!fields.isValid() || !file.path.startsWith(u'/'))
        return std::nullopt;
    return file;
}

QStringList markableCategories()
{
    return {u"finance"_s, u"mail"_s, u"keys"_s, u"photos"_s, u"health"_s, u"custom"_s};
}

} // namespace Tacet
