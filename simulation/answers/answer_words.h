// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/answers/parameter_schema.h"

#include <string>
#include <string_view>

namespace hw::sim {
inline namespace questions {

/// What kind of number a key holds, from the unit that keys carry by convention (`_s`, `_gbps`, `_share`, `bytes`, …).
enum class Quantity : std::uint8_t { Plain, Count, Microseconds, Seconds, Hours, Days, Gbps, BytesPerS, GBytesPerS, Bytes, Share, Factor };

/// A key of parameters or results as people say it.
struct KeyWords {
    Text label;  ///< "Iteration", "NICs halved"; begins with a capital letter, without the unit
    Text inside; ///< the same within a sentence: "iteration", "NICs halved"
    Quantity quantity = Quantity::Plain;
};
/// Of the last part of a path; `before.host_gbps` and `host_gbps` read alike. Keys that the table does not know are read by their words,
/// so a new key shows well as long as it ends in its unit.
[[nodiscard]] KeyWords wordsOf(std::string_view key);

/// A value with its unit: "6.44 s", "2.1 h", "34.7 %", "400 Gb/s", "21.2 GB", "4,881,000", "× 2", "yes". A list's entries with commas.
[[nodiscard]] Text shownValue(const Json& value, Quantity quantity);

/// A list of objects, of which there is at least one: rows with the same keys.
[[nodiscard]] bool isTable(const Json& value);

/// "bytes_per_nic" as "bytes per NIC": underscores, dots and acronyms, no capital letter at the start.
[[nodiscard]] std::string plainWords(std::string_view key);
/// With a capital letter at the start.
[[nodiscard]] std::string sentenceStart(std::string words);
/// The same as texts, which a language may say otherwise.
[[nodiscard]] Text plainText(std::string_view key);
[[nodiscard]] Text titleText(std::string_view key);

} // namespace questions
} // namespace hw::sim
