// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/silent_loss.h"

#include "core/derived/figures/nodes.h"
#include "core/derived/topology/design_index.h"
#include "core/foundation/catalog/entity.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::monitoring {

using bindings::Measure, bindings::PointNo;

namespace {

constexpr float kBitsPerRdmaPacket = 4096 * 8; ///< the usual payload of RoCE (assumed)
constexpr float kSentLeast = 0.02f;            ///< of its rate, that a NIC sends or receives at least, to be looked at (assumed)
constexpr float kAboveQuiet = 2;               ///< times what the lowest quarter of the NICs has (assumed)
constexpr float kOfWorstNic = 0.6f;            ///< peers of a NIC that loses packets count half as many in a ring (assumed)
constexpr float kAllNics = 0.75f;              ///< of the NICs of a network: what all use (assumed)
constexpr float kMostNics = 0.5f;              ///< of the NICs of an access switch: it, or what is above it (assumed)
constexpr std::size_t kLeastNics = 4;          ///< of a network, to compare one with the others
constexpr std::size_t kMostSwitches = 4;       ///< of switches that are listed

} // namespace

SilentLoss::SilentLoss(const Figures& figures, const bindings::Bound& bound, const Plans& plans)
    : s(*figures.snapshot), m_index(figures.get<IndexNode>())
{
    std::map<std::uint32_t, Nic> byPort;
    for (PointNo p = 0; p < plans.points.size(); ++p) {
        const bindings::Point& point = bound.points[p];
        if (plans.points[p].criterion != Criterion::Retransmits || point.entity.kind != EntityKind::Port) continue;
        byPort[point.entity.id].counters.push_back(p);
    }
    for (auto& [id, nic] : byPort) {
        const PortId port(id);
        const auto network = s.ports.network[port];
        const auto link = m_index.linkOf(port);
        if (!network || !link || s.tiers.kind[s.devices.tier[s.ports.device[port]]] != TierKind::Server) continue;
        nic.sent = pointOf(bound, {ref(port), Measure::Transmit, {}}), nic.received = pointOf(bound, {ref(port), Measure::Receive, {}});
        nic.link = (*link).value, nic.rate = float(double(s.ports.rate[port].count()) * 1e9);
        nic.access = s.ports.device[s.links.from[*link] == port ? s.links.to[*link] : s.links.from[*link]];
        m_networks[(*network).value].push_back(std::move(nic));
    }
    std::erase_if(m_networks, [](const auto& entry) { return entry.second.size() < kLeastNics; });
}

float SilentLoss::shareOf(const Nic& nic, const Readings& readings, std::int64_t atMs) const
{
    float again = 0, bits = 0;
    for (const PointNo p : nic.counters) {
        const float one = readingOf(readings, p, atMs);
        if (!std::isnan(one)) again += one;
    }
    for (const PointNo p : {nic.sent, nic.received}) {
        const float one = readingOf(readings, p, atMs);
        if (!std::isnan(one)) bits += one;
    }
    return bits > kSentLeast * nic.rate ? again / (bits / kBitsPerRdmaPacket) : -1;
}

/// One NIC alone: its link. Most NICs of an access switch: it, or one of its links upwards. Most of several: what these have in common.
void SilentLoss::place(const std::vector<const Nic*>& bad, std::span<const Nic> nics, Loss loss, std::uint32_t network, std::vector<Loss>& out) const
{
    struct Access {
        std::uint32_t bad = 0, all = 0;
    };
    std::map<DeviceId, Access> byAccess;
    for (const Nic& nic : nics)
        if (nic.share >= 0) ++byAccess[nic.access].all;
    for (const Nic* nic : bad) ++byAccess[nic->access].bad;
    std::set<DeviceId> whole;
    for (const auto& [access, its] : byAccess)
        if (its.bad >= 2 && float(its.bad) >= kMostNics * float(its.all)) whole.insert(access);
    for (const Nic* nic : bad) {
        if (whole.contains(nic->access)) continue;
        Loss one = loss;
        one.at = ref(LinkId(nic->link)), one.point = nic->counters.front(), one.share = nic->share, one.nics = one.ofNics = 1;
        out.push_back(std::move(one));
    }
    if (whole.empty()) return;
    std::optional<std::set<DeviceId>> above;
    for (const DeviceId access : whole) {
        std::set<DeviceId> its;
        for (const PortId port : m_index.portsOfDevice[access.value])
            if (const auto link = m_index.linkOf(port); link && s.links.from[*link] == port) its.insert(s.ports.device[s.links.to[*link]]);
        if (above) std::erase_if(its, [&](DeviceId d) { return !above->contains(d); });
        above = std::move(its);
    }
    loss.above.assign(above->begin(), above->end());
    for (const DeviceId access : whole) loss.nics += byAccess[access].bad, loss.ofNics += byAccess[access].all;
    loss.at = whole.size() == 1 ? ref(*whole.begin()) : loss.above.size() == 1 ? ref(loss.above.front()) : ref(NetworkId(network));
    out.push_back(std::move(loss));
}

std::vector<SilentLoss::Loss> SilentLoss::look(const Readings& readings, std::int64_t atMs, double leastShare, const std::set<std::uint32_t>& counted)
{
    std::vector<Loss> out;
    for (auto& [network, nics] : m_networks) {
        if (counted.contains(network)) continue;
        std::vector<float> shares;
        const Nic* worst = nullptr;
        for (Nic& nic : nics) {
            nic.share = shareOf(nic, readings, atMs);
            if (nic.share < 0) continue;
            shares.push_back(nic.share);
            if (!worst || nic.share > worst->share) worst = &nic;
        }
        if (shares.size() < kLeastNics || double(worst->share) <= leastShare) continue;
        const auto quarter = shares.begin() + std::ptrdiff_t(shares.size() / 4);
        std::ranges::nth_element(shares, quarter);
        Loss loss;
        loss.share = worst->share, loss.others = *quarter, loss.point = worst->counters.front();
        const auto isBad = [&](const Nic& nic, float least) { return nic.share >= kOfWorstNic * worst->share && nic.share > least; };
        std::vector<const Nic*> bad;
        const auto all = std::size_t(std::ranges::count_if(nics, [&](const Nic& nic) { return isBad(nic, float(leastShare)); }));
        if (float(all) >= kAllNics * float(shares.size())) {
            loss.at = ref(NetworkId(network)), loss.nics = std::uint32_t(all), loss.ofNics = std::uint32_t(shares.size()), loss.others = 0;
            out.push_back(std::move(loss));
            continue;
        }
        for (const Nic& nic : nics)
            if (isBad(nic, std::max(float(leastShare), kAboveQuiet * *quarter))) bad.push_back(&nic);
        place(bad, nics, std::move(loss), network, out);
    }
    return out;
}

namespace {

class SilentLossDetector final : public SystemDetector {
public:
    explicit SilentLossDetector(const DetectorScene& scene) : m_scene(scene), m_losses(scene.figures, scene.bound, scene.plans)
    {
        const Snapshot& s = *scene.figures.snapshot;
        for (PointNo p = 0; p < scene.plans.points.size(); ++p) {
            const auto& plan = scene.plans.points[p];
            if (plan.criterion != Criterion::Errors && plan.criterion != Criterion::Drops) continue;
            if (const auto network = s.ports.network[s.links.from[LinkId(plan.target)]]) m_counters.emplace_back(p, (*network).value);
        }
    }

    std::optional<Deviations> deviations(const Seen& seen, const Deviations& standing) override
    {
        if (m_losses.isEmpty()) return std::nullopt;
        const auto ofNics = [&](PointNo p) { return m_scene.plans.points[p].criterion == Criterion::Retransmits; };
        if (std::ranges::none_of(seen.dirty, ofNics)) return std::nullopt;
        std::map<EntityRef, SilentLoss::Loss> now;
        auto counted = countedIn(seen);
        auto losses = m_losses.look(seen.readings, seen.atMs, seen.limits.retransmits, counted);
        if (!losses.empty() && addCounting(seen, counted)) losses = m_losses.look(seen.readings, seen.atMs, seen.limits.retransmits, counted);
        for (SilentLoss::Loss& loss : losses) now.emplace(loss.at, std::move(loss));
        Deviations found;
        for (const auto& [at, loss] : now) {
            Held& held = m_held[at];
            if (held.bad == 0) held.sinceMs = seen.atMs;
            const std::int64_t arrived = seen.readings.times[loss.point];
            if (arrived != held.arrived) held.bad = std::min(held.bad + 1, kInARow), held.arrived = arrived; // of a new reading
            held.good = 0, held.point = loss.point;
        }
        for (auto held = m_held.begin(); held != m_held.end();) {
            Held& its = held->second;
            const auto loss = now.find(held->first);
            if (loss == now.end()) {
                const std::int64_t arrived = seen.readings.times[its.point];
                if (arrived != its.arrived) ++its.good, its.arrived = arrived;
            }
            if (its.good >= kInARow || (loss == now.end() && its.bad < kInARow)) {
                held = m_held.erase(held);
                continue;
            }
            const Place place{DeviationKind::PacketLoss, held->first};
            if (const auto before = standing.find(place); before != standing.end())
                found.insert(*before);
            else if (loss != now.end() && its.bad >= kInARow && countersRead(held->first, its.sinceMs, seen))
                found.emplace(place, deviationOf(loss->second, its.sinceMs, seen));
            ++held;
        }
        return found;
    }

private:
    static constexpr int kInARow = 2;                    ///< readings
    static constexpr std::int64_t kMostWaitMs = 100'000; ///< for counters to be read; then those that never are do not count
    struct Held {
        int bad = 0, good = 0; ///< readings in a row
        std::int64_t sinceMs = 0, arrived = -1;
        PointNo point = bindings::kNoPoint;
    };
    /// Networks in which something counts the packets that it loses: these are asked for again as well.
    [[nodiscard]] std::set<std::uint32_t> countedIn(const Seen& seen) const
    {
        const Snapshot& s = *m_scene.figures.snapshot;
        std::set<std::uint32_t> networks;
        for (const auto& [p, c] : seen.judge.conditions()) {
            if (c.kind != DeviationKind::PacketLoss) continue;
            if (const auto network = s.ports.network[s.links.from[LinkId(m_scene.plans.points[p].target)]]) networks.insert((*network).value);
        }
        return networks;
    }
    /// Also those whose counters rise now, though not for long enough to be reported; whether there are any.
    [[nodiscard]] bool addCounting(const Seen& seen, std::set<std::uint32_t>& networks) const
    {
        const std::size_t before = networks.size();
        for (const auto& [p, network] : m_counters) {
            const float one = readingOf(seen.readings, p, seen.atMs);
            const bool errors = m_scene.plans.points[p].criterion == Criterion::Errors;
            if (!std::isnan(one) && one > (errors ? seen.limits.errors : seen.limits.drops)) networks.insert(network);
        }
        return networks.size() > before;
    }
    /// Whether the counters there were read since: before, it is not known that they count nothing.
    [[nodiscard]] bool countersRead(EntityRef at, std::int64_t sinceMs, const Seen& seen) const
    {
        const Snapshot& s = *m_scene.figures.snapshot;
        return std::ranges::all_of(m_counters, [&](const auto& counter) {
            const LinkId link(m_scene.plans.points[counter.first].target);
            const bool there = at.kind == EntityKind::Link ? ref(link) == at
                               : at.kind == EntityKind::Network
                                   ? ref(NetworkId(counter.second)) == at
                                   : ref(s.ports.device[s.links.from[link]]) == at || ref(s.ports.device[s.links.to[link]]) == at;
            const std::int64_t read = seen.readings.times[counter.first];
            return !there || read >= sinceMs || seen.atMs - std::max(read, sinceMs) > kMostWaitMs;
        });
    }
    [[nodiscard]] std::string names(const std::vector<DeviceId>& devices) const
    {
        std::string out;
        for (std::size_t i = 0; i < std::min(devices.size(), kMostSwitches); ++i)
            out += (i ? ", " : "") + m_scene.figures.snapshot->devices.name[devices[i]];
        return devices.size() > kMostSwitches ? out + " …" : out;
    }
    [[nodiscard]] Deviation deviationOf(const SilentLoss::Loss& loss, std::int64_t sinceMs, const Seen& seen) const
    {
        Deviation d;
        d.kind = DeviationKind::PacketLoss, d.entity = loss.at, d.measure = Measure::Retransmits;
        d.measured = loss.share, d.expected = loss.others, d.sinceMs = sinceMs;
        d.share = double(loss.share) / std::max(seen.limits.retransmits, 1e-9) - 1;
        const double percent = 100 * double(loss.share);
        const std::string above = names(loss.above);
        if (loss.at.kind == EntityKind::Link)
            d.what =
                i18n("{:.2g} % of the packets of its NIC are retransmitted (other NICs: {:.1g} %), no port counts errors or drops: silent packet "
                     "loss on this link or at one of its ports",
                     percent, 100 * double(loss.others));
        else if (loss.at.kind == EntityKind::Network)
            d.what =
                i18n("{0} of {1} NICs retransmit up to {2:.2g} % of their packets, no port counts errors or drops: silent packet loss in a switch "
                     "that all of them use ({3})",
                     loss.nics, loss.ofNics, percent, above.empty() ? std::string("-") : above);
        else
            d.what =
                i18n("{0} of {1} NICs below it retransmit up to {2:.2g} % of their packets, no port counts errors or drops: silent packet loss in "
                     "this switch or on one of its uplinks (to {3})",
                     loss.nics, loss.ofNics, percent, above.empty() ? std::string("-") : above);
        d.risk = seen.reported.risk(loss.at);
        return d;
    }
    DetectorScene m_scene;
    SilentLoss m_losses;
    std::vector<std::pair<PointNo, std::uint32_t>> m_counters; ///< of errors and drops, with the network of their link
    std::map<EntityRef, Held> m_held;
};

} // namespace

std::unique_ptr<SystemDetector> makeSilentLoss(const DetectorScene& scene) { return std::make_unique<SilentLossDetector>(scene); }

} // namespace hw::monitoring
