// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/interconnects/interconnects.h"

#include "core/derived/cabling/cabling.h"
#include "core/derived/topology/holding.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace hw {

namespace {

using enum InterconnectLevel;

constexpr bool kAssumed = true, kStated = false;
constexpr InterconnectKind kKinds[] = {
    {Chip, "HBM3, five stacks", 3350, 0.02, "H100 SXM data sheet", "interposer, assumed", kStated, kAssumed},                         // no text
    {Package, "NV-HBI between two dies", 5000, 0.03, "Blackwell: 10 TB/s both ways", "one package, assumed", kStated, kAssumed},      // no text
    {Package, "NVLink-C2C", 450, 0.1, "Grace Hopper: 900 GB/s both ways", "one board, assumed", kStated, kAssumed},                   // no text
    {Host, "NVLink 5", 900, 0.8, "1.8 TB/s both ways, as in the catalog", "depth of a host, assumed", kStated, kAssumed},             // no text
    {Host, "NVLink 4", 450, 0.8, "900 GB/s both ways, as in the catalog", "depth of a host, assumed", kStated, kAssumed},             // no text
    {Host, "PCIe 6.0 x16", 121, 0.4, "PCI-SIG, 64 GT/s in 242 of 256 bytes", "board and riser, assumed", kStated, kAssumed},          // no text
    {Host, "PCIe 5.0 x16", 63, 0.4, "PCI-SIG, 32 GT/s in 128b/130b", "board and riser, assumed", kStated, kAssumed},                  // no text
    {Rack, "NVLink 5 copper spine", 900, 2, "GB200 NVL72: 1.8 TB/s both ways", "height of a rack, assumed", kStated, kAssumed},       // no text
    {Rack, "UALink 200G x4", 100, 4, "UALink 200G 1.0: four lanes a station", "UALink 200G 1.0: cables up to 4 m", kStated, kStated}, // no text
    {Rack, "800G copper (DAC)", 100, 2, "IEEE 802.3df, 800GBASE-CR8", "IEEE 802.3ck: 2 m", kStated, kStated},                         // no text
    {Rack, "400G copper (DAC)", 50, 2, "IEEE 802.3ck, 400GBASE-CR4", "IEEE 802.3ck: 2 m", kStated, kStated},                          // no text
    {Row, "800G active copper (AEC)", 100, 5, "two 400G retimers", "vendors' cables, assumed", kAssumed, kAssumed},                   // no text
    {Hall, "800G multimode (SR8)", 100, 100, "IEEE 802.3df, 800GBASE-SR8", "IEEE 802.3df: 100 m of OM4", kStated, kStated},           // no text
    {Hall, "400G multimode (SR4)", 50, 100, "IEEE 802.3db, 400GBASE-SR4", "IEEE 802.3db: 100 m of OM4", kStated, kStated},            // no text
    {Building, "800G single-mode (DR8)", 100, 500, "IEEE 802.3df, 800GBASE-DR8", "IEEE 802.3df: 500 m", kStated, kStated},            // no text
    {Building, "400G single-mode (DR4)", 50, 500, "IEEE 802.3bs, 400GBASE-DR4", "IEEE 802.3bs: 500 m", kStated, kStated},             // no text
    {Campus, "400G single-mode (FR4)", 50, 2000, "IEEE 802.3cu, 400GBASE-FR4", "IEEE 802.3cu: 2 km", kStated, kStated},               // no text
    {Campus, "400G single-mode (LR4)", 50, 10'000, "100G Lambda MSA, 400G-LR4-10", "100G Lambda MSA: 10 km", kStated, kStated},       // no text
    {Region, "400ZR", 50, 120'000, "OIF-400ZR-01.0", "OIF-400ZR-01.0: 120 km with amplifiers", kStated, kStated},                     // no text
};

/// How far a cable goes with its modules, and on what; 0: not stated.
std::int64_t reachOf(const ProjectParts& parts, const Cabling::Cable& cable, std::string& medium)
{
    if (!cable.type) return 0;
    const CableSpec& spec = parts.cable(*cable.type);
    medium = spec.medium;
    if (!cable.moduleFrom || !cable.moduleTo) return spec.reach.value.count();
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const PartTypeId module : {*cable.moduleFrom, *cable.moduleTo}) {
        const auto& reach = parts.transceiver(module).reach;
        const auto at = reach.find(spec.medium);
        least = std::min<std::int64_t>(least, at == reach.end() ? 0 : at->second.value.count());
    }
    return least;
}

/// Where a device is: rack, row, hall, building and site.
using HallPlace = std::array<EntityRef, 5>;
constexpr EntityKind kSpaces[] = {EntityKind::Rack, EntityKind::Row, EntityKind::Hall, EntityKind::Building, EntityKind::Site};

class Mapping {
public:
    explicit Mapping(const Figures& f) : m_s(*f.snapshot), m_parts(*f.parts), m_cabling(*f.cabling) {}

    InterconnectMap make()
    {
        countDomains();
        m_s.links.forEach([&](LinkId link) { take(link); });
        for (auto& [key, at] : m_stretches) finish(at);
        std::ranges::stable_sort(m_map.links, std::greater(), &DesignInterconnect::gbytesPerSPerGpu);
        return std::move(m_map);
    }

private:
    struct Stretch {
        DesignInterconnect out;
        std::int64_t shortestMm = std::numeric_limits<std::int64_t>::max(), longestMm = 0, reachMm = std::numeric_limits<std::int64_t>::max();
        std::set<std::string> media;
    };

    void countDomains()
    {
        std::map<PartTypeId, std::int64_t> accelerators; // of types with a scale-up domain
        m_s.devices.forEach([&](DeviceId id) {
            if (m_s.tiers.kind[m_s.devices.tier[id]] != TierKind::Server) return;
            const DeviceSpec& spec = m_parts.device(m_s.devices.type[id]);
            m_map.accelerators += spec.accelerators;
            if (spec.accelerators > 0 && spec.scaleUpDomain > 1) accelerators[m_s.devices.type[id]] += spec.accelerators;
            if (const auto rack = m_s.devices.rack[id]) m_rackOf.emplace(m_s.devices.type[id], *rack);
        });
        for (const auto& [type, count] : accelerators) {
            const DeviceSpec& spec = m_parts.device(type);
            DesignInterconnect one;
            one.network = words(i18n("Scale-up domain of {}", spec.scaleUpDomain)), one.from = one.to = m_parts[type].model;
            one.links = count, one.gbytesPerS = double(spec.scaleUpRate.value.count()) / 8;
            one.gbytesPerSPerGpu = one.gbytesPerS * double(count) / double(m_map.accelerators);
            std::int64_t mm = spec.depth.value.count();
            if (spec.scaleUpDomain > spec.accelerators) {
                one.level = Rack;
                const auto rack = m_rackOf.find(type);
                mm = rack == m_rackOf.end() ? 0 : m_parts.rack(m_s.racks.type[rack->second]).height.value.count();
            }
            one.shortestM = one.longestM = double(mm) / 1000;
            m_map.links.push_back(std::move(one));
        }
    }

    const HallPlace& placeOf(DeviceId id)
    {
        const auto [at, fresh] = m_places.try_emplace(id);
        if (fresh)
            for (std::size_t i = 0; i < at->second.size(); ++i) at->second[i] = heldBy(m_s, ref(id), kSpaces[i]);
        return at->second;
    }
    InterconnectLevel levelOf(DeviceId a, DeviceId b)
    {
        const HallPlace &x = placeOf(a), &y = placeOf(b);
        for (std::size_t i = 0; i < x.size(); ++i)
            if (x[i].kind != EntityKind::None && x[i] == y[i]) return InterconnectLevel(int(Rack) + int(i));
        return Campus; // not placed: no smaller space is known
    }

    void take(LinkId link)
    {
        const PortId from = m_s.links.from[link], to = m_s.links.to[link];
        const auto network = m_s.ports.network[from];
        if (!network || m_s.ports.medium[from] != Medium::Data) return;
        const DeviceId low = m_s.ports.device[from], high = m_s.ports.device[to];
        const std::int64_t gbps = m_s.ports.rate[from].count();
        Stretch& at = m_stretches[{*network, m_s.devices.tier[low], m_s.devices.tier[high], gbps}];
        if (at.out.links++ == 0) {
            at.out.network = m_s.networks.name[*network], at.out.id = *network, at.out.level = Rack;
            at.out.from = m_s.tiers.name[m_s.devices.tier[low]], at.out.to = m_s.tiers.name[m_s.devices.tier[high]];
            at.out.gbytesPerS = double(gbps) / 8;
        }
        at.out.level = std::max(at.out.level, levelOf(low, high));
        const auto cable = m_s.links.cable[link];
        if (!cable) return;
        if (const std::int64_t mm = m_cabling.channelMm(m_s, link); mm > 0)
            at.shortestMm = std::min(at.shortestMm, mm), at.longestMm = std::max(at.longestMm, mm);
        std::string medium;
        if (const std::int64_t mm = reachOf(m_parts, m_cabling[*cable], medium); mm > 0) at.reachMm = std::min(at.reachMm, mm);
        if (!medium.empty()) at.media.insert(medium);
    }

    void finish(Stretch& at)
    {
        constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
        if (at.longestMm > 0) at.out.shortestM = double(at.shortestMm) / 1000, at.out.longestM = double(at.longestMm) / 1000;
        if (at.reachMm < none) at.out.reachM = double(at.reachMm) / 1000;
        at.out.media.assign(at.media.begin(), at.media.end());
        if (m_map.accelerators > 0) at.out.gbytesPerSPerGpu = double(at.out.links) * at.out.gbytesPerS / double(m_map.accelerators);
        m_map.links.push_back(std::move(at.out));
    }

    const Snapshot& m_s;
    const ProjectParts& m_parts;
    const Cabling& m_cabling;
    std::map<DeviceId, HallPlace> m_places;
    std::map<PartTypeId, RackId> m_rackOf; ///< the first rack with a server of this type
    std::map<std::tuple<NetworkId, TierId, TierId, std::int64_t>, Stretch> m_stretches;
    InterconnectMap m_map;
};

} // namespace

std::span<const InterconnectKind> interconnectKinds() { return kKinds; }

Text titleOf(InterconnectLevel level)
{
    switch (level) {
    case Chip: return i18n("Chip");
    case Package: return i18n("Package");
    case Host: return i18n("Host");
    case Rack: return i18n("Rack");
    case Row: return i18n("Row");
    case Hall: return i18n("Hall");
    case Building: return i18n("Building");
    case Campus: return i18n("Campus");
    case Region: return i18n("Region");
    }
    return {};
}

InterconnectMap interconnectsOf(const Figures& figures) { return Mapping(figures).make(); }

} // namespace hw
