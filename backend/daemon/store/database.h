// SPDX-License-Identifier: GPL-3.0-or-later
// One SQLite database: statements, transactions, and its errors as Result.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tacet {

// A cache of compiled statements.
class StatementCache {
public:
    ~StatementCache();
    StatementCache() = default;
    StatementCache(const StatementCache&) = delete;
    StatementCache& operator=(const StatementCache&) = delete;

    // Returns a statement that nobody uses now, or null.
    sqlite3_stmt* take(std::string_view sql);
    // Takes a statement back. Of two with the same text it keeps one.
    void give_back(sqlite3_stmt* statement);

private:
    std::map<std::string, sqlite3_stmt*, std::less<>> unused_;
};

// A statement, which takes bound parameters only. A failed bind or step is kept, and finish() returns it.
class Statement {
public:
    // The cache has to outlive the statement.
    Statement(sqlite3* database, StatementCache& cache, std::string_view sql);

    Statement& bind(std::int64_t value);
    Statement& bind(std::string_view value);
    Statement& bind_blob(std::span<const std::uint8_t> value);

    // Returns true while there is a row to read.
    bool step();
    std::int64_t integer();
    int columns() const;
    std::string text();
    std::vector<std::uint8_t> blob();

    // Runs to the end and tells whether all went well.
    Result<void> finish();
    bool failed() const { return status_.has_value(); }
    // Tells whether the row has a value that its table does not take.
    bool is_refused() const;

private:
    struct GiveBack {
        StatementCache* cache;
        void operator()(sqlite3_stmt* statement) const { cache->give_back(statement); }
    };

    sqlite3* database_;
    std::unique_ptr<sqlite3_stmt, GiveBack> statement_;
    std::optional<int> status_; // the first failure
    int parameter_ = 0;
    int column_ = 0;
};

class Database {
public:
    // path is ":memory:" for a database that is not kept. The error is StoreDamaged if the file is no database, or not whole.
    // This may wait for another program to end its own use, so it is for the daemon's start only.
    static Result<Database> open(const std::string& path);
    // Opens a damaged database to read what can be read. It changes nothing.
    static Result<Database> open_remains(const std::string& path);

    Statement prepare(std::string_view sql) { return Statement(handle_.get(), *cache_, sql); }
    Result<void> run(const std::string& sql);
    std::int64_t last_id() const;
    std::int64_t changes() const;
    // Writes all into the file itself, so that its journal is not needed.
    Result<void> write_out();
    // Reads the whole file. Indices that do not fit their tables are made again. Any other corruption is StoreDamaged.
    Result<void> verify();

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };

    explicit Database(sqlite3* handle) : handle_(handle) {}
    static Result<Database> open_file(const std::string& path, int flags);
    Result<void> check();

    std::unique_ptr<sqlite3, Close> handle_;
    std::unique_ptr<StatementCache> cache_ = std::make_unique<StatementCache>();
};

// A transaction is rolled back unless it is committed.
class Transaction {
public:
    explicit Transaction(Database& database);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    Result<void> begun() const { return begun_; }
    Result<void> commit();

private:
    Database& database_;
    Result<void> begun_;
    bool open_ = false;
};

} // namespace tacet
