// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/count_rules.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

namespace hw::count {

namespace {

constexpr std::int64_t kMostWalked = 8'000'000; ///< sockets that are walked one by one at most

using GroupKey = std::pair<std::size_t, std::size_t>; ///< tier, port group
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
            return !lower || !upper || rule->identity(*upper) != lower || (rule->readMask() >> *lower & 1)
                || from.extents()[*lower] != to.extents()[*upper];
        });
    }
    return names;
}

/// Walks the links of rules that share port groups and joins the sockets that a cable joins.
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
        std::vector<char> seen(m_root.size(), 0);
        for (const auto& [cage, rule] : m_firstRule)
            if (const auto root = find(cage); !std::exchange(seen[root], 1)) counts[rule].cables += 1;
        for (auto& count : counts) count = {count.cables * m_copies, count.fromCages * m_copies, count.toCages * m_copies};
        return counts;
    }

private:
    struct Sockets { std::size_t first = 0; std::int64_t members = 1, cages = 0; std::vector<std::int64_t> next; };

    void addGroup(const Rule& rule, bool from)
    {
        Sockets sockets;
        const Set& set = rule.tier(from).set;
        std::int64_t copies = 1;
        for (std::size_t i = 0; i < set.extents().size(); ++i) (m_repeated.contains(set.coordinates()[i]) ? copies : sockets.members) *= set.extents()[i];
        m_copies = copies;
        const auto& ports = rule.group(from).ports;
        sockets.cages = ports.perDevice / ports.split;
        sockets.first = m_root.size();
        const auto total = sockets.members * sockets.cages;
        if (total > kMostWalked) throw refusal(rule.spec().where, "the wiring is too irregular to be counted", "instantiate it instead");
        if (!m_groups.try_emplace(keyOf(rule, from), sockets).second) return;
        m_groups.at(keyOf(rule, from)).next.assign(std::size_t(sockets.members), 0);
        m_root.resize(m_root.size() + std::size_t(total));
        std::iota(m_root.begin() + std::ptrdiff_t(sockets.first), m_root.end(), std::uint32_t(sockets.first));
        m_used.resize(m_root.size(), 0);
    }

    std::uint32_t find(std::uint32_t cage)
    {
        while (m_root[cage] != cage) cage = m_root[cage] = m_root[m_root[cage]];
        return cage;
    }

    void walkRule(std::size_t r, CableCount& count)
    {
        Rule& rule = *m_rules[r];
        Mask mask = rule.all();
        for (const auto& name : m_repeated) mask &= ~(Mask(1) << *rule.tier(true).set.coordinate(name));
        if (rule.spread()) {
            walkSpread(r, mask, count);
            return;
        }
        rule.walk(mask, [&](std::int64_t) {
            const auto a = socket(rule, true, member(rule, true), count.fromCages), b = socket(rule, false, member(rule, false), count.toCages);
            join(a, b, r);
        });
    }

    void join(std::uint32_t a, std::uint32_t b, std::size_t r)
    {
        m_root[std::max(find(a), find(b))] = std::min(find(a), find(b));
        m_firstRule.emplace_back(a, r);
    }

    /// As LinkBuilder::spreadMember: the targets of one lower device come one after the other.
    void walkSpread(std::size_t r, Mask mask, CableCount& count)
    {
        Rule& rule = *m_rules[r];
        std::vector<std::int64_t> targets;
        std::int64_t device = -1;
        std::size_t ports = 0, dealtOver = 0;
        const auto deal = [&] {
            if (targets.empty()) return;
            const auto n = targets.size(), each = ports / n, rest = ports % n, start = dealtOver % n;
            dealtOver += rest;
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t k = 0; k < each + ((i + n - start) % n < rest); ++k) {
                    const auto a = socket(rule, true, device, count.fromCages), b = socket(rule, false, targets[i], count.toCages);
                    join(a, b, r);
                }
            targets.clear();
        };
        rule.walk(mask, [&](std::int64_t) {
            if (const auto own = member(rule, true); own != device) {
                deal();
                device = own;
                ports = std::size_t(rule.spreadPorts());
            }
            targets.push_back(member(rule, false));
        });
        deal();
    }

    std::int64_t member(Rule& rule, bool from) const
    {
        const Set& set = rule.tier(from).set;
        std::int64_t result = 0;
        for (std::size_t i = 0; i < set.extents().size(); ++i)
            if (!m_repeated.contains(set.coordinates()[i])) result = result * set.extents()[i] + (from ? rule.lower(i) : rule.upper(i));
        return result;
    }

    std::uint32_t socket(Rule& rule, bool from, std::int64_t member, std::int64_t& used)
    {
        auto& sockets = m_groups.at(keyOf(rule, from));
        const auto& ports = rule.group(from).ports;
        const std::int64_t port = rule.hasIndex(from) ? rule.index(from) : sockets.next[std::size_t(member)]++;
        if (port < 0 || port >= ports.perDevice)
            throw refusal(rule.spec().where, fmt::format("{} has {} '{}' ports, and this rule needs number {}", rule.tier(from).fixed.label, ports.perDevice, ports.name, port + 1),
                          "use fewer links or a device with more ports");
        const auto cage = std::uint32_t(sockets.first + std::size_t(member * sockets.cages + port / ports.split));
        used += !std::exchange(m_used[cage], 1);
        return cage;
    }

    const std::vector<Rule*>& m_rules;
    std::set<std::string> m_repeated;
    std::int64_t m_copies = 1;
    std::map<GroupKey, Sockets> m_groups;
    std::vector<std::uint32_t> m_root;
    std::vector<char> m_used;
    std::vector<std::pair<std::uint32_t, std::size_t>> m_firstRule;
};

/// Sockets of one end that a rule with port numbers uses. Coordinates that pass through unread multiply,
/// the others are walked. Throws where a port would be used twice.
std::int64_t usedSockets(Rule& rule, bool from)
{
    const auto& ports = rule.group(from).ports;
    if (!rule.hasIndex(from)) return rule.links(); // asked for unsplit ports only
    const Set& set = rule.tier(from).set;
    const auto variable = [&](std::size_t i) { return from ? std::optional(i) : rule.identity(i); };
    Mask read = rule.conditionMask() | rule.indexMask(from);
    if (!from)
        for (std::size_t i = 0; i < set.coordinates().size(); ++i)
            if (!variable(i)) read |= rule.needsOfTarget(i);
    std::int64_t copies = 1;
    std::vector<std::size_t> own; // coordinates of this end that are walked
    for (std::size_t i = 0; i < set.coordinates().size(); ++i) {
        if (variable(i) && !(read >> *variable(i) & 1)) copies *= rule.extent(*variable(i));
        else own.push_back(i);
    }
    std::vector<std::int64_t> used;
    rule.walk(read, [&](std::int64_t) {
        std::int64_t member = 0;
        for (const auto i : own) member = member * set.extents()[i] + (from ? rule.lower(i) : rule.upper(i));
        used.push_back(member * ports.perDevice + rule.index(from));
    });
    const auto walked = std::int64_t(used.size());
    const auto distinct = [&] {
        std::sort(used.begin(), used.end());
        return std::int64_t(std::unique(used.begin(), used.end()) - used.begin());
    };
    const std::int64_t ported = distinct();
    if (ported != walked || ported * copies != rule.links())
        throw refusal(rule.spec().where, fmt::format("a port of group '{}' of {} would be used twice", ports.name, rule.tier(from).fixed.label), "correct the index mapping");
    if (ports.split == 1) return ported * copies;
    for (auto& port : used) port = port / ports.perDevice * (ports.perDevice / ports.split) + port % ports.perDevice / ports.split;
    return distinct() * copies;
}

/// True where each cable is one socket at its split end with all that hangs on it: one end split, and
/// numbered by this rule alone.
bool isStar(const Rule& rule, const std::map<GroupKey, int>& rulesOf)
{
    const bool fromSplit = rule.group(true).ports.split > 1;
    if (fromSplit == (rule.group(false).ports.split > 1)) return false;
    return rulesOf.at(keyOf(rule, fromSplit)) == 1 && rule.hasIndex(fromSplit);
}

void countClass(const std::vector<Rule*>& rules, const std::vector<std::size_t>& numbers, std::vector<CableCount>& out)
{
    std::map<GroupKey, int> rulesOf;
    bool split = false, stars = true;
    for (Rule* rule : rules) rule->checkIndices();
    for (const Rule* rule : rules)
        for (const bool from : {true, false}) {
            ++rulesOf[keyOf(*rule, from)];
            split = split || rule->group(from).ports.split > 1 || rule->uneven(); // an uneven spread is walked for its ports' sake
        }
    for (const Rule* rule : rules) stars = stars && isStar(*rule, rulesOf);
    if (split && !stars) {
        for (Rule* rule : rules)
            for (const bool from : {true, false})
                if (rule->hasIndex(from)) (void)usedSockets(*rule, from); // no port twice
        const auto counts = CableWalk(rules, repeatedNames(rules)).run();
        for (std::size_t i = 0; i < rules.size(); ++i) out[numbers[i]] = counts[i];
        return;
    }
    for (std::size_t i = 0; i < rules.size(); ++i) {
        const auto from = usedSockets(*rules[i], true), to = usedSockets(*rules[i], false);
        out[numbers[i]] = {std::min(from, to), from, to};
    }
}

} // namespace

std::vector<CableCount> countCables(std::vector<std::unique_ptr<Rule>>& rules)
{
    std::vector<CableCount> counts(rules.size());
    std::vector<std::size_t> root(rules.size());
    std::iota(root.begin(), root.end(), std::size_t(0));
    std::map<GroupKey, std::size_t> firstOf;
    const auto find = [&](std::size_t r) { while (root[r] != r) r = root[r]; return r; };
    for (std::size_t r = 0; r < rules.size(); ++r)
        for (const bool from : {true, false}) {
            const auto [known, fresh] = firstOf.try_emplace(keyOf(*rules[r], from), r);
            if (!fresh) root[std::max(find(r), find(known->second))] = std::min(find(r), find(known->second));
        }
    for (std::size_t c = 0; c < rules.size(); ++c) {
        std::vector<Rule*> members;
        std::vector<std::size_t> numbers;
        for (std::size_t r = c; r < rules.size(); ++r)
            if (find(r) == c && rules[r]->links() > 0) members.push_back(rules[r].get()), numbers.push_back(r);
        if (!members.empty()) countClass(members, numbers, counts);
    }
    return counts;
}

} // namespace hw::count
