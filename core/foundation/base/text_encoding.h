// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hw {

[[nodiscard]] bool isUtf8(std::string_view text);
/// A text of another character set as UTF-8; `charset` as iconv names it: "GBK", "CP1251", "UTF-16LE". Nothing: the text has bytes that are no
/// characters of it, or the system does not know the set.
[[nodiscard]] std::optional<std::string> toUtf8(std::string_view text, const std::string& charset);
void appendUtf8(std::string& text, char32_t character);

/// A text as UTF-8, and what it was written in.
struct DecodedText {
    std::string text;     ///< UTF-8 without byte order mark
    std::string encoding; ///< "UTF-16", "GB18030", "Windows-1252"; empty: UTF-8
};

/// Reads UTF-8 and UTF-16 (with byte order mark, or by its zero bytes). Other bytes are taken as GB18030, which holds GB 2312 and GBK, where they
/// stand in pairs apart from Latin letters, as in Chinese; else as Windows-1252, which holds Latin-1. Nothing: they are no text.
[[nodiscard]] std::optional<DecodedText> decodeText(std::string_view bytes);
/// The same for UTF-16 alone; everything else, also without a byte order mark, stays as it is.
[[nodiscard]] std::string decodeUtf16(std::string bytes);
/// Whether the bytes are UTF-8 without control characters but tabs and line ends.
[[nodiscard]] bool isPlainText(std::string_view text);

} // namespace hw
