// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/store/database.h"

#include <sqlite3.h>

namespace tacet {
namespace {

Error make_error(sqlite3* database, int status)
{
    const ErrorCode code = (status & 0xff) == SQLITE_FULL ? ErrorCode::DiskFull : ErrorCode::Failed;
    return {code, std::string("the store: ") + (database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(status))};
}

} // namespace

StatementCache::~StatementCache()
{
    for (const auto& [sql, statement] : unused_)
        sqlite3_finalize(statement);
}

sqlite3_stmt* StatementCache::take(std::string_view sql)
{
    const auto found = unused_.find(sql);
    if (found == unused_.end())
        return nullptr;
    sqlite3_stmt* statement = found->second;
    unused_.erase(found);
    return statement;
}

void StatementCache::give_back(sqlite3_stmt* statement)
{
    // The statement must neither hold a transaction open nor keep its bound values.
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    if (!unused_.try_emplace(sqlite3_sql(statement), statement).second)
        sqlite3_finalize(statement);
}

Statement::Statement(sqlite3* database, StatementCache& cache, std::string_view sql)
    : database_(database), statement_(cache.take(sql), {&cache})
{
    if (statement_)
        return;
    sqlite3_stmt* statement = nullptr;
    const int status =
        sqlite3_prepare_v3(database, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    statement_.reset(statement);
    if (status != SQLITE_OK)
        status_ = status;
}

Statement& Statement::bind(std::int64_t value)
{
    if (!status_) {
        if (const int status = sqlite3_bind_int64(statement_.get(), ++parameter_, value); status != SQLITE_OK)
            status_ = status;
    }
    return *this;
}

Statement& Statement::bind(std::string_view value)
{
    if (!status_) {
        const int status =
            sqlite3_bind_text(statement_.get(), ++parameter_, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
        if (status != SQLITE_OK)
            status_ = status;
    }
    return *this;
}

Statement& Statement::bind_blob(std::span<const std::uint8_t> value)
{
    if (!status_) {
        const int status =
            sqlite3_bind_blob(statement_.get(), ++parameter_, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
        if (status != SQLITE_OK)
            status_ = status;
    }
    return *this;
}

bool Statement::step()
{
    if (status_)
        return false;
    column_ = 0;
    const int status = sqlite3_step(statement_.get());
    if (status != SQLITE_ROW && status != SQLITE_DONE)
        status_ = status;
    return status == SQLITE_ROW;
}

std::int64_t Statement::integer()
{
    return sqlite3_column_int64(statement_.get(), column_++);
}

std::string Statement::text()
{
    const int column = column_++;
    const unsigned char* start = sqlite3_column_text(statement_.get(), column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
    return start == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(start), size);
}

std::vector<std::uint8_t> Statement::blob()
{
    const int column = column_++;
    const auto* start = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_.get(), column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
    return start == nullptr ? std::vector<std::uint8_t>() : std::vector<std::uint8_t>(start, start + size);
}

Result<void> Statement::finish()
{
    while (step()) {
    }
    if (status_)
        return make_error(database_, *status_);
    return {};
}

void Database::Close::operator()(sqlite3* database) const
{
    sqlite3_close_v2(database);
}

Result<Database> Database::open(const std::string& path)
{
    sqlite3* handle = nullptr;
    const int status =
        sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    Database database(handle);
    if (status != SQLITE_OK)
        return make_error(handle, status);
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    if (auto set = database.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;"
                                "PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON;");
        !set)
        return set.error();
    return database;
}

Result<void> Database::run(const std::string& sql)
{
    const int status = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (status != SQLITE_OK)
        return make_error(handle_.get(), status);
    return {};
}

std::int64_t Database::last_id() const
{
    return sqlite3_last_insert_rowid(handle_.get());
}

std::int64_t Database::changes() const
{
    return sqlite3_changes64(handle_.get());
}

Result<void> Database::verify()
{
    Statement check = prepare("PRAGMA quick_check(1)");
    if (check.step() && check.text() == "ok")
        return {};
    return Error{ErrorCode::StoreDamaged, "the store is damaged"};
}

Transaction::Transaction(Database& database) : database_(database), begun_(database.run("BEGIN IMMEDIATE"))
{
    open_ = static_cast<bool>(begun_);
}

Transaction::~Transaction()
{
    // SQLite may have rolled back on its own (full disk). Then this rollback fails, which is right.
    if (open_)
        static_cast<void>(database_.run("ROLLBACK"));
}

Result<void> Transaction::commit()
{
    if (!begun_)
        return begun_;
    auto done = database_.run("COMMIT");
    open_ = !done;
    return done;
}

} // namespace tacet
