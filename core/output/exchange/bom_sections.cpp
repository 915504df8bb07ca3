// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/bom_sections.h"

#include "core/derived/figures/failure_domains.h"
#include "core/foundation/model/places.h"
#include "core/foundation/money/phases.h"
#include "core/output/exchange/bom_spares.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hw {

namespace {

/// Where a piece is, and when it comes.
struct SectionPlace {
    int phase = 1;
    std::int64_t building = -1; ///< id, -1 = none
    std::int64_t hall = -1;     ///< likewise
    auto operator<=>(const SectionPlace&) const = default;
};
using Counts = std::map<SectionPlace, std::int64_t>;

/// Looks at every thing once and counts it for its line of the bill.
class Placing {
public:
    Placing(const Figures& figures, const Bom& bom)
        : m_figures(figures), m_s(*figures.snapshot), m_bom(bom), m_ordering(CableOrdering::of(m_s)), m_phases(m_s), m_counts(bom.lines.size())
    {
        for (std::uint32_t i = 0; i < bom.lines.size(); ++i) {
            const auto& line = bom.lines[i];
            const auto type = figures.parts->find(line.part);
            if (line.group == Bom::Group::Sundries)
                m_sundries[line.part] = i;
            else if (type && line.group != Bom::Group::Charges)
                m_lines[{line.group, type->value, line.group == Bom::Group::Spares ? 0 : line.lengthMm}] = i;
        }
    }

    std::vector<Counts> run()
    {
        m_s.racks.forEach([&](RackId id) { add(Bom::Group::Racks, m_s.racks.type[id], placeIn(m_phases.of(id), m_s.rows.hall[m_s.racks.row[id]])); });
        m_s.devices.forEach([&](DeviceId id) { add(Bom::Group::Devices, m_s.devices.type[id], placeOf(id)); });
        m_s.cables.forEach([&](CableId id) { addCable(id); });
        addSupply();
        addTrays();
        addSpares();
        addSundries();
        for (std::uint32_t i = 0; i < m_counts.size(); ++i) settle(m_bom.lines[i], m_counts[i]);
        return std::move(m_counts);
    }

private:
    /// What is bought besides what stands somewhere is not placed. Spare cables and what fills a pack come with the phase that opens the pack,
    /// all else with the last of its part.
    void settle(const Bom::Line& line, Counts& counts) const
    {
        if (line.group == Bom::Group::Charges) return;
        std::int64_t rest = line.quantity;
        std::map<int, std::int64_t> byPhase;
        for (const auto& [place, count] : counts) rest -= count, byPhase[place.phase] += count;
        if (rest == 0) return;
        if (line.group == Bom::Group::Cables && rest > 0) return addPacks(line, byPhase, counts);
        counts[{byPhase.empty() ? 1 : byPhase.rbegin()->first, -1}] += rest;
    }

    /// A pack that one phase opens serves the next ones, which then buy less than they lay.
    void addPacks(const Bom::Line& line, const std::map<int, std::int64_t>& byPhase, Counts& counts) const
    {
        const std::int64_t pack = std::max<std::int64_t>(1, m_ordering.pack);
        std::int64_t laid = 0, bought = 0;
        for (const auto& [phase, count] : byPhase) {
            laid += count;
            const auto needed = laid + std::int64_t(std::ceil(double(laid) * m_ordering.sparePercent / 100 - 1e-9));
            const bool last = phase == byPhase.rbegin()->first;
            const auto now = last ? line.quantity : std::min(line.quantity, (needed + pack - 1) / pack * pack);
            if (now - bought != count) counts[{phase, -1}] += now - bought - count;
            bought = now;
        }
    }

    [[nodiscard]] SectionPlace placeIn(int phase, Maybe<HallId> hall) const
    {
        return hall ? SectionPlace{phase, std::int64_t(m_s.halls.building[*hall].value), std::int64_t((*hall).value)} : SectionPlace{phase};
    }
    [[nodiscard]] SectionPlace placeOf(DeviceId id) const { return placeIn(m_phases.of(id), hallOf(m_s, id)); }

    void add(Bom::Group group, PartTypeId type, SectionPlace place, std::int32_t lengthMm = 0, std::int64_t pieces = 1)
    {
        if (group != Bom::Group::Trays) m_pieces[type.value][place.phase] += pieces;
        const auto line = m_lines.find({group, type.value, lengthMm});
        if (line == m_lines.end()) return;
        m_counts[line->second][place] += pieces;
        if (group == Bom::Group::Cables) m_labels[place] += labelsOf(pieces);
        if (group == Bom::Group::Racks || group == Bom::Group::Devices) m_labels[place] += pieces;
    }

    void addCable(CableId id)
    {
        const auto& cabling = *m_figures.cabling;
        const auto links = cabling.linksOf(id);
        if (links.empty()) return;
        SectionPlace place = placeOf(m_s.ports.device[m_s.links.from[links.front()]]);
        for (const LinkId link : links) place.phase = std::max(place.phase, m_phases.of(link));
        const auto& cable = cabling[id];
        if (cable.type && cable.lengthMm > 0 && !cable.partOf) add(Bom::Group::Cables, *cable.type, place, cable.lengthMm);
        cabling.forModules(id, [&](DeviceId device, PartTypeId module) {
            if (!isBuiltIn(m_figures.parts->transceiver(module))) add(Bom::Group::Transceivers, module, placeIn(place.phase, hallOf(m_s, device)));
        });
    }

    /// Feeders, whips, pipes and hoses come with the later of their ends and stand where they lead to; cords with their device.
    void addSupply()
    {
        for (const SupplyLine& line : m_figures.get<SupplyNode>().lines()) {
            SectionPlace place = placeOf(line.consumer);
            place.phase = std::max(place.phase, m_phases.of(line.supplier));
            if (line.size.type) add(Bom::Group::Cables, *line.size.type, place, line.lengthMm, line.size.runs);
            if (line.size.tapOff) add(Bom::Group::Devices, *line.size.tapOff, place);
        }
        const auto cord = [&](const Cord& one) {
            if (one.type) add(Bom::Group::Cables, *one.type, placeOf(one.device), one.lengthMm);
        };
        Cords::forCords(m_s, *m_figures.parts, m_figures.get<PowerFeedsNode>(), cord);
        Cords::forHoses(m_s, *m_figures.parts, m_figures.get<MediumNode<Medium::Coolant>>(), cord);
    }

    /// Thousandths by place as whole units, so that the sums of all places up to one are rounded up.
    void addRounded(std::uint32_t line, const std::map<SectionPlace, std::int64_t>& places)
    {
        std::int64_t before = 0;
        for (const auto& [place, thousandths] : places) {
            m_counts[line][place] += (before + thousandths + 999) / 1000 - (before + 999) / 1000;
            before += thousandths;
        }
    }

    [[nodiscard]] SectionPlace placeOf(const SundryNeed& need) const
    {
        if (need.device) return placeOf(*need.device);
        if (need.rack) return placeIn(m_phases.of(*need.rack), m_s.rows.hall[m_s.racks.row[*need.rack]]);
        return need.row ? placeIn(m_phases.of(*need.row), m_s.rows.hall[*need.row]) : SectionPlace{};
    }

    void addSundries()
    {
        const auto all = sundriesOf({m_s, *m_figures.parts, *m_figures.placement, m_figures.get<SupplyNode>(),
                                     m_figures.get<MediumNode<Medium::Coolant>>(), m_figures.get<CoolingChainNode>()});
        std::map<std::string, std::map<SectionPlace, std::int64_t>> places;
        for (const SundryNeed& need : all.needs) places[all.kinds[need.sundry].part][placeOf(need)] += need.thousandths;
        for (const auto& [part, of] : places)
            if (const auto line = m_sundries.find(part); line != m_sundries.end()) addRounded(line->second, of);
        if (const auto line = m_sundries.find(std::string(sundry::kLabel)); line != m_sundries.end()) m_counts[line->second] = m_labels;
    }

    void addTrays()
    {
        std::map<std::uint32_t, std::map<SectionPlace, std::int64_t>> millimeters;
        const Trays& t = m_s.trays;
        const auto phaseOf = [&](TrayId id) {
            if (m_phases.of(id) == 1) return 1;
            return m_phases.of(id, linksThrough(m_figures.get<FailureDomainsNode>(), m_figures.get<FeederDomainsNode>(), id));
        };
        t.forEach([&](TrayId id) {
            const double dx = t.x2[id].count() - t.x1[id].count(), dy = t.y2[id].count() - t.y1[id].count(), dz = t.z2[id].count() - t.z1[id].count();
            const auto row = t.row[id];
            millimeters[t.type[id].value][placeIn(phaseOf(id), row ? Maybe<HallId>(m_s.rows.hall[*row]) : t.hall[id])] +=
                std::llround(std::sqrt(dx * dx + dy * dy + dz * dz)) * t.count[id];
        });
        for (const auto& [type, places] : millimeters) {
            const auto line = m_lines.find({Bom::Group::Trays, type, 0});
            if (line != m_lines.end()) addRounded(line->second, places);
        }
    }

    void addSpares()
    {
        const SparesPolicy policy = SparesPolicy::of(m_s);
        for (const auto& [type, byPhase] : m_pieces) {
            const auto line = m_lines.find({Bom::Group::Spares, type, 0});
            if (line == m_lines.end()) continue;
            std::int64_t pieces = 0, before = 0;
            for (const auto& [phase, count] : byPhase) {
                pieces += count;
                const auto spares =
                    policy.spares((*m_figures.parts)[PartTypeId(type)].failuresPerYear.value, pieces, m_bom.lines[line->second].leadDays);
                m_counts[line->second][{phase, -1}] = spares - before;
                before = spares;
            }
        }
    }

    const Figures& m_figures;
    const Snapshot& m_s;
    const Bom& m_bom;
    CableOrdering m_ordering;
    PhaseIndex m_phases;
    std::map<std::tuple<Bom::Group, std::uint32_t, std::int32_t>, std::uint32_t> m_lines;
    std::map<std::uint32_t, std::map<int, std::int64_t>> m_pieces; ///< by type and phase
    std::map<std::string, std::uint32_t> m_sundries;               ///< lines by slug
    Counts m_labels;
    std::vector<Counts> m_counts; ///< by line
};

/// Sections by a number that each line, or each place of a line, has.
class Dividing {
public:
    explicit Dividing(const Bom& bom) : m_bom(bom) {}

    void add(std::int64_t section, const Bom::Line& line, std::int64_t quantity)
    {
        if (quantity == 0) return;
        Bom& bom = m_sections[section];
        Bom::Line part = line;
        part.quantity = quantity, part.sum = line.unitPrice * quantity;
        bom.lines.push_back(std::move(part));
    }

    template <class Name, class Title>
    BomSections take(BomBy by, Name&& name, Title&& title)
    {
        BomSections result{by, {}};
        Money before;
        for (auto& [number, bom] : m_sections) {
            bom.currency = m_bom.currency, bom.sparesShare = m_bom.sparesShare;
            bom.shippingPercent = m_bom.shippingPercent, bom.installationPercent = m_bom.installationPercent, bom.taxPercent = m_bom.taxPercent;
            const Money goods = bom.goods();
            bom.close(before);
            before += goods;
            result.sections.push_back({name(number), title(number), std::move(bom)});
        }
        return result;
    }

private:
    const Bom& m_bom;
    std::map<std::int64_t, Bom> m_sections;
};

BomSections bySystem(const Bom& bom)
{
    Dividing dividing(bom);
    for (const auto& line : bom.lines)
        if (line.group != Bom::Group::Charges) dividing.add(std::int64_t(line.system), line, line.quantity);
    return dividing.take(
        BomBy::System, [](std::int64_t n) { return std::string(wordOf(CostSystem(n))); }, [](std::int64_t n) { return systemText(CostSystem(n)); });
}

} // namespace

BomSections bomSections(const Figures& figures, const Bom& bom, BomBy by)
{
    if (by == BomBy::System) return bySystem(bom);
    const Snapshot& s = *figures.snapshot;
    Dividing dividing(bom);
    const auto counts = Placing(figures, bom).run();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        std::map<std::int64_t, std::int64_t> quantities;
        for (const auto& [place, count] : counts[i])
            quantities[by == BomBy::Phase ? place.phase : by == BomBy::Room ? place.hall : place.building] += count;
        for (const auto& [section, quantity] : quantities) dividing.add(section, bom.lines[i], quantity);
    }
    if (by == BomBy::Phase)
        return dividing.take(
            by, [](std::int64_t n) { return std::to_string(n); }, [&](std::int64_t n) { return phaseText(s, int(n)); });
    if (by == BomBy::Room) {
        const auto room = [&](std::int64_t n) { return n < 0 ? std::string() : s.halls.name[HallId(std::uint32_t(n))]; };
        return dividing.take(by, room, [&](std::int64_t n) { return n < 0 ? i18n("not in a room") : verbatim(room(n)); });
    }
    const auto name = [&](std::int64_t n) { return n < 0 ? std::string() : s.buildings.name[BuildingId(std::uint32_t(n))]; };
    return dividing.take(by, name, [&](std::int64_t n) { return n < 0 ? i18n("not in a building") : verbatim(name(n)); });
}

std::vector<PlacedBomLine> placedLines(const Figures& figures, const Bom& bom)
{
    std::vector<PlacedBomLine> placed;
    const auto counts = Placing(figures, bom).run();
    for (std::size_t i = 0; i < counts.size(); ++i)
        for (const auto& [place, count] : counts[i])
            if (count != 0 && bom.lines[i].group != Bom::Group::Charges)
                placed.push_back({i, place.hall < 0 ? Maybe<HallId>() : Maybe<HallId>(HallId(std::uint32_t(place.hall))), place.phase, count});
    return placed;
}

} // namespace hw
