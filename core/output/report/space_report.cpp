// SPDX-License-Identifier: GPL-3.0-or-later
// What a planner counts in a hall: rooms, rows, racks, what tiers draw, how long their cables are.
#include "core/output/report/space_report.h"

#include "core/derived/figures/tray_load.h"
#include "core/foundation/model/places.h"
#include "core/foundation/model/setting_values.h"
#include "core/output/report/json_values.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace hw {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kBases{PowerBasis::Typical, PowerBasis::Design, PowerBasis::Nameplate};

double inMeters(std::int64_t mm) { return double(mm) / 1000; }

template <class Get>
Json byBasis(Get&& watts)
{
    Json out = Json::object();
    for (const PowerBasis basis : kBases) out[std::string(powerBasisName(basis)) + "_w"] = wattsJson(watts(basis));
    return out;
}

/// What stands in one room.
struct RoomCount {
    std::set<std::int32_t> cells;
    std::int64_t rows = 0, contained = 0, racks = 0, serverRacks = 0, longestRowMm = 0;
    Maybe<RackId> heaviest;
};

std::vector<std::int64_t> gramsOfRacks(const Figures& f)
{
    const Snapshot& s = *f.snapshot;
    std::vector<std::int64_t> grams(s.racks.nextId(), 0);
    s.racks.forEach([&](RackId id) { grams[id.value] = f.parts->rack(s.racks.type[id]).weight.value.count(); });
    s.devices.forEach([&](DeviceId id) {
        if (const auto rack = s.devices.rack[id]) grams[(*rack).value] += f.parts->device(s.devices.type[id]).weight.value.count();
    });
    return grams;
}

Json heaviestJson(const Figures& f, RackId rack, std::int64_t grams)
{
    const Snapshot& s = *f.snapshot;
    const RackSpec& spec = f.parts->rack(s.racks.type[rack]);
    const double kg = double(grams) / 1000, width = inMeters(spec.width.value.count()), depth = inMeters(spec.depth.value.count());
    const double aisle = numberSetting(s, "rule.s3.aisle_share_mm", 1800) / 1000;
    if (width <= 0 || depth <= 0) return Json();
    return {{"name", s.racks.name[rack]},
            {"kg", rounded(kg, 0.001)},
            {"kg_m2", rounded(kg / (width * depth), 0.001)},
            {"with_aisle_kg_m2", rounded(kg / (width * (depth + aisle)), 0.001)}};
}

std::vector<RoomCount> countRooms(const Figures& f, const std::vector<std::int64_t>& grams)
{
    const Snapshot& s = *f.snapshot;
    std::vector<RoomCount> rooms(s.halls.nextId());
    std::vector<char> servers(s.racks.nextId(), 0);
    s.devices.forEach([&](DeviceId id) {
        if (const auto rack = s.devices.rack[id]; rack && s.tiers.kind[s.devices.tier[id]] == TierKind::Server) servers[(*rack).value] = 1;
    });
    s.rows.forEach([&](RowId id) {
        RoomCount& room = rooms[s.rows.hall[id].value];
        const Box& box = f.placement->row(id);
        ++room.rows, room.contained += s.rows.containment[id] != Containment::None;
        room.cells.insert(s.rows.cell[id]);
        room.longestRowMm = std::max<std::int64_t>({room.longestRowMm, box.high.x - box.low.x, box.high.y - box.low.y});
    });
    s.racks.forEach([&](RackId id) {
        RoomCount& room = rooms[s.rows.hall[s.racks.row[id]].value];
        ++room.racks, room.serverRacks += servers[id.value];
        if (!room.heaviest || grams[id.value] > grams[(*room.heaviest).value]) room.heaviest = id;
    });
    return rooms;
}

} // namespace

Json hallsJson(const Figures& f)
{
    const Snapshot& s = *f.snapshot;
    const auto grams = gramsOfRacks(f);
    const auto rooms = countRooms(f, grams);
    Json out = Json::array();
    s.halls.forEach([&](HallId id) {
        const RoomCount& room = rooms[id.value];
        if (room.racks == 0) return;
        const auto limit = s.halls.itLimit[id];
        out.push_back(
            {{"name", s.halls.name[id]},
             {"building", s.buildings.name[s.halls.building[id]]},
             {"size_m", {inMeters(s.halls.sizeX[id].count()), inMeters(s.halls.sizeY[id].count())}},
             {"clear_height_m", inMeters(s.halls.clearHeight[id].count() > 0 ? s.halls.clearHeight[id].count() : s.halls.sizeZ[id].count())},
             {"cells", room.cells.size()},
             {"rows", room.rows},
             {"contained_rows", room.contained},
             {"longest_row_m", inMeters(room.longestRowMm)},
             {"racks", room.racks},
             {"server_racks", room.serverRacks},
             {"it", byBasis([&](PowerBasis basis) { return f.power->hall(id).at(basis); })},
             {"it_limit_w", limit.count() > 0 ? Json(wattsJson(limit)) : Json()},
             {"heaviest_rack", room.heaviest ? heaviestJson(f, *room.heaviest, grams[(*room.heaviest).value]) : Json()}});
    });
    return out;
}

Json tierPowerJson(const Figures& f)
{
    struct Sum {
        std::int64_t devices = 0;
        std::array<Milliwatts, kBases.size()> draw{};
    };
    const Snapshot& s = *f.snapshot;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Sum> sums; // by tier, hall + 1 (0 = nowhere)
    s.devices.forEach([&](DeviceId id) {
        const auto hall = hallOf(s, id);
        Sum& sum = sums[{s.devices.tier[id].value, hall ? (*hall).value + 1 : 0}];
        ++sum.devices;
        for (std::size_t b = 0; b < kBases.size(); ++b) sum.draw[b] += f.power->device(id).at(kBases[b]);
    });
    Json out = Json::array();
    for (const auto& [key, sum] : sums) {
        if (sum.draw.back().count() == 0) continue;
        Json row{{"tier", s.tiers.key[TierId(key.first)]},
                 {"hall", key.second ? Json(s.halls.name[HallId(key.second - 1)]) : Json()},
                 {"devices", sum.devices}};
        for (std::size_t b = 0; b < kBases.size(); ++b) row[std::string(powerBasisName(kBases[b])) + "_w"] = wattsJson(sum.draw[b]);
        out.push_back(std::move(row));
    }
    return out;
}

Json peaksJson(const Figures& f)
{
    const Snapshot& s = *f.snapshot;
    Json rack = Json::object(), row = Json::object();
    for (const PowerBasis basis : kBases) {
        Maybe<RackId> mostRack;
        Maybe<RowId> mostRow;
        s.racks.forEach([&](RackId id) {
            if (!mostRack || f.power->rack(id).at(basis) > f.power->rack(*mostRack).at(basis)) mostRack = id;
        });
        s.rows.forEach([&](RowId id) {
            if (!mostRow || f.power->row(id).at(basis) > f.power->row(*mostRow).at(basis)) mostRow = id;
        });
        const std::string word(powerBasisName(basis));
        if (mostRack) rack[word] = {{"name", s.racks.name[*mostRack]}, {"load_w", wattsJson(f.power->rack(*mostRack).at(basis))}};
        if (mostRow) row[word] = {{"name", s.rows.name[*mostRow]}, {"load_w", wattsJson(f.power->row(*mostRow).at(basis))}};
    }
    return {{"rack", rack}, {"row", row}};
}

Json cableRunsJson(const Figures& f)
{
    struct Run {
        std::int64_t cables = 0, links = 0, across = 0;
        std::int32_t routeMm = 0, lengthMm = 0, acrossMm = 0;
        std::map<std::int32_t, std::int64_t> lengths; ///< bought, mm
    };
    const Snapshot& s = *f.snapshot;
    const Cabling& cabling = f.get<CablingNode>();
    std::map<std::pair<std::uint32_t, std::uint32_t>, Run> runs; // by tier
    s.cables.forEach([&](CableId id) {
        const auto links = cabling.linksOf(id);
        if (links.empty() || s.cables.medium[id] != Medium::Data) return;
        const DeviceId a = s.ports.device[s.links.from[links.front()]], b = s.ports.device[s.links.to[links.front()]];
        const auto& cable = cabling[id];
        Run& run = runs[{s.devices.tier[a].value, s.devices.tier[b].value}];
        ++run.cables, run.links += std::int64_t(links.size());
        run.routeMm = std::max(run.routeMm, cable.routeMm), run.lengthMm = std::max(run.lengthMm, cable.lengthMm);
        ++run.lengths[cable.lengthMm];
        if (!(hallOf(s, a) == hallOf(s, b))) ++run.across, run.acrossMm = std::max(run.acrossMm, cable.routeMm);
    });
    Json out = Json::array();
    for (const auto& [tiers, run] : runs) {
        Json lengths = Json::array();
        for (const auto& [mm, n] : run.lengths) lengths.push_back({{"length_m", inMeters(mm)}, {"cables", n}});
        out.push_back({{"from", s.tiers.key[TierId(tiers.first)]},
                       {"to", s.tiers.key[TierId(tiers.second)]},
                       {"cables", run.cables},
                       {"links", run.links},
                       {"longest_route_m", inMeters(run.routeMm)},
                       {"longest_m", inMeters(run.lengthMm)},
                       {"between_halls", run.across},
                       {"longest_between_halls_m", inMeters(run.acrossMm)},
                       {"lengths", lengths}});
    }
    return out;
}

Json traysJson(const Figures& f)
{
    const Snapshot& s = *f.snapshot;
    const auto& loads = f.get<TrayLoadNode>();
    Json out = Json::array();
    s.trays.forEach([&](TrayId id) {
        const TrayLoad& load = loads[id.value];
        const TraySpec& spec = f.parts->tray(s.trays.type[id]);
        out.push_back({{"name", s.trays.name[id]},
                       {"type", s.partTypes.slug[s.trays.type[id]]},
                       {"count", s.trays.count[id]},
                       {"width_mm", spec.width.value.count()},
                       {"cables", load.all.cables},
                       {"area_mm2", rounded(double(load.all.areaUm2) / 1e6, 0.001)},
                       {"fill", rounded(double(fillPermille(s, *f.parts, id, load)) / 1000, 0.001)},
                       {"kg_m", rounded(double(load.all.grams) / 1000, 0.001)}});
    });
    return out;
}

} // namespace hw
