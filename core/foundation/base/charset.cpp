// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/charset.h"

#include <boost/locale/encoding.hpp>

namespace hw {

bool isUtf8(std::string_view text)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        int more = c < 0x80 ? 0 : c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xF0 && c < 0xF5 ? 3 : -1;
        for (; more > 0; --more)
            if (++i >= text.size() || (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return false;
        if (more < 0) return false;
    }
    return true;
}

std::optional<std::string> toUtf8(std::string_view text, const std::string& charset)
{
    try {
        return boost::locale::conv::to_utf<char>(text.data(), text.data() + text.size(), charset, boost::locale::conv::stop);
    } catch (const boost::locale::conv::conversion_error&) {
        return std::nullopt;
    } catch (const boost::locale::conv::invalid_charset_error&) {
        return std::nullopt;
    }
}

void appendUtf8(std::string& text, char32_t c)
{
    if (c < 0x80) {
        text += char(c);
    } else if (c < 0x800) {
        text += char(0xC0 | c >> 6), text += char(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        text += char(0xE0 | c >> 12), text += char(0x80 | (c >> 6 & 0x3F)), text += char(0x80 | (c & 0x3F));
    } else {
        text += char(0xF0 | c >> 18), text += char(0x80 | (c >> 12 & 0x3F)), text += char(0x80 | (c >> 6 & 0x3F)), text += char(0x80 | (c & 0x3F));
    }
}

} // namespace hw
