// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/generator.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hw {

namespace {
constexpr std::int64_t kMostMembers = 4'000'000; ///< of one set; beyond it a design is a typing error
}

std::optional<std::size_t> SetInstance::coordinate(const std::string& name) const
{
    const auto found = std::find(coordinates.begin(), coordinates.end(), name);
    return found == coordinates.end() ? std::nullopt : std::optional(std::size_t(found - coordinates.begin()));
}

SetScope::SetScope(const Scope& constants, const std::vector<std::string>& coordinates) : m_scope(constants)
{
    for (const auto& name : coordinates) m_slots.push_back(&(m_scope[name] = 0));
}

void SetScope::load(const SetInstance& set, std::size_t ordinal)
{
    for (std::size_t i = set.extents.size(); i-- > 0;) {
        *m_slots[i] = double(ordinal % std::size_t(set.extents[i]));
        ordinal /= std::size_t(set.extents[i]);
    }
}

SetInstance Generator::shape(const SetSpec& spec, const SetInstance* parent) const
{
    SetInstance set;
    set.spec = &spec;
    std::int64_t total = 1;
    if (parent) {
        set.coordinates = parent->coordinates;
        set.extents = parent->extents;
        total = std::int64_t(parent->size());
    }
    Scope scope = m_constants;
    for (const auto& [name, text] : spec.each) {
        if (set.coordinate(name)) throw mistake(text.where, fmt::format("the parent set has a coordinate '{}' already", name), "choose another name");
        const std::int64_t count = Expression(text, scope).whole();
        if (count < 0 || count > kMostMembers || total * std::max<std::int64_t>(count, 1) > kMostMembers)
            throw refusal(text.where, fmt::format("{} of '{}' cannot be laid out", count, name),
                          fmt::format("keep a set below {} members", kMostMembers));
        set.coordinates.push_back(name);
        set.extents.push_back(count);
        set.ownCount *= std::size_t(count);
        total *= count;
    }
    set.members.assign(std::size_t(total), SetInstance::kAbsent);
    return set;
}

SetMaker::SetMaker(const Generator& generator, const SetSpec& spec, const SetInstance* parent)
    : m_spec(spec), m_parent(parent), m_set(generator.shape(spec, parent)), m_scope(generator.m_constants, m_set.coordinates)
{
}

Expression SetMaker::expression(const std::string& key)
{
    const auto* text = m_spec.field(key);
    return text ? Expression(*text, m_scope.scope()) : Expression();
}

NamePattern SetMaker::name()
{
    const auto* text = m_spec.field("name");
    return NamePattern(text ? *text : ExpressionText{m_spec.name, m_spec.where}, m_scope.scope());
}

std::string SetMaker::word(const std::string& key, const std::string& fallback) const
{
    const auto* text = m_spec.field(key);
    return text ? text->text : fallback;
}

const SetInstance& Generator::parentOf(const SetSpec& spec, const std::map<std::string, SetInstance>& candidates) const
{
    const auto found = candidates.find(spec.parent);
    if (found == candidates.end())
        throw mistake(spec.where, fmt::format("'in: {}' names no set to stand in", spec.parent), "name a set of the level above");
    return found->second;
}

std::string Generator::key(const char* section, const SetInstance& set, std::size_t ordinal) const
{
    std::vector<std::size_t> at(set.extents.size());
    for (std::size_t i = at.size(); i-- > 0;) {
        at[i] = ordinal % std::size_t(set.extents[i]);
        ordinal /= std::size_t(set.extents[i]);
    }
    std::string result = fmt::format("{}.{}", section, set.spec->name);
    for (std::size_t i = 0; i < at.size(); ++i) fmt::format_to(std::back_inserter(result), "/{}={}", set.coordinates[i], at[i]);
    return result;
}

MemberFinder::MemberFinder(const MemberSpec& spec, const SetInstance& target, const SetInstance& source, SetScope& scope)
    : m_spec(spec), m_target(target), m_scope(scope)
{
    for (const auto& [name, text] : spec.at)
        if (!target.coordinate(name))
            throw mistake(text.where, fmt::format("the set '{}' has no coordinate '{}'", spec.set, name), "correct the name");
    for (const auto& name : target.coordinates) {
        if (const auto given = spec.at.find(name); given != spec.at.end())
            m_parts.push_back({Expression(given->second, scope.scope()), std::nullopt});
        else if (const auto shared = source.coordinate(name))
            m_parts.push_back({Expression(), shared});
        else
            throw mistake(spec.where, fmt::format("the coordinate '{}' of set '{}' is not given", name, spec.set), "give it under 'at'");
    }
}

std::optional<std::uint32_t> MemberFinder::find() const
{
    std::size_t ordinal = 0;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const auto& part = m_parts[i];
        const std::int64_t value = part.sourceCoordinate ? std::int64_t(m_scope.slot(*part.sourceCoordinate)) : part.expression.whole();
        if (value < 0 || value >= m_target.extents[i])
            throw refusal(
                m_spec.where,
                fmt::format("{} {} is outside the set '{}', which has {}", m_target.coordinates[i], value + 1, m_spec.set, m_target.extents[i]),
                "make the set larger or the parameter smaller");
        ordinal = ordinal * std::size_t(m_target.extents[i]) + std::size_t(value);
    }
    const std::uint32_t row = m_target.members[ordinal];
    return row == SetInstance::kAbsent ? std::nullopt : std::optional(row);
}

} // namespace hw
