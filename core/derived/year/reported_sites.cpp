// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/year/reported_sites.h"

#include "core/derived/year/year.h"
#include "core/foundation/base/resources.h"
#include "core/foundation/files/csv_table.h"
#include "core/physics/coolant/heat.h"
#include "core/physics/weather/climates.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace hw {

namespace {

constexpr double kReferenceW = 10e6;

/// Builds a plant by hand: loops from the outside in are numbered as the solver wants them, from the inside out.
class Reference {
public:
    Reference()
    {
        m_out.it.push_back({.designW = kReferenceW, .supplies = true, .ratedOutputW = 1, .output = 0.4}); // two supplies at 40 % each
        m_groups = 1;
    }
    plant::Loop& loop(const char* name, plant::LoopRole role, double setC, double deltaK, double heatW)
    {
        const bool air = role == plant::LoopRole::Air;
        plant::Loop of{.name = name, .role = role, .setC = setC, .deltaK = deltaK};
        of.wattsPerFlowK = air ? coolant::kAirJPerM3K : 69.4, of.kgPerFlow = air ? 1.2 : 1.0 / 60; // a m³/s of air, a L/min of water
        of.designW = heatW, of.designFlow = heatW / of.wattsPerFlowK / deltaK;
        m_out.loops.push_back(std::move(of));
        return m_out.loops.back();
    }
    plant::Units units(CoolingElement element, double count, double ratedW, double drawW, std::int32_t takes = -1)
    {
        return {.name = std::string(wordOf(element)),
                .element = element,
                .count = count,
                .drawW = drawW,
                .ratedW = ratedW,
                .takes = takes,
                .group = m_groups++};
    }
    [[nodiscard]] plant::PlantModel& out() { return m_out; }

    /// Transformer, lines and, where asked, a central UPS before the IT; pumps and fans behind the transformer.
    void power(bool ups)
    {
        using power::Element;
        using power::Feed;
        std::vector<Element> elements{{.source = true}};
        std::vector<std::vector<Feed>> feeds{{}};
        std::vector<plant::PowerTree::Draw> draws{{}};
        std::vector<std::int32_t> places{0};
        const auto add = [&](Element element, std::uint32_t from, plant::PowerTree::Draw draw, std::int32_t place) {
            elements.push_back(element), feeds.push_back({{.from = from}}), draws.push_back(draw), places.push_back(place);
            return std::uint32_t(elements.size() - 1);
        };
        const auto mw = [](double watts) { return Milliwatts(std::int64_t(watts * 1000)); };
        constexpr double kBlockW = 16e6;
        const auto transformer = add({.loss = {mw(0.0013 * kBlockW), mw(0.0085 * kBlockW), mw(kBlockW), {}}}, 0, {}, 0); // 2.5 MVA class
        std::uint32_t source = transformer;
        if (ups) {
            power::Loss loss{{}, {}, mw(2 * kReferenceW), {{0.25, 0.965}, {0.5, 0.974}, {0.75, 0.975}, {1, 0.972}}}; // 2N: half of its load
            source = add({.loss = loss}, transformer, {}, 1);
        }
        // Busways and strips: 1.5 % at full load.
        source = add({.loss = {{}, mw(0.015 * kReferenceW), mw(kReferenceW), {}}}, source, {}, 1);
        (void)add({.draw = mw(kReferenceW)}, source, {0, 1}, 1);
        for (std::int32_t group = 1; group < m_groups; ++group) (void)add({.draw = mw(1000)}, transformer, {group, 1}, 0);
        const power::Network network(elements, feeds);
        const power::Flow flow = power::flowOf(network);
        m_out.places = {"outdoors", "ventilated"}, m_out.outdoors = 0, m_out.ventilated = 1;
        const std::vector<double> feeders(elements.size(), 0);
        m_out.power = plant::PowerTree(network, flow, draws, places, feeders, std::size_t(m_groups), 2);
        std::vector<char> fixed(std::size_t(m_groups), 0);
        fixed.front() = 1;
        m_out.power.fix(fixed);
    }

private:
    plant::PlantModel m_out;
    std::int32_t m_groups = 0;
};

void pumps(Reference& r, plant::Loop& loop, double share) { loop.movers.push_back(r.units(CoolingElement::Pump, 4, 0, share * kReferenceW / 4)); }

/// Fan walls at 2.7 % of their heat, with a fifth to spare.
void air(Reference& r, std::int32_t takes)
{
    auto& loop = r.loop("air", plant::LoopRole::Air, 25, 13, kReferenceW);
    loop.itHeat = {{0, 1.0}};
    plant::Units fans = r.units(CoolingElement::FanWall, 24, 500e3, 0.027 * 500e3, takes);
    fans.ratedFlow = loop.designFlow / 20;
    loop.movers.push_back(fans);
}

} // namespace

Result<plant::PlantModel> referencePlant(std::string_view kind)
{
    Reference r;
    auto& rules = r.out().rules;
    const auto curves = [&]() -> Result<void> {
        auto ofAir = plant::shippedChillerCurves("screw-vsd-air", true), ofWater = plant::shippedChillerCurves("centrifugal-vsd-1407kw", false);
        if (!ofAir) return tl::unexpected(ofAir.error());
        if (!ofWater) return tl::unexpected(ofWater.error());
        rules.airChiller = std::move(*ofAir), rules.waterChiller = std::move(*ofWater);
        return {};
    }();
    if (!curves) return tl::unexpected(curves.error());
    rules.airVolumeM3 = 10'000;
    r.out().loops.reserve(4);
    if (kind == "tower") {
        air(r, 1);
        auto& facility = r.loop("facility", plant::LoopRole::Facility, 20, 10, 1.03 * kReferenceW);
        pumps(r, facility, 0.011);
        rules.economizer = true;
        facility.sinks.push_back(r.units(CoolingElement::Chiller, 8, 1.5e6, 0, 2));
        auto& condenser = r.loop("condenser", plant::LoopRole::Condenser, 17, 6, 1.15 * kReferenceW);
        pumps(r, condenser, 0.011);
        plant::Units towers = r.units(CoolingElement::Tower, 8, 1.6e6, 0.012 * 1.6e6);
        towers.approachK = 1;
        condenser.sinks.push_back(towers);
    } else if (kind == "dry") {
        auto& cabinets = r.loop("cabinets", plant::LoopRole::Cabinets, 44, 10, 0.85 * kReferenceW);
        cabinets.itHeat = {{0, 0.85}};
        cabinets.movers.push_back(r.units(CoolingElement::Cdu, 6, 1.7e6, 0.02 * 1.7e6, 2));
        auto& room = r.loop("air", plant::LoopRole::Air, 25, 13, 0.15 * kReferenceW);
        room.itHeat = {{0, 0.15}};
        room.movers.push_back(r.units(CoolingElement::FanWall, 5, 375e3, 0.027 * 375e3, 3));
        auto& warm = r.loop("warm", plant::LoopRole::Facility, 40, 10, 0.87 * kReferenceW);
        pumps(r, warm, 0.009);
        rules.pads = true;
        warm.sinks.push_back(r.units(CoolingElement::DryCooler, 6, 2e6, 0.04 * 2e6));
        auto& cool = r.loop("cool", plant::LoopRole::Facility, 20, 10, 0.155 * kReferenceW);
        pumps(r, cool, 0.002);
        cool.sinks.push_back(r.units(CoolingElement::Chiller, 2, 1.1e6, 0));
    } else if (kind == "chiller") {
        air(r, 1);
        auto& facility = r.loop("facility", plant::LoopRole::Facility, 20, 10, 1.03 * kReferenceW);
        pumps(r, facility, 0.011);
        facility.sinks.push_back(r.units(CoolingElement::Chiller, 10, 1.3e6, 0));
    } else {
        return fail(ErrorCode::Refused, std::string(kind), i18n("no reference plant of this kind"), i18n("choose from tower, dry, chiller"));
    }
    r.power(kind != "tower");
    return std::move(r.out());
}

Result<std::vector<ReportedSite>> readReportedSites(std::string_view text, const std::string& file)
{
    const auto table = readCsv(text, file);
    if (!table) return tl::unexpected(table.error());
    std::vector<ReportedSite> out;
    for (const CsvTable::Row& row : table->rows) {
        const auto cell = [&](std::string_view column) -> const std::string& {
            static const std::string none;
            const auto at = std::ranges::find(table->header, column);
            return at == table->header.end() ? none : row.cells[std::size_t(at - table->header.begin())];
        };
        ReportedSite site{cell("operator"), cell("site"), cell("climate"), cell("plant"), cell("period"), cell("source"), cell("not_comparable")};
        site.confidence = cell("confidence").empty() ? 'C' : cell("confidence").front();
        for (const auto& [column, value] : {std::pair("pue_least", &site.least), std::pair("pue_most", &site.most)}) {
            const std::string& number = cell(column);
            const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), *value);
            if (error != std::errc() || end != number.data() + number.size() || !(*value >= 1 && *value < 5))
                return fail(ErrorCode::Unreadable, fmt::format("{}:{}", file, row.line), i18n("{} \"{}\" is not a PUE", column, number),
                            i18n("correct the table of reported sites"));
        }
        out.push_back(std::move(site));
    }
    return out;
}

const Result<std::vector<ReportedSite>>& shippedReportedSites()
{
    static const Result<std::vector<ReportedSite>> all = [] {
        const auto path = resourceFolder() / "plant" / "reported.csv";
        std::ifstream in(path, std::ios::binary);
        std::ostringstream text;
        text << in.rdbuf();
        return readReportedSites(text.str(), path.string());
    }();
    return all;
}

double ReportedComparison::error() const
{
    if (computed < site->least) return computed - site->least;
    return computed > site->most ? computed - site->most : 0;
}
bool ReportedComparison::compared() const { return site->notComparable.empty(); }
bool ReportedComparison::ok() const { return !compared() || std::abs(error()) <= kAllowed; }

Result<std::vector<ReportedComparison>> compareReported(double load)
{
    const auto& sites = shippedReportedSites();
    if (!sites) return tl::unexpected(sites.error());
    std::map<std::pair<std::string, std::string>, double> known;
    std::vector<ReportedComparison> out;
    for (const ReportedSite& site : *sites) {
        const auto [at, fresh] = known.emplace(std::pair(site.plant, site.climate), 0);
        if (fresh) {
            const auto plant = referencePlant(site.plant);
            if (!plant) return tl::unexpected(plant.error());
            const auto climate = weather::shippedClimate(site.climate);
            if (!climate) return tl::unexpected(climate.error());
            const auto year = yearOf(*plant, weather::synthesize(*climate), {std::vector<double>(weather::kHours, load), "constant"}, {});
            if (!year) return tl::unexpected(year.error());
            at->second = year->all.pue();
        }
        out.push_back({&site, at->second});
    }
    return out;
}

} // namespace hw
