// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/interrupt.h"
#include "core/foundation/base/result.h"

#include <functional>
#include <optional>
#include <string_view>

namespace hw::cli {

/// Makes a file whole or not at all: `write` fills a file beside the target, which then replaces it.
/// A target that is no regular file (a device, a pipe) gets the finished bytes. The temporary file
/// keeps the target's extension. Errors: Unreadable, or what `write` gives.
[[nodiscard]] Result<void> writeWhole(const std::filesystem::path& target, const std::function<Result<void>(const std::filesystem::path&)>& write);
[[nodiscard]] Result<void> writeWholeText(const std::filesystem::path& target, std::string_view text);

/// Refuses to replace a project by something else; `writeWhole` does too. Error: Unreadable.
[[nodiscard]] Result<void> refuseProject(const std::filesystem::path& target);

/// Refuses a target that exists and is no regular file, for outputs that replace it. Error: Unreadable.
[[nodiscard]] Result<void> requireFile(const std::filesystem::path& target, std::string_view option);

/// The lower-case extension of an output, which must be one of `known`. Error: Usage, naming `-o`.
[[nodiscard]] Result<std::string> outputFormat(const std::filesystem::path& target, std::initializer_list<std::string_view> known);

} // namespace hw::cli
