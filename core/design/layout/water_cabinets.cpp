// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/water_bench.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hw::layout {

namespace {

constexpr const char* kHose = "hose-lqc-1in";
constexpr std::int32_t kHeaderZ = 2500, kHeaderLevelMm = 350, kBehindMm = 50; ///< over the hot aisle, behind the racks. Assumed

struct Cabinet {
    RackId rack;
    double watts = 0, lpm = 0;
    Maybe<DeviceId> manifold{}, cdu{}; ///< that stand in it
    bool done = false;                 ///< its manifold is fed
};
/// One header: racks of a row that it feeds.
struct Run {
    RowId row;
    std::vector<const Cabinet*> cabinets{};
    double lpm = 0;
    std::vector<DeviceId> headers{}; ///< each carries all of it
    std::vector<DeviceId> cdus{};
};
/// Headers that several CDUs feed together.
struct Loop {
    HallId hall;
    std::vector<Run> runs{};
    double watts = 0, lpm = 0;
    std::int64_t needed = 0; ///< CDUs, one of them to spare
    std::string cdu{};       ///< where none stands in the hall
    std::vector<DeviceId> cdus{};
};

struct CabinetSpot {
    double x = 0, y = 0;
};

class CabinetWriter {
public:
    explicit CabinetWriter(WaterBench& bench) : m_bench(bench), m_out(bench.out), m_o(bench.o), m_wire(bench.wire) {}

    void run()
    {
        readCabinets();
        offerHoses();
        for (Cabinet& cabinet : m_cabinets)
            if (cabinet.cdu && cabinet.watts > 0)
                feedManifold(cabinet, {*cabinet.cdu}), m_bench.unitHeat[*cabinet.cdu] = {cabinet.watts, cabinet.watts};
        makeLoops();
        if (m_o.cdu == "none" && !anyCdu()) return;
        assignCdus();
        for (std::size_t n = 0; n < m_loops.size(); ++n)
            if (!m_loops[n].cdus.empty()) writeLoop(m_loops[n]);
    }

private:
    /// What liquid cools in racks and nothing feeds yet.
    void readCabinets()
    {
        std::vector<std::int32_t> of(m_out.racks.nextId(), -1);
        const auto cabinet = [&](RackId rack) -> Cabinet& {
            if (of[rack.value] < 0) of[rack.value] = std::int32_t(m_cabinets.size()), m_cabinets.push_back({rack});
            return m_cabinets[std::size_t(of[rack.value])];
        };
        m_out.devices.forEach([&](DeviceId id) {
            const auto rack = m_out.devices.rack[id];
            if (!rack || !m_bench.scope.covers(hallOf(m_out, id))) return;
            const DeviceSpec& spec = m_bench.spec(id);
            if (spec.cooling.element == CoolingElement::Manifold)
                cabinet(*rack).manifold = id, cabinet(*rack).done = m_wire.isFed(id);
            else if (m_bench.isCdu(id))
                cabinet(*rack).cdu = id;
            const double watts = double(m_bench.demand(id).liquidMw) / 1e3;
            if (watts <= 0 || m_wire.isFed(id)) return;
            cabinet(*rack).watts += watts, cabinet(*rack).lpm += liquidLpm(spec, watts, m_bench.at);
            if (!spec.cooling.ports.empty()) m_couplings.insert(spec.cooling.ports.front().connector);
        });
        std::erase_if(m_cabinets, [](const Cabinet& c) { return c.watts <= 0 || c.done; });
    }

    /// Hoses from trays to manifolds follow from the couplings; the project has the parts for them.
    void offerHoses() const
    {
        for (const std::string& coupling : m_couplings)
            if (const std::string hose = "hose-" + coupling; m_bench.parts.has(hose)) (void)m_bench.parts.use(hose);
    }

    /// The two rows of a cell share a loop.
    void makeLoops()
    {
        std::map<RowId, std::vector<const Cabinet*>> rows;
        for (const Cabinet& cabinet : m_cabinets)
            if (!cabinet.cdu) rows[m_out.racks.row[cabinet.rack]].push_back(&cabinet);
        std::vector<RowId> order;
        for (auto& [row, cabinets] : rows) {
            std::ranges::stable_sort(cabinets, {}, [&](const Cabinet* c) { return m_out.racks.along[c->rack]; });
            order.push_back(row);
        }
        const auto cellOf = [&](RowId row) { return std::pair(m_out.rows.hall[row], m_out.rows.cell[row]); };
        std::ranges::stable_sort(order, {}, cellOf);
        std::size_t taken = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const bool second = taken == 1 && cellOf(order[i]) == cellOf(order[i - 1]);
            if (!second) m_loops.push_back({m_out.rows.hall[order[i]]});
            taken = second ? 2 : 1;
            addRow(m_loops.back(), order[i], rows[order[i]]);
        }
        for (Loop& loop : m_loops)
            loop.cdu = freeCdus(loop.hall).empty() ? cduFor(loop.watts, loop.lpm, m_o, m_bench.parts) : m_o.cdu, loop.needed = cdusOf(loop);
    }

    /// As many headers over a row as carry its flow, each with about as much.
    void addRow(Loop& loop, RowId row, const std::vector<const Cabinet*>& cabinets)
    {
        double lpm = 0;
        for (const Cabinet* cabinet : cabinets) lpm += cabinet->lpm, loop.watts += cabinet->watts;
        const auto& largest = m_bench.parts.device(rowHeaders(m_o).back()).cooling;
        const double most = lpmOf(largest.innerMm.value);
        const auto runs = std::size_t(std::max(1.0, std::ceil(lpm / std::max(most, 1.0))));
        double before = 0;
        std::size_t open = 0;
        for (const Cabinet* cabinet : cabinets) {
            const auto run = std::min(runs, 1 + std::size_t((before + cabinet->lpm / 2) / lpm * double(runs)));
            while (open < run) loop.runs.push_back({row}), ++open;
            loop.runs.back().cabinets.push_back(cabinet), loop.runs.back().lpm += cabinet->lpm;
            before += cabinet->lpm;
        }
        loop.lpm += lpm;
    }

    [[nodiscard]] std::int64_t cdusOf(const Loop& loop) const
    {
        if (m_o.cdu == "none") return 0;
        const auto free = freeCdus(loop.hall);
        const auto& unit = free.empty() ? m_bench.parts.device(loop.cdu) : m_bench.spec(free.front());
        const auto upwards = [](double all, double each) { return each > 0 ? std::int64_t(std::ceil(all / each - 1e-9)) : 1; };
        return std::max(upwards(loop.watts, toWatts(unit.capacity.value)), upwards(loop.lpm, unit.coolantLpm.value)) + 1;
    }

    /// CDUs on the floor of a hall that feed nothing yet.
    [[nodiscard]] std::vector<DeviceId> freeCdus(HallId hall) const
    {
        std::vector<DeviceId> cdus;
        m_out.devices.forEach([&](DeviceId id) {
            if (m_out.devices.rack[id] || !m_bench.isCdu(id) || m_wire.feeds(id) || !(m_bench.hallOf(id) == Maybe<HallId>(hall))) return;
            cdus.push_back(id);
        });
        return cdus;
    }
    [[nodiscard]] bool anyCdu() const
    {
        return std::ranges::any_of(m_loops, [&](const Loop& loop) { return !freeCdus(loop.hall).empty(); });
    }

    [[nodiscard]] CabinetSpot middleOf(DeviceId id) const
    {
        const auto& spec = m_bench.spec(id);
        double along = double(spec.width.value.count()), across = double(spec.depth.value.count());
        if (m_out.devices.angle[id] % 180 != 0) std::swap(along, across);
        return {double(m_out.devices.x[id].count()) + along / 2, double(m_out.devices.y[id].count()) + across / 2};
    }

    /// From the middle of a device to the racks of a row, in mm.
    [[nodiscard]] double distance(DeviceId id, const Run& run) const
    {
        static constexpr int kX[] = {1, 0, -1, 0}, kY[] = {0, 1, 0, -1};
        const int quarter = ((m_out.rows.angle[run.row] / 90) % 4 + 4) % 4;
        const CabinetSpot at = middleOf(id);
        const double dx = at.x - double(m_out.rows.x[run.row].count()), dy = at.y - double(m_out.rows.y[run.row].count());
        const double along = dx * kX[quarter] + dy * kY[quarter], across = dy * kX[quarter] - dx * kY[quarter];
        const double from = double(m_out.racks.along[run.cabinets.front()->rack].count()),
                     to = double(m_out.racks.along[run.cabinets.back()->rack].count());
        return std::hypot(along - std::clamp(along, from, std::max(from, to)), across);
    }
    [[nodiscard]] double distance(DeviceId id, const Loop& loop) const
    {
        double least = std::numeric_limits<double>::infinity();
        for (const Run& run : loop.runs) least = std::min(least, distance(id, run));
        return least;
    }

    /// Its CDUs carry it with the largest of them lost.
    [[nodiscard]] bool hasEnough(const Loop& loop) const
    {
        double watts = 0, lpm = 0, mostWatts = 0, mostLpm = 0;
        for (const DeviceId cdu : loop.cdus) {
            const DeviceSpec& unit = m_bench.spec(cdu);
            const double each = toWatts(unit.capacity.value), flow = unit.coolantLpm.value;
            watts += each, lpm += flow, mostWatts = std::max(mostWatts, each), mostLpm = std::max(mostLpm, flow);
        }
        const auto carries = [](double all, double most, double load) { return most <= 0 || all - most >= load * (1 - 1e-9); };
        return loop.cdus.size() > 1 && carries(watts, mostWatts, loop.watts) && carries(lpm, mostLpm, loop.lpm);
    }

    /// Every loop gets its nearest CDUs until it has enough; what is left over goes to the nearest loop.
    void assignCdus()
    {
        std::map<HallId, std::vector<std::size_t>> halls;
        for (std::size_t n = 0; n < m_loops.size(); ++n) halls[m_loops[n].hall].push_back(n);
        for (const auto& [hall, loops] : halls) {
            const auto cdus = freeCdus(hall);
            if (cdus.empty()) {
                for (const std::size_t n : loops) makeCdus(m_loops[n], n - loops.front());
                continue;
            }
            std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;
            for (const std::size_t n : loops)
                for (std::size_t c = 0; c < cdus.size(); ++c) pairs.emplace_back(distance(cdus[c], m_loops[n]), n, c);
            std::ranges::sort(pairs);
            std::vector<char> taken(cdus.size(), 0);
            for (const bool spare : {false, true})
                for (const auto& [away, n, c] : pairs) {
                    if (taken[c] || (!spare && hasEnough(m_loops[n]))) continue;
                    taken[c] = 1;
                    m_loops[n].cdus.push_back(cdus[c]);
                }
            for (const std::size_t n : loops) std::ranges::sort(m_loops[n].cdus);
        }
    }

    /// In the plant room, where the hall has none.
    void makeCdus(Loop& loop, std::size_t number)
    {
        if (m_o.cdu == "none") return;
        const TierId tier = m_wire.tier("plant_cdu", TextId("Coolant distribution unit"), 31);
        const std::string key = m_out.halls.key[loop.hall];
        for (std::int64_t n = 0; n < loop.needed; ++n)
            loop.cdus.push_back(m_bench.plant(loop.hall, tier, loop.cdu, fmt::format("plant_cdu/auto/{}/loop={}/unit={}", key, number, n),
                                              fmt::format("{}-cdu{}-{}", m_out.halls.name[loop.hall], number + 1, n + 1)));
    }

    void writeLoop(Loop& loop)
    {
        std::map<RowId, int> level;
        const int sides = m_o.headers == Headers::Dual ? 2 : 1;
        for (Run& run : loop.runs)
            for (int side = 0; side < sides; ++side) writeHeader(run, level[run.row]++);
        const double running = double(std::max<std::size_t>(2, loop.cdus.size()) - 1), each = loop.lpm / running;
        for (const DeviceId cdu : loop.cdus) m_bench.unitHeat[cdu] = {loop.watts / double(loop.cdus.size()), loop.watts / running};
        dealCdus(loop);
        for (Run& run : loop.runs) {
            for (const DeviceId header : run.headers) {
                for (const DeviceId cdu : run.cdus) m_bench.join(header, cdu, pipeFor(each, m_bench.parts));
            }
            for (const Cabinet* cabinet : run.cabinets) feedManifold(*cabinet, run.headers);
        }
        // What crosses to the next header when one of the CDUs on either side is lost
        double flow = 0, given = 0, most = 0;
        for (std::size_t i = 0; i + 1 < loop.runs.size(); ++i) {
            flow += loop.runs[i].lpm, given += double(loop.runs[i].cdus.size()) * each;
            most = std::max({most, flow - std::max(0.0, given - each), std::min(given, flow + each) - flow});
        }
        for (std::size_t i = 1; i < loop.runs.size(); ++i)
            for (std::size_t side = 0; side < loop.runs[i].headers.size(); ++side)
                m_bench.join(loop.runs[i].headers[side], loop.runs[i - 1].headers[side], pipeFor(most, m_bench.parts));
    }

    /// CDUs onto headers, the nearest first, none with more than its share.
    void dealCdus(Loop& loop) const
    {
        std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;
        for (std::size_t r = 0; r < loop.runs.size(); ++r)
            for (std::size_t c = 0; c < loop.cdus.size(); ++c) pairs.emplace_back(distance(loop.cdus[c], loop.runs[r]), c, r);
        std::ranges::sort(pairs);
        const std::size_t share = (loop.cdus.size() + loop.runs.size() - 1) / loop.runs.size();
        std::vector<char> taken(loop.cdus.size(), 0);
        for (const auto& [away, c, r] : pairs) {
            if (taken[c] || loop.runs[r].cdus.size() >= share) continue;
            taken[c] = 1;
            loop.runs[r].cdus.push_back(loop.cdus[c]);
        }
    }

    /// Over the aisle behind the row, above the middle of its racks.
    void writeHeader(Run& run, int level)
    {
        const std::string slug = headerFor(run.lpm, rowHeaders(m_o), m_bench.parts);
        const std::string& key = m_out.rows.key[run.row];
        const TierId tier = m_wire.tier("row_header", TextId("Row header"), 36);
        const DeviceId id =
            m_wire.device(tier, slug, WaterBench::keyed(key, fmt::format("row_header/auto/{}/run={}", key, level)),
                          fmt::format("{}-header{}", m_out.rows.name[run.row], level == 0 ? std::string() : std::to_string(level + 1)), -1);
        const auto rackOf = [&](const Cabinet* cabinet) -> const RackSpec& {
            return m_bench.parts.rack(m_bench.parts.slug(m_out.racks.type[cabinet->rack]));
        };
        const auto &first = *run.cabinets.front(), &last = *run.cabinets.back();
        const std::int32_t middle =
            (m_out.racks.along[first.rack].count() + m_out.racks.along[last.rack].count() + rackOf(&last).width.value.count()) / 2;
        std::int32_t depth = 0;
        for (const Cabinet* cabinet : run.cabinets)
            depth = std::max(depth, m_out.racks.across[cabinet->rack].count() + rackOf(cabinet).depth.value.count());
        m_out.devices.row.set(id, run.row);
        m_out.devices.angle.set(id, 90);
        m_out.devices.x.set(id, Millimeters(middle - m_bench.spec(id).depth.value.count() / 2));
        m_out.devices.y.set(id, Millimeters(depth + kBehindMm));
        m_out.devices.z.set(id, Millimeters(kHeaderZ + level * kHeaderLevelMm));
        run.headers.push_back(id);
    }

    /// From each of two headers with all of its flow.
    void feedManifold(const Cabinet& cabinet, const std::vector<DeviceId>& from)
    {
        if (m_o.manifold == "none" && !cabinet.manifold) return;
        DeviceId manifold = cabinet.manifold ? *cabinet.manifold : DeviceId();
        if (!cabinet.manifold) {
            const std::string& key = m_out.racks.key[cabinet.rack];
            const TierId tier = m_wire.tier("manifold", TextId("Rack manifold"), 37);
            manifold = m_wire.device(tier, m_o.manifold, WaterBench::keyed(key, fmt::format("manifold/auto/{}", key)),
                                     fmt::format("{}-manifold", m_out.racks.name[cabinet.rack]), -1);
            m_out.devices.rack.set(manifold, cabinet.rack);
            m_out.devices.face.set(manifold, Face::Rear);
        }
        const double rated = m_bench.parts.cable(kHose).ratedLpm.value;
        for (const DeviceId feeder : from) m_bench.join(manifold, feeder, kHose, rated > 0 ? int(std::max(1.0, std::ceil(cabinet.lpm / rated))) : 1);
    }

    WaterBench& m_bench;
    Snapshot& m_out;
    const Options& m_o;
    Wirer& m_wire;
    std::vector<Cabinet> m_cabinets;
    std::vector<Loop> m_loops;
    std::set<std::string> m_couplings; ///< of what liquid cools
};

} // namespace

void writeCabinetLoops(WaterBench& bench) { CabinetWriter(bench).run(); }

} // namespace hw::layout
