// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/storage/text_escape.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace hw::storage {

namespace {

bool plain(char c) { return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7f && c != '\\'; }

} // namespace

std::size_t utf8Length(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
    const unsigned first = byte(0);
    if (text.empty()) return 0;
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first < 0xE0) return tail(1) ? 2 : 0;
    if (first >= 0xE0 && first < 0xF0) {
        if (!tail(1) || !tail(2)) return 0;
        return (first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) >= 0xA0) ? 0 : 3;
    }
    if (first >= 0xF0 && first < 0xF5) {
        if (!tail(1) || !tail(2) || !tail(3)) return 0;
        return (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) >= 0x90) ? 0 : 4;
    }
    return 0;
}

std::size_t utf8Prefix(std::string_view text)
{
    std::size_t at = 0;
    for (std::uint64_t word = 0; at < text.size();) {
        if (at + sizeof word <= text.size()) { // eight bytes of ASCII at once: most of an export is
            std::memcpy(&word, text.data() + at, sizeof word);
            if ((word & 0x8080808080808080u) == 0) {
                at += sizeof word;
                continue;
            }
        }
        const std::size_t length = utf8Length(text.substr(at));
        if (length == 0) return at;
        at += length;
    }
    return at;
}

void appendEscaped(std::string_view text, std::string& out)
{
    if (std::all_of(text.begin(), text.end(), plain)) {
        out += text;
        return;
    }
    static constexpr char kHex[] = "0123456789abcdef";
    while (!text.empty()) {
        const char c = text.front();
        const std::size_t length = utf8Length(text);
        if (c == '\\')
            out += "\\\\";
        else if (c == '\t')
            out += "\\t";
        else if (c == '\n')
            out += "\\n";
        else if (c == '\r')
            out += "\\r";
        else if (plain(c) || length > 1)
            out.append(text.substr(0, length));
        else
            (out += "\\x").append({kHex[static_cast<unsigned char>(c) >> 4], kHex[static_cast<unsigned char>(c) & 15]});
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
}

std::optional<std::string> unescaped(std::string_view text)
{
    std::string out;
    for (;;) {
        const auto at = text.find('\\');
        out += text.substr(0, at);
        if (at == std::string_view::npos) return out;
        text.remove_prefix(at + 1);
        const char kind = text.empty() ? '\0' : text.front();
        if (kind == '\\')
            out += '\\';
        else if (kind == 't')
            out += '\t';
        else if (kind == 'n')
            out += '\n';
        else if (kind == 'r')
            out += '\r';
        else if (kind == 'x' && text.size() >= 3) {
            unsigned value = 0;
            const auto [end, error] = std::from_chars(text.data() + 1, text.data() + 3, value, 16);
            if (error != std::errc() || end != text.data() + 3) return std::nullopt;
            out += char(value);
            text.remove_prefix(2);
        } else {
            return std::nullopt;
        }
        text.remove_prefix(1);
    }
}

} // namespace hw::storage
