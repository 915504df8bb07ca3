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

    [[nodiscard]] std::string at(const Line& line) const { return file + ":" + std::to_string(line.number); }
    /// The interface that a command was for: "ethtool -i eth0" → eth0; else that of the file's name.
    [[nodiscard]] std::string interface() const;
};

using Items = std::vector<configuration::Actual>;
/// Lines of a known output that could not be read.
using UnreadLines = std::vector<const CommandOutput::Line*>;

/// Each adds what it finds in an output of its kind; nothing: the output is of another kind.
[[nodiscard]] std::optional<UnreadLines> readHostOutput(const CommandOutput& output, Items& items);
[[nodiscard]] std::optional<UnreadLines> readSwitchOutput(const CommandOutput& output, Items& items);
/// config_db.json, or JSON of NVUE; nothing: neither. Else keys that were not read, each once, without the names of rows: "PORT.mtuu".
[[nodiscard]] std::optional<std::vector<std::string>> readSwitchJson(const nlohmann::json& json, const std::string& device, const std::string& file,
                                                                     Items& items);

// Helpers of several.
[[nodiscard]] std::string trimmedText(std::string_view text);
[[nodiscard]] std::vector<std::string> fieldsOf(const std::string& line); ///< separated by blanks
/// What follows "NAME:", trimmed; nothing where the line does not begin with it.
[[nodiscard]] std::optional<std::string> valueAfter(const std::string& line, std::string_view name);
[[nodiscard]] bool isNumber(std::string_view text); ///< digits only, below 10^9
/// "400G" or "400000" (Mb/s) → "400"; nothing where none is set; what is no rate as it is, so that it differs.
[[nodiscard]] std::string switchGbps(const std::string& text);

/// What NVUE reports of `qos roce`; empty: not given.
struct NvueRoce {
    std::string enable, mode, priority, trust, classes;
    std::vector<std::string> dscpPriorities; ///< "26:3"; empty: those of the mode
};
/// As items of a switch; the lossless modes have PFC on priority 3, DSCP 26 to it, and ECN on its queue.
void addNvueRoce(const NvueRoce& roce, const std::string& device, const std::string& source, Items& items);

} // namespace hw::importers
