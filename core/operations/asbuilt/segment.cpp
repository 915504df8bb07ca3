// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/asbuilt/segment.h"

#include "core/derived/topology/port_links.h"
#include "core/foundation/model/find_network.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace hw::asbuilt {

namespace {

bool joins(const Snapshot& s, const std::vector<char>& inNetwork, DeviceId id) { return inNetwork[id.value] != 0 && s.devices.contains(id); }

/// Devices with a port in the network.
std::vector<char> membersOf(const Snapshot& s, NetworkId network)
{
    std::vector<char> in(s.devices.nextId(), 0);
    s.ports.forEach([&](PortId id) {
        if (s.ports.network[id] == network && s.ports.medium[id] == Medium::Data) in[s.ports.device[id].value] = 1;
    });
    return in;
}

/// Without a name the first that carries the jobs.
Result<NetworkId> networkOf(const Snapshot& s, const std::string& name)
{
    std::optional<NetworkId> found;
    if (!name.empty()) found = findNetwork(s, name);
    s.networks.forEach([&](NetworkId id) {
        if (name.empty() && !found && s.networks.kind[id] == NetworkKind::Backend) found = id;
    });
    if (found) return *found;
    if (name.empty())
        return fail(ErrorCode::Refused, "network", i18n("the design has no backend network"),
                    i18n("specify one of: {}", listedNames(networkNames(s))));
    return fail(ErrorCode::Refused, name, i18n("not a network of the design"), i18n("choose from {}", listedNames(networkNames(s))));
}

std::optional<int> fromOne(std::string_view text)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
    return value - 1;
}

} // namespace

bool Segment::holds(const Snapshot& s, EntityRef e) const
{
    const auto ofIt = [&](DeviceId id) { return id.value < has.size() && has[id.value] != 0; };
    if (e.kind == EntityKind::Device) return ofIt(DeviceId(e.id));
    if (e.kind == EntityKind::Port) return ofIt(s.ports.device[PortId(e.id)]);
    return e.kind == EntityKind::Link && std::ranges::binary_search(links, LinkId(e.id));
}

std::vector<DeviceId> Segment::devices() const
{
    std::vector<DeviceId> all(hosts);
    all.insert(all.end(), backup.begin(), backup.end());
    all.insert(all.end(), switches.begin(), switches.end());
    return all;
}

std::vector<SegmentKey> segmentsOf(const Snapshot& s, NetworkId network)
{
    const auto in = membersOf(s, network);
    std::set<SegmentKey> all;
    s.devices.forEach([&](DeviceId id) {
        if (joins(s, in, id) && s.tiers.kind[s.devices.tier[id]] == TierKind::Server && s.devices.role[id] == DeviceRole::Active)
            all.insert({network, s.devices.pod[id], s.devices.segment[id]});
    });
    return {all.begin(), all.end()};
}

Segment segmentAt(const Snapshot& s, const SegmentKey& key)
{
    Segment out;
    out.key = key;
    out.has.assign(s.devices.nextId(), 0);
    const auto in = membersOf(s, key.network);
    s.devices.forEach([&](DeviceId id) {
        if (!joins(s, in, id) || s.devices.segment[id] != key.segment || s.devices.pod[id] != key.pod) return;
        const TierId tier = s.devices.tier[id];
        if (s.tiers.kind[tier] == TierKind::Server && s.devices.role[id] != DeviceRole::Support)
            (s.devices.role[id] == DeviceRole::Backup ? out.backup : out.hosts).push_back(id);
        else if (s.tiers.kind[tier] == TierKind::Switch && s.tiers.network[tier] == key.network)
            out.switches.push_back(id);
        else
            return;
        out.has[id.value] = 1;
    });
    eachDataLink(s, key.network, [&](LinkId id, PortId from, PortId to) {
        if (out.has[s.ports.device[from].value] || out.has[s.ports.device[to].value]) out.links.push_back(id);
    });
    return out;
}

std::string segmentName(const SegmentKey& key)
{
    const std::string segment = key.segment < 0 ? "-" : std::to_string(key.segment + 1);
    return key.pod < 0 ? segment : std::to_string(key.pod + 1) + "/" + segment;
}

Text segmentTitle(const Snapshot& s, const SegmentKey& key)
{
    const std::string network = s.networks.name[key.network];
    if (key.segment < 0) return key.pod < 0 ? i18n("{}, entire network", network) : i18n("{}, pod {}", network, key.pod + 1);
    return key.pod < 0 ? i18n("{}, segment {}", network, key.segment + 1) : i18n("{}, pod {}, segment {}", network, key.pod + 1, key.segment + 1);
}

Result<SegmentKey> findSegment(const Snapshot& s, const std::string& name, const std::string& networkName)
{
    const auto network = networkOf(s, networkName);
    if (!network) return tl::unexpected(network.error());
    const auto all = segmentsOf(s, *network);
    const auto named = std::ranges::find(all, name, segmentName);
    if (named != all.end()) return *named;
    const auto number = fromOne(name);
    std::vector<SegmentKey> fit;
    std::ranges::copy_if(all, std::back_inserter(fit), [&](const SegmentKey& key) { return number && key.segment == *number; });
    if (fit.size() == 1) return fit.front();
    std::vector<std::string> names;
    for (std::size_t i = 0; i < all.size() && i < 12; ++i) names.push_back(segmentName(all[i]));
    if (all.size() > 12) names.emplace_back("…");
    if (fit.size() > 1)
        return fail(ErrorCode::Refused, "segment " + name, i18n("exists in several pods"),
                    i18n("specify POD/SEGMENT, one of {}", listedNames(names)));
    return fail(ErrorCode::Refused, "segment " + name, i18n("no such segment with hosts in {}", s.networks.name[*network]),
                i18n("choose from {}", listedNames(names)));
}

Text gateTitle(int gate)
{
    switch (gate) {
    case 1: return i18n("Environment and configuration audit");
    case 2: return i18n("Bandwidth of every NIC");
    case 3: return i18n("Collective operations");
    case 4: return i18n("Model run and fault injection");
    default: return {};
    }
}

namespace {

std::array<std::optional<AcceptanceId>, kGates> rowsOf(const Snapshot& s, const SegmentKey& key)
{
    std::array<std::optional<AcceptanceId>, kGates> rows;
    const auto& t = s.acceptances;
    t.forEach([&](AcceptanceId id) {
        if (t.network[id] == key.network && t.pod[id] == key.pod && t.segment[id] == key.segment && t.gate[id] >= 1 && t.gate[id] <= kGates)
            rows[std::size_t(t.gate[id] - 1)] = id;
    });
    return rows;
}

} // namespace

std::array<GateState, kGates> gatesOf(const Snapshot& s, const SegmentKey& key)
{
    std::array<GateState, kGates> states;
    const auto rows = rowsOf(s, key);
    const auto& t = s.acceptances;
    for (std::size_t i = 0; i < kGates; ++i)
        if (rows[i]) states[i] = {t.result[*rows[i]], t.evidence[*rows[i]], t.author[*rows[i]], t.date[*rows[i]]};
    return states;
}

Result<int> setGate(Snapshot& s, const SegmentKey& key, int gate, const GateState& state)
{
    const std::string where = "gate " + std::to_string(gate);
    if (gate < 1 || gate > kGates) return fail(ErrorCode::Refused, where, i18n("unknown gate"), i18n("choose 1 to {}", kGates));
    const auto states = gatesOf(s, key);
    if (state.result == GateResult::Waived && state.evidence.find_first_not_of(" \t\r\n") == std::string::npos)
        return fail(ErrorCode::Refused, where, i18n("a gate can be waived only with a reason"), i18n("specify the reason as evidence"));
    if (state.result == GateResult::Passed)
        for (int before = 1; before < gate; ++before)
            if (!states[std::size_t(before - 1)].isThrough())
                return fail(ErrorCode::Refused, where,
                            i18n("cannot pass while gate {} ({}) is {}", before, gateTitle(before), wordOf(states[std::size_t(before - 1)].result)),
                            i18n("pass that gate first, or waive it with a reason"));
    auto& t = s.acceptances;
    const auto rows = rowsOf(s, key);
    const auto put = [&](int number, const GateState& now) {
        const auto known = rows[std::size_t(number - 1)];
        const AcceptanceId id = known ? *known : t.insert();
        t.network.set(id, key.network);
        t.pod.set(id, key.pod), t.segment.set(id, key.segment), t.gate.set(id, number);
        t.result.set(id, now.result);
        t.evidence.set(id, now.evidence), t.author.set(id, now.author), t.date.set(id, now.date);
    };
    put(gate, state);
    int opened = 0;
    if (!state.isThrough())
        for (int behind = gate + 1; behind <= kGates; ++behind)
            if (states[std::size_t(behind - 1)].result == GateResult::Passed) {
                put(behind, {GateResult::Open, states[std::size_t(behind - 1)].evidence, state.author, state.date});
                ++opened;
            }
    return opened;
}

} // namespace hw::asbuilt
