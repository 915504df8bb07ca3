// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/what_if.h"

#include "core/derived/topology/holding.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace hw::views {
namespace {

using sim::Json;

const sim::Field* fieldOf(const sim::ScenarioKind& kind, const char* key)
{
    const auto it = std::ranges::find(kind.fields, key, &sim::Field::key);
    return it == kind.fields.end() ? nullptr : &*it;
}

/// What fails: the device that it happens at, the port where it is one, and what faults are called there, best first.
struct Thing {
    DeviceId device;
    std::string name;
    std::optional<NetworkId> network;
    std::vector<std::string> faults;
    const char* key = "device"; ///< of the scenario, that names it
};

std::optional<NetworkId> networkOf(const Figures& f, DeviceId device)
{
    const Snapshot& s = *f.snapshot;
    if (const auto own = s.tiers.network[s.devices.tier[device]]) return *own;
    std::optional<NetworkId> found; // a server: the backend if it has one, else any
    for (const PortId port : f.get<IndexNode>().portsOfDevice[device.value]) {
        const auto network = s.ports.network[port];
        if (!network) continue;
        if (!found || s.networks.kind[*network] == NetworkKind::Backend) found = *network;
    }
    return found;
}

std::optional<Thing> deviceThing(const Figures& f, DeviceId device)
{
    const Snapshot& s = *f.snapshot;
    const TierId tier = s.devices.tier[device];
    const auto level = s.tiers.level[tier];
    switch (s.tiers.kind[tier]) {
    case TierKind::Server: return Thing{device, s.devices.name[device], networkOf(f, device), {"host", "server", "nic"}};
    case TierKind::Switch:
        return Thing{device, s.devices.name[device], networkOf(f, device),
                     level <= 1   ? std::vector<std::string>{"tor", "switch"}
                     : level == 2 ? std::vector<std::string>{"aggregation", "agg", "switch"}
                                  : std::vector<std::string>{"core", "switch"}};
    case TierKind::Power:
    case TierKind::Cooling:
    case TierKind::Other: break;
    }
    return std::nullopt;
}

std::optional<Thing> portThing(const Figures& f, PortId port)
{
    const Snapshot& s = *f.snapshot;
    if (s.ports.medium[port] != Medium::Data) return std::nullopt;
    const DeviceId device = s.ports.device[port];
    const bool host = s.tiers.kind[s.devices.tier[device]] == TierKind::Server;
    std::string name = entityName(s, *f.parts, ref(port));
    if (host) return Thing{device, std::move(name), s.ports.network[port], {"port", "access-link"}};
    return Thing{device, std::move(name), s.ports.network[port], {"link"}, "link"};
}

std::optional<Thing> thingOf(const Figures& f, EntityRef entity)
{
    const Snapshot& s = *f.snapshot;
    const auto linkThing = [&](LinkId link) {
        const bool up = s.tiers.kind[s.devices.tier[s.ports.device[s.links.from[link]]]] == TierKind::Server;
        const bool down = s.tiers.kind[s.devices.tier[s.ports.device[s.links.to[link]]]] == TierKind::Server;
        return portThing(f, down && !up ? s.links.to[link] : s.links.from[link]);
    };
    switch (entity.kind) {
    case EntityKind::Device: return s.devices.alive(entity.id) ? deviceThing(f, DeviceId(entity.id)) : std::nullopt;
    case EntityKind::Port: return s.ports.alive(entity.id) ? portThing(f, PortId(entity.id)) : std::nullopt;
    case EntityKind::Link: return s.links.alive(entity.id) ? linkThing(LinkId(entity.id)) : std::nullopt;
    case EntityKind::Cable: {
        const auto links = linksAt(s, f.get<IndexNode>(), entity);
        return links.empty() ? std::nullopt : linkThing(links.front());
    }
    case EntityKind::Cage: {
        const auto device = deviceOf(s, entity);
        if (!device) return std::nullopt;
        const auto ports = f.get<IndexNode>().portsOfDevice[(*device).value];
        const auto first = std::ranges::find_if(ports, [&](PortId port) { return s.ports.cage[port] == CageId(entity.id); });
        return first == ports.end() ? std::nullopt : portThing(f, *first);
    }
    default: return std::nullopt;
    }
}

} // namespace

Result<sim::ScenarioRequest> failureOf(const Figures& figures, EntityRef entity)
{
    const Snapshot& s = *figures.snapshot;
    const auto refuse = [](Text what) {
        return fail(ErrorCode::Refused, "what if", std::move(what), // no text
                    i18n("choose a server, a switch, or one of their ports or links"));
    };
    const auto thing = thingOf(figures, entity);
    if (!thing) return refuse(i18n("this object has no network-relevant failure mode"));
    const sim::ScenarioKind* kind = sim::findScenarioKind("failure");
    const sim::Field* fault = kind ? fieldOf(*kind, "fault") : nullptr;
    if (!fault || !fieldOf(*kind, thing->key)) return refuse(i18n("the failure scenario cannot be run for a single object"));
    Json given = {{thing->key, thing->name}};
    const auto known =
        std::ranges::find_if(thing->faults, [&](const std::string& f) { return std::ranges::find(fault->choices, f) != fault->choices.end(); });
    if (known == thing->faults.end()) return refuse(i18n("the failure scenario has no fault for {}", thing->name));
    given["fault"] = *known;
    if (thing->network && fieldOf(*kind, "network")) given["network"] = s.networks.name[*thing->network];
    if (*known == "link" || (*known == "switch" && s.tiers.level[s.devices.tier[thing->device]] > 1)) { // only a job over several segments feels it
        std::set<int> segments;
        s.devices.forEach([&](DeviceId d) {
            if (s.tiers.kind[s.devices.tier[d]] == TierKind::Server && s.devices.role[d] == DeviceRole::Active &&
                s.devices.pod[d] == std::max<int>(0, s.devices.pod[thing->device]))
                segments.insert(s.devices.segment[d]);
        });
        if (segments.size() > 1) given["segments"] = 2, given["ring"] = "alternating-segments";
    }
    if (const auto fine = sim::readParameters(given, kind->fields); !fine) return tl::unexpected(fine.error());
    sim::ScenarioRequest request;
    request.name = words(i18n("Failure of {}", thing->name)); // a name, which the project keeps
    request.where = kind->name;
    request.kind = kind;
    request.parameters = std::move(given);
    return request;
}

sim::ScenarioRequest requestAfterLoss(const std::vector<std::string>& failed, const sim::ScenarioRequest* present)
{
    sim::ScenarioRequest request;
    if (present && present->kind && fieldOf(*present->kind, "failed")) {
        request = *present;
    } else {
        request.kind = sim::findScenarioKind("ring-allreduce");
        request.where = request.kind->name;
        request.parameters = Json::object();
    }
    request.name = words(failed.size() == 1 ? i18n("After loss of {}", failed.front())
                                            : i18np(std::int64_t(failed.size()) - 1, "After loss of {1} and {0:L} more",
                                                    "After loss of {1} and {0:L} more", failed.front()));
    request.parameters["failed"] = failed;
    return request;
}

} // namespace hw::views
