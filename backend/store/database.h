// SPDX-License-Identifier: GPL-3.0-or-later
// One SQLite database: statements, transactions, and its errors as Result.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "util/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tacet {

// Bound parameters only. A failed bind or step is kept and told by finish().
class Statement {
public:
    Statement(sqlite3* database, std::string_view sql);

    Statement& bind(std::int64_t value);
    Statement& bind(std::string_view value);
    Statement& bind_blob(std::span<const std::uint8_t> value);

    // True while there is a row to read.
    bool step();
    std::int64_t integer();
    std::string text();
    std::vector<std::uint8_t> blob();

    // Runs to the end and tells whether all went well.
    Result<void> finish();
    bool failed() const { return status_.has_value(); }

private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };

    sqlite3* database_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    std::optional<int> status_; // the first failure
    int parameter_ = 0;
    int column_ = 0;
};

class Database {
public:
    // ":memory:" for one that is not kept.
    static Result<Database> open(const std::string& path);

    Statement prepare(std::string_view sql) { return Statement(handle_.get(), sql); }
    Result<void> run(const std::string& sql);
    std::int64_t last_id() const;
    std::int64_t changes() const;
    // Reads the whole file; corruption is an error.
    Result<void> verify();

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };

    explicit Database(sqlite3* handle) : handle_(handle) {}
    std::unique_ptr<sqlite3, Close> handle_;
};

// Rolled back unless committed.
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
