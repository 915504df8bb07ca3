// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <filesystem>
#include <map>
#include <string>

namespace hw::netbox {

/// The ids that an export has written, a JSON line each, beside the project: what is done is found again by id where somebody renamed it
/// meanwhile. Of one server and one branch; what another one wrote is replaced.
class Journal {
public:
    /// Error: Unreadable.
    [[nodiscard]] static Result<Journal> open(const std::filesystem::path& file, const std::string& server, const std::string& branch);
    [[nodiscard]] int find(const std::string& table, const std::string& name) const; ///< 0: not written
    /// On disk when it returns, so that a broken run can go on. Error: Unreadable.
    [[nodiscard]] Result<void> add(const std::string& table, const std::map<std::string, int>& ids);

private:
    std::filesystem::path m_file;
    std::map<std::pair<std::string, std::string>, int> m_ids;
};

} // namespace hw::netbox
