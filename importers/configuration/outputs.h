// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/configuration/config_files.h"

#include <nlohmann/json.hpp>

namespace hw::importers {

/// What one command printed on one device.
struct CommandOutput {
    struct Line {
        std::string text;
        std::size_t number = 0;
    };
    std::string device, command, port; ///< port: of the file's name; empty: not known
    std::string file;
    std::vector<Line> lines;
    mutable std::vector<const Line*> unread{}; ///< lines of a known output that could not be read

    [[nodiscard]] std::string at(const Line& line) const { return file + ":" + std::to_string(line.number); }
    /// The interface that a command was for: "ethtool -i eth0" → eth0; else that of the file's name.
    [[nodiscard]] std::string interface() const;
};

using Items = std::vector<configuration::Actual>;

/// Each adds what it finds in an output of its kind; false: it is of another kind.
bool readHostOutput(const CommandOutput& output, Items& items);
bool readSwitchOutput(const CommandOutput& output, Items& items);
/// config_db.json, or JSON of NVUE; false: neither.
bool readSwitchJson(const nlohmann::json& json, const std::string& device, const std::string& file, Items& items);

// Helpers of both.
[[nodiscard]] std::string trimmedText(std::string_view text);
[[nodiscard]] std::vector<std::string> fieldsOf(const std::string& line); ///< separated by blanks
/// What follows "NAME:", trimmed; nothing where the line does not begin with it.
[[nodiscard]] std::optional<std::string> valueAfter(const std::string& line, std::string_view name);

} // namespace hw::importers
