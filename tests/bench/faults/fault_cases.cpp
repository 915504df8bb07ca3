// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/faults/fault_cases.h"

#include "core/derived/cooling/reading.h"
#include "core/foundation/catalog/entity.h"
#include "simulation/emulation/fault_action.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <fmt/format.h>

namespace hw::bench {

namespace {

class Lister {
public:
    Lister(const impact::Model& model, std::uint64_t seed, FollowedHall& hall) : m(model), s(*model.s), m_random(seed), m_hall(hall) {}

    std::vector<Trial> run()
    {
        equipment(), ways(), reserve(), pipes(), insideUnits(), places(), network(), sensors(), exchanged(), air(), frequency();
        clocks();
        std::vector<Trial> out;
        for (auto& [kind, all] : m_all) out.push_back(std::move(all[m_random() % all.size()]));
        for (Trial& trial : out) trial.kind = trial.kind.substr(2);
        return out;
    }

private:
    [[nodiscard]] const DeviceSpec& specOf(DeviceId id) const { return m.parts->device(s.devices.type[id]); }
    [[nodiscard]] TierKind kindOf(DeviceId id) const { return s.tiers.kind[s.devices.tier[id]]; }
    [[nodiscard]] std::string nameOf(EntityRef entity) const { return entityName(s, *m.parts, entity); }
    [[nodiscard]] std::string elementOf(DeviceId id) const { return std::string(wordOf(specOf(id).power.element)); }
    [[nodiscard]] bool carries(DeviceId id) const { return m.chain->through(id).count() > 0; }

    void add(Trial trial) { m_all[trial.kind].push_back(std::move(trial)); }
    void fails(const std::string& kind, const std::string& name) { add({kind, {"fail " + name}, Trial::Expect::Cause, {name}}); }

    void equipment()
    {
        s.devices.forEach([&](DeviceId id) {
            const std::string& name = s.devices.name[id];
            const std::string tier = s.tiers.name[s.devices.tier[id]];
            if (kindOf(id) == TierKind::Power && carries(id)) fails("1 " + elementOf(id), name);
            const CoolingUnit* unit = m.coolant.chain->unit(id);
            if (kindOf(id) == TierKind::Cooling && unit && (unit->lpm > 0 || unit->airM3s > 0 || unit->heatW > 0))
                add({"2 " + tier, {"fail " + name}, Trial::Expect::Cause, {name}, "", tier == "manifold" ? 300 : 90}); // no idle tank
        });
    }
    /// Breakers and cords between power equipment.
    void ways()
    {
        s.devices.forEach([&](DeviceId id) {
            if (kindOf(id) != TierKind::Power || !carries(id)) return;
            for (const PowerFeed& feed : m.feeds->of(id)) {
                if (!feed.link || !carries(feed.supplier)) continue;
                const PortId from = s.links.from[*feed.link], to = s.links.to[*feed.link];
                const bool down = s.ports.device[from] == feed.supplier;
                fails("3 breaker " + elementOf(feed.supplier) + " to " + elementOf(id), nameOf(ref(down ? from : to)));
                fails("3 input of " + elementOf(id), nameOf(ref(down ? to : from)));
            }
        });
    }
    /// A switchboard that loses its supply, and its generator fails as well; a UPS whose input opens.
    void reserve()
    {
        s.devices.forEach([&](DeviceId id) {
            if (kindOf(id) != TierKind::Power) return;
            DeviceId usual{}, set{};
            bool hasUsual = false, hasSet = false;
            for (const PowerFeed& feed : m.feeds->of(id)) {
                const bool generator = specOf(feed.supplier).power.element == PowerElement::Generator;
                if (generator && !carries(feed.supplier)) set = feed.supplier, hasSet = true;
                if (!generator && carries(feed.supplier) && m.feeds->of(id).size() == 2) usual = feed.supplier, hasUsual = true;
            }
            if (!hasUsual) return;
            if (hasSet)
                add({"4 supply and its generator",
                     {"fail " + s.devices.name[usual], "fail " + s.devices.name[set]},
                     Trial::Expect::Cause,
                     {s.devices.name[usual], s.devices.name[set]}});
            if (hasSet)
                add({"4 load on generator", {"fail " + s.devices.name[usual]}, Trial::Expect::Condition, {s.devices.name[set]}, "on-generator"});
        });
        s.devices.forEach([&](DeviceId id) {
            if (specOf(id).power.element != PowerElement::Ups || !carries(id) || m.plant->batteryOf[id.value] == impact::Plant::kNoBattery) return;
            for (const PowerFeed& feed : m.feeds->of(id))
                if (feed.link && m.feeds->of(id).size() == 1)
                    add({"4 battery discharges",
                         {"fail " + nameOf(ref(s.ports.device[s.links.from[*feed.link]] == id ? s.links.from[*feed.link] : s.links.to[*feed.link]))},
                         Trial::Expect::Condition,
                         {s.devices.name[id]},
                         "on-battery"});
        });
    }
    /// Valves in pipes, by what stands at their end.
    void pipes()
    {
        const CoolingChain& chain = *m.coolant.chain;
        for (const CoolantPath& way : chain.ways) {
            if (!way.link || way.loop < 0) continue;
            const CoolingUnit* taker = chain.unit(way.taker);
            const bool facility = chain.loops[std::size_t(way.loop)].kind == LoopKind::Facility;
            const bool parts = taker && taker->parts();
            const auto ways = std::ranges::count_if(chain.ways, [&](const CoolantPath& o) { return o.taker == way.taker && o.loop == way.loop; });
            if (ways > 1) continue; // another way is left, and all flows on
            if (!parts && !(chain.taker(way.taker) && chain.taker(way.taker)->device == way.taker)) continue;
            const std::string side = !parts                     ? ""
                                     : taker->takes == way.loop ? (facility ? " water side" : " side that it takes")
                                                                : " side that it feeds";
            const PortId from = s.links.from[*way.link], to = s.links.to[*way.link];
            fails("5 valve at " + s.tiers.name[s.devices.tier[way.taker]] + side, nameOf(ref(s.ports.device[from] == way.taker ? from : to)));
        }
    }
    void insideUnits()
    {
        s.devices.forEach([&](DeviceId id) {
            const CoolingSpec& spec = specOf(id).cooling;
            if (kindOf(id) == TierKind::Cooling && spec.pumps > 1)
                fails("2 pump in a " + s.tiers.name[s.devices.tier[id]], s.devices.name[id] + ":pump1");
        });
    }
    void places()
    {
        s.racks.forEach([&](RackId id) {
            if (s.tiers.kind[s.devices.tier[firstIn(id)]] == TierKind::Server) fails("6 rack", s.racks.name[id]);
        });
        s.rows.forEach([&](RowId id) {
            if (std::ranges::any_of(m.index->racksOfRow[id.value], [&](RackId rack) { return m.index->devicesOfRack[rack.value].size() > 3; }))
                fails("6 row", s.rows.name[id]);
        });
    }
    [[nodiscard]] DeviceId firstIn(RackId id) const
    {
        DeviceId first{};
        for (const DeviceId d : m.index->devicesOfRack[id.value])
            if (kindOf(d) == TierKind::Server || first == DeviceId{}) first = d;
        return first;
    }
    void network()
    {
        s.devices.forEach([&](DeviceId id) {
            if (kindOf(id) == TierKind::Switch && !m.data->arcs(id).empty()) fails("7 " + s.tiers.name[s.devices.tier[id]], s.devices.name[id]);
            if (kindOf(id) != TierKind::Server || m.gpus[id.value] == 0) return;
            fails("7 server", s.devices.name[id]);
            add({"7 GPU off the bus", {"xid " + s.devices.name[id] + " gpu=1 code=79"}, Trial::Expect::Cause, {s.devices.name[id] + ":gpu1"}});
        });
        s.trays.forEach([&](TrayId id) {
            if (m.linksThrough(id).size() >= 3) fails("7 tray", s.trays.name[id]);
        });
        s.links.forEach([&](LinkId id) {
            if (s.ports.medium[s.links.from[id]] == Medium::Data && m.levelOfLink[id.value] != 0xFFFF) fails("7 link", nameOf(ref(s.links.from[id])));
        });
    }
    void sensors()
    {
        const auto wrong = [&](const std::string& kind, EntityRef entity, const std::string& what) {
            const std::string name = nameOf(entity);
            const std::string line = what.substr(0, what.find(' ')) + " " + name + what.substr(what.find(' '));
            const auto action = emulation::readLine(line);
            if (action && action->reading && m_hall.speaks(entity, *action->reading, int(action->part.value_or(0))))
                add({"8 " + kind, {line}, Trial::Expect::Sensor, {name}, "", 180});
        };
        const CoolingChain& chain = *m.coolant.chain;
        for (const CoolingUnit& unit : chain.units) {
            if (!unit.parts() || unit.feeds < 0) continue;
            const EntityRef its = ref(unit.device);
            if (unit.element == CoolingElement::Cdu) {
                wrong("CDU supply + 4 K", its, "sensor-offset reading=supply-temperature part=0 by=4");
                wrong("CDU flow meter x 0.6", its, "sensor-scale reading=flow part=0 by=0.6");
                wrong("CDU flow meter in m³/h", its, "sensor-scale reading=flow part=0 by=0.06");
            }
            if (unit.element == CoolingElement::Chiller) wrong("chiller supply + 4 K", its, "sensor-offset reading=supply-temperature part=0 by=4");
        }
        for (const CooledLoad& taker : chain.takers) {
            if (!taker.rack || taker.loop < 0) continue;
            const EntityRef its = ref(*taker.rack);
            wrong("rack flow meter x 0.5", its, "sensor-scale reading=flow by=0.5");
            wrong("rack flow meter in m³/h", its, "sensor-scale reading=flow by=0.06");
            wrong("rack return + 8 K", its, "sensor-offset reading=return-temperature by=8");
            wrong("rack supply stuck", its, "sensor-stuck reading=supply-temperature");
        }
        s.devices.forEach([&](DeviceId id) {
            if (kindOf(id) != TierKind::Power || !carries(id) || m.chain->network.uses(id.value).empty()) return;
            if (specOf(id).power.element == PowerElement::Ups) wrong("UPS power x 0.7", ref(id), "sensor-scale reading=active-power by=0.7");
            if (specOf(id).power.element == PowerElement::Busway) wrong("busway power in kW", ref(id), "sensor-scale reading=active-power by=0.001");
        });
    }
    /// Meters that are wired to the wrong place, and those that answer without a number or begin to count anew.
    void exchanged()
    {
        std::vector<RackId> servers, others;
        s.racks.forEach([&](RackId id) {
            if (m.index->devicesOfRack[id.value].empty()) return;
            (kindOf(firstIn(id)) == TierKind::Server ? servers : others).push_back(id);
        });
        const auto meters = [&](const std::vector<RackId>& a, const std::vector<RackId>& b) {
            for (const RackId x : a)
                for (const RackId y : b) {
                    const auto speaks = [&](RackId id) { return m_hall.speaks(ref(id), emulation::Reading::ActivePower); };
                    if (x == y || !speaks(x) || !speaks(y)) continue;
                    const std::string one = s.racks.name[x], other = s.racks.name[y];
                    add({"8 power meters of two racks exchanged",
                         {fmt::format("sensor-swap {} with={} reading=active-power", one, other)},
                         Trial::Expect::Sensor,
                         {one, other},
                         "",
                         180});
                    break;
                }
        };
        if (!others.empty()) meters(servers, others);
        if (others.empty()) meters(servers, servers);
        constexpr int kIntervals = 10;
        auto sent = m_hall.sentAhead(kIntervals);
        const auto differ = [&](DeviceId a, DeviceId b) { // of two that do the same, or of one that does nothing, nobody can tell
            int times = 0;
            const auto &one = sent[a], &other = sent[b];
            for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i)
                times += std::min(one[i], other[i]) > 0 && std::abs(one[i] - other[i]) > 0.3 * std::max(one[i], other[i]);
            return s.devices.type[a] == s.devices.type[b] && 3 * times >= 2 * kIntervals;
        };
        std::vector<DeviceId> hosts;
        s.devices.forEach([&](DeviceId id) {
            if (kindOf(id) == TierKind::Server && m.gpus[id.value] > 0) hosts.push_back(id);
        });
        for (std::size_t i = 0; i < hosts.size(); ++i) {
            const std::string one = s.devices.name[hosts[i]];
            add({"8 counters of a host restart", {"reset-counters " + one}, Trial::Expect::Quiet, {one}, "", 150});
            const auto found = std::find_if(hosts.begin() + std::ptrdiff_t(i), hosts.end(), [&](DeviceId id) { return differ(hosts[i], id); });
            if (found == hosts.end()) continue;
            const std::string other = s.devices.name[*found];
            add({"8 exporters of two hosts exchanged",
                 {fmt::format("sensor-swap {} with={}", one, other)},
                 Trial::Expect::Told,
                 {one, other},
                 "",
                 300});
        }
        add({"8 no number from 40 % of the sensors, 90 s", {"sensor-nan percent=40 for_s=90"}, Trial::Expect::Quiet, {}, "", 150});
    }
    void frequency()
    {
        Trial trial{"4 frequency 48.6 Hz", {}, Trial::Expect::Condition, {}, "frequency"};
        s.devices.forEach([&](DeviceId id) {
            using enum PowerElement;
            const PowerElement e = specOf(id).power.element;
            const bool small = e == Pdu || e == Shelf || takesDirectCurrent(specOf(id));
            if (kindOf(id) == TierKind::Power && e != None && !small)
                trial.actions.push_back(fmt::format("sensor-scale {} reading=frequency by=0.972", s.devices.name[id]));
        });
        if (!trial.actions.empty()) add(std::move(trial));
    }
    /// Clocks of gateways, alone and with equipment that fails meanwhile.
    void clocks()
    {
        add({"9 clocks of a tenth ahead for a minute", {"clock-shift percent=10 by=3600 for_s=60"}, Trial::Expect::Quiet, {}, "", 150});
        add({"9 clocks of a tenth an hour back", {"clock-shift percent=10 by=-3600"}, Trial::Expect::Quiet, {}, "", 150});
        std::vector<std::string> fall;
        for (const char* kind : {"1 busway", "2 cdu", "1 pdu", "1 ups"})
            if (const auto found = m_all.find(kind); found != m_all.end())
                for (const Trial& trial : found->second) fall.push_back(trial.names.front());
        for (const std::string& name : fall) {
            const auto also = [&](const char* kind, const char* clock, int at) {
                add({kind, {clock, fmt::format("fail {} at_s={}", name, at)}, Trial::Expect::Cause, {name}, "", 90 + at, at});
            };
            also("9 failure after clocks were ahead for a minute", "clock-shift percent=100 by=3600 for_s=60", 90);
            also("9 failure while clocks are an hour back", "clock-shift percent=100 by=-3600", 30);
            also("9 failure after one value from the future", "clock-shift percent=100 by=86400 for_s=1", 30);
        }
    }
    void air()
    {
        for (const CoolingUnit& unit : m.coolant.chain->units)
            if (cooling::movesAir(unit.element) && unit.feeds >= 0)
                add({"5 filter of an air unit",
                     {"clog " + s.devices.name[unit.device] + " percent=50"},
                     Trial::Expect::Condition,
                     {s.devices.name[unit.device]},
                     "low-air-flow"});
        s.rows.forEach([&](RowId id) {
            Trial trial{"5 aisle warms up to 34 °C", {}, Trial::Expect::Condition, {s.rows.name[id]}, "warm-aisle", 165};
            for (const RackId rack : m.index->racksOfRow[id.value])
                trial.actions.push_back(
                    fmt::format("sensor-drift {} reading=air-inlet by={:.2f}", s.racks.name[rack], (34 - m.coolant.chain->at.airSupplyC) / 2.75));
            if (trial.actions.size() >= 2) add(std::move(trial));
        });
    }

    const impact::Model& m;
    const Snapshot& s;
    std::mt19937_64 m_random;
    FollowedHall& m_hall;
    std::map<std::string, std::vector<Trial>> m_all; ///< by kind
};

} // namespace

std::vector<Trial> trialsOf(const impact::Model& model, std::uint64_t seed, FollowedHall& hall) { return Lister(model, seed, hall).run(); }

} // namespace hw::bench
