// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/cable_ends.h"
#include "core/derived/cabling/cable_index.h"
#include "core/derived/rules/functions.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hw::rules {

namespace {

/// A port that several links claim, with all of them.
void portsUsedTwice(const RuleInput& input, std::vector<Finding>& out)
{
    const Snapshot& s = input.snapshot();
    std::vector<std::uint8_t> uses(s.ports.nextId());
    std::vector<std::pair<PortId, LinkId>> claims;
    const auto each = [&](auto&& f) {
        s.links.forEach([&](LinkId l) {
            f(s.links.from[l], l);
            f(s.links.to[l], l);
        });
    };
    bool any = false;
    each([&](PortId p, LinkId) {
        if (uses[p.value] < 2 && ++uses[p.value] == 2) any = true;
    });
    if (!any) return;
    each([&](PortId p, LinkId l) {
        if (uses[p.value] > 1) claims.emplace_back(p, l);
    });
    std::ranges::sort(claims);
    for (std::size_t i = 0; i < claims.size();) {
        const PortId port = claims[i].first;
        Finding f{.entities = {ref(port)}, .id = findingId("N1", {input.subject(ref(port))})};
        Text peers;
        for (; i < claims.size() && claims[i].first == port; ++i) {
            const LinkId link = claims[i].second;
            const PortId peer = s.links.from[link] == port ? s.links.to[link] : s.links.from[link];
            const std::string name = input.name(ref(peer));
            peers = peers.empty() ? verbatim(name) : i18n("{} and {}", peers, name);
            f.entities.push_back(ref(link));
        }
        f.message = i18np(f.entities.size() - 1, "port {1} is used by {0} link: to {2}", "port {1} is used by {0} links: to {2}",
                          input.name(ref(port)), peers);
        out.push_back(std::move(f));
    }
}

/// Ends that cannot work together: rate, medium, network.
void unequalEnds(const RuleInput& input, std::vector<Finding>& out)
{
    const Snapshot& s = input.snapshot();
    const Ports& ports = s.ports;
    s.links.forEach([&](LinkId link) {
        const PortId a = s.links.from[link], b = s.links.to[link];
        const auto report = [&](std::string_view kind, Text message) {
            out.push_back(
                {.message = std::move(message), .entities = {ref(a), ref(b), ref(link)}, .id = findingId("N1", {kind, input.subject(ref(link))})});
        };
        const auto both = [&] { return i18n("{} and {}", input.name(ref(a)), input.name(ref(b))); };
        if (ports.rate[a] != ports.rate[b])
            report("rate", i18n("{} are linked, but have different rates: {} and {} Gb/s", both(), ports.rate[a].count(), ports.rate[b].count()));
        if (ports.medium[a] != ports.medium[b]) report("medium", i18n("{} are linked, but have different media", both()));
        const Maybe<NetworkId> na = ports.network[a], nb = ports.network[b];
        if (na && nb && !(na == nb))
            report("network", i18n("{} are linked, but belong to different networks: {} and {}", both(), input.name(ref(*na)), input.name(ref(*nb))));
    });
}

/// Logical ports that together need more than their cage has.
void overfullCages(const RuleInput& input, std::vector<Finding>& out)
{
    const Snapshot& s = input.snapshot();
    std::vector<std::int32_t> gbps(s.cages.nextId());
    std::vector<std::uint64_t> lanes(s.cages.nextId());
    std::vector<std::uint8_t> clash(s.cages.nextId());
    s.ports.forEach([&](PortId p) {
        const auto cage = s.ports.cage[p].value;
        const std::uint64_t lane = std::uint64_t(1) << (s.ports.lane[p] & 63);
        gbps[cage] += s.ports.rate[p].count();
        if (lanes[cage] & lane || s.ports.lane[p] >= std::max<int>(1, s.cages.split[CageId(cage)])) clash[cage] = 1;
        lanes[cage] |= lane;
    });
    s.cages.forEach([&](CageId cage) {
        const DeviceId device = s.cages.device[cage];
        const auto& interfaces = input.parts().device(s.devices.type[device]).interfaces;
        const std::size_t number = s.cages.number[cage];
        const std::int32_t limit = number < interfaces.size() ? interfaces[number].rate.count() : 0;
        if (!clash[cage.value] && gbps[cage.value] <= limit) return;
        const std::string socket = number < interfaces.size() ? interfaces[number].name : fmt::format("if{}", number + 1);
        Finding f{.entities = {ref(device), ref(cage)}, .id = findingId("N1", {"cage", input.subject(ref(device)) + ':' + socket})};
        f.message = gbps[cage.value] > limit
                        ? i18n("ports of {}:{} require {} Gb/s of {} Gb/s", input.name(ref(device)), socket, gbps[cage.value], limit)
                        : i18n("two ports of {}:{} use the same lanes", input.name(ref(device)), socket);
        out.push_back(std::move(f));
    });
}

/// A connector takes one cable.
void sharedConnectors(const RuleInput& input, std::vector<Finding>& out)
{
    const Snapshot& s = input.snapshot();
    CableChoice choice(s.partTypes, input.parts(), {});
    CableEnds ends(s, input.parts(), choice);
    std::vector<std::uint32_t> first(s.cages.nextId(), CableIndex::kAlone); // cable of connector 0, by cage
    std::map<std::pair<CageId, std::uint8_t>, std::uint32_t> others;
    s.links.forEach([&](LinkId link) {
        const auto cable = s.links.cable[link];
        if (!cable || s.cables.medium[*cable] != Medium::Data) return;
        for (const PortId port : {s.links.from[link], s.links.to[link]}) {
            const Jack jack = ends.jackOf(port);
            auto& known =
                jack.connector == 0 ? first[jack.cage.value] : others.try_emplace({jack.cage, jack.connector}, CableIndex::kAlone).first->second;
            const auto before = std::exchange(known, (*cable).value);
            if (before == CableIndex::kAlone || before == (*cable).value) continue;
            const std::string name = input.name(ref(port));
            out.push_back(
                {.message = i18n("two cables end in the connector of {}; put its links on one breakout, or do not break out the cage", name),
                 .entities = {ref(port), ref(CableId(before)), ref(*cable)},
                 .id = findingId("N2", {"connector", input.subject(ref(port))})});
        }
    });
}

/// A cable type that was chosen by hand has other ends than its links need.
void wrongAssemblies(const RuleInput& input, std::vector<Finding>& out)
{
    const Snapshot& s = input.snapshot();
    CableChoice choice(s.partTypes, input.parts(), {});
    CableEnds ends(s, input.parts(), choice);
    s.cables.forEach([&](CableId id) {
        const auto type = s.cables.type[id];
        const auto links = input.figures.cabling->linksOf(id);
        if (!type || links.empty() || s.cables.medium[id] != Medium::Data || input.figures.cabling->isRun(id)) return;
        const CableShape shape = ends.classOf(links).shape;
        const CableSpec& part = input.parts().cable(*type);
        const int few = std::min(shape.from, shape.to), many = std::max(shape.from, shape.to);
        if (few == 0 || (part.trunks == few && part.legs == many)) return;
        const EntityRef port = ref(s.links.from[links.front()]);
        out.push_back({.message = i18n("{} from {} is a {}:{} assembly, but its links require {}:{}; choose another cable type",
                                       input.parts()[*type].slug, input.name(port), part.trunks, part.legs, few, many),
                       .entities = {ref(id), port},
                       .id = findingId("N2", {"assembly", input.subject(port)})});
    });
}

} // namespace

std::vector<Finding> portUse(const RuleInput& input)
{
    std::vector<Finding> out;
    portsUsedTwice(input, out);
    unequalEnds(input, out);
    overfullCages(input, out);
    return out;
}

std::vector<Finding> breakouts(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    std::vector<Finding> out;
    s.cages.forEach([&](CageId cage) {
        const int split = s.cages.split[cage];
        if (split <= 1) return;
        const DeviceId device = s.cages.device[cage];
        const auto& interfaces = input.parts().device(s.devices.type[device]).interfaces;
        const std::size_t number = s.cages.number[cage];
        if (number >= interfaces.size() || std::ranges::find(interfaces[number].splits, split) != interfaces[number].splits.end()) return;
        out.push_back({.message = i18n("{}:{} is broken out into {} ports, which {} does not support", input.name(ref(device)),
                                       interfaces[number].name, split, input.parts()[s.devices.type[device]].model),
                       .entities = {ref(device), ref(cage)},
                       .id = findingId("N2", {input.subject(ref(device)) + ':' + interfaces[number].name})});
    });
    sharedConnectors(input, out);
    wrongAssemblies(input, out);
    std::ranges::move(withoutCable(input, "N2", NoCableReason::Cause::Assembly), std::back_inserter(out));
    return out;
}

} // namespace hw::rules
