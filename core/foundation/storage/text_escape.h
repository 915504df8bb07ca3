// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hw::storage {

/// Bytes of the UTF-8 character at the start of `text` (shortest form, no surrogates, at most
/// U+10FFFF); 0 when it is not one.
[[nodiscard]] std::size_t utf8Length(std::string_view text);

/// Bytes before the first that is not UTF-8; all of them when there is none.
[[nodiscard]] std::size_t utf8Prefix(std::string_view text);

/// One line without tabs, valid UTF-8: \\ \t \n \r for these, \xHH for other control characters and
/// for bytes that are not UTF-8. There is one escaped form for every text.
void appendEscaped(std::string_view text, std::string& out);
/// Nothing for an escape that appendEscaped does not write.
[[nodiscard]] std::optional<std::string> unescaped(std::string_view text);

} // namespace hw::storage
