// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace hw {

/// What a file is that was given in place of another.
struct FileKind {
    Text what;            ///< for people: "is an EPANET network"
    Text todo;            ///< the way out
    std::string format{}; ///< name of the import format that reads it; empty: none does
};
/// By its content, and by the ending of its name where several kinds begin alike. The first 64 KiB are enough. Nothing: no kind that is known here.
[[nodiscard]] std::optional<FileKind> fileKindOf(const std::filesystem::path& path, std::string_view content);

/// The longest beginning of an error's place (FILE, FILE:LINE, FILE: KEY) that is a file; empty: none.
[[nodiscard]] std::filesystem::path fileOf(const std::string& where);
/// The error of a reader that was given a file of another kind: it then names the kind and the way out; any other error stays as it is. `format`: the
/// import format that tried.
[[nodiscard]] Error explainedByFile(Error error, std::string_view format = {});

/// The whole of a file that a text is expected in: unpacked where gzip packed it, UTF-16 as UTF-8, without byte order mark. Errors: Unreadable, for
/// binary kinds with the way out.
[[nodiscard]] Result<std::string> readTextFile(const std::filesystem::path& path);

} // namespace hw
