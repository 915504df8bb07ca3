// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hw {

[[nodiscard]] bool isUtf8(std::string_view text);
/// A text of another character set as UTF-8; `charset` as iconv names it: "GBK", "CP1251", "UTF-16LE". Nothing where the text has bytes that are
/// no characters of it, or the set is unknown here.
[[nodiscard]] std::optional<std::string> toUtf8(std::string_view text, const std::string& charset);
void appendUtf8(std::string& text, char32_t character);

} // namespace hw
