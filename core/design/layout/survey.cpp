// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/plan.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace hw::layout {

namespace {

/// Reads a design's devices and links.
class Surveyor {
public:
    Surveyor(const Snapshot& design, Parts& parts, const Options& options) : m_s(design), m_parts(parts), m_options(options) {}

    Survey run()
    {
        readTiers();
        readDevices();
        m_out.demand = demandsOf(m_s, m_parts);
        listBelow();
        return std::move(m_out);
    }

private:
    void readTiers()
    {
        m_out.tiers.resize(m_s.tiers.nextId());
        m_s.tiers.forEach([&](TierId id) {
            const auto network = m_s.tiers.network[id];
            m_out.tiers[id.value] = {m_s.tiers.key[id], m_s.tiers.kind[id], m_s.tiers.level[id],
                                     network ? std::optional((*network).value) : std::nullopt};
        });
    }

    void readDevices()
    {
        const auto& d = m_s.devices;
        const std::size_t n = d.nextId();
        m_out.isLoose.assign(n, 0), m_out.isSupport.assign(n, 0), m_out.tier.assign(n, 0), m_out.type.resize(n), m_out.firstCoordinate.assign(n, 0);
        m_out.pod.assign(n, -1), m_out.segment.assign(n, -1), m_out.plane.assign(n, -1);
        d.forEach([&](DeviceId id) {
            const std::uint32_t i = id.value;
            m_out.tier[i] = d.tier[id].value, m_out.type[i] = d.type[id];
            m_out.pod[i] = d.pod[id], m_out.segment[i] = d.segment[id], m_out.plane[i] = d.plane[id];
            m_out.isSupport[i] = d.role[id] == DeviceRole::Support;
            readCoordinates(i, d.key[id]);
            if (d.rack[id] || d.row[id] || d.hall[id]) return;
            if (m_parts.device(d.type[id]).halfUnits == 0)
                throw refusal(m_options.where, i18n("{} is floor-standing, but the template has no halls", d.name[id]),
                              i18n("use the 'layout' keys for it (fan_wall, cdu, busway, transformer), or declare buildings and halls"));
            m_out.isLoose[i] = 1;
            m_out.loose.push_back(id);
        });
    }

    /// "device.tor/pod=0/segment=3": all devices of a tier have the same names, in one order.
    void readCoordinates(std::uint32_t device, std::string_view key)
    {
        m_out.firstCoordinate[device] = std::uint32_t(m_out.coordinate.size());
        auto& names = m_out.tiers[m_out.tier[device]].coordinates;
        const bool first = names.empty();
        std::size_t found = 0;
        for (auto at = key.find('/'); at != std::string_view::npos; ++found) {
            const auto end = std::min(key.find('/', at + 1), key.size());
            const auto piece = key.substr(at + 1, end - at - 1);
            const auto equals = std::min(piece.find('='), piece.size());
            if (first) names.emplace_back(piece.substr(0, equals));
            std::int32_t value = 0;
            (void)std::from_chars(piece.data() + std::min(equals + 1, piece.size()), piece.data() + piece.size(), value);
            m_out.coordinate.push_back(value);
            at = end == key.size() ? std::string_view::npos : end;
        }
        m_out.coordinate.resize(m_out.firstCoordinate[device] + names.size(), 0);
    }

    void listBelow()
    {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        pairs.reserve(m_s.links.size());
        m_s.links.forEach([&](LinkId link) {
            if (m_s.ports.medium[m_s.links.from[link]] != Medium::Data) return;
            const std::uint32_t low = m_s.ports.device[m_s.links.from[link]].value, high = m_s.ports.device[m_s.links.to[link]].value;
            if (m_out.tier[low] != m_out.tier[high] && (pairs.empty() || pairs.back() != std::pair(high, low)))
                pairs.emplace_back(high, low); // not peers
        });
        m_out.listBelow(std::move(pairs));
    }

    const Snapshot& m_s;
    Parts& m_parts;
    const Options& m_options;
    Survey m_out;
};

/// Decides by the wiring where the devices of each tier stand.
class TierPlacer {
public:
    TierPlacer(Survey& survey, const Parts& parts, const Options& options) : m_out(survey), m_parts(parts), m_options(options) {}

    void run()
    {
        m_out.place.assign(m_out.tiers.size(), Place::NetworkRows);
        std::vector<Maybe<DeviceId>> example(m_out.tiers.size());
        for (auto id = m_out.loose.rbegin(); id != m_out.loose.rend(); ++id) example[m_out.tier[id->value]] = *id;
        const auto statedOf = [&](std::size_t tier) { return m_options.place.find(m_out.tiers[tier].key); };
        for (std::size_t t = 0; t < example.size(); ++t)
            m_racksStated = m_racksStated || (example[t] && statedOf(t) != m_options.place.end() && statedOf(t)->second == Place::InRack);
        for (std::uint32_t t = 0; t < example.size(); ++t) {
            if (statedOf(t) != m_options.place.end())
                m_out.place[t] = statedOf(t)->second;
            else if (example[t])
                m_out.place[t] = usualPlace(*example[t]);
        }
    }

private:
    /// Servers make the rows (storage nodes and gateways have the role support); a first-level switch stands with
    /// its servers, in their rack where they all fit; what is above it belongs to the core.
    Place usualPlace(DeviceId device)
    {
        if (m_out.kind(device.value) == TierKind::Server && !m_out.isSupport[device.value]) return Place::Servers;
        if (m_out.kind(device.value) != TierKind::Switch) return Place::NetworkRows;
        const auto below = m_out.belowOf(device.value);
        if (below.empty()) return Place::NetworkRows;
        if (m_out.kind(below.front()) != TierKind::Server) return m_out.kind(below.front()) == TierKind::Switch ? Place::Core : Place::NetworkRows;
        return !m_racksStated && fitRacks(m_out.tier[device.value]) ? Place::InRack : Place::WithServers;
    }

    /// Whether all servers that switches of this tier join, directly or through each other or through tiers that
    /// have been found to fit before, fit a rack with them.
    bool fitRacks(std::uint32_t tier)
    {
        RackSets tried = m_inRack ? *m_inRack : RackSets{DisjointSets(m_out.devices()), std::vector<char>(m_out.devices(), 0)};
        for (const DeviceId id : m_out.loose) {
            if (m_out.tier[id.value] != tier) continue;
            tried.member[id.value] = 1;
            for (const std::uint32_t below : m_out.belowOf(id.value)) {
                if (m_out.kind(below) != TierKind::Server) continue;
                tried.member[below] = 1;
                tried.sets.join(below, id.value);
            }
        }
        std::vector<Demand> sum(m_out.devices());
        for (std::uint32_t d = 0; d < sum.size(); ++d)
            if (tried.member[d]) sum[tried.sets.find(d)] += m_out.demand[d];
        const bool fits = std::ranges::all_of(sum, [&](const Demand& d) {
            const auto& rack = m_parts.rack(d.liquidMw > 0 ? m_options.liquidRack : m_options.rack);
            const auto limit = rack.powerLimit.value.count();
            return d.units <= rack.heightU && (limit <= 0 || powerOf(d) <= limit);
        });
        if (fits) m_inRack = std::move(tried);
        return fits;
    }

    struct RackSets {
        DisjointSets sets;
        std::vector<char> member;
    };
    Survey& m_out;
    const Parts& m_parts;
    const Options& m_options;
    std::optional<RackSets> m_inRack; ///< what stands in racks with its servers
    bool m_racksStated = false;       ///< the template says what belongs into the servers' racks
};

} // namespace

std::vector<Demand> demandsOf(const Snapshot& s, const Parts& parts)
{
    std::vector<Demand> demands(s.devices.nextId());
    std::vector<std::optional<Demand>> byType(s.partTypes.nextId());
    s.devices.forEach([&](DeviceId id) {
        auto& demand = byType[s.devices.type[id].value];
        if (!demand) demand = demandOf(parts.device(s.devices.type[id]));
        demands[id.value] = *demand;
    });
    // Modules by the cages in use.
    std::vector<char> plugged(s.cages.nextId(), 0);
    s.links.forEach([&](LinkId link) {
        for (const PortId port : {s.links.from[link], s.links.to[link]}) {
            const CageId cage = s.ports.cage[port];
            if (s.ports.medium[port] != Medium::Data || std::exchange(plugged[cage.value], 1)) continue;
            const DeviceId device = s.ports.device[port];
            Demand& demand = demands[device.value];
            ++demand.cables;
            if (parts.device(s.devices.type[device]).opticsIncluded) continue;
            const auto optics = parts.opticsOf(s.devices.type[device], s.cages.number[cage]);
            demand.designMw += optics.typicalMw;
            demand.typicalMw += optics.typicalMw;
            demand.nameplateMw += optics.maximumMw;
        }
    });
    return demands;
}

Demand demandOf(const DeviceSpec& device)
{
    return {(device.halfUnits + 1) / 2,     device.design.value.count(),
            device.nameplate.value.count(), device.design.value.count() * device.liquidPermille.value / 1000,
            device.weight.value.count(),    0,
            device.typical.value.count()};
}

std::string Survey::key(std::uint32_t device) const
{
    std::string result = tierOf(device).key;
    const auto values = coordinatesOf(device);
    for (std::size_t i = 0; i < values.size(); ++i) result += fmt::format("/{}={}", tierOf(device).coordinates[i], values[i]);
    return result;
}

void Survey::listBelow(std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs)
{
    firstBelow.assign(devices() + 1, 0);
    for (const auto& [high, low] : pairs) ++firstBelow[high + 1];
    for (std::size_t i = 1; i < firstBelow.size(); ++i) firstBelow[i] += firstBelow[i - 1];
    below.resize(firstBelow.back());
    std::vector<std::uint32_t> next(firstBelow.begin(), firstBelow.end() - 1);
    for (const auto& [high, low] : pairs) below[next[high]++] = low;
    for (std::size_t i = 0; i + 1 < firstBelow.size(); ++i) std::sort(below.begin() + firstBelow[i], below.begin() + firstBelow[i + 1]);
}

void placeTiers(Survey& survey, const Parts& parts, const Options& options) { TierPlacer(survey, parts, options).run(); }

Survey survey(const Snapshot& design, Parts& parts, const Options& options)
{
    Survey found = Surveyor(design, parts, options).run();
    found.name = [&design](DeviceId id) { return design.devices.name[id]; };
    placeTiers(found, parts, options);
    return found;
}

} // namespace hw::layout
