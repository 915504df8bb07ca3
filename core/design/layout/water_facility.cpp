// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/plant_bench.h"
#include "core/design/layout/water_bench.h"

#include <algorithm>
#include <cmath>

namespace hw::layout {

namespace {

/// What takes facility water in one hall, and the heat that it brings.
struct Consumers {
    std::vector<DeviceId> devices{}; ///< in the order of ids
    double airW = 0, liquidW = 0, drawW = 0;
    double airCapacityW = 0;
    std::size_t airUnits = 0;
    std::map<DeviceId, double> roomUnits{}; ///< of an electrical room, with the heat of each when one is lost
};

class FacilityWriter {
public:
    explicit FacilityWriter(WaterBench& bench) : m_bench(bench), m_out(bench.out), m_o(bench.o), m_wire(bench.wire) {}

    void run()
    {
        for (auto& [hall, consumers] : readHalls()) writeHall(hall, std::move(consumers));
    }

private:
    [[nodiscard]] bool isAirUnit(DeviceId id) const
    {
        using enum CoolingElement;
        const CoolingElement element = m_bench.spec(id).cooling.element;
        return element == FanWall || element == Crah || element == InRow || element == RearDoor ||
               (element == None && m_bench.spec(id).removes == "air");
    }

    [[nodiscard]] std::map<HallId, Consumers> readHalls() const
    {
        std::map<HallId, Consumers> halls;
        std::map<HallId, double> air;
        m_out.devices.forEach([&](DeviceId id) {
            const auto hall = m_bench.hallOf(id);
            if (!hall || !m_bench.scope.covers(hall)) return;
            const Demand& demand = m_bench.demand(id);
            const TierKind kind = m_out.tiers.kind[m_out.devices.tier[id]];
            if (kind != TierKind::Cooling && kind != TierKind::Power) air[*hall] += double(demand.designMw - demand.liquidMw) / 1e3;
            const bool cdu = m_bench.isCdu(id), fan = isAirUnit(id);
            if ((!cdu && !fan) || m_wire.isFed(id)) return;
            Consumers& consumers = halls[*hall];
            consumers.devices.push_back(id);
            consumers.drawW += toWatts(m_bench.spec(id).design.value);
            if (fan) ++consumers.airUnits, consumers.airCapacityW += toWatts(m_bench.spec(id).capacity.value);
        });
        for (auto& [hall, consumers] : halls) {
            if (consumers.airUnits > 0) consumers.airW = std::min(air[hall], consumers.airCapacityW);
            for (const DeviceId id : consumers.devices)
                if (m_bench.isCdu(id)) consumers.liquidW += heatOf(id).meanW;
        }
        return halls;
    }

    /// Heat of a CDU; of one that was connected by hand what it can take.
    [[nodiscard]] WaterBench::UnitHeat heatOf(DeviceId id) const
    {
        const auto found = m_bench.unitHeat.find(id);
        if (found != m_bench.unitHeat.end()) return found->second;
        const double most = m_wire.feeds(id) ? toWatts(m_bench.spec(id).capacity.value) : 0;
        return {most, most};
    }

    /// Heat that a consumer brings at its worst.
    [[nodiscard]] double wattsOf(DeviceId id, const Consumers& c) const
    {
        const double draw = toWatts(m_bench.spec(id).design.value), capacity = toWatts(m_bench.spec(id).capacity.value);
        if (const auto found = c.roomUnits.find(id); found != c.roomUnits.end()) return draw + found->second;
        if (m_bench.isCdu(id)) return draw + heatOf(id).worstW;
        const double mean = c.airCapacityW / double(c.airUnits), needed = std::max(1.0, std::ceil(1.05 * c.airW / mean));
        return draw + std::min(capacity, 1.05 * c.airW / needed * capacity / mean);
    }

    /// Those of one sort, with the heat that they bring.
    [[nodiscard]] Consumers only(const Consumers& c, bool cdus) const
    {
        Consumers out{
            .airW = cdus ? 0 : c.airW, .liquidW = cdus ? c.liquidW : 0, .airCapacityW = cdus ? 0 : c.airCapacityW, .airUnits = cdus ? 0 : c.airUnits};
        if (!cdus) out.roomUnits = c.roomUnits;
        for (const DeviceId id : c.devices)
            if (m_bench.isCdu(id) == cdus) out.devices.push_back(id), out.drawW += toWatts(m_bench.spec(id).design.value);
        return out;
    }

    /// Air units for the electrical room behind a hall, on its cool loop; those that an earlier layout made stay.
    void addRoomUnits(HallId hall, Consumers& c)
    {
        const RoomUnits units = c.airUnits > 0 ? roomUnitsFor(c.airW + c.liquidW, m_o, m_bench.parts) : RoomUnits{};
        if (units.count == 0) return;
        const TierId tier = m_wire.tier("electrical_air_unit", TextId("Air unit of the electrical room"), 30);
        const std::string &key = m_out.halls.key[hall], prefix = hallPrefix(m_out, hall), stem = fmt::format("electrical_air_unit/auto/{}/n=", key);
        bool made = false;
        m_out.devices.forEach([&](DeviceId id) { made = made || (!key.empty() && m_out.devices.key[id].starts_with("device." + stem)); });
        if (made) return;
        for (std::int64_t n = 0; n < units.count; ++n) {
            const DeviceId id = m_wire.device(tier, units.slug, WaterBench::keyed(key, fmt::format("{}{}", stem, n)),
                                              fmt::format("{}electrical-air{}", prefix, n + 1), -1);
            m_bench.made.served.emplace(id, hall);
            m_bench.rooms.inside(hall, id);
            c.devices.push_back(id);
            c.drawW += toWatts(m_bench.spec(id).design.value);
            c.roomUnits.emplace(id, units.watts / double(units.count - 1));
        }
    }

    /// One sort of loops for all, or a cool one for air units beside a warm one for CDUs.
    void writeHall(HallId hall, Consumers c)
    {
        addRoomUnits(hall, c);
        const Consumers cdus = only(c, true), air = only(c, false);
        if (cdus.devices.empty() || !wantsWarmLoop(m_bench.at, m_bench.spec(cdus.devices.front()), m_o))
            return writeLoops(hall, c, waterHeatW(c.airW, c.liquidW, c.drawW), m_bench.at, m_o);
        const DeviceSpec& cdu = m_bench.spec(cdus.devices.front());
        if (inSeries(m_o)) {
            const double coolW = airLoopHeatW(air.airW, cdus.liquidW, air.drawW), warmW = waterHeatW(0, cdus.liquidW, cdus.drawW);
            const auto series = seriesConditions(m_bench.at, cdu, coolW, air.devices.size(), warmW, cdus.devices.size(), m_o, m_bench.parts);
            m_coolHeaders.clear();
            writeLoops(hall, air, coolW + series.cool.onReturnW, series.cool, m_o);
            return writeLoops(hall, cdus, warmW, series.warm, warmOptions(m_o));
        }
        if (!air.devices.empty()) writeLoops(hall, air, airLoopHeatW(air.airW, cdus.liquidW, air.drawW), m_bench.at, m_o);
        const WaterConditions warm = warmConditions(m_bench.at, cdu, m_o);
        writeLoops(hall, cdus, waterHeatW(0, cdus.liquidW, cdus.drawW), warm, warmOptions(m_o));
    }

    void writeLoops(HallId hall, const Consumers& c, double watts, const WaterConditions& at, const Options& o)
    {
        const FacilityNeed need = facilityNeed(watts, c.devices.size() + (at.onReturnW > 0 ? 2 : 0), at, o, m_bench.parts);
        const bool onReturn = !need.series.empty();
        const std::string &key = m_out.halls.key[hall], prefix = hallPrefix(m_out, hall);
        const auto make = [&](const char* tier, TextId label, std::int16_t level, const std::string& slug, std::int64_t loop, std::int64_t n,
                              bool outdoors) {
            const char *warmKey = at.warm ? "/warm" : "", *warmName = at.warm ? "-warm" : "";
            return m_bench.plant(hall, m_wire.tier(tier, label, level), slug, fmt::format("{}/auto/{}{}/loop={}/n={}", tier, key, warmKey, loop, n),
                                 fmt::format("{}{}{}{}{}", prefix, tier, warmName, loop + 1, n < 0 ? std::string() : fmt::format("-{:02}", n + 1)),
                                 outdoors);
        };
        const auto pipe = [&](double lpm) { return pipeFor(lpm, m_bench.parts); };
        for (std::int64_t loop = 0; loop < need.loops; ++loop) {
            const std::int64_t sides = m_o.headers == Headers::Dual ? 2 : 1; // of headers; everything has a branch to each
            const auto headers = [&](const char* tier, TextId label, std::int16_t level, bool open) {
                std::vector<DeviceId> made;
                for (std::int64_t n = 0; n < sides; ++n) made.push_back(make(tier, label, level, need.header, loop, sides > 1 ? n : -1, open));
                return made;
            };
            const auto joinAll = [&](const std::vector<DeviceId>& takers, const std::vector<DeviceId>& feeders, const std::string& with,
                                     int count = 1) {
                for (const DeviceId taker : takers)
                    for (const DeviceId feeder : feeders) m_bench.join(taker, feeder, with, count);
            };
            const std::vector<DeviceId> hallSide = headers("facility_header", TextId("Facility header"), 28, false);
            const bool pumped = m_o.facilityPump != "none";
            std::vector<DeviceId> pumps;
            for (std::int64_t n = 0; pumped && n < need.pumps; ++n)
                pumps.push_back(make("facility_pump", TextId("Facility pump"), 27, need.pump, loop, n, false));
            const std::vector<DeviceId> plantSide = headers("plant_header", TextId("Plant header"), 26, false);
            const bool outdoors = !need.condenser.wanted() && !onReturn;
            std::vector<DeviceId> chillerSide = plantSide;
            if (outdoors || need.tanks > 0) chillerSide = headers("chiller_header", TextId("Chiller header"), 25, outdoors);
            for (std::int64_t n = 0; n < need.tanks; ++n) { // all water passes them; the others carry it with one out
                const DeviceId tank = make("cold_tank", TextId("Chilled-water tank"), 25, need.tank, loop, n, true);
                const std::string main = pipe(need.lpm / double(std::max<std::int64_t>(1, need.tanks - 1)));
                joinAll(plantSide, {tank}, main), joinAll({tank}, chillerSide, main);
            }
            if (outdoors && need.tanks == 0) // any two of these mains carry all
                joinAll(plantSide, chillerSide, pipe(need.lpm), sides > 1 ? 1 : 2);
            bool vital = at.onReturnW > 0;
            if (vital) m_coolHeaders.push_back(hallSide);
            for (std::size_t i = 0; i < c.devices.size(); ++i) {
                if (std::int64_t(i) * need.loops / std::int64_t(c.devices.size()) != loop) continue;
                const std::string branch = pipe(wattsOf(c.devices[i], c) / 1e3 * at.facilityLpmPerKw);
                for (std::size_t side = 0; side < hallSide.size(); ++side) {
                    DeviceId from = hallSide[side];
                    if (m_o.valve != "none") {
                        from = make("facility_valve", TextId("Valve"), 29, m_o.valve, loop, std::int64_t(i * hallSide.size() + side), false);
                        m_bench.join(from, hallSide[side], branch);
                    }
                    m_bench.join(c.devices[i], from, branch);
                }
                vital = vital || m_bench.isCdu(c.devices[i]);
            }
            for (const DeviceId pump : pumps) {
                const std::string branch = pipe(need.lpm / double(need.pumps - 1));
                joinAll(hallSide, {pump}, branch), joinAll({pump}, plantSide, branch);
                (vital ? m_bench.made.pumps : m_bench.made.airPumps).insert(pump);
            }
            if (!pumped) joinAll(hallSide, plantSide, pipe(need.lpm));
            std::vector<DeviceId> chillers;
            for (std::int64_t n = 0; n < need.rejectors; ++n) {
                chillers.push_back(make("chiller", TextId("Heat rejector"), 24, need.chiller, loop, n, outdoors));
                joinAll(chillerSide, {chillers.back()}, pipe(need.lpm / double(std::max<std::int64_t>(1, need.rejectors - 1))));
            }
            for (std::int64_t n = 0; n < need.trims; ++n)
                joinAll(chillerSide, {make("trim_chiller", TextId("Trim chiller"), 24, need.trim, loop, n, true)},
                        pipe(need.lpm / double(std::max<std::int64_t>(1, need.trims - 1))));
            for (std::int64_t n = 0; onReturn && n < sides; ++n) {
                const DeviceId unit = make("series_header", TextId("Series header"), 24, need.series, loop, sides > 1 ? n : -1, false);
                const double returnLpm = need.lpm * at.facilityDeltaK / (at.facilitySupplyC - m_bench.at.facilitySupplyC);
                joinAll(plantSide, {unit}, pipe(need.lpm)), joinAll({unit}, m_coolHeaders[std::size_t(loop)], pipe(returnLpm));
            }
            if (need.condenser.wanted())
                writeCondenser(need.condenser, chillers,
                               [&](const char* tier, TextId label, std::int16_t level, const std::string& slug, std::int64_t n, bool open) {
                                   return make(tier, label, level, slug, loop, n, open);
                               });
        }
    }

    /// Header, pumps, header, towers: what takes the heat of chillers cooled by water, or of plates.
    template <class Make>
    void writeCondenser(const FacilityNeed::Condenser& need, const std::vector<DeviceId>& chillers, Make&& make)
    {
        const auto pipe = [&](double lpm) { return pipeFor(lpm, m_bench.parts); };
        const DeviceId warm = make("condenser_header", TextId("Condenser header"), 23, need.header, -1, false);
        for (const DeviceId chiller : chillers) m_bench.join(chiller, warm, pipe(need.lpm / double(chillers.size() - 1)));
        const DeviceId cold = make("tower_header", TextId("Tower header"), 21, need.header, -1, false);
        const bool pumped = m_o.facilityPump != "none";
        for (std::int64_t n = 0; pumped && n < need.pumps; ++n) {
            const DeviceId pump = make("condenser_pump", TextId("Condenser pump"), 22, need.pump, n, false);
            m_bench.join(warm, pump, pipe(need.lpm / double(need.pumps - 1)));
            m_bench.join(pump, cold, pipe(need.lpm / double(need.pumps - 1)));
        }
        if (!pumped) m_bench.join(warm, cold, pipe(need.lpm));
        for (std::int64_t n = 0; n < need.rejectors; ++n)
            m_bench.join(cold, make("tower", TextId("Cooling tower"), 20, need.rejector, n, true), pipe(need.lpm / double(need.rejectors - 1)));
    }

    WaterBench& m_bench;
    Snapshot& m_out;
    const Options& m_o;
    Wirer& m_wire;
    std::vector<std::vector<DeviceId>> m_coolHeaders{}; ///< of the hall in hand, by loop: whose return water feeds the warm loop
};

} // namespace

void writeFacility(WaterBench& bench) { FacilityWriter(bench).run(); }

} // namespace hw::layout
