// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <optional>

namespace hw::cli {

/// Reads the command line into the session. An exit code when there is nothing left to do: 0 after
/// `--help` and `--version`, 2 after wrong usage, which is printed.
[[nodiscard]] std::optional<int> parseArguments(Session& session, int argc, char** argv);

/// Splits "NAME=VALUE" arguments. Error: Usage, naming `option`.
[[nodiscard]] Result<std::map<std::string, std::string>> namedValues(const std::vector<std::string>& arguments, const std::string& option);

} // namespace hw::cli
