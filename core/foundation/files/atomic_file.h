// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <filesystem>
#include <string_view>

namespace hw {

/// An output that appears whole or not at all: written into a temporary file beside the target, made
/// durable and renamed over it by `commit()`. Without a commit the temporary file goes and an older
/// target stays as it was. Used once, on any thread.
class AtomicFile {
public:
    [[nodiscard]] static Result<AtomicFile> create(const std::filesystem::path& target);
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile();

    /// For libraries that write by file name; do not mix with `write`.
    [[nodiscard]] const std::filesystem::path& temporaryPath() const { return m_temporary; }
    [[nodiscard]] const std::filesystem::path& target() const { return m_target; }
    [[nodiscard]] Result<void> write(std::string_view bytes);
    [[nodiscard]] Result<void> commit();

private:
    AtomicFile(std::filesystem::path target, std::filesystem::path temporary, int handle);
    [[nodiscard]] Result<void> failure(Text what) const;
    std::filesystem::path m_target, m_temporary;
    int m_handle = -1;
};

/// The whole content in one go.
[[nodiscard]] Result<void> writeFile(const std::filesystem::path& target, std::string_view bytes);

} // namespace hw
