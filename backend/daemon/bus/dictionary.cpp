// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/bus/dictionary.h"

#include "common/text.h"

namespace tacet {

sdbus::Variant variant(std::string_view text)
{
    return sdbus::Variant(to_utf8(text));
}

sdbus::Variant variant(const std::vector<std::string>& texts)
{
    std::vector<std::string> valid;
    for (const std::string& text : texts)
        valid.push_back(to_utf8(text));
    return sdbus::Variant(valid);
}

Result<void> refuse_rest(const Dictionary& dictionary)
{
    if (!dictionary.empty())
        return Error{ErrorCode::InvalidScope, "unknown key: " + dictionary.begin()->first};
    return {};
}

} // namespace tacet
