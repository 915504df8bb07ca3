// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/text.h"

#include "core/foundation/base/language.h"

#include <ostream>

namespace hw {

Text::Text() = default;
Text::Text(TextId id) : m_id(id.id) {}
Text::Text(Kind kind, std::string_view id, std::string_view many, std::vector<Argument> arguments)
    : m_id(id), m_many(many), m_arguments(std::move(arguments)), m_kind(kind)
{
}
Text::Text(const Text&) = default;
Text::Text(Text&&) noexcept = default;
Text& Text::operator=(const Text&) = default;
Text& Text::operator=(Text&&) noexcept = default;
Text::~Text() = default;

bool Text::empty() const
{
    if (m_kind == Kind::Pattern) return m_id.empty();
    if (m_arguments.empty()) return true;
    if (const auto* said = std::get_if<std::string>(&m_arguments[0])) return said->empty();
    if (const auto* items = std::get_if<std::vector<Text>>(&m_arguments[0])) return m_kind != Kind::Plural && items->empty();
    return false;
}

bool operator==(const Text& a, const Text& b)
{
    return a.m_kind == b.m_kind && a.m_id == b.m_id && a.m_many == b.m_many && a.m_arguments == b.m_arguments;
}

Text::Argument texts::Given::kept() const
{
    return std::visit(
        [](const auto& value) -> Text::Argument {
            using Value = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, std::string_view>)
                return std::string(value);
            else if constexpr (std::is_same_v<Value, TextId>)
                return std::vector<Text>{Text(value)};
            else if constexpr (std::is_same_v<Value, const Text*>)
                return std::vector<Text>{*value};
            else
                return value;
        },
        m_value);
}

Text texts::made(Text::Kind kind, std::string_view id, std::string_view many, std::initializer_list<Given> arguments)
{
    std::vector<Text::Argument> kept;
    kept.reserve(arguments.size());
    for (const auto& argument : arguments) kept.push_back(argument.kept());
    return {kind, id, many, std::move(kept)};
}

Text verbatim(std::string text)
{
    std::vector<Text::Argument> arguments;
    arguments.emplace_back(std::move(text));
    return {Text::Kind::Verbatim, {}, {}, std::move(arguments)};
}

Text resourceText(std::string id)
{
    std::vector<Text::Argument> arguments;
    arguments.emplace_back(std::move(id));
    return {Text::Kind::Resource, {}, {}, std::move(arguments)};
}

Text listed(std::vector<Text> items)
{
    std::vector<Text::Argument> arguments;
    arguments.emplace_back(std::move(items));
    return {Text::Kind::List, {}, {}, std::move(arguments)};
}

Text together(std::vector<Text> sentences)
{
    std::vector<Text::Argument> arguments;
    arguments.emplace_back(std::move(sentences));
    return {Text::Kind::Lines, {}, {}, std::move(arguments)};
}

std::string words(const Text& text) { return language().words(text); }

std::ostream& operator<<(std::ostream& out, const Text& text) { return out << words(text); }

} // namespace hw
