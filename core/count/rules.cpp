// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/count/rules.h"

#include "core/template/link_builder.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hw::count {

namespace {

constexpr std::size_t kNone = SIZE_MAX;
constexpr std::int64_t kMostCombinations = std::int64_t(1) << 40;

std::vector<std::string> scopeNames(const Set& from, const Set& to, const LinkSpec& spec)
{
    std::vector<std::string> names = from.coordinates();
    for (const auto& name : to.coordinates()) names.push_back("to." + name);
    for (const auto& name : to.coordinates())
        if (!from.coordinate(name)) names.push_back(name);
    for (const auto& [name, count] : spec.each) names.push_back(name);
    if (names.size() > 64) throw mistake(spec.where, "the rule has more than 64 coordinates", "use fewer");
    return names;
}

std::size_t groupNumberOf(const Tier& tier, const std::string& name, const LinkSpec& spec)
{
    for (std::size_t i = 0; i < tier.groups.size(); ++i)
        if (tier.groups[i].ports.name == name) return i;
    throw mistake(spec.where, fmt::format("tier '{}' has no port group '{}'", tier.fixed.name, name), "declare it under the tier's 'ports'");
}

} // namespace

Rule::Rule(const LinkSpec& spec, std::size_t from, std::size_t to, std::vector<std::unique_ptr<Tier>>& tiers, Scope& constants)
    : m_spec(spec), m_fromNumber(from), m_toNumber(to), m_from(*tiers[from]), m_to(*tiers[to]),
      m_scope(constants, scopeNames(tiers[from]->set, tiers[to]->set, spec))
{
    m_fromGroup = groupNumberOf(m_from, spec.fromGroup, spec);
    m_toGroup = groupNumberOf(m_to, spec.toGroup, spec);
    m_medium = wordIn<Medium>(field("medium") ? field("medium")->text : "data", spec.where);
    bindTargets(m_scope.scope());
    bindLoops(constants);
    bindFields(m_scope.scope());
    m_extents.assign(m_from.set.coordinates().size() + m_free.size() + m_loops.size(), 1);
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
void Rule::bindTargets(Scope& scope)
{
    const Set &from = m_from.set, &to = m_to.set;
    const std::size_t lower = from.coordinates().size(), upper = to.coordinates().size();
    for (const auto& [name, text] : m_spec.at)
        if (!to.coordinate(name)) throw mistake(text.where, fmt::format("tier '{}' has no coordinate '{}'", m_spec.to, name), "correct the name");
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
        m_read |= m_targets[i].needs;
        know(i);
    }
}

void Rule::bindLoops(Scope& constants)
{
    for (const auto& [name, count] : m_spec.each) m_loops.emplace_back(count, constants);
}

void Rule::bindFields(Scope& scope)
{
    const auto bind = [&](const char* key, Expression& into) {
        if (const auto* text = field(key)) into = Expression(*text, scope);
        return needs(field(key));
    };
    m_whenMask = bind("when", m_when);
    m_fromIndexMask = bind("from_index", m_fromIndex);
    m_toIndexMask = bind("to_index", m_toIndex);
    (void)bind("backup", m_backup);
    if (field("count")) m_spreadCount = spreadCount(m_spec, m_from.set.coordinates(), m_to.set.coordinates(), scope);
    m_spreadMask = needs(field("count"));
    m_readFixed = m_read | m_whenMask | m_fromIndexMask | m_toIndexMask | m_spreadMask;
}

/// What decides whether a link is there, at these parameters.
void Rule::refreshConditions()
{
    m_conditions = m_whenMask | m_from.set.conditions();
    for (std::size_t i = 0; i < m_targets.size(); ++i)
        if (m_to.set.conditions() >> i & 1) m_conditions |= m_targets[i].needs;
    m_read = m_readFixed | m_conditions;
}

void Rule::refresh(bool absent)
{
    m_links = m_work = 0;
    m_uneven = false;
    if (absent) return;
    refreshConditions();
    std::size_t at = 0;
    for (const auto extent : m_from.set.extents()) m_extents[at++] = extent;
    for (const auto i : m_free) m_extents[at++] = m_to.set.extents()[i];
    for (const auto& loop : m_loops) m_extents[at++] = std::max<std::int64_t>(loop.whole(), 0);
    m_role = !m_backup.empty() && m_backup.truth() ? LinkRole::Backup : LinkRole::Active;
    checkTargets();
    if (spread())
        countSpread();
    else
        countLinks();
    countWork();
}

void Rule::countLinks()
{
    walk(0, [&](std::int64_t weight) { m_links += weight; });
}

std::int64_t Rule::spreadPorts() const
{
    const auto& group = m_from.groups[m_fromGroup].ports;
    const std::int64_t ports = m_spreadCount.empty() ? group.perDevice : m_spreadCount.whole();
    if (ports < 0 || ports > group.perDevice) throw tooManyToDeal(m_spec, ports, group.name, group.perDevice);
    return ports;
}

/// Every device of the lower tier that has a target deals out its ports, however many targets there are.
void Rule::countSpread()
{
    struct Dealt {
        std::int64_t targets = 0, ports = 0;
    };
    std::map<std::vector<std::int64_t>, Dealt> dealt; // by lower combination that is walked
    const Mask walked = m_conditions | m_spreadMask;
    std::int64_t copies = 1;
    for (std::size_t v = 0; v < lowerVariables(); ++v)
        if (!(walked >> v & 1)) copies *= m_extents[v];
    walk(walked, [&](std::int64_t weight) {
        std::vector<std::int64_t> key;
        for (std::size_t v = 0; v < lowerVariables(); ++v) key.push_back(walked >> v & 1 ? lower(v) : 0);
        auto& own = dealt[key];
        if (own.targets == 0) own.ports = spreadPorts();
        own.targets += weight / copies;
    });
    for (const auto& [key, own] : dealt) {
        m_links += own.ports * copies;
        m_uneven = m_uneven || own.ports % own.targets != 0;
    }
}

void Rule::countWork()
{
    std::int64_t loops = 1;
    for (std::size_t v = lowerVariables() + m_free.size(); v < m_extents.size(); ++v) loops *= m_extents[v];
    Mask mask = m_from.set.conditions();
    for (std::size_t i = 0; i < m_targets.size(); ++i)
        if (m_to.set.conditions() >> i & 1) mask |= m_targets[i].needs;
    if (loops == 0) loops = 1; // no links then
    walkRaw(mask, [&](std::int64_t weight) {
        if (!present(true)) return;
        m_work += m_loopsMoveTarget ? weight : weight / loops;
        if (!spread() && !m_loopsMoveTarget && inside() && present(false)) m_work += weight;
    });
}

/// Each coordinate of the target by itself must stay inside its set for every link.
void Rule::checkTargets()
{
    if (m_from.members == 0) return;
    for (const auto i : m_free)
        if (m_to.set.extents()[i] == 0) return;
    const std::size_t lower = lowerVariables();
    for (std::size_t i = 0; i < m_targets.size(); ++i) {
        const Target& target = m_targets[i];
        const std::int64_t extent = m_to.set.extents()[i];
        if (target.variable && *target.variable >= lower) continue;
        if (target.variable && m_from.set.extents()[*target.variable] <= extent) continue;
        const auto leaves = [&] { return m_scope.slot(lower + i) < 0 || m_scope.slot(lower + i) >= double(extent); };
        const auto refuse = [&] { throw noTarget(m_spec, m_to.set.coordinates()[i], std::int64_t(m_scope.slot(lower + i)), extent); };
        bool out = false; // first without asking which links are there: mostly none leaves the set
        walkRaw(target.needs | m_from.set.conditions(), [&](std::int64_t) { out = out || (leaves() && present(true)); });
        if (out)
            walkRaw(target.needs | m_conditions, [&](std::int64_t) {
                if (leaves() && present(true) && (m_when.empty() || m_when.truth())) refuse();
            });
    }
}

void Rule::assign(std::size_t variable, std::int64_t value)
{
    const std::size_t lower = m_from.set.coordinates().size();
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
    const std::size_t lower = m_from.set.coordinates().size();
    for (std::size_t i = 0; i < m_targets.size(); ++i) {
        const Target& target = m_targets[i];
        if (target.variable && *target.variable >= lower) continue;
        const bool known = (target.needs & ~walked) == 0;
        const std::int64_t value = !known ? 0 : target.variable ? std::int64_t(m_scope.slot(*target.variable)) : target.expression.whole();
        m_scope.slot(lower + i) = double(value);
        if (m_plain[i] != kNone) m_scope.slot(m_plain[i]) = double(value);
    }
}

void Rule::assignTier(bool from)
{
    Set& set = tier(from).set;
    const std::size_t first = from ? 0 : m_from.set.coordinates().size();
    for (std::size_t i = 0; i < set.coordinates().size(); ++i) set.assign(i, std::int64_t(m_scope.slot(first + i)));
}

/// Lower and upper tier may be one set or share parents, so each gets its coordinates back before it is asked.
bool Rule::present(bool from)
{
    if (!tier(from).set.conditional()) return true;
    assignTier(from);
    return tier(from).set.present();
}

/// Targets that are not were refused by checkTargets, unless `when` leaves them out.
bool Rule::inside()
{
    const std::size_t lower = m_from.set.coordinates().size();
    for (std::size_t i = 0; i < m_targets.size(); ++i)
        if (const double value = m_scope.slot(lower + i); value < 0 || value >= double(m_to.set.extents()[i])) return false;
    return true;
}

bool Rule::holds() { return present(true) && inside() && present(false) && (m_when.empty() || m_when.truth()); }

std::int64_t Rule::combinations() const
{
    std::int64_t total = 1;
    for (const auto extent : m_extents) {
        if (extent == 0) return 0;
        total = std::min(total * extent, kMostCombinations);
    }
    return total;
}

bool Rule::at(std::int64_t n)
{
    for (std::size_t i = m_extents.size(); i-- > 0;) {
        assign(i, n % m_extents[i]);
        n /= m_extents[i];
    }
    follow(all());
    return holds();
}

std::optional<std::size_t> Rule::identity(std::size_t toCoordinate) const { return m_targets[toCoordinate].variable; }

void Rule::checkIndices()
{
    if (m_links == 0) return;
    const auto network = [&](bool from) { return group(from).ports.network; };
    if (m_medium == Medium::Data && (network(true).empty() || network(false).empty())) throw noNetwork(m_spec, network(true).empty());
    if (m_medium == Medium::Data && network(true) != network(false))
        throw refusal(m_spec.where, fmt::format("ports of network '{}' would be joined to ports of network '{}'", network(true), network(false)),
                      "join ports of one network");
    checkIndex(true);
    checkIndex(false);
    const auto &a = group(true).ports, &b = group(false).ports;
    if (a.rate != b.rate)
        throw refusal(m_spec.where,
                      fmt::format("a {} Gb/s port of '{}' meets a {} Gb/s port of '{}'", a.rate.count(), m_spec.from, b.rate.count(), m_spec.to),
                      "split the ports so that the speeds agree");
}

void Rule::checkIndex(bool from)
{
    const auto& ports = group(from).ports;
    const auto inside = [&](std::int64_t wanted) { return wanted >= 0 && wanted < ports.perDevice; };
    const auto refuse = [&](std::int64_t wanted) {
        throw refusal(
            m_spec.where,
            fmt::format("{} has {} '{}' ports, and this rule needs number {}", tier(from).fixed.label, ports.perDevice, ports.name, wanted + 1),
            "use fewer links or a device with more ports");
    };
    if (!hasIndex(from)) {
        if (m_links > tier(from).members * ports.perDevice) refuse(ports.perDevice);
        return;
    }
    bool fits = true; // first without asking which links are there: mostly all would fit
    walkRaw(indexMask(from), [&](std::int64_t) { fits = fits && inside(index(from)); });
    if (!fits)
        walk(indexMask(from), [&](std::int64_t) {
            if (!inside(index(from))) refuse(index(from));
        });
}

} // namespace hw::count
