// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/expression.h"

#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <muParser.h>

namespace hw {

namespace {

[[noreturn]] void refuse(const ExpressionText& at, std::string what, std::string todo)
{
    throw TemplateFailure{Error{ErrorCode::Unreadable, at.where, std::move(what), std::move(todo)}};
}

double divide(double a, double b) { return std::floor(a / b); }
double modulo(double a, double b) { return a - b * std::floor(a / b); }
double greatestDivisor(double a, double b) { return double(std::gcd(std::int64_t(a), std::int64_t(b))); }
double floorOf(double a) { return std::floor(a); }
double ceilOf(double a) { return std::ceil(a); }
double log2Of(double a) { return std::log2(a); }

void define(mu::Parser& parser)
{
    parser.DefineNameChars("0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    parser.DefineFun("div", divide);
    parser.DefineFun("mod", modulo);
    parser.DefineFun("gcd", greatestDivisor);
    parser.DefineFun("floor", floorOf);
    parser.DefineFun("ceil", ceilOf);
    parser.DefineFun("log2", log2Of);
}

} // namespace

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
    m_parser = std::make_unique<mu::Parser>();
    try {
        define(*m_parser);
        for (auto& [name, value] : scope.values()) m_parser->DefineVar(name, &value);
        m_parser->SetExpr(text.text);
        for (const auto& [name, address] : m_parser->GetUsedVar())
            if (!address)
                refuse(text, fmt::format("'{}' uses the unknown name '{}'", text.text, name),
                       "use a parameter, a value or a coordinate of this set");
        (void)m_parser->Eval();
    } catch (const mu::Parser::exception_type& e) {
        refuse(text, fmt::format("'{}' is not an expression: {}", text.text, e.GetMsg()), "correct it");
    }
}

std::int64_t Expression::whole() const
{
    if (m_constant) return m_value;
    try {
        return checked(m_parser->Eval());
    } catch (const mu::Parser::exception_type& e) {
        refuse(m_text, fmt::format("'{}' cannot be evaluated: {}", m_text.text, e.GetMsg()), "correct it");
    }
}

std::int64_t Expression::checked(double value) const
{
    if (!std::isfinite(value) || std::abs(value) > 9007199254740992.0)
        throw TemplateFailure{Error{ErrorCode::Refused, m_text.where, fmt::format("'{}' has no finite value here", m_text.text), "check for a division by zero"}};
    if (value != std::floor(value))
        throw TemplateFailure{Error{ErrorCode::Refused, m_text.where, fmt::format("'{}' is {} here, not a whole number", m_text.text, value),
                                    "choose parameters that divide evenly, or round with div(), floor() or ceil()"}};
    return std::int64_t(value);
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
        if (close == std::string::npos) refuse(text, "'{' without '}'", "close the placeholder");
        std::string inside = s.substr(open + 1, close - open - 1);
        if (const auto colon = inside.rfind(':'); colon != std::string::npos && inside.find('?') == std::string::npos) {
            piece.width = std::atoi(inside.c_str() + colon + 1);
            inside.resize(colon);
        }
        piece.fromOne = !inside.starts_with('=');
        piece.value = Expression({piece.fromOne ? inside : inside.substr(1), text.where}, scope);
        m_pieces.push_back(std::move(piece));
        at = close + 1;
    }
}

std::string NamePattern::text() const
{
    std::string result;
    for (const auto& piece : m_pieces) {
        result += piece.literal;
        if (!piece.value.empty()) fmt::format_to(std::back_inserter(result), "{:0{}}", piece.value.whole() + (piece.fromOne ? 1 : 0), piece.width);
    }
    return result;
}

} // namespace hw
