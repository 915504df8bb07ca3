// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace hw::telemetry {

/// The lines of a text file of any size, compressed with zstd, gzip or not (by its first bytes). What was written before a file was cut can be read.
class LineReader {
public:
    [[nodiscard]] static Result<LineReader> open(const std::filesystem::path& file);
    LineReader(LineReader&&) noexcept;
    ~LineReader();

    /// The next line without its end; false: no more. Error: Unreadable, a line too long or bytes that are damaged.
    [[nodiscard]] Result<bool> next(std::string& line);
    [[nodiscard]] std::uint64_t number() const; ///< of the line read last, from 1
    [[nodiscard]] bool cut() const;             ///< the line read last has no end
    [[nodiscard]] std::string place() const;    ///< FILE:LINE
    [[nodiscard]] const std::filesystem::path& file() const;

private:
    struct State;
    explicit LineReader(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace hw::telemetry
