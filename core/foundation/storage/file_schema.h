// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"
#include "core/foundation/storage/sqlite.h"

namespace hw::storage {

/// The tables and columns of a file as the file itself lists them. Chunks and commits name them by number in
/// this list, and it says which of this program's they are: a table or column that the file lacks is empty or
/// has its default, so that additions to the model need no migration.
struct FileSchema {
    struct Table {
        std::string name;
        std::uint32_t nextId = 0, size = 0;
        std::uint16_t number = 0;           ///< in Snapshot::tables()
        std::vector<std::uint16_t> columns; ///< in TableBase::columnList(), by the file's number
    };
    std::vector<Table> tables;

    /// True when it is this program's list, number by number.
    [[nodiscard]] bool current() const;
    /// Gives the columns that the file lacks as many rows as the others have, with their defaults.
    void complete(Snapshot& snapshot) const;
};

/// Errors: Unreadable (not described as it should; a table or column that this program does not know).
[[nodiscard]] Result<FileSchema> readSchema(Database& database, const std::string& where);

} // namespace hw::storage
