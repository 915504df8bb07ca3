// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/storage/migrations/migration.h"

namespace hw::storage {

Result<void> toVersion2(Database& database); // to_version_2.cpp

std::span<const Migration> migrations()
{
    static constexpr Migration kSteps[] = {{1, toVersion2}};
    return kSteps;
}

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
