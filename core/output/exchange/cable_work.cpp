// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/cable_work.h"

#include "core/derived/cabling/cable_index.h"
#include "core/derived/cabling/cable_label.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/places.h"
#include "core/output/exchange/supply_work.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace hw {

namespace {

using Cell = PlainTable::Cell;

std::string mediumOf(const Figures& f, CableId id)
{
    const auto type = (*f.cabling)[id].type;
    if (type) return f.parts->cable(*type).medium;
    return std::string(wordOf(f.snapshot->cables.medium[id]));
}

std::string typeOf(const Figures& f, CableId id)
{
    const auto type = (*f.cabling)[id].type;
    return type ? (*f.parts)[*type].slug : std::string();
}

std::string typeOf(const Figures& f, const SupplyLine& line) { return line.size.type ? (*f.parts)[*line.size.type].slug : std::string(); }

/// What is laid: it has ends, a length, and is no more than a part of another assembly.
bool isLaid(const Cabling::Cable& cable) { return cable.links > 0 && cable.lengthMm > 0 && !cable.partOf; }

double meters(std::int64_t mm) { return double(mm) / 1000; }

struct Place {
    std::string hall, row, rack, device;
    int u = -1;
};

Place placeOf(const Snapshot& s, DeviceId id)
{
    Place place{{}, {}, {}, s.devices.name[id], -1};
    if (const auto rack = s.devices.rack[id]) {
        place.rack = s.racks.name[*rack];
        place.u = s.devices.u[id];
    }
    if (const auto row = rowOf(s, id)) place.row = s.rows.name[*row];
    if (const auto hall = hallOf(s, id)) place.hall = s.halls.name[*hall];
    return place;
}

Cell unit(int u) { return u >= 0 ? Cell(double(u)) : Cell(); }

} // namespace

Result<void> forEachLabel(const Figures& f, const std::function<Result<void>(const LabelRow&)>& take)
{
    const Snapshot& s = *f.snapshot;
    const CablePlugs plugs(s, *f.parts, *f.cabling);
    Result<void> done;
    s.cables.forEach([&](CableId id) {
        if (!done || !isLaid((*f.cabling)[id])) return;
        for (auto& [from, to] : plugs.pairs(id))
            if (done) done = take({id, mediumOf(f, id), typeOf(f, id), (*f.cabling)[id].lengthMm, std::move(from), std::move(to)});
    });
    for (const SupplyPaper& paper : supplyPapers(f))
        if (done)
            done = take({paper.cable, std::string(wordOf(paper.line->medium)), typeOf(f, *paper.line), paper.line->lengthMm, paper.from, paper.to});
    return done;
}

PlainTable labelTable(const Figures& f)
{
    PlainTable table{words(i18n("Labels")),
                     {{"cable", 14},
                      {"medium", 10},
                      {"type", 24},
                      {"length_m", 9},
                      {"label_from", 48},
                      {"label_to", 48},
                      {"from_device", 24},
                      {"from_port", 12},
                      {"from_rack", 16},
                      {"from_u", 7},
                      {"to_device", 24},
                      {"to_port", 12},
                      {"to_rack", 16},
                      {"to_u", 7}},
                     f.snapshot->cables.size(),
                     {}};
    table.each = [&f](const PlainTable::Take& take) -> Result<void> {
        const Snapshot& s = *f.snapshot;
        const CableLabels labels(s);
        return forEachLabel(f, [&](const LabelRow& label) {
            const Place a = placeOf(s, label.from.device), b = placeOf(s, label.to.device);
            const std::array<Cell, 14> row{entityName(s, *f.parts, ref(label.cable)),
                                           label.medium,
                                           label.type,
                                           meters(label.lengthMm),
                                           labels.of(label.cable, label.from, label.to),
                                           labels.of(label.cable, label.to, label.from),
                                           a.device,
                                           label.from.port,
                                           a.rack,
                                           unit(a.u),
                                           b.device,
                                           label.to.port,
                                           b.rack,
                                           unit(b.u)};
            return take(row);
        });
    };
    return table;
}

namespace {

/// Cables of one type on one way between two racks.
struct Bundle {
    std::uint32_t pair = 0;
    Maybe<PartTypeId> type;
    std::int64_t count = 0, totalMm = 0, longestMm = 0;
};

/// The trays on a way, each once for every time that it is entered.
std::vector<TrayId> traysOf(const Routing& routing, std::uint32_t pair)
{
    std::vector<TrayId> trays;
    for (const std::uint32_t section : routing.sectionsOf(pair))
        if (const auto tray = routing.sections()[section].tray; tray && (trays.empty() || trays.back() != *tray)) trays.push_back(*tray);
    return trays;
}

std::string traysText(const Snapshot& s, std::span<const TrayId> trays)
{
    std::string text;
    for (const TrayId tray : trays) text += (text.empty() ? "" : " > ") + s.trays.name[tray];
    return text;
}

/// Where a bundle ends: a rack, or what stands in none.
struct PullEnd {
    std::string hall{}, row{}, name{};
};

PullEnd pullEnd(const Figures& f, RackId end)
{
    const Snapshot& s = *f.snapshot;
    const auto device = f.routing->standAt(end);
    const auto row = device ? s.devices.row[*device] : Maybe<RowId>(s.racks.row[end]);
    const auto hall = device ? hallOf(s, *device) : Maybe<HallId>(s.rows.hall[*row]);
    return {hall ? s.halls.name[*hall] : std::string(), row ? s.rows.name[*row] : std::string(),
            device ? s.devices.name[*device] : s.racks.name[end]};
}

struct Pull {
    std::vector<Bundle> bundles; ///< of one pair
    std::vector<TrayId> trays;
    std::int64_t longestMm = 0, cables = 0;
};

std::vector<Pull> pulls(const Figures& f)
{
    const Routing& routing = *f.routing;
    const Cabling& cabling = *f.cabling;
    std::vector<Pull> all;
    for (std::uint32_t pair = 0; pair < routing.pairs().size(); ++pair) {
        std::map<std::uint32_t, Bundle> byType;
        for (const CableId id : cabling.cablesOfPair(pair)) {
            const auto& cable = cabling[id];
            if (!isLaid(cable) || cable.noRoute) continue;
            auto& bundle = byType[cable.type ? (*cable.type).value : 0xFFFFFFFFu];
            bundle.pair = pair;
            bundle.type = cable.type;
            ++bundle.count;
            bundle.totalMm += cable.lengthMm;
            bundle.longestMm = std::max<std::int64_t>(bundle.longestMm, cable.lengthMm);
        }
        if (byType.empty()) continue;
        Pull pull{{}, traysOf(routing, pair), 0, 0};
        for (auto& [type, bundle] : byType) {
            pull.longestMm = std::max(pull.longestMm, bundle.longestMm);
            pull.cables += bundle.count;
            pull.bundles.push_back(bundle);
        }
        all.push_back(std::move(pull));
    }
    // Trays fill from the longest way down, so that nothing is pulled over what lies already and ends before.
    std::stable_sort(all.begin(), all.end(), [](const Pull& a, const Pull& b) {
        const auto key = [](const Pull& p) { return std::tuple(p.trays.empty() ? TrayId(0xFFFFFFFFu) : p.trays.front(), -p.longestMm); };
        return key(a) < key(b);
    });
    return all;
}

} // namespace

PlainTable pullTable(const Figures& f)
{
    PlainTable table{words(i18n("Pull schedule")),
                     {{"order", 7},
                      {"bundle", 9},
                      {"from_hall", 14},
                      {"from_row", 14},
                      {"from_rack", 16},
                      {"to_hall", 14},
                      {"to_row", 14},
                      {"to_rack", 16},
                      {"trays", 60},
                      {"sections", 9},
                      {"type", 24},
                      {"medium", 10},
                      {"count", 8},
                      {"longest_m", 10},
                      {"total_m", 10},
                      {"weight_kg", 10},
                      {"trunk_candidate", 10}},
                     f.routing->pairs().size(),
                     {}};
    table.each = [&f](const PlainTable::Take& take) -> Result<void> {
        const Snapshot& s = *f.snapshot;
        std::size_t order = 0, number = 0;
        for (const Pull& pull : pulls(f)) {
            ++number;
            const std::string trays = traysText(s, pull.trays);
            for (const Bundle& bundle : pull.bundles) {
                const auto& pair = f.routing->pairs()[bundle.pair];
                const PullEnd a = pullEnd(f, pair.a), b = pullEnd(f, pair.b);
                const CableSpec* spec = bundle.type ? &f.parts->cable(*bundle.type) : nullptr;
                const bool single = spec && spec->fits.empty() && spec->positions == 1 && spec->fibers > 0;
                const std::int32_t grams = spec ? spec->gramsPerMeter.value : 0;
                const std::array<Cell, 17> row{double(++order),
                                               double(number),
                                               a.hall,
                                               a.row,
                                               a.name,
                                               b.hall,
                                               b.row,
                                               b.name,
                                               trays,
                                               double(f.routing->sectionsOf(bundle.pair).size()),
                                               bundle.type ? (*f.parts)[*bundle.type].slug : std::string(),
                                               spec ? spec->medium : std::string(),
                                               double(bundle.count),
                                               meters(bundle.longestMm),
                                               meters(bundle.totalMm),
                                               grams > 0 ? Cell(meters(bundle.totalMm) * grams / 1000) : Cell(),
                                               std::string(single && bundle.count >= kTrunkCandidate ? "yes" : "")};
                if (auto done = take(row); !done) return done;
            }
        }
        for (const SupplyPaper& paper : supplyPapers(f)) { // one by one: they are stiff
            if (paper.trays.empty()) continue;
            const Place a = placeOf(s, paper.from.device), b = placeOf(s, paper.to.device);
            const std::int64_t totalMm = std::int64_t(paper.line->lengthMm) * paper.line->size.runs;
            const Part* part = paper.line->size.type ? &(*f.parts)[*paper.line->size.type] : nullptr;
            const CableSpec* spec = part ? std::get_if<CableSpec>(&part->spec) : nullptr;
            const std::int32_t grams = spec ? spec->gramsPerMeter.value : 0;
            const std::array<Cell, 17> row{double(++order),
                                           double(++number),
                                           a.hall,
                                           a.row,
                                           a.rack.empty() ? a.device : a.rack,
                                           b.hall,
                                           b.row,
                                           b.rack.empty() ? b.device : b.rack,
                                           traysText(s, paper.trays),
                                           double(paper.sections),
                                           typeOf(f, *paper.line),
                                           std::string(wordOf(paper.line->medium)),
                                           double(paper.line->size.runs),
                                           meters(paper.line->lengthMm),
                                           meters(totalMm),
                                           grams > 0 ? Cell(meters(totalMm) * grams / 1000) : Cell(),
                                           std::string()};
            if (auto done = take(row); !done) return done;
        }
        return {};
    };
    return table;
}

namespace {

/// One thing to do in a rack.
struct Step {
    int kind = 0; ///< 0 mount, 1 plug in a module, 2 connect
    int u = -1;
    std::string device, port, what, farDevice, farPort, farRack, label;
    double lengthM = 0;
};

/// By rack; what stands in none is under its own name.
class WorkOrders {
public:
    explicit WorkOrders(const Figures& f) : m_f(f), m_s(*f.snapshot), m_plugs(*f.snapshot, *f.parts, *f.cabling), m_labels(*f.snapshot) {}

    std::map<std::string, std::vector<Step>> run()
    {
        m_s.devices.forEach([&](DeviceId id) {
            add(id, {0, uOf(id), m_s.devices.name[id], {}, (*m_f.parts)[m_s.devices.type[id]].slug, {}, {}, {}, {}, 0});
        });
        m_s.cables.forEach([&](CableId id) {
            if (isLaid((*m_f.cabling)[id])) cable(id);
        });
        for (const SupplyPaper& paper : supplyPapers(m_f)) {
            connect(paper.cable, paper.from, paper.to, typeOf(m_f, *paper.line), paper.line->lengthMm);
            connect(paper.cable, paper.to, paper.from, typeOf(m_f, *paper.line), paper.line->lengthMm);
        }
        for (auto& [rack, steps] : m_steps)
            std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
                return std::tuple(a.kind, a.kind == 0 ? a.u : -a.u, a.kind ? a.device : std::string()) <
                       std::tuple(b.kind, b.kind == 0 ? b.u : -b.u, b.kind ? b.device : std::string());
            });
        return std::move(m_steps);
    }

private:
    [[nodiscard]] int uOf(DeviceId id) const { return m_s.devices.rack[id] ? m_s.devices.u[id] : -1; }
    [[nodiscard]] std::string rackOf(DeviceId id) const
    {
        return m_s.devices.rack[id] ? m_s.racks.name[*m_s.devices.rack[id]] : m_s.devices.name[id];
    }
    void add(DeviceId id, Step step) { m_steps[rackOf(id)].push_back(std::move(step)); }

    void cable(CableId id)
    {
        const auto ends = m_plugs.of(id);
        if (ends.from.empty() || ends.to.empty()) return;
        for (const auto& plug : ends.from) connect(id, plug, ends.to.front());
        for (const auto& plug : ends.to) connect(id, plug, ends.from.front());
        m_f.cabling->forModules(id, [&](DeviceId device, PartTypeId module) {
            if (isBuiltIn(m_f.parts->transceiver(module))) return;
            const auto at = [&](const std::vector<CablePlug>& side) {
                return std::find_if(side.begin(), side.end(), [&](const CablePlug& p) { return p.device == device; });
            };
            auto plug = at(ends.from);
            const bool lower = plug != ends.from.end();
            if (!lower) plug = at(ends.to);
            std::string port = lower || plug != ends.to.end() ? plug->port : std::string();
            if (!lower && plug == ends.to.end()) // its cable ends at a panel first
                for (const RunId run : m_f.cabling->runs().of(m_f.cabling->linksOf(id).front()))
                    for (const auto& far : m_plugs.of(m_s.runs.cable[run]).to)
                        if (far.device == device) port = far.port;
            add(device, {1, uOf(device), m_s.devices.name[device], port, (*m_f.parts)[module].slug, {}, {}, {}, {}, 0});
        });
    }

    void connect(CableId id, const CablePlug& near, const CablePlug& far) { connect(id, near, far, typeOf(m_f, id), (*m_f.cabling)[id].lengthMm); }
    void connect(CableId id, const CablePlug& near, const CablePlug& far, std::string type, std::int64_t lengthMm)
    {
        add(near.device, {2, uOf(near.device), m_s.devices.name[near.device], near.port, std::move(type), m_s.devices.name[far.device], far.port,
                          rackOf(far.device), m_labels.of(id, near, far), meters(lengthMm)});
    }

    const Figures& m_f;
    const Snapshot& m_s;
    CablePlugs m_plugs;
    CableLabels m_labels;
    std::map<std::string, std::vector<Step>> m_steps;
};

} // namespace

PlainTable workTable(const Figures& f)
{
    PlainTable table{words(i18n("Work orders")),
                     {{"rack", 16},
                      {"step", 7},
                      {"do", 10},
                      {"device", 24},
                      {"u", 6},
                      {"port", 12},
                      {"part", 24},
                      {"length_m", 9},
                      {"far_rack", 16},
                      {"far_device", 24},
                      {"far_port", 12},
                      {"label", 48}},
                     f.snapshot->devices.size() + 2 * f.snapshot->cables.size(),
                     {}};
    table.each = [&f](const PlainTable::Take& take) -> Result<void> {
        static constexpr std::array<const char*, 3> kVerbs{"mount", "module", "connect"};
        for (const auto& [rack, steps] : WorkOrders(f).run()) {
            std::size_t number = 0;
            for (const Step& step : steps) {
                const std::array<Cell, 12> row{
                    rack,         double(++number), std::string(kVerbs[std::size_t(step.kind)]),    step.device,  unit(step.u),
                    step.port,    step.what,        step.lengthM > 0 ? Cell(step.lengthM) : Cell(), step.farRack, step.farDevice,
                    step.farPort, step.label};
                if (auto done = take(row); !done) return done;
            }
        }
        return {};
    };
    return table;
}

} // namespace hw
