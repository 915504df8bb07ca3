// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/impact/slow_clock.h"

#include "core/derived/figures/feeder_size.h"
#include "core/derived/figures/power_feeds.h"
#include "core/foundation/model/setting_values.h"
#include "core/physics/power/battery.h"

#include <algorithm>
#include <cmath>

namespace hw::test {

namespace {

using impact::CascadeEvent;
using power::Index;

class Player {
public:
    Player(const impact::Model& model, const impact::Failed& failed) : m(model), f(failed), n(Index(m.chain->network.size()))
    {
        const auto ms = [&](const char* key, double s) { return std::llround(1000 * numberSetting(*m.s, key, s)); };
        m_start = ms("impact.generator_start_s", 10), m_over = ms("impact.change_over_s", 0.5), m_trip = ms("impact.trip_s", 60);
        m_trips = m.s->setting("impact.trips", "on") == "on";
        for (Index i = 0; i < n; ++i) m_used.push_back(usedWay(i, m.chain->flow.live));
        for (const DeviceId id : f.devices) m_failed.insert(id.value);
        m.s->devices.forEach([&](DeviceId id) {
            if (isUps(id.value)) m_energy[id.value] = energyOf(spec(id.value));
        });
    }

    SlowCourse run()
    {
        for (int step = 0; step < 100'000; ++step) {
            settle();
            std::int64_t next = -1;
            const auto at = [&](std::int64_t ms) { next = next < 0 ? std::max(ms, m_now) : std::min(next, std::max(ms, m_now)); };
            for (const auto& [i, since] : m_wanted) at(since + m_start);
            for (const auto& [i, over] : m_moving) at(over.first);
            for (const auto& [i, used] : m_hot) at(m_now + std::int64_t(std::ceil(double(m_opens[i]) * std::max(0.0, 1 - used) - 1e-6)));
            for (const auto& [i, since] : m_weak) at(since + m_trip);
            for (const auto& [i, drain] : m_drain) at(m_now + std::int64_t(std::ceil(double(m_energy[i]) / double(drain))));
            if (next < 0) break;
            for (const auto& [i, drain] : m_drain) m_energy[i] -= std::min(m_energy[i], drain * (next - m_now));
            for (auto& [i, used] : m_hot) used = m_opens[i] > 0 ? used + double(next - m_now) / double(m_opens[i]) : 1;
            m_now = next;
            happen();
        }
        for (const auto& [i, since] : m_dark)
            if (!m_failed.contains(i) && !m_out.tripped.contains(DeviceId(i))) m_out.darkSince[DeviceId(i)] = since;
        return std::move(m_out);
    }

private:
    [[nodiscard]] const DeviceSpec& spec(Index i) const { return m.parts->device(m.s->devices.type[DeviceId(i)]); }
    [[nodiscard]] bool isPower(Index i) const
    {
        return m.s->devices.contains(DeviceId(i)) && m.s->tiers.kind[m.s->devices.tier[DeviceId(i)]] == TierKind::Power;
    }
    [[nodiscard]] PowerElement element(Index i) const { return isPower(i) ? spec(i).power.element : PowerElement::Shelf; }
    [[nodiscard]] bool isGenerator(Index i) const { return isPower(i) && element(i) == PowerElement::Generator; }
    [[nodiscard]] bool isUps(Index i) const
    {
        return isPower(i) && element(i) == PowerElement::Ups && spec(i).power.battery.value.count() > 0 && m.chain->flow.live[i] &&
               m.chain->network[i].intake == power::Intake::Transfer;
    }
    [[nodiscard]] bool isSlow(Index i) const
    {
        using enum PowerElement;
        const auto kind = element(i);
        return isPower(i) && (kind == None || kind == Transformer || kind == Switchgear || kind == Switchboard || kind == Busway) &&
               m.chain->network[i].intake == power::Intake::Transfer && m.chain->network.feeds(i).size() > 1;
    }
    static std::int64_t energyOf(const DeviceSpec& spec)
    {
        const double health = spec.power.endOfLifePermille.value > 0 ? spec.power.endOfLifePermille.value / 1000.0 : 0.8;
        const double own = spec.power.efficiency.value.empty() ? 0.975 : 1;
        return std::llround(double(power::usableEnergy(spec.power.battery.value, {health, 0.95})) * own);
    }
    /// What protection is set to; 0: there is none.
    [[nodiscard]] std::int64_t rated(Index i) const
    {
        using enum PowerElement;
        if (!isPower(i)) return 0;
        const double capacity = double(spec(i).capacity.value.count()), apparent = double(spec(i).power.apparent.value.count());
        switch (element(i)) {
        case None:
        case Utility:
        case Ups: return 0;
        case Generator: return std::llround(capacity);
        case Shelf:
        case Transformer: return std::llround(apparent > 0 ? apparent * powerFactorOf(*m.s) : capacity);
        default: {
            const double continuous = spec(i).power.continuousPermille.value > 0 ? spec(i).power.continuousPermille.value / 1000.0 : 0.8;
            return apparent > 0 ? std::llround(apparent * powerFactorOf(*m.s)) : std::llround(capacity / continuous);
        }
        }
    }
    /// A miniature breaker of 125 A at most, curve C; an electronic release. Generators and shelves have none.
    [[nodiscard]] std::optional<power::TripCurve> curve(Index i) const
    {
        using enum PowerElement;
        if (element(i) == Generator || element(i) == Shelf) return {};
        const bool direct = takesDirectCurrent(spec(i));
        const double va = double(rated(i)) / 1000 / powerFactorOf(*m.s), amps = direct ? va / kDirectVolts : va / 230 / (threePhase(i) ? 3 : 1);
        if (!direct && element(i) != Switchgear && element(i) != Transformer && amps <= 125) return power::TripCurve::miniature('C', amps);
        return power::TripCurve::electronic({}, amps);
    }
    /// What it carries for good; 0: all.
    [[nodiscard]] std::int64_t most(Index i) const
    {
        if (rated(i) == 0) return 0;
        const auto band = curve(i);
        return band ? std::int64_t(double(rated(i)) * band->carries(power::TripBound::Earliest)) : rated(i);
    }
    /// Time until it opens at this load, which is too much.
    [[nodiscard]] std::int64_t opens(Index i, const power::Phases& load) const
    {
        const auto band = curve(i);
        if (!band) return m_trip;
        double multiple = double(load.total().count()) / double(rated(i));
        if (byPhase(i)) multiple = std::max(multiple, 3 * double(std::ranges::max(load.mw)) / double(rated(i)));
        return *band->at(multiple).earliestMs;
    }
    [[nodiscard]] bool threePhase(Index i) const
    {
        bool three = m.chain->network.feeds(i).empty();
        for (const power::Feed& feed : m.chain->network.feeds(i)) three = three || feed.phase == 0;
        return three;
    }
    [[nodiscard]] bool byPhase(Index i) const
    {
        using enum PowerElement;
        return element(i) != Generator && element(i) != Transformer && !takesDirectCurrent(spec(i)) && threePhase(i);
    }
    [[nodiscard]] bool isCut(Index i, std::uint32_t way) const { return std::ranges::find(f.ways, power::Network::Use{i, way}) != f.ways.end(); }
    /// The way that a transfer uses; the number of ways where none lives.
    [[nodiscard]] std::uint32_t usedWay(Index i, const std::vector<char>& live, bool cuts = false) const
    {
        const auto feeds = m.chain->network.feeds(i);
        std::uint32_t way = 0;
        while (way < feeds.size() && (!live[feeds[way].from] || (cuts && isCut(i, way)))) ++way;
        return way;
    }
    [[nodiscard]] bool runs(Index i) const { return std::ranges::find(m_running, i) != m_running.end(); }

    /// All of the network without what is out; UPS with something in their batteries hold by themselves.
    [[nodiscard]] power::Flow flowNow() const
    {
        const auto& net = m.chain->network;
        std::vector<power::Element> elements;
        std::vector<std::vector<power::Feed>> feeds(n);
        std::vector<Index> out;
        for (Index i = 0; i < n; ++i) {
            elements.push_back(net[i]);
            elements[i].source = elements[i].source || (m_energy.contains(i) && m_energy.at(i) > 0);
            for (std::uint32_t way = 0; way < net.feeds(i).size(); ++way) {
                power::Feed feed = net.feeds(i)[way];
                if (!isCut(i, way)) feeds[i].push_back(feed);
            }
            if (m_failed.contains(i) || m_out.tripped.contains(DeviceId(i)) || m_wanted.contains(i) || m_moving.contains(i)) out.push_back(i);
        }
        return power::flowOf(power::Network(std::move(elements), feeds), out);
    }

    void settle()
    {
        const auto before = m_wanted;
        m_wanted.clear();
        power::Flow flow = flowNow();
        for (bool more = true; more;) {
            more = false;
            for (Index i = 0; i < n; ++i)
                if (isGenerator(i) && flow.live[i] && !runs(i) && m.chain->flow.through[i].total().count() == 0 &&
                    flow.through[i].total().count() > 0) {
                    m_wanted[i] = before.contains(i) ? before.at(i) : m_now;
                    more = true;
                }
            if (!more) {
                for (Index i = 0; i < n; ++i) {
                    if (!isSlow(i) || !flow.live[i]) continue;
                    const std::uint32_t way = usedWay(i, flow.live, true);
                    if (way == m_used[i] || !lessWays(i, flow) || isGenerator(m.chain->network.feeds(i)[way].from)) continue;
                    m_moving[i] = {m_now + m_over, way};
                    more = true;
                }
            }
            if (more) flow = flowNow();
        }
        for (Index i = 0; i < n; ++i)
            if (flow.live[i]) m_used[i] = usedWay(i, flow.live, true);
        overloads(flow);
        batteries(flow);
        dark(flow);
    }
    /// A change back to the usual way, with all ways there, leaves no gap.
    [[nodiscard]] bool lessWays(Index i, const power::Flow& flow) const
    {
        const auto feeds = m.chain->network.feeds(i);
        for (std::uint32_t way = 0; way < feeds.size(); ++way)
            if (m.chain->flow.live[feeds[way].from] && (!flow.live[feeds[way].from] || isCut(i, way))) return true;
        return false;
    }
    void overloads(const power::Flow& flow)
    {
        std::map<Index, double> hot;
        m_full.clear();
        m_opens.clear();
        for (Index i = 0; i < n && m_trips; ++i)
            if (most(i) > 0 && flow.live[i] && (tooFull(i, flow) || poleTooFull(i, flow))) {
                hot[i] = m_hot.contains(i) ? m_hot.at(i) : 0;
                m_opens[i] = opens(i, flow.through[i]);
                if (flow.through[i].total().count() > most(i)) m_full.insert(i);
            }
        m_hot = std::move(hot);
        std::map<Index, std::int64_t> weak;
        for (const auto& [i, energy] : m_energy)
            if (m_trips && energy > 0 && onBattery(i, flow) && flow.intake[i].total().count() > 6 * spec(i).power.battery.value.count())
                weak[i] = m_weak.contains(i) ? m_weak.at(i) : m_now;
        m_weak = std::move(weak);
    }
    [[nodiscard]] bool tooFull(Index i, const power::Flow& flow) const
    {
        return flow.through[i].total().count() > most(i) && m.chain->flow.through[i].total().count() <= most(i);
    }
    /// A breaker looks at each of its phases.
    [[nodiscard]] bool poleTooFull(Index i, const power::Flow& flow) const
    {
        bool full = false;
        for (std::size_t p = 0; p < 3; ++p)
            full = full || (flow.through[i].mw[p] > (most(i) + 2) / 3 && m.chain->flow.through[i].mw[p] <= (most(i) + 2) / 3);
        return byPhase(i) && full;
    }
    [[nodiscard]] bool onBattery(Index i, const power::Flow& flow) const
    {
        return flow.live[i] && usedWay(i, flow.live, true) >= m.chain->network.feeds(i).size();
    }
    void batteries(const power::Flow& flow)
    {
        m_drain.clear();
        for (const auto& [i, energy] : m_energy) {
            if (!onBattery(i, flow)) continue;
            const std::int64_t drain = flow.intake[i].total().count();
            if (drain <= 0) continue;
            m_drain[i] = drain;
            if (!m_onBattery.insert(i).second) continue;
            note(CascadeEvent::What::OnBattery, i);
            m_out.rideThrough = std::min(energy / drain, m_out.rideThrough.value_or(energy / drain));
        }
    }
    void dark(const power::Flow& flow)
    {
        for (Index i = 0; i < n; ++i) {
            const bool out = m_failed.contains(i) || m_out.tripped.contains(DeviceId(i));
            const bool is = m.chain->flow.live[i] && !flow.live[i] && !out && !m_wanted.contains(i);
            if (is) {
                m_dark.try_emplace(i, m_now);
            } else if (const auto was = m_dark.find(i); was != m_dark.end()) {
                if (was->second < m_now && !out) m_out.gaps.emplace(DeviceId(i), was->second, m_now);
                m_dark.erase(was);
            }
        }
    }

    void happen()
    {
        for (const auto& [i, drain] : m_drain)
            if (m_energy[i] == 0) m_weak.erase(i), note(CascadeEvent::What::BatteryEmpty, i);
        trip();
        for (const auto& [i, since] : std::map(m_wanted))
            if (since + m_start <= m_now) m_running.insert(i), m_wanted.erase(i), note(CascadeEvent::What::Started, i);
        for (const auto& [i, over] : std::map(m_moving))
            if (over.first <= m_now) m_used[i] = over.second, m_moving.erase(i), note(CascadeEvent::What::ChangedOver, i);
    }
    void trip()
    {
        std::set<Index> due, first;
        for (const auto& [i, used] : m_hot)
            if (double(m_opens[i]) * (1 - used) <= 1e-6) due.insert(i);
        for (const Index i : due)
            if (std::ranges::none_of(due, [&](Index other) { return other != i && hangsOn(other, i); })) first.insert(i);
        for (const auto& [i, since] : std::map(m_weak))
            if (since + m_trip <= m_now && std::ranges::none_of(due, [&](Index other) { return hangsOn(other, i); }))
                m_energy[i] = 0, m_weak.erase(i), note(CascadeEvent::What::BatteryTripped, i);
        for (const Index i : first)
            m_out.tripped.insert(DeviceId(i)), m_hot.erase(i),
                note(m_full.contains(i) ? CascadeEvent::What::Tripped : CascadeEvent::What::PhaseTripped, i);
    }
    [[nodiscard]] bool hangsOn(Index low, Index high) const
    {
        return std::ranges::any_of(m.chain->network.feeds(low), [&](const auto& feed) { return feed.from == high || hangsOn(feed.from, high); });
    }
    void note(CascadeEvent::What what, Index i) { m_out.happenings.emplace(m_now, int(what), DeviceId(i)); }

    const impact::Model& m;
    const impact::Failed& f;
    const Index n;
    SlowCourse m_out;
    std::int64_t m_now = 0, m_start = 0, m_over = 0, m_trip = 0;
    bool m_trips = true;
    std::set<Index> m_failed, m_running, m_onBattery, m_full;
    std::map<Index, std::int64_t> m_energy, m_drain, m_wanted, m_opens, m_weak, m_dark;
    std::map<Index, double> m_hot;
    std::map<Index, std::pair<std::int64_t, std::uint32_t>> m_moving;
    std::vector<std::uint32_t> m_used;
};

} // namespace

SlowCourse playThrough(const impact::Model& model, const impact::Failed& failed) { return Player(model, failed).run(); }

} // namespace hw::test
