// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/store/database.h"

#include <sqlite3.h>

namespace tacet {
namespace {

// Another program may hold the file while it makes a copy.
constexpr int patience_ms = 2000;

// A store that only cannot be used at the moment is not damaged, and must not be set aside.
ErrorCode code_of(int status)
{
    switch (status & 0xff) {
    case SQLITE_FULL:
        return ErrorCode::DiskFull;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return ErrorCode::StoreDamaged;
    default:
        return ErrorCode::Failed;
    }
}

Error make_error(sqlite3* database, int status)
{
    return {code_of(status),
            std::string("the store: ") + (database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(status))};
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
        // An empty span may have no address, and SQLite takes that for NULL.
        const std::uint8_t none = 0;
        const int status = sqlite3_bind_blob(statement_.get(), ++parameter_, value.empty() ? &none : value.data(),
                                             static_cast<int>(value.size()), SQLITE_TRANSIENT);
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

int Statement::columns() const
{
    return sqlite3_column_count(statement_.get());
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

bool Statement::is_refused() const
{
    const int status = status_.value_or(SQLITE_OK) & 0xff;
    return status == SQLITE_CONSTRAINT || status == SQLITE_MISMATCH || status == SQLITE_TOOBIG;
}

void Database::Close::operator()(sqlite3* database) const
{
    sqlite3_close_v2(database);
}

Result<Database> Database::open(const std::string& path)
{
    auto database = open_file(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    if (!database)
        return database;
    sqlite3_busy_timeout(database->handle_.get(), patience_ms);
    auto set = database->run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;"
                             "PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON;");
    // The event loop must not wait from here on.
    sqlite3_busy_timeout(database->handle_.get(), 0);
    if (!set)
        return set.error();
    return database;
}

Result<Database> Database::open_remains(const std::string& path)
{
    return open_file(path, SQLITE_OPEN_READONLY);
}

Result<Database> Database::open_file(const std::string& path, int flags)
{
    sqlite3* handle = nullptr;
    const int status = sqlite3_open_v2(path.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    Database database(handle);
    if (status != SQLITE_OK)
        return make_error(handle, status);
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
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

Result<void> Database::write_out()
{
    if (auto set = run("PRAGMA synchronous = FULL"); !set)
        return set;
    Statement checkpoint = prepare("PRAGMA wal_checkpoint(TRUNCATE)");
    const bool is_written = checkpoint.step() && checkpoint.integer() == 0;
    if (auto done = checkpoint.finish(); !done)
        return done;
    if (!is_written)
        return Error{ErrorCode::Failed, "another program reads the store"};
    return run("PRAGMA synchronous = NORMAL");
}

Result<void> Database::check()
{
    Statement check = prepare("PRAGMA integrity_check(1)");
    const bool is_whole = check.step() && check.text() == "ok";
    if (auto done = check.finish(); !done)
        return done;
    return is_whole ? Result<void>() : Error{ErrorCode::StoreDamaged, "the store is damaged"};
}

Result<void> Database::verify()
{
    auto checked = check();
    if (checked || checked.error().code != ErrorCode::StoreDamaged)
        return checked;
    // Rows are worth more than the indices that find them.
    return run("REINDEX") ? check() : checked;
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
