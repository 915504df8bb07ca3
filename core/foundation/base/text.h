// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/core.h>

namespace hw {

class Text;

namespace texts {

/// What the compiler checks the place of an argument against: a whole number, a decimal number or words.
template <class T>
using Shown = std::conditional_t<
    std::is_floating_point_v<T>, double,
    std::conditional_t<std::is_integral_v<T>, std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>, std::string_view>>;

/// A pattern of the source, checked against its arguments when it is compiled.
template <class... A>
struct Pattern {
    std::string_view id;
    template <std::size_t N>
    consteval Pattern(const char (&literal)[N]) : id(literal, N - 1)
    {
        [[maybe_unused]] const fmt::format_string<Shown<A>...> checked(literal);
    }
};

} // namespace texts

/// A text of a table that the compiler fills: an English pattern without arguments. Becomes a Text where it is used.
struct TextId {
    std::string_view id;
    constexpr TextId() = default;
    template <std::size_t N>
    explicit consteval TextId(const char (&literal)[N]) : id(literal, N - 1)
    {
    }
    friend constexpr bool operator==(TextId, TextId) = default;
};

/// Something to be read by people, before it is words: the English pattern, which is its id in the catalogs of
/// `resources/i18n`, and its arguments. Core and simulation make texts; the command line, the window and the writers
/// of files make them into `words`. A Text cannot be made from a string: `i18n("…{}…", name)` for sentences,
/// `verbatim` for what is the same in every language, `resourceText` for what a template or the catalog says.
class Text {
public:
    using Argument = std::variant<std::int64_t, std::uint64_t, double, std::string, std::vector<Text>>;
    enum class Kind : std::uint8_t {
        Pattern,  ///< id is a pattern, arguments fill it
        Plural,   ///< as Pattern; argument 0 counts, and chooses between id and `many`
        Verbatim, ///< argument 0 as it is
        Resource, ///< argument 0 is the id, without arguments
        List,     ///< argument 0 is a list of texts, shown with commas
        Lines     ///< argument 0 is a list of texts, one after the other
    };

    Text();
    Text(TextId id);
    Text(Kind kind, std::string_view id, std::string_view many, std::vector<Argument> arguments);
    Text(const Text&);
    Text(Text&&) noexcept;
    Text& operator=(const Text&);
    Text& operator=(Text&&) noexcept;
    ~Text();

    [[nodiscard]] bool empty() const; ///< nothing to say
    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] std::string_view id() const { return m_id; }
    [[nodiscard]] std::string_view many() const { return m_many; } ///< the plural of the pattern
    [[nodiscard]] const std::vector<Argument>& arguments() const { return m_arguments; }

    friend bool operator==(const Text&, const Text&);

private:
    std::string_view m_id{}, m_many{}; ///< of literals
    std::vector<Argument> m_arguments{};
    Kind m_kind = Kind::Pattern;
};

namespace texts {

/// An argument where it is given, until `made` keeps it. Small and without destructor, for there are thousands of places.
class Given {
public:
    Given(const Text& text) : m_value(&text) {}
    Given(TextId id) : m_value(id) {}
    Given(const std::string& text) : m_value(std::string_view(text)) {}
    Given(std::string_view text) : m_value(text) {}
    Given(const char* text) : m_value(std::string_view(text)) {}
    template <class T>
    requires(std::is_arithmetic_v<T>) Given(T number) : m_value(Shown<T>(number))
    {
        static_assert(!std::is_same_v<T, bool> && !std::is_same_v<T, char>, "say what it means");
    }
    [[nodiscard]] Text::Argument kept() const;

private:
    std::variant<std::int64_t, std::uint64_t, double, std::string_view, TextId, const Text*> m_value;
};

[[nodiscard]] Text made(Text::Kind kind, std::string_view id, std::string_view many, std::initializer_list<Given> arguments);

} // namespace texts

/// A sentence or part of one. `pattern` is a literal in the format of fmt, in English. `{:L}` groups the digits of a
/// whole number, and every number is written as the language writes it.
template <class... A>
[[nodiscard]] Text i18n(std::type_identity_t<texts::Pattern<A...>> pattern, const A&... arguments)
{
    return texts::made(Text::Kind::Pattern, pattern.id, {}, {texts::Given(arguments)...});
}

/// As `i18n`, where what is said depends on a number: `i18np(racks, "{:L} rack", "{:L} racks")`. `n` is argument 0.
template <class N, class... A>
[[nodiscard]] Text i18np(N n, std::type_identity_t<texts::Pattern<N, A...>> one, std::type_identity_t<texts::Pattern<N, A...>> many,
                         const A&... arguments)
{
    return texts::made(Text::Kind::Plural, one.id, many.id, {texts::Given(n), texts::Given(arguments)...});
}

/// What is the same in every language: a name, a key, a figure with its unit, words of a file or of another program.
[[nodiscard]] Text verbatim(std::string text);

/// A text of a template or of the catalog: found in the language's catalog as a whole.
[[nodiscard]] Text resourceText(std::string id);

/// "A, B, C", with the commas of the language.
[[nodiscard]] Text listed(std::vector<Text> items);
template <class Names>
[[nodiscard]] Text listedNames(const Names& names)
{
    std::vector<Text> items;
    for (const auto& name : names) items.push_back(verbatim(std::string(name)));
    return listed(std::move(items));
}

/// Sentence after sentence, with what the language puts between them.
[[nodiscard]] Text together(std::vector<Text> sentences);

/// The text in the language of this process (core/foundation/base/language.h): for the edges, where people or files read it.
[[nodiscard]] std::string words(const Text& text);

/// Compares with what the text says now; for tests and edges.
template <class T, class S>
requires(std::is_same_v<T, Text>&& std::is_convertible_v<const S&, std::string_view>) [[nodiscard]] bool operator==(const T& text, const S& said)
{
    return std::string_view(words(text)) == std::string_view(said);
}
std::ostream& operator<<(std::ostream& out, const Text& text);

template <class Json>
void to_json(Json& json, const Text& text)
{
    json = words(text);
}

} // namespace hw

template <>
struct fmt::formatter<hw::Text> : fmt::formatter<std::string_view> {
    template <class Context>
    auto format(const hw::Text& text, Context& context) const
    {
        return fmt::formatter<std::string_view>::format(hw::words(text), context);
    }
};
