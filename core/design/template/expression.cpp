// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/expression.h"

#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <muParser.h>

namespace hw {

namespace {

[[noreturn]] void refuse(const ExpressionText& at, Text what, Text todo)
{
    throw TemplateFailure{Error{ErrorCode::Unreadable, at.where, std::move(what), std::move(todo)}};
}

constexpr double kMostWhole = 9007199254740992.0; ///< 2^53: up to here every whole number is exact

/// Without a call for what is counted with.
double floorOf(double a)
{
    if (!(std::abs(a) <= kMostWhole)) return std::floor(a);
    const auto whole = double(std::int64_t(a));
    return whole > a ? whole - 1 : whole;
}

double divide(double a, double b) { return floorOf(a / b); }
double modulo(double a, double b) { return a - b * floorOf(a / b); }
double ceilDivide(double a, double b) { return std::ceil(a / b); }

/// What a function of expressions cannot answer; which of its arguments is at fault depends on the parameters.
struct NoAnswer {
    Text what;
};

[[noreturn]] void cannot(Text what) { throw NoAnswer{std::move(what)}; }

std::int64_t wholeArgument(double value, const char* function)
{
    if (!(std::abs(value) <= 1e12)) cannot(i18n("{}({}): argument too large", function, value));
    return std::int64_t(std::ceil(value));
}

double greatestDivisor(double a, double b) { return double(std::gcd(wholeArgument(a, "gcd"), wholeArgument(b, "gcd"))); }

/// The smallest divisor of `total` that is at least `least`.
double grow(double least, double total)
{
    const std::int64_t n = std::max<std::int64_t>(wholeArgument(least, "grow"), 1), all = wholeArgument(total, "grow");
    std::int64_t best = 0;
    for (std::int64_t d = 1; d <= all / d; ++d) {
        if (all % d != 0) continue;
        for (const std::int64_t divisor : {d, all / d})
            if (divisor >= n && (best == 0 || divisor < best)) best = divisor;
    }
    if (best == 0) cannot(i18n("grow({}, {}): no count of {} or more divides {}", least, total, n, all));
    return double(best);
}

double pick(const double* arguments, int count)
{
    const double which = arguments[0];
    if (!(which >= 0 && which < count - 1)) cannot(i18n("pick: index {} is out of range; number of values: {}", which, count - 1));
    return arguments[1 + int(which)];
}

/// Defines those names of the scope that stand in the text; all others would only cost time.
void defineUsed(mu::Parser& parser, const std::string& text, Scope& scope)
{
    forEachName(text, [&](std::string_view name) {
        if (double* value = scope.find(name)) parser.DefineVar(std::string(name), value);
    });
}

double ceilOf(double a) { return std::ceil(a); }
double log2Of(double a) { return std::log2(a); }

void define(mu::Parser& parser)
{
    parser.DefineNameChars("0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    parser.DefineFun("div", divide);
    parser.DefineFun("mod", modulo);
    parser.DefineFun("gcd", greatestDivisor);
    parser.DefineFun("ceil_div", ceilDivide);
    parser.DefineFun("grow", grow);
    parser.DefineFun("pick", pick);
    parser.DefineFun("floor", floorOf);
    parser.DefineFun("ceil", ceilOf);
    parser.DefineFun("log2", log2Of);
}

} // namespace

std::optional<bool> oneOfFlag(std::string_view text)
{
    for (const auto* yes : {"true", "yes", "on", "1"})
        if (text == yes) return true;
    for (const auto* no : {"false", "no", "off", "0"})
        if (text == no) return false;
    return std::nullopt;
}

Expression::Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

Expression::Expression(const ExpressionText& text, Scope& scope) : m_text(text)
{
    const auto [end, error] = std::from_chars(text.text.data(), text.text.data() + text.text.size(), m_value);
    if (error == std::errc() && end == text.text.data() + text.text.size()) {
        m_constant = true;
        return;
    }
    forEachName(text.text, [&](std::string_view name) {
        if (name.size() == text.text.size()) m_variable = scope.find(name);
    });
    if (m_variable) return;
    m_parser = std::make_unique<mu::Parser>();
    try {
        define(*m_parser);
        defineUsed(*m_parser, text.text, scope);
        m_parser->SetExpr(text.text);
        for (const auto& [name, address] : m_parser->GetUsedVar())
            if (!address)
                refuse(text, i18n("unknown name '{1}' in '{0}'", text.text, name), i18n("use a parameter, a value or a coordinate of this set"));
        (void)m_parser->Eval();
    } catch (const mu::Parser::exception_type& e) {
        refuse(text, i18n("'{}' is not a valid expression: {}", text.text, e.GetMsg()), i18n("correct the expression"));
    } catch (const NoAnswer&) {
        // Coordinates are all 0 here; the values that count come later.
    }
}

std::int64_t Expression::whole() const
{
    if (m_constant) return m_value;
    if (m_variable) return checked(*m_variable);
    try {
        return checked(m_parser->Eval());
    } catch (const mu::Parser::exception_type& e) {
        refuse(m_text, i18n("'{}' cannot be evaluated: {}", m_text.text, e.GetMsg()), i18n("correct the expression"));
    } catch (const NoAnswer& answer) {
        throw TemplateFailure{Error{ErrorCode::Refused, m_text.where, answer.what, i18n("change the parameters")}};
    }
}

std::int64_t Expression::checked(double value) const
{
    if (std::abs(value) <= kMostWhole)
        if (const auto whole = std::int64_t(value); double(whole) == value) return whole;
    refuseValue(value);
}

void Expression::refuseValue(double value) const
{
    if (std::isfinite(value) && std::abs(value) > kMostWhole)
        throw TemplateFailure{Error{ErrorCode::Refused, m_text.where, i18n("'{}' evaluates to {:.3g}, which is too large", m_text.text, value),
                                    i18n("choose smaller parameters")}};
    if (!std::isfinite(value))
        throw TemplateFailure{Error{ErrorCode::Refused, m_text.where, i18n("'{}' does not evaluate to a finite value", m_text.text),
                                    i18n("check for a division by zero")}};
    throw TemplateFailure{Error{ErrorCode::Refused, m_text.where, i18n("'{}' evaluates to {}, which is not a whole number", m_text.text, value),
                                i18n("choose parameters that divide evenly, or round with div(), floor() or ceil()")}};
}

std::vector<std::string> namesUsed(const ExpressionText& text)
{
    std::vector<std::string> names;
    try {
        mu::Parser parser;
        define(parser);
        parser.SetExpr(text.text);
        for (const auto& [name, address] : parser.GetUsedVar()) names.push_back(name);
    } catch (const mu::Parser::exception_type& e) {
        refuse(text, i18n("'{}' is not a valid expression: {}", text.text, e.GetMsg()), i18n("correct the expression"));
    } catch (const NoAnswer&) {
        names.clear(); // constants only: the evaluation says what is wrong
    }
    return names;
}

NamePattern::NamePattern(const ExpressionText& text, Scope& scope)
{
    const std::string& s = text.text;
    for (std::size_t at = 0; at < s.size();) {
        const auto open = s.find('{', at);
        Piece piece{s.substr(at, open - at), {}, 0, false};
        if (open == std::string::npos) {
            m_pieces.push_back(std::move(piece));
            break;
        }
        const auto close = s.find('}', open);
        if (close == std::string::npos) refuse(text, i18n("'{{' without matching '}}'"), i18n("close the placeholder"));
        std::string inside = s.substr(open + 1, close - open - 1);
        if (const auto colon = inside.rfind(':'); colon != std::string::npos && inside.find('?') == std::string::npos) {
            const auto digits = std::string_view(inside).substr(colon + 1);
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), piece.width);
            if (error != std::errc() || end != digits.data() + digits.size() || piece.width < 0 || piece.width > 20)
                refuse(text, i18n("'{}' is not a valid number of digits", digits), i18n("use {{name:1}} to {{name:20}}"));
            inside.resize(colon);
        }
        piece.fromOne = !inside.starts_with('=');
        piece.value = Expression({piece.fromOne ? inside : inside.substr(1), text.where}, scope);
        m_pieces.push_back(std::move(piece));
        at = close + 1;
    }
}

std::string NamePattern::shown(const Piece& piece) { return fmt::format("{:0{}}", piece.value.whole() + (piece.fromOne ? 1 : 0), piece.width); }

std::string NamePattern::text() const
{
    std::string result;
    for (const auto& piece : m_pieces) {
        result += piece.literal;
        if (!piece.value.empty()) result += shown(piece);
    }
    return result;
}

Text NamePattern::said() const
{
    std::string id;
    std::vector<Text::Argument> arguments(1);
    for (const auto& piece : m_pieces) {
        id += piece.literal;
        if (piece.value.empty()) continue;
        id += "{}";
        arguments.emplace_back(shown(piece));
    }
    arguments.front() = std::move(id);
    return {Text::Kind::Resource, {}, {}, std::move(arguments)};
}

} // namespace hw
