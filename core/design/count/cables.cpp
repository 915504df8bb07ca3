// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/count/rules.h"
#include "core/foundation/base/disjoint_sets.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace hw::count {

namespace {

std::int64_t jacksOf(const Group& group) { return group.ports.perDevice / group.ports.portsPerJack(); }
/// A socket that several cables share: its module counts once.
bool sharesModules(const Group& group)
{
    return group.ports.medium == Medium::Data && (group.ports.interface.perSocket() > 1 || group.ports.connectors > 1);
}
std::int64_t socketsOf(const Group& group)
{
    std::int64_t most = group.ports.perDevice / group.ports.split;
    for (const auto socket : group.ports.sockets) most = std::max<std::int64_t>(most, socket + 1);
    return most;
}

constexpr std::int64_t kMostWalked = 8'000'000; ///< connectors that are walked one by one at most

using GroupKey = std::pair<std::size_t, std::size_t>; ///< tier, port group
constexpr std::size_t kWholeTier = SIZE_MAX;
GroupKey keyOf(const Rule& rule, bool from) { return {rule.tierNumber(from), rule.groupNumber(from)}; }

/// Coordinates, by name, that every link keeps from end to end and that no expression reads: the wiring
/// repeats for each of their values, so one value is walked for all.
std::set<std::string> repeatedNames(const std::vector<Rule*>& rules)
{
    std::set<std::string> names;
    for (const auto& name : rules.front()->tier(true).set.coordinates()) names.insert(name);
    for (Rule* rule : rules) {
        if (rule->uneven()) return {};
        const Set &from = rule->tier(true).set, &to = rule->tier(false).set;
        std::erase_if(names, [&](const std::string& name) {
            const auto lower = from.coordinate(name), upper = to.coordinate(name);
            return !lower || !upper || rule->identity(*upper) != lower || (rule->readMask() >> *lower & 1) ||
                   from.extents()[*lower] != to.extents()[*upper];
        });
    }
    return names;
}

/// Walks the links of rules that share port groups and joins the connectors that a cable joins.
class CableWalk {
public:
    CableWalk(const std::vector<Rule*>& rules, std::set<std::string> repeated) : m_rules(rules), m_repeated(std::move(repeated))
    {
        for (Rule* rule : rules)
            for (const bool from : {true, false}) addGroup(*rule, from);
    }

    /// Counts by rule, a cable with the rule of its first link.
    std::vector<CableCount> run()
    {
        std::vector<CableCount> counts(m_rules.size());
        for (std::size_t r = 0; r < m_rules.size(); ++r) walkRule(r, counts[r]);
        std::vector<char> seen(m_jacks.size(), 0);
        for (const auto& [jack, rule] : m_firstRule)
            if (const auto root = m_jacks.find(jack); !std::exchange(seen[root], 1)) counts[rule].cables += 1;
        for (auto& c : counts)
            c = {c.cables * m_copies, c.fromSockets * m_copies, c.toSockets * m_copies, c.fromJacks * m_copies, c.toJacks * m_copies};
        return counts;
    }

private:
    struct Jacks {
        std::size_t first = 0;
        std::int64_t members = 1, perDevice = 0;
        std::vector<std::int64_t> next;
    };
    struct Sockets {
        std::size_t first = 0;
        std::int64_t perDevice = 0;
    };

    void addGroup(const Rule& rule, bool from)
    {
        Jacks jacks;
        const Set& set = rule.tier(from).set;
        std::int64_t copies = 1;
        for (std::size_t i = 0; i < set.extents().size(); ++i)
            (m_repeated.contains(set.coordinates()[i]) ? copies : jacks.members) *= set.extents()[i];
        m_copies = copies;
        jacks.perDevice = jacksOf(rule.group(from));
        jacks.first = m_jacks.size();
        const auto total = jacks.members * jacks.perDevice;
        if (total > kMostWalked)
            throw refusal(rule.spec().where, i18n("the wiring is too irregular to be counted from the template"),
                          i18n("instantiate the design instead"));
        if (!m_groups.try_emplace(keyOf(rule, from), jacks).second) return;
        m_groups.at(keyOf(rule, from)).next.assign(std::size_t(jacks.members), 0);
        m_jacks.grow(m_jacks.size() + std::size_t(total));
        m_jackUsed.resize(m_jacks.size(), 0);
        addSockets(rule, from, jacks.members);
    }

    /// A tier's sockets, which its groups may share; groups that share none with another have their own.
    void addSockets(const Rule& rule, bool from, std::int64_t members)
    {
        const auto& group = rule.group(from);
        const Sockets sockets{m_socketUsed.size(), socketsOf(group)};
        const auto [known, fresh] = m_sockets.try_emplace(socketKey(rule, from), sockets);
        if (fresh || known->second.perDevice < sockets.perDevice) {
            known->second = sockets; // before any is used
            m_socketUsed.resize(m_socketUsed.size() + std::size_t(members * sockets.perDevice), 0);
        }
    }

    static GroupKey socketKey(const Rule& rule, bool from)
    {
        return rule.group(from).ports.sharesSockets ? GroupKey{rule.tierNumber(from), kWholeTier} : keyOf(rule, from);
    }

    void walkRule(std::size_t r, CableCount& count)
    {
        Rule& rule = *m_rules[r];
        Mask mask = rule.all();
        for (const auto& name : m_repeated) mask &= ~(Mask(1) << *rule.tier(true).set.coordinate(name));
        walkLinks(
            rule, mask, [&](Rule& at, bool from) { return member(at, from); },
            [&](std::int64_t low, std::int64_t high) { link(r, low, high, count); });
    }

    void link(std::size_t r, std::int64_t low, std::int64_t high, CableCount& count)
    {
        Rule& rule = *m_rules[r];
        const auto a = take(rule, true, low, count.fromJacks, count.fromSockets), b = take(rule, false, high, count.toJacks, count.toSockets);
        m_jacks.join(a, b);
        m_firstRule.emplace_back(a, r);
    }

    std::int64_t member(Rule& rule, bool from) const
    {
        const Set& set = rule.tier(from).set;
        std::int64_t result = 0;
        for (std::size_t i = 0; i < set.extents().size(); ++i)
            if (!m_repeated.contains(set.coordinates()[i])) result = result * set.extents()[i] + (from ? rule.lower(i) : rule.upper(i));
        return result;
    }

    std::uint32_t take(Rule& rule, bool from, std::int64_t member, std::int64_t& usedJacks, std::int64_t& usedSockets)
    {
        auto& jacks = m_groups.at(keyOf(rule, from));
        const auto& group = rule.group(from);
        const std::int64_t port = rule.hasIndex(from) ? rule.index(from) : jacks.next[std::size_t(member)]++;
        if (port < 0 || port >= group.ports.perDevice)
            throw refusal(rule.spec().where,
                          i18n("{} has {} '{}' ports, but this rule requires port {}", rule.tier(from).fixed.label, group.ports.perDevice,
                               group.ports.name, port + 1),
                          i18n("use fewer links or a device with more ports"));
        const auto jack = std::uint32_t(jacks.first + std::size_t(member * jacks.perDevice + port / group.ports.portsPerJack()));
        usedJacks += !std::exchange(m_jackUsed[jack], 1);
        const auto& sockets = m_sockets.at(socketKey(rule, from));
        usedSockets += !std::exchange(m_socketUsed[sockets.first + std::size_t(member * sockets.perDevice + group.ports.socketOf(port))], 1);
        return jack;
    }

    const std::vector<Rule*>& m_rules;
    std::set<std::string> m_repeated;
    std::int64_t m_copies = 1;
    std::map<GroupKey, Jacks> m_groups;
    std::map<GroupKey, Sockets> m_sockets;
    DisjointSets m_jacks; ///< of a cable
    std::vector<char> m_jackUsed, m_socketUsed;
    std::vector<std::pair<std::uint32_t, std::size_t>> m_firstRule;
};

struct Used {
    std::int64_t jacks = 0, sockets = 0;
};

std::int64_t distinct(std::vector<std::int64_t>& values)
{
    std::sort(values.begin(), values.end());
    return std::int64_t(std::unique(values.begin(), values.end()) - values.begin());
}

/// What an end uses where ports are taken in order, one cable each: every port's connector and, where all ports are
/// taken, every socket. Nothing where that is not known without a walk.
std::optional<Used> usedInOrder(const Rule& rule, bool from)
{
    const auto& group = rule.group(from);
    if (!sharesModules(group)) return Used{rule.links(), rule.links()};
    const std::int64_t members = rule.tier(from).members;
    if (members * group.ports.perDevice != rule.links()) return std::nullopt; // which ports stay free is not known
    std::set<std::int64_t> sockets;
    for (std::int64_t port = 0; port < group.ports.perDevice; ++port) sockets.insert(group.ports.socketOf(port));
    return Used{rule.links(), members * std::int64_t(sockets.size())};
}

/// Connectors and sockets of one end that a rule with port numbers uses. Coordinates that pass through unread
/// multiply, the others are walked. Throws where a port would be used twice.
Used usedByIndex(Rule& rule, bool from)
{
    const auto& group = rule.group(from);
    const auto& ports = group.ports;
    const Set& set = rule.tier(from).set;
    const auto variable = [&](std::size_t i) { return from ? std::optional(i) : rule.identity(i); };
    Mask read = rule.conditionMask() | rule.indexMask(from);
    if (!from)
        for (std::size_t i = 0; i < set.coordinates().size(); ++i)
            if (!variable(i)) read |= rule.needsOfTarget(i);
    std::int64_t copies = 1;
    std::vector<std::size_t> own; // coordinates of this end that are walked
    for (std::size_t i = 0; i < set.coordinates().size(); ++i) {
        if (variable(i) && !(read >> *variable(i) & 1))
            copies *= rule.extent(*variable(i));
        else
            own.push_back(i);
    }
    std::vector<std::int64_t> used;
    rule.walk(read, [&](std::int64_t) {
        std::int64_t member = 0;
        for (const auto i : own) member = member * set.extents()[i] + (from ? rule.lower(i) : rule.upper(i));
        used.push_back(member * ports.perDevice + rule.index(from));
    });
    const auto walked = std::int64_t(used.size());
    const std::int64_t ported = distinct(used);
    if (ported != walked || ported * copies != rule.links())
        throw refusal(rule.spec().where, i18n("a port of group '{}' of {} would be used twice", ports.name, rule.tier(from).fixed.label),
                      i18n("correct the index mapping"));
    Used result{ported * copies, ported * copies};
    const auto countBy = [&](std::int64_t perDevice, auto&& of) {
        std::vector<std::int64_t> units;
        for (const auto port : used) units.push_back(port / ports.perDevice * perDevice + of(port % ports.perDevice));
        return distinct(units) * copies;
    };
    if (group.ports.portsPerJack() > 1) result.jacks = countBy(jacksOf(group), [&](std::int64_t port) { return port / group.ports.portsPerJack(); });
    if (ports.split > 1 || sharesModules(group))
        result.sockets = countBy(socketsOf(group), [&](std::int64_t port) { return group.ports.socketOf(port); });
    return result;
}

/// True where each cable is one connector at its split end with all that depends on it: one end split, and
/// numbered by this rule alone.
bool isStar(const Rule& rule, const std::map<GroupKey, int>& rulesOf)
{
    const bool fromSplit = rule.group(true).ports.portsPerJack() > 1;
    if (fromSplit == (rule.group(false).ports.portsPerJack() > 1)) return false;
    return rulesOf.at(keyOf(rule, fromSplit)) == 1 && rule.hasIndex(fromSplit);
}

/// The counts of a class of rules by arithmetic; nothing where its links must be walked.
std::optional<std::vector<CableCount>> countDirectly(const std::vector<Rule*>& rules, const std::map<GroupKey, int>& rulesOf)
{
    bool split = false, stars = true;
    for (const Rule* rule : rules) {
        for (const bool from : {true, false}) {
            const auto& group = rule->group(from);
            split = split || group.ports.portsPerJack() > 1 || rule->uneven(); // an uneven spread is walked for its ports' sake
            if (group.ports.sharesSockets || (sharesModules(group) && rulesOf.at(keyOf(*rule, from)) > 1)) return std::nullopt;
        }
        stars = stars && isStar(*rule, rulesOf);
    }
    if (split && !stars) return std::nullopt;
    std::vector<CableCount> result;
    for (Rule* rule : rules) {
        std::array<Used, 2> used;
        for (const bool from : {true, false}) {
            const auto one = rule->hasIndex(from) ? std::optional(usedByIndex(*rule, from)) : usedInOrder(*rule, from);
            if (!one) return std::nullopt;
            used[from ? 0 : 1] = *one;
        }
        result.push_back({std::min(used[0].jacks, used[1].jacks), used[0].sockets, used[1].sockets, used[0].jacks, used[1].jacks});
    }
    return result;
}

void countClass(const std::vector<Rule*>& rules, const std::vector<std::size_t>& numbers, std::vector<CableCount>& out)
{
    std::map<GroupKey, int> rulesOf;
    for (Rule* rule : rules) rule->checkIndices();
    for (const Rule* rule : rules)
        for (const bool from : {true, false}) ++rulesOf[keyOf(*rule, from)];
    auto counts = countDirectly(rules, rulesOf);
    if (!counts) {
        for (Rule* rule : rules)
            for (const bool from : {true, false})
                if (rule->hasIndex(from)) (void)usedByIndex(*rule, from); // no port twice
        counts = CableWalk(rules, repeatedNames(rules)).run();
    }
    for (std::size_t i = 0; i < rules.size(); ++i) out[numbers[i]] = (*counts)[i];
}

} // namespace

std::vector<CableCount> countCables(std::vector<std::unique_ptr<Rule>>& rules)
{
    std::vector<CableCount> counts(rules.size());
    DisjointSets classes(rules.size());
    std::map<GroupKey, std::size_t> firstOf;
    for (std::size_t r = 0; r < rules.size(); ++r)
        for (const bool from : {true, false}) {
            const auto share = [&](GroupKey key) {
                const auto [known, fresh] = firstOf.try_emplace(key, r);
                if (!fresh) classes.join(std::uint32_t(r), std::uint32_t(known->second));
            };
            share(keyOf(*rules[r], from));
            if (rules[r]->links() > 0 && rules[r]->group(from).ports.sharesSockets) share({rules[r]->tierNumber(from), kWholeTier});
        }
    for (std::size_t c = 0; c < rules.size(); ++c) {
        std::vector<Rule*> members;
        std::vector<std::size_t> numbers;
        for (std::size_t r = c; r < rules.size(); ++r)
            if (classes.find(std::uint32_t(r)) == c && rules[r]->links() > 0) members.push_back(rules[r].get()), numbers.push_back(r);
        if (!members.empty()) countClass(members, numbers, counts);
    }
    return counts;
}

} // namespace hw::count
