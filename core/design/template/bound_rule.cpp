// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/bound_rule.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::bound {

namespace {

constexpr std::size_t kNone = SIZE_MAX;
constexpr std::int64_t kMostLoops = 1'000'000;

std::vector<std::string> scopeNames(const Set& from, const Set& to, const LinkSpec& spec)
{
    std::vector<std::string> names = from.coordinates();
    for (const auto& name : to.coordinates()) names.push_back("to." + name);
    for (const auto& name : to.coordinates())
        if (!from.coordinate(name)) names.push_back(name);
    for (const auto& [name, count] : spec.each) names.push_back(name);
    if (names.size() > 64) throw mistake(spec.where, i18n("the rule has more than 64 coordinates"), i18n("use fewer"));
    return names;
}

} // namespace

TemplateFailure noNetwork(const LinkSpec& spec, bool from)
{
    return refusal(spec.where, i18n("ports '{}.{}' are not assigned to a network", from ? spec.from : spec.to, from ? spec.fromGroup : spec.toGroup),
                   i18n("assign a 'network' to the port group or its tier, or set the 'medium' of the link to power"));
}

TemplateFailure noTarget(const LinkSpec& spec, const std::string& coordinate, std::int64_t value, std::int64_t extent)
{
    return refusal(spec.where,
                   i18n("a member of tier '{}' would be connected to a nonexistent '{}': its '{}' would be {} (counted from "
                        "0), but there are only {}",
                        spec.from, spec.to, coordinate, value, extent),
                   i18n("enlarge the target tier, reduce the mapping, or exclude the link with 'when'"));
}

TemplateFailure twoNetworks(const LinkSpec& spec, const std::string& from, const std::string& to)
{
    return refusal(spec.where, i18n("ports of network '{}' would be connected to ports of network '{}'", from, to),
                   i18n("connect ports of the same network"));
}

TemplateFailure noPortGroup(const LinkSpec& spec, bool from)
{
    return mistake(spec.where, i18n("tier '{}' has no port group '{}'", from ? spec.from : spec.to, from ? spec.fromGroup : spec.toGroup),
                   i18n("declare it under the tier's 'ports'"));
}

Rule::Rule(const LinkSpec& spec, Set& from, Set& to, Scope& constants)
    : m_spec(spec), m_fromSet(from), m_toSet(to), m_scope(constants, scopeNames(from, to, spec))
{
    bindTargets();
    bindFields(constants);
    m_extents.assign(lowerVariables() + m_free.size() + m_loops.size(), 1);
}

const ExpressionText* Rule::field(const char* key) const
{
    const auto found = m_spec.fields.find(key);
    return found == m_spec.fields.end() ? nullptr : &found->second;
}

Mask Rule::needs(const ExpressionText* text) const
{
    const Mask names = usedNames(text, m_scope.names());
    Mask result = 0;
    for (std::size_t i = 0; i < m_needsOfName.size(); ++i)
        if (names >> i & 1) result |= m_needsOfName[i];
    return result;
}

/// Coordinates in order, as the generator sets them: an expression may use those before it.
void Rule::bindTargets()
{
    Scope& scope = m_scope.scope();
    const Set &from = m_fromSet, &to = m_toSet;
    const std::size_t lower = from.coordinates().size(), upper = to.coordinates().size();
    for (const auto& [name, text] : m_spec.at)
        if (!to.coordinate(name)) throw mistake(text.where, i18n("tier '{}' has no coordinate '{}'", m_spec.to, name), i18n("correct the name"));
    for (const auto& name : m_spec.free)
        if (!to.coordinate(name))
            throw mistake(m_spec.where, i18n("tier '{}' has no coordinate '{}' for 'free'", m_spec.to, name), i18n("correct the name"));
    m_needsOfName.assign(m_scope.names().size(), 0);
    for (std::size_t i = 0; i < lower; ++i) m_needsOfName[i] = Mask(1) << i;
    std::size_t plain = lower + upper;
    for (std::size_t i = 0; i < upper; ++i) m_plain.push_back(from.coordinate(to.coordinates()[i]) ? kNone : plain++);

    std::vector<const ExpressionText*> given(upper, nullptr);
    const auto know = [&](std::size_t i) {
        m_needsOfName[lower + i] = m_targets[i].needs;
        if (m_plain[i] != kNone) m_needsOfName[m_plain[i]] = m_targets[i].needs;
    };
    m_targets.resize(upper);
    for (std::size_t i = 0; i < upper; ++i) {
        const auto& name = to.coordinates()[i];
        if (const auto found = m_spec.at.find(name); found != m_spec.at.end()) {
            given[i] = &found->second;
            continue;
        }
        const bool isFree = std::find(m_spec.free.begin(), m_spec.free.end(), name) != m_spec.free.end();
        if (const auto shared = from.coordinate(name); shared && !isFree)
            m_targets[i].variable = *shared;
        else {
            m_targets[i].variable = lower + m_free.size();
            m_free.push_back(i);
        }
        m_targets[i].needs = Mask(1) << *m_targets[i].variable;
        know(i);
    }
    const std::size_t firstLoop = lower + m_free.size(), firstName = m_scope.names().size() - m_spec.each.size();
    for (std::size_t i = 0; i < m_spec.each.size(); ++i) m_needsOfName[firstName + i] = Mask(1) << (firstLoop + i);
    for (std::size_t i = 0; i < upper; ++i) {
        if (!given[i]) continue;
        m_targets[i].expression = Expression(*given[i], scope);
        m_targets[i].needs = needs(given[i]);
        m_loopsMoveTarget = m_loopsMoveTarget || m_targets[i].needs >> firstLoop != 0;
        m_readFixed |= m_targets[i].needs;
        know(i);
    }
}

void Rule::bindFields(Scope& constants)
{
    const auto bind = [&](const char* key, Expression& into) {
        if (const auto* text = field(key)) into = Expression(*text, m_scope.scope());
        return needs(field(key));
    };
    m_medium = wordIn<Medium>(field("medium") ? field("medium")->text : "data", m_spec.where);
    for (const auto& [name, count] : m_spec.each) m_loops.emplace_back(count, constants);
    if (const auto* backup = field("backup")) m_backup = Expression(*backup, constants);
    m_whenMask = bind("when", m_when);
    m_fromIndexMask = bind("from_index", m_fromIndex);
    m_toIndexMask = bind("to_index", m_toIndex);
    if (field("count")) m_spreadCount = bindSpreadCount();
    m_spreadMask = needs(field("count"));
    m_readFixed |= m_whenMask | m_fromIndexMask | m_toIndexMask | m_spreadMask;
}

/// Throws where it reads coordinates that only the target has.
Expression Rule::bindSpreadCount()
{
    const ExpressionText& count = *field("count");
    forEachName(count.text, [&](std::string_view used) {
        const std::string name(used);
        if (name.starts_with("to.") || (m_toSet.coordinate(name) && !m_fromSet.coordinate(name)))
            throw mistake(count.where,
                          i18n("'{}' is a coordinate of the target tier, but the port count is evaluated before a target is chosen", name),
                          i18n("use coordinates of the lower tier"));
    });
    return Expression(count, m_scope.scope());
}

void Rule::refresh()
{
    std::size_t at = 0;
    for (const auto extent : m_fromSet.extents()) m_extents[at++] = extent;
    for (const auto i : m_free) m_extents[at++] = m_toSet.extents()[i];
    m_turns = 1;
    for (std::size_t i = 0; i < m_loops.size(); ++i) {
        const std::int64_t times = m_loops[i].whole();
        if (times < 0 || times > kMostLoops || m_turns * std::max<std::int64_t>(times, 1) > kMostLoops)
            throw refusal(m_spec.each[i].second.where, i18n("{} repetitions are out of range for one link rule", times),
                          i18n("use 0 to {}", kMostLoops));
        m_turns *= times;
        m_extents[at++] = times;
    }
    m_role = !m_backup.empty() && m_backup.truth() ? LinkRole::Backup : LinkRole::Active;
}

std::int64_t Rule::portsToDeal(std::int64_t has) const
{
    const std::int64_t ports = m_spreadCount.empty() ? has : m_spreadCount.whole();
    if (ports < 0 || ports > has)
        throw refusal(m_spec.where, i18n("{} ports requested, but group '{}' has {}", ports, m_spec.fromGroup, has), i18n("correct 'count'"));
    return ports;
}

void Rule::assign(std::size_t variable, std::int64_t value)
{
    const std::size_t lower = m_fromSet.coordinates().size();
    if (variable < lower) {
        m_scope.slot(variable) = double(value);
    } else if (variable < lower + m_free.size()) {
        const std::size_t i = m_free[variable - lower];
        m_scope.slot(lower + i) = double(value);
        if (m_plain[i] != kNone) m_scope.slot(m_plain[i]) = double(value);
    } else {
        m_scope.slot(m_scope.names().size() - m_loops.size() + (variable - lower - m_free.size())) = double(value);
    }
}

void Rule::follow(Mask walked)
{
    const std::size_t lower = m_fromSet.coordinates().size();
    for (std::size_t i = 0; i < m_targets.size(); ++i) {
        const Target& target = m_targets[i];
        if (target.variable && *target.variable >= lower) continue;
        const bool known = (target.needs & ~walked) == 0;
        const std::int64_t value = !known ? 0 : target.variable ? std::int64_t(m_scope.slot(*target.variable)) : target.expression.whole();
        m_scope.slot(lower + i) = double(value);
        if (m_plain[i] != kNone) m_scope.slot(m_plain[i]) = double(value);
    }
}

void Rule::assignLower(std::size_t ordinal)
{
    for (std::size_t i = lowerVariables(); i-- > 0;) {
        m_scope.slot(i) = double(ordinal % std::size_t(m_extents[i]));
        ordinal /= std::size_t(m_extents[i]);
    }
}

void Rule::assignTurn(std::int64_t turn)
{
    for (std::size_t variable = m_extents.size(); variable-- > lowerVariables() + m_free.size(); turn /= m_extents[variable])
        assign(variable, turn % m_extents[variable]);
}

std::optional<std::size_t> Rule::outside()
{
    for (std::size_t i = 0; i < m_targets.size(); ++i)
        if (const std::int64_t value = upper(i); value < 0 || value >= m_toSet.extents()[i]) return i;
    return std::nullopt;
}

std::size_t Rule::upperOrdinal()
{
    std::size_t result = 0;
    for (std::size_t i = 0; i < m_targets.size(); ++i) result = result * std::size_t(m_toSet.extents()[i]) + std::size_t(upper(i));
    return result;
}

} // namespace hw::bound
