// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/bound_sets.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::bound {

namespace {

constexpr std::int64_t kMostMembers = 4'000'000; ///< as in the generator

std::vector<std::string> coordinatesOf(const SetSpec& spec, const Set* parent)
{
    std::vector<std::string> names;
    if (parent) names = parent->coordinates();
    for (const auto& [name, text] : spec.each) {
        if (std::find(names.begin(), names.end(), name) != names.end())
            throw mistake(text.where, i18n("the parent set already has a coordinate '{}'", name), i18n("choose another name"));
        names.push_back(name);
    }
    if (names.size() > 64) throw mistake(spec.where, i18n("the set has more than 64 coordinates"), i18n("use fewer"));
    return names;
}

} // namespace

Mask usedNames(const ExpressionText* text, const std::vector<std::string>& names)
{
    Mask mask = 0;
    if (!text) return mask;
    forEachName(text->text, [&](std::string_view name) {
        const auto found = std::find(names.begin(), names.end(), name);
        if (found != names.end()) mask |= Mask(1) << (found - names.begin());
    });
    return mask;
}

Constants::Constants(const TemplateSpec& spec) : m_spec(spec)
{
    for (const auto& parameter : spec.parameters) m_scope[parameter.name] = double(parameter.defaultValue);
    std::map<std::string, std::size_t, std::less<>> numbers;
    for (std::size_t i = 0; i < spec.values.size(); ++i) {
        const auto& [name, text] = spec.values[i];
        if (m_scope.contains(name)) throw mistake(text.where, i18n("'{}' is already a parameter", name), i18n("rename one of the two"));
        if (!numbers.emplace(name, i).second) throw mistake(text.where, i18n("value '{}' is declared twice", name), i18n("remove one of them"));
    }
    std::vector<char> state(spec.values.size(), 0);
    for (std::size_t i = 0; i < spec.values.size(); ++i) bindValue(i, state, numbers);
    for (const auto& constraint : spec.constraints) m_constraints.emplace_back(constraint.require, m_scope);
}

/// Each value after those that it reads, whatever their order in the file; they are evaluated in this order.
void Constants::bindValue(std::size_t i, std::vector<char>& state, const std::map<std::string, std::size_t, std::less<>>& numbers)
{
    const auto& [name, text] = m_spec.values[i];
    if (state[i] == 2) return;
    if (std::exchange(state[i], 1) == 1) throw mistake(text.where, i18n("value '{}' depends on itself", name), i18n("remove the circular reference"));
    forEachName(text.text, [&](std::string_view used) {
        if (const auto found = numbers.find(used); found != numbers.end()) bindValue(found->second, state, numbers);
    });
    Expression value(text, m_scope);
    m_values.push_back({&name, &(m_scope[name] = 0), std::move(value)});
    state[i] = 2;
}

void Constants::set(const ParameterValues& values)
{
    for (const auto& parameter : m_spec.parameters) m_scope[parameter.name] = double(values.at(parameter.name));
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        try {
            *m_values[i].slot = double(m_values[i].expression.whole());
        } catch (const TemplateFailure&) {
            checkWith(i); // a constraint says better why a value cannot be had
            throw;
        }
    }
}

/// Those constraints that read no more than the parameters and the first values.
void Constants::checkWith(std::size_t values) const
{
    Scope known;
    for (const auto& parameter : m_spec.parameters) known[parameter.name] = m_scope[parameter.name];
    for (std::size_t i = 0; i < values; ++i) known[*m_values[i].name] = *m_values[i].slot;
    for (const auto& constraint : m_spec.constraints) {
        std::optional<NamePattern> message;
        try {
            if (!Expression(constraint.require, known).truth()) (void)message.emplace(constraint.message, known).text();
        } catch (const TemplateFailure&) {
            continue; // it reads what is not there
        }
        if (message) throw violated(constraint, *message);
    }
}

TemplateFailure Constants::violated(const ConstraintSpec& constraint, const NamePattern& message) const
{
    return refusal(m_spec.name, i18n("{} (constraint: {})", message.said(), constraint.require.text), i18n("change the parameters"));
}

void Constants::check() const
{
    for (std::size_t i = 0; i < m_constraints.size(); ++i) {
        if (m_constraints[i].truth()) continue;
        m_messages.resize(m_constraints.size());
        if (!m_messages[i]) m_messages[i].emplace(m_spec.constraints[i].message, m_scope);
        throw violated(m_spec.constraints[i], *m_messages[i]);
    }
}

Variables::Variables(Scope& constants, const std::vector<std::string>& names) : m_scope(&constants), m_names(names)
{
    for (const auto& name : names) m_slots.push_back(&(m_scope[name] = 0));
}

Set::Set(const SetSpec& spec, Set* parent, Scope& constants) : m_spec(spec), m_parent(parent), m_variables(constants, coordinatesOf(spec, parent))
{
    for (const auto& [name, text] : spec.each) m_each.emplace_back(text, constants);
    m_when = expression("when");
    m_ownConditions = uses(spec.field("when"));
    m_allPresent = m_when.empty();
    m_extents.assign(m_variables.names().size(), 1);
}

void Set::refresh()
{
    m_size = 1;
    m_perParent = 1;
    std::size_t at = 0;
    if (m_parent) {
        at = m_parent->m_extents.size();
        std::copy(m_parent->m_extents.begin(), m_parent->m_extents.end(), m_extents.begin());
        m_size = m_parent->m_size;
    }
    for (std::size_t i = 0; i < m_each.size(); ++i) {
        const std::int64_t count = m_each[i].whole();
        if (count < 0 || count > kMostMembers || m_size * std::max<std::int64_t>(count, 1) > kMostMembers)
            throw refusal(m_spec.each[i].second.where, i18n("{} members for '{}' are out of range", count, m_spec.each[i].first),
                          i18n("limit each set to fewer than {} members", kMostMembers));
        m_extents[at + i] = count;
        m_size *= count;
        m_perParent *= std::size_t(count);
    }
    m_allPresent = m_when.empty() || leavesNobodyOut();
}

/// Looked at where that is little work; then counts need not walk what decides nothing.
bool Set::leavesNobodyOut()
{
    constexpr std::int64_t kMostLooked = 4096;
    std::int64_t combinations = 1;
    std::vector<std::size_t> read;
    for (std::size_t i = 0; i < m_extents.size(); ++i) {
        m_variables.slot(i) = 0;
        if (!(m_ownConditions >> i & 1)) continue;
        read.push_back(i);
        combinations *= std::max<std::int64_t>(m_extents[i], 1);
        if (combinations > kMostLooked) return false;
    }
    try {
        for (std::int64_t n = 0; n < combinations; ++n) {
            std::int64_t rest = n;
            for (const auto i : read) {
                m_variables.slot(i) = double(rest % std::max<std::int64_t>(m_extents[i], 1));
                rest /= std::max<std::int64_t>(m_extents[i], 1);
            }
            if (!m_when.truth()) return false;
        }
    } catch (const TemplateFailure&) {
        return false; // told where it matters
    }
    return true;
}

std::optional<std::size_t> Set::coordinate(const std::string& name) const
{
    const auto& names = m_variables.names();
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt : std::optional(std::size_t(found - names.begin()));
}

Expression Set::expression(const std::string& key)
{
    const auto* text = m_spec.field(key);
    return text ? Expression(*text, m_variables.scope()) : Expression();
}

void Set::assign(std::size_t coordinate, std::int64_t value)
{
    m_variables.slot(coordinate) = double(value);
    if (m_parent && coordinate < m_parent->m_extents.size()) m_parent->assign(coordinate, value);
}

bool Set::present() const
{
    if (m_parent && !m_parent->present()) return false;
    return m_allPresent || m_when.truth();
}

std::size_t Set::ordinal()
{
    std::size_t result = 0;
    for (std::size_t i = 0; i < m_extents.size(); ++i) result = result * std::size_t(m_extents[i]) + std::size_t(value(i));
    return result;
}

void Set::assignOrdinal(std::size_t ordinal)
{
    for (std::size_t i = m_extents.size(); i-- > 0;) {
        assign(i, std::int64_t(ordinal % std::size_t(m_extents[i])));
        ordinal /= std::size_t(m_extents[i]);
    }
}

void Set::assignHere(std::size_t ordinal)
{
    for (std::size_t i = m_extents.size(); i-- > 0;) {
        m_variables.slot(i) = double(ordinal % std::size_t(m_extents[i]));
        ordinal /= std::size_t(m_extents[i]);
    }
}

std::string Set::key(std::string_view section)
{
    std::string result = fmt::format("{}.{}", section, m_spec.name);
    for (std::size_t i = 0; i < m_extents.size(); ++i) fmt::format_to(std::back_inserter(result), "/{}={}", coordinates()[i], value(i));
    return result;
}

NamePattern Set::name()
{
    const auto* text = m_spec.field("name");
    return NamePattern(text ? *text : ExpressionText{m_spec.name, m_spec.where}, m_variables.scope());
}

MemberOf::MemberOf(const MemberSpec& spec, Set& target, Set& source) : m_spec(spec), m_target(target), m_source(source)
{
    for (const auto& [name, text] : spec.at)
        if (!target.coordinate(name)) throw mistake(text.where, i18n("set '{}' has no coordinate '{}'", spec.set, name), i18n("correct the name"));
    for (const auto& name : target.coordinates()) {
        if (const auto given = spec.at.find(name); given != spec.at.end())
            m_parts.push_back({Expression(given->second, source.variables().scope()), std::nullopt, source.uses(&given->second)});
        else if (const auto shared = source.coordinate(name))
            m_parts.push_back({Expression(), shared, Mask(1) << *shared});
        else
            throw mistake(spec.where, i18n("coordinate '{}' of set '{}' is not specified", name, spec.set), i18n("specify it under 'at'"));
    }
}

std::int64_t MemberOf::value(const Part& part) const { return part.shared ? m_source.value(*part.shared) : part.expression.whole(); }

TemplateFailure MemberOf::outside(std::size_t coordinate, std::int64_t value) const
{
    return refusal(
        m_spec.where,
        i18n("{} {} is outside set '{}' (size {})", m_target.coordinates()[coordinate], value + 1, m_spec.set, m_target.extents()[coordinate]),
        i18n("enlarge the set or reduce the parameter"));
}

void MemberOf::check()
{
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const auto& part = m_parts[i];
        if (part.shared && m_source.extents()[*part.shared] <= m_target.extents()[i]) continue;
        m_source.forEach(part.uses, [&](std::int64_t) {
            if (const std::int64_t at = value(part); at < 0 || at >= m_target.extents()[i]) throw outside(i, at);
        });
    }
}

bool MemberOf::go()
{
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const std::int64_t at = value(m_parts[i]);
        if (at < 0 || at >= m_target.extents()[i]) return false;
        m_target.assign(i, at);
    }
    return m_target.present();
}

std::size_t MemberOf::ordinal() const
{
    std::size_t result = 0;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const std::int64_t at = value(m_parts[i]);
        if (at < 0 || at >= m_target.extents()[i]) throw outside(i, at);
        result = result * std::size_t(m_target.extents()[i]) + std::size_t(at);
    }
    return result;
}

} // namespace hw::bound
