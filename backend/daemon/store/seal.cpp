// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/store/seal.h"

#include <openssl/evp.h>

#include <array>
#include <memory>

namespace tacet {
namespace {

// The log is left out, as it decides nothing.
constexpr std::array<const char*, 5> tables{"category", "file", "file_category", "file_system", "rule"};

using Hash = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

void add(EVP_MD_CTX* hash, const std::string& text)
{
    const std::string size = std::to_string(text.size()) + ":";
    EVP_DigestUpdate(hash, size.data(), size.size());
    EVP_DigestUpdate(hash, text.data(), text.size());
}

Result<std::string> digest_of(Database& database)
{
    const Hash hash(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    EVP_DigestInit_ex(hash.get(), EVP_sha256(), nullptr);
    for (const char* table : tables) {
        Statement rows = database.prepare(std::string("SELECT * FROM ") + table + " ORDER BY 1, 2");
        while (rows.step()) {
            for (int column = 0; column < rows.columns(); ++column)
                add(hash.get(), rows.text());
        }
        if (auto read = rows.finish(); !read)
            return read.error();
        add(hash.get(), table);
    }
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned size = 0;
    EVP_DigestFinal_ex(hash.get(), bytes.data(), &size);
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (unsigned place = 0; place < size; ++place)
        text.append({digits[bytes[place] >> 4], digits[bytes[place] & 15]});
    return text;
}

} // namespace

Result<bool> break_seal(Database& database)
{
    Statement query = database.prepare("SELECT digest FROM seal");
    const std::string sealed = query.step() ? query.text() : "";
    if (auto read = query.finish(); !read)
        return read.error();
    if (sealed.empty())
        return false;
    const auto digest = digest_of(database);
    if (!digest)
        return digest.error();
    // The seal is broken in the file itself before anything changes. If the journal with all later changes is lost, the file must
    // not look as if it were whole.
    if (auto broken = database.run("PRAGMA synchronous = FULL; DELETE FROM seal;"); !broken)
        return broken.error();
    if (auto written = database.write_out(); !written)
        return written.error();
    return *digest == sealed;
}

Result<void> set_seal(Database& database)
{
    const auto digest = digest_of(database);
    if (!digest)
        return digest.error();
    return database.prepare("INSERT OR REPLACE INTO seal VALUES (1, ?)").bind(*digest).finish();
}

} // namespace tacet
