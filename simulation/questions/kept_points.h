// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "simulation/answers/parameter_schema.h"

#include <filesystem>
#include <fstream>

namespace hw::sim {
inline namespace questions {

/// Finished points of a sweep on disk, one JSON line each, so that a sweep that was stopped goes on. The first line says which sweep
/// they belong to; lines of another one, and a last line that was cut off, are left aside. Whoever finishes the sweep removes the file.
class StoredPoints {
public:
    /// Fills `found` (null where not done). Error: Unreadable when the file cannot be written.
    [[nodiscard]] static Result<StoredPoints> open(const std::filesystem::path& file, const std::string& identity, std::vector<Json>& found);
    /// Adds the points of a file, another one's too, to `found`; nothing of a file of another sweep.
    static void read(const std::filesystem::path& file, const std::string& identity, std::vector<Json>& found);
    void add(std::size_t point, const Json& result);

private:
    std::ofstream m_out;
};

} // namespace questions
} // namespace hw::sim
