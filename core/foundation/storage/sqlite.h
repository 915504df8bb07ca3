// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;
struct sqlite3_stmt;

namespace hw::storage {

class Statement;

/// One SQLite connection. Errors are Unreadable, with the file in `where` and SQLite's text in `what`.
/// Lives on one thread at a time.
class Database {
public:
    Database() = default;
    /// Opens a file; `create` makes a new one.
    [[nodiscard]] static Result<Database> open(const std::string& path, bool create);
    /// A read-only database over bytes in memory, which must outlive it. `where` stands in errors.
    [[nodiscard]] static Result<Database> openImage(std::string& image, const std::string& where);

    [[nodiscard]] Result<void> run(const std::string& sql); ///< any number of statements, rows dropped
    [[nodiscard]] Result<Statement> prepare(std::string_view sql);
    [[nodiscard]] Result<std::int64_t> integer(std::string_view sql); ///< first column of the first row
    [[nodiscard]] Result<std::string> text(std::string_view sql);
    [[nodiscard]] Error error(const Text& doing) const;
    [[nodiscard]] sqlite3* handle() const { return m_db.get(); }
    [[nodiscard]] Result<void> close(); ///< checkpoints what it can; an error leaves it open

private:
    struct Closer {
        void operator()(sqlite3* db) const;
    };
    [[nodiscard]] static Result<Database> openMemory(const std::string& where);
    std::unique_ptr<sqlite3, Closer> m_db;
    std::string m_where;
};

/// A prepared statement. Values bound as views must live until the next `step` returns.
class Statement {
public:
    Statement& bind(int index, std::int64_t value);
    Statement& bind(int index, std::string_view text);
    Statement& bindBlob(int index, std::string_view bytes);
    [[nodiscard]] Result<bool> step(); ///< true = a row; after false it is reset and can be bound again
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] std::string_view text(int column) const; ///< until the next step
    [[nodiscard]] std::string_view blob(int column) const;
    [[nodiscard]] bool is(int column, char type) const; ///< 'i' integer, 't' text, 'b' blob

private:
    friend class Database;
    struct Finalizer {
        void operator()(sqlite3_stmt* s) const;
    };
    Statement(const Database& database, sqlite3_stmt* statement) : m_database(&database), m_statement(statement) {}
    const Database* m_database;
    std::unique_ptr<sqlite3_stmt, Finalizer> m_statement;
};

/// BEGIN IMMEDIATE, and ROLLBACK on leaving scope without `commit()`.
class SqlTransaction {
public:
    [[nodiscard]] static Result<SqlTransaction> begin(Database& database);
    SqlTransaction(SqlTransaction&& other) noexcept : m_database(std::exchange(other.m_database, nullptr)) {}
    SqlTransaction(const SqlTransaction&) = delete;
    SqlTransaction& operator=(const SqlTransaction&) = delete;
    SqlTransaction& operator=(SqlTransaction&&) = delete;
    ~SqlTransaction();
    [[nodiscard]] Result<void> commit();

private:
    explicit SqlTransaction(Database& database) : m_database(&database) {}
    Database* m_database;
};

} // namespace hw::storage
