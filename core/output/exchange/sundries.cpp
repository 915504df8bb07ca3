// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/sundries.h"

#include "core/derived/geometry/contained_aisle.h"
#include "core/derived/topology/rack_units.h"
#include "core/foundation/model/setting_values.h"
#include "core/physics/power/battery.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace hw {

namespace {

constexpr std::int64_t kBuswaySectionMm = 3'000; ///< straight lengths as makers offer them, joints every 3 m (assumed)
constexpr std::int64_t kCouplingsOfPair = 4;     ///< a plug and its socket at either end of two hoses

class Counting {
public:
    explicit Counting(const SundrySources& from) : m_from(from) {}

    Sundries run()
    {
        addRacks();
        addAisles();
        addCouplings();
        addCoolant();
        addBreakers();
        addBusways();
        addBatteries();
        return std::move(m_out);
    }

private:
    [[nodiscard]] const DeviceSpec& spec(DeviceId id) const { return m_from.parts.device(m_from.s.devices.type[id]); }

    std::uint32_t kind(Sundry sundry)
    {
        const auto [known, fresh] = m_numbers.try_emplace(sundry.part, std::uint32_t(m_out.kinds.size()));
        if (fresh) m_out.kinds.push_back(std::move(sundry));
        return known->second;
    }

    /// A pair of rails for what is screwed or slid into a rack, a panel for every unit that nothing takes. In a cabinet with a busbar trays run
    /// on its own slides.
    void addRacks()
    {
        const Snapshot& s = m_from.s;
        const auto rails =
            kind({std::string(sundry::kRailKit), i18n("Rail kit (pair of rails for a rack-mounted device)"), SundryUnit::Piece, CostSystem::Racks});
        const auto panels = kind(
            {std::string(sundry::kBlankingPanel), i18n("Blanking panel 1U (front of an unused rack unit)"), SundryUnit::Piece, CostSystem::Racks});
        const auto racks = unitsOfRacks(s, m_from.parts);
        std::vector<char> busbar(s.racks.nextId(), 0);
        s.devices.forEach([&](DeviceId id) {
            if (const auto rack = s.devices.rack[id]; rack && spec(id).power.element == PowerElement::Shelf) busbar[(*rack).value] = 1;
        });
        s.devices.forEach([&](DeviceId id) {
            const auto rack = s.devices.rack[id];
            if (!rack || s.devices.u[id] <= 0 || spec(id).halfUnits <= 0) return;
            if (spec(id).panel.positions == 0 && !busbar[(*rack).value]) m_out.needs.push_back({rails, 1000, id});
        });
        s.racks.forEach([&](RackId id) {
            std::int64_t open = 0;
            for (int u = 1; u <= racks[id.value].height(); ++u) open += racks[id.value].isOpen(u);
            if (open > 0) m_out.needs.push_back({.sundry = panels, .thousandths = 1000 * open, .rack = id});
        });
    }

    /// Meters of aisles that are closed in, a door at either end of each; a chimney on every rack of a row that has them.
    void addAisles()
    {
        const Snapshot& s = m_from.s;
        for (const ContainedAisle& aisle : containedAisles(s, m_from.placement)) {
            const std::int64_t length = aisle.alongX ? aisle.box.high.x - aisle.box.low.x : aisle.box.high.y - aisle.box.low.y;
            m_out.needs.push_back({.sundry = kind({std::string(sundry::kContainment), i18n("Aisle containment (roof and panels over one aisle)"),
                                                   SundryUnit::Meter, CostSystem::Racks}),
                                   .thousandths = length,
                                   .row = aisle.row});
            m_out.needs.push_back({.sundry = kind({std::string(sundry::kContainmentDoor), i18n("Containment door (at the end of an aisle)"),
                                                   SundryUnit::Piece, CostSystem::Racks}),
                                   .thousandths = 2000,
                                   .row = aisle.row});
        }
        s.racks.forEach([&](RackId id) {
            if (s.rows.containment[s.racks.row[id]] == Containment::Chimney)
                m_out.needs.push_back({.sundry = kind({std::string(sundry::kChimney), i18n("Rack chimney (from rack to ceiling)"), SundryUnit::Piece,
                                                       CostSystem::Racks}),
                                       .thousandths = 1000,
                                       .rack = id});
        });
    }

    void addCoupling(DeviceId device, PartTypeId hose)
    {
        const CableSpec& cable = m_from.parts.cable(hose);
        if (cable.connector.empty()) return;
        const std::string with = cable.priceFixed.value.count() > 0 ? m_from.parts[hose].slug : std::string();
        m_out.needs.push_back({kind({std::string(sundry::kCoupling) + cable.connector,
                                     i18n("Quick disconnect {} (plug and socket, both ends of supply and return)", cable.connector),
                                     SundryUnit::Piece, CostSystem::Cooling, with}),
                               1000 * kCouplingsOfPair, device});
    }
    void addCouplings()
    {
        for (const SupplyLine& line : m_from.supply.lines())
            if (line.size.kind == SupplyKind::Hose && line.size.type) addCoupling(line.consumer, *line.size.type);
        Cords::forHoses(m_from.s, m_from.parts, m_from.coolant, [&](const Cord& hose) {
            if (hose.type) addCoupling(hose.device, *hose.type);
        });
    }

    /// What the loops hold, and a margin for filling and losses.
    void addCoolant()
    {
        const double margin = numberSetting(m_from.s, "cooling.fill_margin_percent");
        for (const CoolingLoop& loop : m_from.chain.loops) {
            if (loop.kind == LoopKind::Air || loop.liters <= 0 || loop.members.empty()) continue;
            const auto fluid = kind({std::string(sundry::kCoolant) + loop.coolant,
                                     i18n("Coolant {} (loop volume plus {:g} % for filling and losses)", loop.coolant, margin), SundryUnit::Liter,
                                     CostSystem::Cooling});
            m_out.needs.push_back(
                {fluid, std::llround(loop.liters * (1 + margin / 100) * 1000), loop.sources.empty() ? loop.members.front() : loop.sources.front()});
        }
    }

    /// One for every feeder or bus duct that leaves a switchboard; those of busways are in their tap-off boxes, those of medium voltage in
    /// their panels.
    void addBreakers()
    {
        for (const SupplyLine& line : m_from.supply.lines()) {
            if (line.medium != Medium::Power || line.size.kind == SupplyKind::Whip) continue;
            if (spec(line.supplier).power.element != PowerElement::Switchboard) continue;
            const int amperes = breakerAmperes(line.size.needMa);
            if (amperes == 0) continue;
            m_out.needs.push_back(
                {kind({fmt::format("{}{}a", sundry::kBreaker, amperes), i18n("Circuit breaker {:L} A (outgoing feeder in a switchboard)", amperes),
                       SundryUnit::Piece, CostSystem::Power}),
                 1000, line.supplier});
        }
    }

    /// Straight lengths of each busway over all that depends on it, with a feed unit and an end cap; in the price of the busway.
    void addBusways()
    {
        const Snapshot& s = m_from.s;
        std::map<DeviceId, std::pair<std::int32_t, std::int32_t>> spans; // along it, of the racks with its taps
        for (const SupplyLine& line : m_from.supply.lines()) {
            const auto rack = s.devices.rack[line.consumer];
            if (line.medium != Medium::Power || !rack || spec(line.supplier).power.element != PowerElement::Busway) continue;
            const Box own = m_from.placement.device(s, m_from.parts, line.supplier), over = m_from.placement.rack(*rack);
            const bool alongX = own.high.x - own.low.x > own.high.y - own.low.y;
            const auto [at, fresh] = spans.try_emplace(line.supplier, INT32_MAX, INT32_MIN);
            at->second.first = std::min(at->second.first, alongX ? over.low.x : over.low.y);
            at->second.second = std::max(at->second.second, alongX ? over.high.x : over.high.y);
        }
        for (const auto& [id, span] : spans) {
            const std::string& slug = m_from.parts[s.devices.type[id]].slug;
            const std::string with = spec(id).price.value.count() > 0 ? slug : std::string();
            const std::int64_t sections = (span.second - span.first + kBuswaySectionMm - 1) / kBuswaySectionMm;
            const auto add = [&](std::string_view stem, Text what, std::int64_t count) {
                m_out.needs.push_back(
                    {kind({std::string(stem) + slug, std::move(what), SundryUnit::Piece, CostSystem::Power, with}), 1000 * count, id});
            };
            const std::string& model = m_from.parts[s.devices.type[id]].model;
            add(sundry::kSection, i18n("Straight section, 3 m, of {} (joint included)", model), sections);
            add(sundry::kFeedUnit, i18n("Feed unit for {}", model), 1);
            add(sundry::kEndCap, i18n("End cap for {}", model), 1);
        }
    }

    /// Cabinets of the energy that a UPS states, where the design has none of their own.
    void addBatteries()
    {
        const Snapshot& s = m_from.s;
        bool own = false;
        s.devices.forEach([&](DeviceId id) { own = own || m_from.parts[s.devices.type[id]].slug.starts_with("battery-"); });
        if (own) return;
        s.devices.forEach([&](DeviceId id) {
            const PowerSpec& ups = spec(id).power;
            if (ups.element != PowerElement::Ups || ups.battery.value.count() <= 0) return;
            const std::int64_t cabinets = power::batteryCabinets(ups.battery.value);
            const std::string with = spec(id).price.value.count() > 0 ? m_from.parts[s.devices.type[id]].slug : std::string();
            m_out.needs.push_back({kind({std::string(sundry::kBattery), i18n("Battery cabinet 34.6 kWh (lithium-ion, next to a UPS)"),
                                         SundryUnit::Piece, CostSystem::Power, with}),
                                   1000 * cabinets, id});
        });
    }

    const SundrySources& m_from;
    Sundries m_out;
    std::map<std::string, std::uint32_t> m_numbers; ///< by slug
};

} // namespace

Sundries sundriesOf(const SundrySources& from) { return Counting(from).run(); }

Sundry labelSundry()
{
    return {std::string(sundry::kLabel), i18n("Label (both ends of cables, cords, hoses and pipes; racks and devices)"), SundryUnit::Piece,
            CostSystem::OpticsAndCables};
}

int breakerAmperes(std::int64_t milliamperes)
{
    // IEC 60947-2 frames and settings as boards offer them
    constexpr std::array kAmperes{16,  20,  25,  32,  40,   50,   63,   80,   100,  125,  160,  200,  250, 320,
                                  400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3200, 4000, 5000, 6300};
    if (milliamperes <= 0) return 0;
    for (const int amperes : kAmperes)
        if (milliamperes <= std::int64_t(amperes) * 1000) return amperes;
    return 0;
}

} // namespace hw
