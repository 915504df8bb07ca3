// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/ifc/step_writer.h"

#include <cmath>

#include <fmt/format.h>

namespace hw::importers::ifc {

namespace {

/// The next character of UTF-8; a byte that belongs to none is taken as Latin-1.
char32_t nextCharacter(std::string_view text, std::size_t& at)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const unsigned first = byte(at);
    const int more = first >= 0xF0 && first < 0xF8 ? 3 : first >= 0xE0 ? 2 : first >= 0xC2 ? 1 : 0;
    char32_t value = more == 3 ? first & 7 : more == 2 ? first & 15 : first & 31;
    for (int i = 1; i <= more; ++i) {
        const unsigned next = byte(at + std::size_t(i));
        if ((next & 0xC0) != 0x80) return ++at, char32_t(first);
        value = (value << 6) | (next & 63);
    }
    if (more == 0 || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) return ++at, char32_t(first);
    at += std::size_t(more) + 1;
    return value;
}

} // namespace

std::string stepText(std::string_view text)
{
    std::string out = "'";
    bool wide = false; // within \X2\…\X0\.
    const auto leave = [&] {
        if (wide) out += "\\X0\\";
        wide = false;
    };
    for (std::size_t at = 0; at < text.size();) {
        const auto c = static_cast<unsigned char>(text[at]);
        if (c >= 0x20 && c < 0x7F) {
            leave();
            out += char(c);
            if (c == '\'' || c == '\\') out += char(c);
            ++at;
            continue;
        }
        char32_t value = c < 0x80 ? (++at, char32_t(c)) : nextCharacter(text, at);
        if (!wide) out += "\\X2\\";
        wide = true;
        if (value > 0xFFFF) { // UTF-16, as the wide form of few readers is
            value -= 0x10000;
            out += fmt::format("{:04X}{:04X}", 0xD800 + (value >> 10), 0xDC00 + (value & 0x3FF));
        } else {
            out += fmt::format("{:04X}", std::uint32_t(value));
        }
    }
    leave();
    return out + "'";
}

std::string stepReal(double value)
{
    if (!std::isfinite(value) || value == 0) return "0.";
    std::string text = fmt::format("{}", value);
    const auto exponent = text.find('e');
    std::string mantissa = text.substr(0, exponent);
    if (mantissa.find('.') == mantissa.npos)
        mantissa += '.';
    else if (mantissa.ends_with(".0"))
        mantissa.pop_back();
    return exponent == text.npos ? mantissa : mantissa + "E" + text.substr(exponent + 1);
}

StepWriter::Ref StepWriter::add(std::string_view entity, std::initializer_list<std::string> attributes)
{
    m_data += "#" + std::to_string(++m_last) + "=";
    m_data += entity;
    char separator = '(';
    for (const auto& attribute : attributes) {
        m_data += separator;
        m_data += attribute;
        separator = ',';
    }
    m_data += ");\n";
    return m_last;
}

StepWriter::Ref StepWriter::shared(std::string_view entity, std::initializer_list<std::string> attributes)
{
    std::string line(entity);
    for (const auto& attribute : attributes) line += '|' + attribute;
    if (const auto found = m_known.find(line); found != m_known.end()) return found->second;
    const Ref made = add(entity, attributes);
    m_known.emplace(std::move(line), made);
    return made;
}

std::string StepWriter::list(std::span<const Ref> numbers)
{
    std::string out = "(";
    for (const Ref number : numbers) out += (out.size() > 1 ? ",#" : "#") + std::to_string(number);
    return out + ")";
}

} // namespace hw::importers::ifc
