// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/impact/brute_force.h"

#include "core/derived/figures/link_sides.h"
#include "core/derived/topology/nic_ports.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hw::test {

namespace {

using impact::Failed;
using impact::Model;

class Remover {
public:
    Remover(const Model& model, const Failed& failed, const std::set<DeviceId>& tripped, const std::set<DeviceId>& gaps, const SlowHeatCourse& heat)
        : m(model), s(*model.s), f(failed), m_tripped(tripped), m_gaps(gaps), m_heat(heat)
    {
    }

    Removed run()
    {
        for (const DeviceId id : f.devices) m_down.insert(id);
        m_down.insert(m_tripped.begin(), m_tripped.end());
        power();
        coolant();
        removeLinks();
        hosts();
        cooling();
        m_out.loss.tripped = std::int64_t(m_tripped.size());
        for (const DeviceId id : m_gaps) {
            if (m_down.contains(id) || s.tiers.kind[s.devices.tier[id]] == TierKind::Power || m.chain->network[id.value].draw.count() == 0) continue;
            ++m_out.loss.devicesInterrupted;
            if (s.tiers.kind[s.devices.tier[id]] == TierKind::Server) m_out.loss.hostsInterrupted.add(s.devices.role[id] == DeviceRole::Backup);
        }
        m_out.loss.bisectionShare = bisection();
        shares();
        return std::move(m_out);
    }

private:
    [[nodiscard]] bool failed(DeviceId id) const { return m_tripped.contains(id) || std::ranges::find(f.devices, id) != f.devices.end(); }

    /// A network of what is left, numbered again.
    void power()
    {
        const auto& net = m.chain->network;
        std::vector<std::uint32_t> number(net.size(), impact::kNone);
        std::vector<power::Element> elements;
        for (std::uint32_t i = 0; i < net.size(); ++i)
            if (!failed(DeviceId(i))) number[i] = std::uint32_t(elements.size()), elements.push_back(net[i]);
        std::vector<std::vector<power::Feed>> feeds(elements.size());
        std::set<std::uint32_t> less;
        for (std::uint32_t i = 0; i < net.size(); ++i) {
            if (number[i] == impact::kNone) continue;
            for (std::uint32_t k = 0; k < net.feeds(i).size(); ++k) {
                power::Feed feed = net.feeds(i)[k];
                const bool cut = std::ranges::find(f.ways, power::Network::Use{i, k}) != f.ways.end();
                if (cut && m.chain->flow.live[feed.from]) less.insert(i);
                if (cut || number[feed.from] == impact::kNone) continue;
                feed.from = number[feed.from];
                feeds[number[i]].push_back(feed);
            }
        }
        const power::Network left(elements, feeds);
        const power::Flow flow = power::flowOf(left);
        const auto lives = [&](std::uint32_t i) { return number[i] != impact::kNone && flow.live[number[i]]; };
        for (std::uint32_t i = 0; i < net.size(); ++i) {
            if (number[i] == impact::kNone) continue;
            const DeviceId id(i);
            if (m.chain->flow.live[i] && !lives(i)) {
                m_out.dark.insert(id), m_down.insert(id);
                const bool equipment = s.tiers.kind[s.devices.tier[id]] == TierKind::Power;
                m_out.loss.equipmentDark += equipment;
                m_out.loss.devicesDark += !equipment && net[i].draw.count() > 0;
            }
            if (!lives(i)) continue;
            if (flow.through[number[i]] != m.chain->flow.through[i]) m_out.through[id] = flow.through[number[i]];
            bool fewer = less.contains(i);
            for (const auto& feed : net.feeds(i)) fewer = fewer || (m.chain->flow.live[feed.from] && !lives(feed.from));
            if (fewer) m_out.weakened.insert(id);
        }
    }

    /// What got too hot, as played through.
    void coolant()
    {
        for (const auto& [id, since] : m_heat.hot) {
            if (m_down.contains(id) && !m_out.dark.contains(id)) continue;
            m_out.hot.insert(id), m_down.insert(id);
        }
        for (const DeviceId id : m_out.hot) m_out.weakened.erase(id);
        m_out.loss.devicesHot = std::int64_t(m_out.hot.size());
        m_out.loss.coolingShort = Milliwatts(std::llround(m_heat.missingW * 1000));
    }

    void removeLinks()
    {
        m_left = s;
        s.links.forEach([&](LinkId id) {
            if (s.ports.medium[s.links.from[id]] != Medium::Data) return;
            const bool gone = std::ranges::find(f.links, id) != f.links.end() || m_down.contains(s.ports.device[s.links.from[id]]) ||
                              m_down.contains(s.ports.device[s.links.to[id]]);
            if (gone) m_out.links.insert(id), m_left.links.erase(id);
        });
        m_out.loss.linksLost = std::int64_t(m_out.links.size());
    }

    /// Links of each backend card of a host, by the card's place.
    [[nodiscard]] std::map<int, int> cardsOf(const Snapshot& of, DeviceId host) const
    {
        const auto cards = Cards::of(m.parts->device(s.devices.type[host]));
        std::map<int, int> links;
        of.links.forEach([&](LinkId id) {
            for (const PortId port : {of.links.from[id], of.links.to[id]}) {
                if (of.ports.device[port] != host || of.ports.medium[port] != Medium::Data || !of.ports.network[port]) continue;
                if (of.networks.kind[*of.ports.network[port]] != NetworkKind::Backend) continue;
                const std::size_t number = of.cages.number[of.ports.cage[port]];
                ++links[number < cards.ofInterface.size() ? cards.ofInterface[number] : int(0x8000 + number)];
            }
        });
        return links;
    }

    void hosts()
    {
        impact::Loss& loss = m_out.loss;
        s.devices.forEach([&](DeviceId id) {
            if (s.tiers.kind[s.devices.tier[id]] != TierKind::Server) return;
            const bool backup = s.devices.role[id] == DeviceRole::Backup;
            const auto before = cardsOf(s, id);
            auto now = cardsOf(m_left, id);
            std::vector<double> left; // by card
            for (const auto& [card, links] : before) {
                left.push_back(double(now[card]) / links);
                loss.portsLost.add(backup, links - now[card]);
                loss.nicsLost.add(backup, now[card] == 0);
                loss.nicsHalf.add(backup, now[card] > 0 && now[card] < links);
            }
            const int gpus = m.parts->device(s.devices.type[id]).accelerators, cards = int(left.size());
            const bool cutOff = cards > 0 && std::ranges::all_of(left, [](double l) { return l == 0; });
            if (m_down.contains(id) || cutOff) {
                loss.hostsLost.add(backup), loss.gpusLost.add(backup, gpus);
                return;
            }
            for (int g = 0; g < gpus && cards > 0; ++g) {
                bool less = false; // card k serves GPU g where their shares of the host overlap
                for (int k = 0; k < cards; ++k) {
                    const bool own = cards >= gpus ? k >= g * cards / gpus && k < (g + 1) * cards / gpus : k == g * cards / gpus;
                    less = less || (own && left[std::size_t(k)] < 1);
                }
                loss.gpusDegraded.add(backup, less);
            }
        });
    }

    void cooling()
    {
        s.devices.forEach([&](DeviceId id) {
            if (s.tiers.kind[s.devices.tier[id]] != TierKind::Cooling) return;
            const bool stalled = std::ranges::find(f.stalled, id) != f.stalled.end();
            if (m_down.contains(id) || stalled) m_out.loss.coolingLost += m.parts->device(s.devices.type[id]).capacity.value;
        });
    }

    struct Sum {
        std::int64_t before = 0, now = 0;
    };
    template <class F>
    void eachBackendLink(F&& f) const
    {
        s.links.forEach([&](LinkId id) {
            const PortId a = s.links.from[id], b = s.links.to[id];
            const auto network = s.ports.network[a];
            if (!network || s.networks.kind[*network] != NetworkKind::Backend || s.ports.medium[a] != Medium::Data) return;
            if (s.links.role[id] == LinkRole::Backup) return;
            const LowerEnd lower = lowerEnd(s, a, b);
            const DeviceId low = s.ports.device[lower == LowerEnd::To ? b : a];
            const bool access = !isSwitchTierOf(s, s.devices.tier[low], *network);
            f(id, low, access ? -1 : int(s.tiers.level[s.devices.tier[low]]), lower == LowerEnd::Neither, s.ports.rate[a].count());
        });
    }

    /// Hosts that links below a level leave apart, by colors that spread until nothing changes.
    [[nodiscard]] bool apartBelow(std::pair<int, bool> level) const
    {
        std::map<DeviceId, std::uint32_t> color;
        for (bool more = true; more;) {
            more = false;
            eachBackendLink([&](LinkId id, DeviceId, int own, bool flat, int) {
                if (std::pair(own, !flat) >= level) return;
                const DeviceId a = s.ports.device[s.links.from[id]], b = s.ports.device[s.links.to[id]];
                auto& ca = color.try_emplace(a, a.value).first->second;
                auto& cb = color.try_emplace(b, b.value).first->second;
                if (ca != cb) ca = cb = std::min(ca, cb), more = true;
            });
        }
        std::set<std::uint32_t> of;
        for (const auto& [id, c] : color)
            if (s.tiers.kind[s.devices.tier[id]] == TierKind::Server) of.insert(c);
        return of.size() > 1;
    }

    [[nodiscard]] double bisection() const
    {
        std::map<std::pair<int, bool>, Sum> levels; // flat ones first
        eachBackendLink([&](LinkId id, DeviceId, int level, bool flat, int gbps) {
            Sum& sum = levels[{level, !flat}];
            sum.before += gbps;
            sum.now += m_left.links.contains(id) ? gbps : 0;
        });
        Sum least{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max()};
        for (const auto& [level, sum] : levels) {
            if (level.first >= 0 && !apartBelow(level)) continue;
            least.before = std::min(least.before, sum.before), least.now = std::min(least.now, sum.now);
        }
        return levels.empty() ? 1 : double(least.now) / double(least.before);
    }

    void shares()
    {
        std::map<std::pair<int, int>, Sum> access, up;
        const auto place = [&](DeviceId id) { return std::pair<int, int>(s.devices.pod[id], s.devices.segment[id]); };
        int first = std::numeric_limits<int>::max();
        s.tiers.forEach([&](TierId id) {
            if (s.tiers.kind[id] == TierKind::Switch && s.tiers.network[id] && s.networks.kind[*s.tiers.network[id]] == NetworkKind::Backend)
                first = std::min(first, int(s.tiers.level[id]));
        });
        eachBackendLink([&](LinkId id, DeviceId low, int level, bool flat, int gbps) {
            if (flat || (level >= 0 && level != first)) return;
            Sum& sum = (level < 0 ? access : up)[place(low)];
            sum.before += gbps;
            sum.now += m_left.links.contains(id) ? gbps : 0;
        });
        for (const auto& [at, sum] : access) {
            const auto share = [](const Sum& x) { return x.before > 0 ? double(x.now) / double(x.before) : 1.0; };
            const double left = std::min(share(sum), up.contains(at) ? share(up[at]) : 1.0);
            if (left < 1) m_out.shares[at] = left;
        }
    }

    const Model& m;
    const Snapshot& s;
    const Failed& f;
    const std::set<DeviceId>&m_tripped, &m_gaps;
    const SlowHeatCourse& m_heat;
    Removed m_out;
    Snapshot m_left;
    std::set<DeviceId> m_down;
};

} // namespace

Removed removeAndCompute(const Model& model, const Failed& failed, const std::set<DeviceId>& tripped, const std::set<DeviceId>& gaps,
                         const SlowHeatCourse& heat)
{
    return Remover(model, failed, tripped, gaps, heat).run();
}

} // namespace hw::test
