// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/storage/migrations/migration.h"

namespace hw::storage {

std::span<const Migration> migrations() { return {}; } // version 1 is the first

Result<void> migrate(Database& database, std::uint32_t version, std::span<const Migration> steps)
{
    auto transaction = SqlTransaction::begin(database);
    if (!transaction) return tl::unexpected(transaction.error());
    for (const auto& step : steps) {
        if (step.from != version) continue;
        if (auto done = step.run(database); !done) return done;
        ++version;
        if (auto done = database.run("PRAGMA user_version = " + std::to_string(version)); !done) return done;
    }
    return transaction->commit();
}

} // namespace hw::storage
