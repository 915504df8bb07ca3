// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/port_groups.h"

#include "core/foundation/catalog/sockets.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hw {

namespace {

constexpr std::int64_t kMostCages = 4096; ///< of one device
constexpr std::int64_t kMostSplit = 64;

const ExpressionText* fieldOf(const SetSpec::PortGroup& group, const char* key)
{
    const auto found = group.fields.find(key);
    return found == group.fields.end() ? nullptr : &found->second;
}

} // namespace

/// Hands out the cages of one device type, each once.
class PortBinder::Cages {
public:
    Cages(const Part& part, const DeviceSpec& device) : m_part(part), m_interfaces(device.interfaces), m_taken(device.interfaces.size(), false) {}

    std::vector<std::uint16_t> take(const Need& need)
    {
        std::vector<std::uint16_t> named; // that the group may take, in order
        for (std::size_t i = 0; i < m_interfaces.size(); ++i)
            if (takesCable(m_interfaces[i]) && m_interfaces[i].name.starts_with(need.interfaces) &&
                (!need.interfaces.empty() || !m_interfaces[i].management))
                named.push_back(std::uint16_t(i));
        auto& next = m_next[need.interfaces];
        const std::int64_t first = need.first.value_or(next);
        if (need.absent) { // keeps its place, so that the other groups stay where they are
            next = std::max(next, first + need.cages);
            return {};
        }
        if (first < 0 || first + need.cages > std::int64_t(named.size()))
            throw refusal(need.where,
                          need.interfaces.empty()
                              ? i18n("port group '{}' needs interfaces {} to {}, but {} has only {} ({} in total)", need.name, first + 1,
                                     first + need.cages, m_part.slug, named.size(), total(named))
                              : i18n("port group '{}' needs interfaces {} to {} named '{}…', but {} has only {} ({} in total)", need.name, first + 1,
                                     first + need.cages, need.interfaces, m_part.slug, named.size(), total(named)),
                          i18n("use fewer ports or a larger device"));
        next = std::max(next, first + need.cages);
        std::vector<std::uint16_t> cages(named.begin() + first, named.begin() + first + need.cages);
        for (const auto cage : cages) {
            if (m_taken[cage])
                throw refusal(
                    need.where,
                    i18n("port group '{}' claims {} of {}, which belongs to another group", need.name, m_interfaces[cage].name, m_part.slug),
                    i18n("assign each cage to one group; see 'first' and 'interfaces'"));
            m_taken[cage] = true;
        }
        return cages;
    }

    /// Sockets that no interface stands for: inlets and outlets, numbered on.
    std::vector<std::uint16_t> takeSockets(const Need& need)
    {
        std::int64_t next = 0;
        for (const auto& [prefix, n] : m_next) next = std::max(next, prefix.empty() ? n : std::int64_t(m_interfaces.size()));
        const std::int64_t first = std::clamp<std::int64_t>(need.first.value_or(next), 0, kMostCages);
        m_next[""] = std::max(next, first + need.cages);
        std::vector<std::uint16_t> cages;
        for (std::int64_t i = 0; i < need.cages; ++i) cages.push_back(std::uint16_t(first + i));
        return cages;
    }

private:
    std::string total(const std::vector<std::uint16_t>& named) const
    {
        std::int64_t gbps = 0;
        for (const auto cage : named) gbps += m_interfaces[cage].rate.count();
        return rateText(gbps);
    }

    const Part& m_part;
    const std::vector<Interface>& m_interfaces;
    std::vector<bool> m_taken;
    std::map<std::string, std::int64_t> m_next; ///< by prefix
};

PortBinder::PortBinder(Scope& constants, const bound::Networks& networks, const Catalog& catalog, const SetSpec& spec)
    : m_networks(networks), m_catalog(catalog), m_where(spec.where)
{
    for (const auto& group : spec.ports) m_needs.push_back(readGroup(constants, spec, group));
}

namespace {

/// The role that a group names, or is called by.
PortRole roleOf(const SetSpec::PortGroup& group)
{
    const auto* given = fieldOf(group, "role");
    if (const auto role = fromWord<PortRole>(given ? given->text : group.name)) return *role;
    if (given) throw mistake(given->where, i18n("'{}' is not a valid port role", given->text), i18n("use host, down, up, peer or backup"));
    throw mistake(group.where, i18n("group '{}' must specify its role", group.name), i18n("add 'role: up', or host, down, peer or backup"));
}

} // namespace

PortBinder::Need PortBinder::readGroup(Scope& constants, const SetSpec& spec, const SetSpec::PortGroup& group) const
{
    const auto whole = [&](const char* key, std::int64_t fallback, std::int64_t least, std::int64_t most) {
        const auto* text = fieldOf(group, key);
        const std::int64_t value = text ? Expression(*text, constants).whole() : fallback;
        if (value < least || value > most)
            throw refusal(text ? text->where : group.where, i18n("{} is {}; allowed range: {} to {}", key, value, least, most),
                          i18n("change the parameters"));
        return value;
    };
    const auto word = [&](const char* key, const std::string& fallback) { return fieldOf(group, key) ? fieldOf(group, key)->text : fallback; };
    Need need;
    need.name = group.name;
    need.where = group.where;
    need.interfaces = word("interfaces", "");
    need.medium = wordIn<Medium>(word("medium", "data"), group.where);
    need.role = roleOf(group);
    if (fieldOf(group, "first")) need.first = whole("first", 0, 0, kMostCages);
    need.cages = whole("cages", 0, 0, kMostCages);
    need.split = whole("split", 1, 1, kMostSplit);
    const auto* network = fieldOf(group, "network") ? fieldOf(group, "network") : spec.field("network");
    need.absent = network && m_networks.absent(network->text);
    if (network && !need.absent) need.network = m_networks.id(*network);
    return need;
}

Gbps PortBinder::rateOf(const Need& need, const Part& part, const std::vector<std::uint16_t>& cages) const
{
    Gbps rate;
    for (const auto cage : cages) {
        const auto& interface = std::get<DeviceSpec>(part.spec).interfaces[cage];
        const auto& splits = interface.splits;
        if (need.split != 1 && splits.empty())
            throw refusal(
                need.where,
                i18n("{} of {} ({}G cage) does not support breakout into {} ports", interface.name, part.slug, interface.rate.count(), need.split),
                i18n("remove 'split': this cage does not support breakout"));
        if (need.split != 1 && std::find(splits.begin(), splits.end(), int(need.split)) == splits.end()) {
            Text allowed = verbatim(std::to_string(splits.front()));
            for (std::size_t i = 1; i < splits.size(); ++i) allowed = i18n("{} or {}", allowed, splits[i]);
            throw refusal(need.where,
                          i18n("{} of {} ({}G cage) does not support breakout into {} ports, only into {}", interface.name, part.slug,
                               interface.rate.count(), need.split, allowed),
                          i18n("choose a breakout that the device supports"));
        }
        if (interface.rate.count() % std::int32_t(need.split) != 0)
            throw refusal(need.where, i18n("{} Gb/s is not divisible by {}", interface.rate.count(), need.split), i18n("choose another breakout"));
        const Gbps own(interface.rate.count() / std::int32_t(need.split));
        if (cage != cages.front() && own != rate)
            throw refusal(need.where, i18n("port group '{}' mixes {}G and {}G cages of {}", need.name, rate.count(), own.count(), part.slug),
                          i18n("define one group per speed"));
        rate = own;
    }
    return rate;
}

void PortBinder::checkCapacity(const std::vector<Bound>& groups, const Part& part) const
{
    const auto& device = std::get<DeviceSpec>(part.spec);
    const std::int64_t most = device.switching.value.count();
    std::int64_t sum = 0;
    std::string parts;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const std::int64_t gbps = groups[i].rate.count() * std::int64_t(groups[i].cages.size()) * groups[i].split;
        if (gbps == 0 || device.interfaces[groups[i].cages.front()].management) continue; // management ports are not the chip's
        sum += gbps;
        parts += fmt::format("{}{} {}", parts.empty() ? "" : " + ", m_needs[i].name, rateText(gbps));
    }
    if (most > 0 && sum > most)
        throw refusal(
            m_where,
            i18n("total port bandwidth is {} ({}), but the switch ASIC of {} provides only {}", rateText(sum), parts, part.slug, rateText(most)),
            i18n("use fewer ports or a larger device"));
}

std::vector<PortBinder::Bound> PortBinder::bind(const ExpressionText& slug) const
{
    const Part* part = m_catalog.find(slug.text);
    if (!part) throw noPart(slug, m_catalog);
    const auto* device = std::get_if<DeviceSpec>(&part->spec);
    if (!device) throw mistake(slug.where, i18n("'{}' is not a device", part->slug), i18n("specify a device type"));
    Cages cages(*part, *device);
    std::vector<Bound> result;
    for (const auto& need : m_needs) {
        Bound bound{{}, 0, std::uint8_t(need.split), Gbps(), need.role, need.network, need.medium};
        if (need.medium != Medium::Data)
            bound.cages = cages.takeSockets(need);
        else
            bound.cages = cages.take(need);
        if (need.absent) bound.cages.clear();
        if (need.medium == Medium::Data) bound.rate = rateOf(need, *part, bound.cages);
        for (const auto& other : result)
            if (other.role == bound.role && other.network == bound.network && other.medium == bound.medium)
                bound.firstNumber = std::uint16_t(bound.firstNumber + other.cages.size() * other.split);
        result.push_back(std::move(bound));
    }
    checkCapacity(result, *part);
    return result;
}

std::vector<PortGroupLayout> PortBinder::layout() const
{
    std::vector<PortGroupLayout> result;
    std::uint32_t offset = 0;
    for (const auto& need : m_needs) {
        result.push_back({need.name, offset, std::uint32_t(need.ports()), need.network, need.absent});
        offset += std::uint32_t(need.ports());
    }
    return result;
}

std::int64_t PortBinder::portsPerDevice() const
{
    std::int64_t sum = 0;
    for (const auto& need : m_needs) sum += need.ports();
    return sum;
}

} // namespace hw
