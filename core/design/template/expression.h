// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mu {
class Parser;
}

namespace hw {

/// Thrown inside the template engine only and turned into a Result at its border.
struct TemplateFailure {
    Error error;
};

/// The text of an expression and where it stands in the template.
struct ExpressionText {
    std::string text;
    std::string where; ///< "file:line: key"
    [[nodiscard]] bool empty() const { return text.empty(); }
};

/// "true", "yes", "on", "1" and their opposites; nothing for other texts.
[[nodiscard]] std::optional<bool> oneOfFlag(std::string_view text);

/// Variables that expressions read: its own, then those of the scope outside. Addresses stay valid, so bound expressions
/// see every change.
class Scope {
public:
    Scope() = default;
    explicit Scope(Scope* outside) : m_outside(outside) {} ///< which must outlive it
    double& operator[](const std::string& name) { return m_values[name]; }
    [[nodiscard]] double* find(std::string_view name)
    {
        const auto found = m_values.find(name);
        return found != m_values.end() ? &found->second : m_outside ? m_outside->find(name) : nullptr;
    }
    [[nodiscard]] bool contains(std::string_view name) const { return m_values.contains(name) || (m_outside && m_outside->contains(name)); }

private:
    std::map<std::string, double, std::less<>> m_values;
    Scope* m_outside = nullptr;
};

/// Whole-number arithmetic over a scope: + - * / ^, comparisons, && || ?:, and floor, ceil, div, mod, ceil_div,
/// min, max, abs, gcd, log2, grow(n, total) = the smallest count from n on that divides total, and
/// pick(i, a, b, …) = the i-th of the values, from 0. Evaluation is exact below 2^53; a result that is not whole is an error
/// (`div` and `floor` say that rounding is meant).
class Expression {
public:
    Expression();
    /// Throws TemplateFailure for bad syntax or a name that the scope does not have.
    Expression(const ExpressionText& text, Scope& scope);
    Expression(Expression&&) noexcept;
    Expression& operator=(Expression&&) noexcept;
    ~Expression();

    [[nodiscard]] bool empty() const { return !m_constant && !m_variable && !m_parser; }
    [[nodiscard]] std::int64_t whole() const;
    [[nodiscard]] bool truth() const { return whole() != 0; }

private:
    [[nodiscard]] std::int64_t checked(double value) const;
    [[noreturn]] void refuseValue(double value) const;
    std::unique_ptr<mu::Parser> m_parser;
    const double* m_variable = nullptr; ///< of an expression that is one name
    bool m_constant = false;
    std::int64_t m_value = 0;
    ExpressionText m_text;
};

/// Calls f(name) for every name in a text: variables, and functions.
template <class F>
void forEachName(std::string_view text, F&& f)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const auto isPart = [&](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_' || c == '.'; };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        while (at < text.size() && isPart(text[at])) ++at;
        if (at == begin)
            ++at;
        else if (!isDigit(text[begin]) && text[begin] != '.')
            f(text.substr(begin, at - begin));
    }
}

/// The names that an expression reads, known or not. Throws TemplateFailure for bad syntax.
[[nodiscard]] std::vector<std::string> namesUsed(const ExpressionText& text);

/// A text with `{coordinate}` (printed counted from 1), `{coordinate:2}` (zero-padded to 2 digits) and
/// `{=expression}` (printed as it is).
class NamePattern {
public:
    NamePattern() = default;
    NamePattern(const ExpressionText& text, Scope& scope);
    [[nodiscard]] std::string text() const;
    /// The same as a sentence that languages translate: of the pattern with {} where values stand.
    [[nodiscard]] Text said() const;

private:
    struct Piece {
        std::string literal;
        Expression value;
        int width = 0;
        bool fromOne = false;
    };
    [[nodiscard]] static std::string shown(const Piece& piece);
    std::vector<Piece> m_pieces;
};

} // namespace hw
