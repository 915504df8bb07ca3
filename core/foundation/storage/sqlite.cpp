// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/storage/sqlite.h"

#include <sqlite3.h>

#include <algorithm>

namespace hw::storage {

void Database::Closer::operator()(sqlite3* db) const { sqlite3_close_v2(db); }
void Statement::Finalizer::operator()(sqlite3_stmt* s) const { sqlite3_finalize(s); }

Error Database::error(const Text& doing) const
{
    const int code = sqlite3_errcode(m_db.get()) & 0xff;
    const bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR;
    return {ErrorCode::Unreadable, m_where, i18n("{}: {}", doing, sqlite3_errmsg(m_db.get())),
            code == SQLITE_FULL ? i18n("free up disk space")
            : damaged           ? i18n("the file is damaged; restore a backup")
                                : i18n("check the disk and file permissions")};
}

Result<Database> Database::open(const std::string& path, bool create)
{
    Database database;
    database.m_where = path;
    sqlite3* raw = nullptr;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | (create ? SQLITE_OPEN_CREATE : 0);
    const int code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
    database.m_db.reset(raw);
    if (code != SQLITE_OK) return tl::unexpected(database.error(i18n("cannot open")));
    sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    return database;
}

Result<Database> Database::openMemory(const std::string& where)
{
    Database database;
    database.m_where = where;
    sqlite3* raw = nullptr;
    const int code = sqlite3_open_v2(":memory:", &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
    database.m_db.reset(raw);
    if (code != SQLITE_OK) return tl::unexpected(database.error(i18n("cannot open")));
    sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    return database;
}

Result<Database> Database::openImage(std::string& image, const std::string& where)
{
    auto database = openMemory(where);
    if (!database) return database;
    const auto size = sqlite3_int64(image.size());
    const int code =
        sqlite3_deserialize(database->handle(), "main", reinterpret_cast<unsigned char*>(image.data()), size, size, SQLITE_DESERIALIZE_READONLY);
    if (code != SQLITE_OK) return tl::unexpected(database->error(i18n("cannot open")));
    return database;
}

Result<void> Database::run(const std::string& sql)
{
    if (sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        return tl::unexpected(error(i18n("cannot execute '{}'", sql.substr(0, 40))));
    return {};
}

Result<Statement> Database::prepare(std::string_view sql)
{
    sqlite3_stmt* raw = nullptr;
    if (sqlite3_prepare_v2(handle(), sql.data(), int(sql.size()), &raw, nullptr) != SQLITE_OK)
        return tl::unexpected(error(i18n("cannot prepare '{}'", sql.substr(0, 40))));
    return Statement(*this, raw);
}

Result<std::int64_t> Database::integer(std::string_view sql)
{
    auto statement = prepare(sql);
    if (!statement) return tl::unexpected(statement.error());
    const auto row = statement->step();
    if (!row) return tl::unexpected(row.error());
    return *row ? statement->integer(0) : 0;
}

Result<std::string> Database::text(std::string_view sql)
{
    auto statement = prepare(sql);
    if (!statement) return tl::unexpected(statement.error());
    const auto row = statement->step();
    if (!row) return tl::unexpected(row.error());
    return *row ? std::string(statement->text(0)) : std::string();
}

Result<void> Database::close()
{
    if (!m_db) return {};
    if (sqlite3_close(m_db.get()) != SQLITE_OK) return tl::unexpected(error(i18n("cannot close")));
    (void)m_db.release();
    return {};
}

Statement& Statement::bind(int index, std::int64_t value)
{
    sqlite3_bind_int64(m_statement.get(), index, value);
    return *this;
}

Statement& Statement::bind(int index, std::string_view text)
{
    sqlite3_bind_text64(m_statement.get(), index, text.data() ? text.data() : "", text.size(), SQLITE_STATIC, SQLITE_UTF8);
    return *this;
}

Statement& Statement::bindBlob(int index, std::string_view bytes)
{
    sqlite3_bind_blob64(m_statement.get(), index, bytes.data() ? bytes.data() : "", bytes.size(), SQLITE_STATIC);
    return *this;
}

Result<bool> Statement::step()
{
    const int code = sqlite3_step(m_statement.get());
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) {
        sqlite3_reset(m_statement.get());
        return false;
    }
    auto error = m_database->error(i18n("cannot read or write"));
    sqlite3_reset(m_statement.get());
    return tl::unexpected(std::move(error));
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(m_statement.get(), column); }

std::string_view Statement::text(int column) const
{
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(m_statement.get(), column));
    return bytes ? std::string_view(bytes, std::size_t(sqlite3_column_bytes(m_statement.get(), column))) : std::string_view();
}

std::string_view Statement::blob(int column) const
{
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(m_statement.get(), column));
    return bytes ? std::string_view(bytes, std::size_t(sqlite3_column_bytes(m_statement.get(), column))) : std::string_view();
}

bool Statement::is(int column, char type) const
{
    const int stored = sqlite3_column_type(m_statement.get(), column);
    return stored == (type == 'i' ? SQLITE_INTEGER : type == 't' ? SQLITE_TEXT : SQLITE_BLOB);
}

Result<SqlTransaction> SqlTransaction::begin(Database& database)
{
    auto begun = database.run("BEGIN IMMEDIATE");
    if (!begun) return tl::unexpected(begun.error());
    return SqlTransaction(database);
}

SqlTransaction::~SqlTransaction()
{
    if (m_database && !sqlite3_get_autocommit(m_database->handle())) (void)m_database->run("ROLLBACK");
}

Result<void> SqlTransaction::commit()
{
    auto done = m_database->run("COMMIT");
    if (done) m_database = nullptr;
    return done;
}

} // namespace hw::storage
