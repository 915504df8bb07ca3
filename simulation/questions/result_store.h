// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "simulation/answers/parameter_schema.h"

#include <filesystem>

namespace hw::sim {
inline namespace questions {

/// Answers kept beside a project, in `NAME.hall.results/`: one file each, numbered from 1, with the content of the design that they
/// belong to (see designFingerprint()) and the program that gave them. An answer to another content, or of other models, is stale; a
/// renamed design, or the same one made again, has the same content. Any thread, one program at a time.
class ResultStore {
public:
    struct Entry {
        int number = 0;
        std::string name, kind, savedAt; ///< savedAt: UTC, ISO 8601
        std::string content, program;    ///< of the design, as fingerprintText(); of the program. Empty in answers of older programs
        std::uint64_t revision = 0;      ///< for people
        bool onDesign = false;
        std::filesystem::path file;
        [[nodiscard]] bool staleAt(std::uint64_t designFingerprint) const;
    };

    explicit ResultStore(const std::filesystem::path& project);

    /// Error: Unreadable when the folder cannot be written.
    [[nodiscard]] Result<Entry> add(const Json& document);
    /// In the order of numbers; what is no stored answer is left out.
    [[nodiscard]] std::vector<Entry> list() const;
    /// The answer. Errors: Usage for a number that is not there, Unreadable for a damaged file.
    [[nodiscard]] Result<Json> load(int number) const;
    [[nodiscard]] Result<void> remove(int number);

    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

private:
    std::filesystem::path m_folder;
};

} // namespace questions
} // namespace hw::sim
