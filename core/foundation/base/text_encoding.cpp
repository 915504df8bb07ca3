// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/text_encoding.h"

#include <algorithm>
#include <cstdint>

#include <boost/locale/encoding.hpp>

namespace hw {

namespace {

enum class Order : std::uint8_t { None, Little, Big };

/// By the byte order mark; without one by zeros in every second byte of what is mostly ASCII.
Order utf16Order(std::string_view bytes)
{
    if (bytes.starts_with("\xFF\xFE")) return Order::Little;
    if (bytes.starts_with("\xFE\xFF")) return Order::Big;
    const std::string_view head = bytes.substr(0, 512);
    if (bytes.size() % 2 != 0 || head.size() < 4) return Order::None;
    std::size_t even = 0, odd = 0;
    for (std::size_t i = 0; i < head.size(); ++i) (i % 2 == 0 ? even : odd) += head[i] == '\0';
    if (even == 0 && odd * 4 > head.size()) return Order::Little;
    if (odd == 0 && even * 4 > head.size()) return Order::Big;
    return Order::None;
}

std::string fromUtf16(std::string_view bytes, Order order)
{
    const auto unit = [&](std::size_t i) {
        const auto a = static_cast<unsigned char>(bytes[i]), b = static_cast<unsigned char>(bytes[i + 1]);
        return std::uint32_t(order == Order::Little ? a | (b << 8) : b | (a << 8));
    };
    std::string out;
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        std::uint32_t c = unit(i);
        if (i == 0 && c == 0xFEFF) continue;
        if (c >= 0xD800 && c < 0xDC00 && i + 3 < bytes.size()) {
            if (const std::uint32_t low = unit(i + 2); low >= 0xDC00 && low < 0xE000) c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00), i += 2;
        }
        appendUtf8(out, c >= 0xD800 && c < 0xE000 ? 0xFFFD : c);
    }
    return out;
}

bool isHigh(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool isSmall(char c) { return c >= 'a' && c <= 'z'; }
bool isLetter(char c) { return isSmall(c) || (c >= 'A' && c <= 'Z'); }

/// Chinese characters are pairs of high bytes, mostly several of them and apart from Latin letters; accented letters of Western languages are
/// single ones within words.
bool looksChinese(std::string_view bytes)
{
    std::size_t chinese = 0, western = 0;
    for (std::size_t i = 0; i < bytes.size();) {
        if (!isHigh(bytes[i])) {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < bytes.size() && isHigh(bytes[end])) ++end;
        const std::size_t length = end - i;
        const char before = i > 0 ? bytes[i - 1] : ' ', behind = end < bytes.size() ? bytes[end] : ' ';
        const bool inWord = isSmall(before) || isSmall(behind) || (isLetter(before) && isLetter(behind));
        (length % 2 == 0 && (length >= 4 || !inWord) ? chinese : western) += 1;
        i = end;
    }
    return chinese > western;
}

bool isControl(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F; }

} // namespace

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

bool isPlainText(std::string_view text) { return std::ranges::none_of(text, isControl) && isUtf8(text); }

std::string decodeUtf16(std::string bytes)
{
    const Order order = utf16Order(bytes);
    return order == Order::None ? std::move(bytes) : fromUtf16(bytes, order);
}

std::optional<DecodedText> decodeText(std::string_view bytes)
{
    if (const Order order = utf16Order(bytes); order != Order::None) {
        DecodedText out{fromUtf16(bytes, order), "UTF-16"};
        return isPlainText(out.text) ? std::optional(std::move(out)) : std::nullopt;
    }
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    if (isPlainText(bytes)) return DecodedText{std::string(bytes), {}};
    if (std::ranges::any_of(bytes, isControl)) return std::nullopt;
    const bool chinese = looksChinese(bytes);
    for (const char* encoding : {"GB18030", "Windows-1252"})
        if (chinese || encoding != std::string_view("GB18030"))
            if (auto text = toUtf8(bytes, encoding)) return DecodedText{std::move(*text), encoding};
    return std::nullopt;
}

} // namespace hw
