// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/foundation/money/price_rows.h"
#include "core/output/exchange/bom_sections.h"
#include "core/output/exchange/bom_total.h"
#include "tests/money/small_design.h"

#include <cmath>
#include <map>
#include <set>

using namespace hw;

namespace {

const Bom::Line* lineOf(const Bom& bom, const std::string& part)
{
    const auto found = std::ranges::find(bom.lines, part, &Bom::Line::part);
    return found == bom.lines.end() ? nullptr : &*found;
}
std::int64_t quantityOf(const Bom& bom, const std::string& part)
{
    const auto* line = lineOf(bom, part);
    return line ? line->quantity : 0;
}

} // namespace

/// What a surveyor looks for besides the parts, counted another way.
class SundriesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_air = figuresFor(designOf("hpn", {{"segments", 1}, {"backup_hosts", 0}}));
        m_liquid = figuresFor(designOf("nvl72", {{"segments", 8}}));
    }

    /// Units of every rack: those that something takes, and one panel for each that nothing does.
    void everyUnitIsTakenOrBlanked()
    {
        for (const auto& f : {m_air, m_liquid}) {
            const Snapshot& s = *f->snapshot;
            std::int64_t units = 0, rails = 0;
            std::set<std::pair<std::uint32_t, int>> taken;
            std::set<std::uint32_t> busbar;
            s.devices.forEach([&](DeviceId id) {
                if (s.devices.rack[id] && f->parts->device(s.devices.type[id]).power.element == PowerElement::Shelf)
                    busbar.insert((*s.devices.rack[id]).value);
            });
            s.racks.forEach([&](RackId id) { units += f->parts->rack(s.racks.type[id]).heightU; });
            s.devices.forEach([&](DeviceId id) {
                const DeviceSpec& spec = f->parts->device(s.devices.type[id]);
                if (!s.devices.rack[id] || s.devices.u[id] <= 0 || spec.halfUnits == 0) return;
                rails += !busbar.contains((*s.devices.rack[id]).value);
                for (int n = 0; n < (spec.halfUnits + 1) / 2; ++n) taken.emplace((*s.devices.rack[id]).value, s.devices.u[id] + n);
            });
            const Bom bom = makeBom(*f);
            QCOMPARE(quantityOf(bom, "blanking-panel-1u") + std::int64_t(taken.size()), units);
            QCOMPARE(quantityOf(bom, "rail-kit"), rails);
            QVERIFY(rails > 0);
        }
        QVERIFY(quantityOf(makeBom(*m_liquid), "rail-kit") < std::int64_t(m_liquid->snapshot->devices.size()) / 2); // most hang in busbar cabinets
    }

    void coolantFollowsTheLoops()
    {
        for (const char* margin : {"", "25"}) {
            auto s = std::make_shared<Snapshot>(*m_liquid->snapshot);
            if (*margin) s->putSetting("cooling.fill_margin_percent", margin);
            const auto f = figuresFor(s);
            std::map<std::string, double> liters;
            for (const CoolingLoop& loop : f->get<CoolingChainNode>().loops)
                if (loop.kind != LoopKind::Air) liters["coolant-" + loop.coolant] += loop.liters * (*margin ? 1.25 : 1.1);
            QVERIFY(liters.contains("coolant-pg25") && liters.contains("coolant-water"));
            const Bom bom = makeBom(*f);
            for (const auto& [part, expected] : liters) {
                QVERIFY(std::abs(double(quantityOf(bom, part)) - expected) <= 1);
                QCOMPARE(bomUnit(*lineOf(bom, part)), std::string_view("L"));
            }
        }
    }

    /// Whole rows of HPN are 10.8 or 11.0 m long: four straight lengths of 3 m over it on either side, with a feed unit and an end cap; shorter runs
    /// take fewer.
    void sectionsOfBusways()
    {
        const Snapshot& s = *m_air->snapshot;
        const Bom bom = makeBom(*m_air);
        const std::string slug = "busway-1600a-400v";
        std::int64_t busways = 0, expected = 0, whole = 0;
        s.devices.forEach([&](DeviceId id) {
            if (s.partTypes.slug[s.devices.type[id]] != slug) return; // smaller ones over short rows
            ++busways;
            std::int32_t low = INT32_MAX, high = INT32_MIN; // of the racks of its row that a strip joins to it
            s.links.forEach([&](LinkId link) {
                const DeviceId strip = s.ports.device[s.links.from[link]];
                if (s.ports.device[s.links.to[link]] != id || !s.devices.rack[strip]) return;
                const RackId rack = *s.devices.rack[strip];
                const std::int32_t from = s.racks.along[rack].count();
                low = std::min(low, from), high = std::max(high, from + m_air->parts->rack(s.racks.type[rack]).width.value.count());
            });
            if (low > high) return;
            expected += (high - low + 2999) / 3000;
            whole += high - low > 9'000 && high - low <= 12'000 ? 1 : 0;
        });
        QVERIFY(whole >= 4);
        QCOMPARE(quantityOf(bom, "section-" + slug), expected);
        QCOMPARE(quantityOf(bom, "feed-unit-" + slug), busways);
        QCOMPARE(quantityOf(bom, "end-cap-" + slug), busways);
        QCOMPARE(lineOf(bom, "section-" + slug)->with, slug);
        QVERIFY(lineOf(bom, "section-" + slug)->priced && lineOf(bom, "section-" + slug)->sum.count() == 0);
    }

    /// Four of a pair of hoses: both ends of supply and return; in the price of the hoses.
    void couplingsOfHoses()
    {
        const Bom bom = makeBom(*m_liquid);
        for (const char* connector : {"uqd-04", "lqc-1in"}) {
            std::int64_t pairs = 0;
            for (const auto& line : bom.lines)
                if (line.part == std::string("hose-") + connector && !line.spare()) pairs += line.quantity;
            QVERIFY(pairs > 0);
            const auto* line = lineOf(bom, std::string("coupling-") + connector);
            QVERIFY(line);
            QCOMPARE(line->quantity, 4 * pairs);
            QCOMPARE(line->with, std::string("hose-") + connector);
            QVERIFY(line->priced && line->sum.count() == 0);
        }
        QVERIFY(!lineOf(makeBom(*m_air), "coupling-uqd-04"));
    }

    void aislesAreClosedIn()
    {
        const Bom bom = makeBom(*m_air);
        const auto* meters = lineOf(bom, "aisle-containment");
        QVERIFY(meters && bomUnit(*meters) == "m" && meters->quantity >= 11);
        QCOMPARE(quantityOf(bom, "containment-door") % 2, std::int64_t(0));
        auto open = std::make_shared<Snapshot>(*m_air->snapshot);
        open->rows.forEach([&](RowId id) { open->rows.containment.set(id, Containment::None); });
        QVERIFY(!lineOf(makeBom(*figuresFor(open)), "aisle-containment"));
    }

    void batteriesAndBreakers()
    {
        const Bom bom = makeBom(*m_air);
        std::int64_t cabinets = 0, modules = 0; // of 34.6 kWh: 276.8 kWh beside 1,250 kW, fewer beside smaller ones
        for (const auto& [ups, each] : std::map<std::string, int>{{"ups-50kw", 1},
                                                                  {"ups-75kw", 2},
                                                                  {"ups-100kw", 2},
                                                                  {"ups-150kw", 2},
                                                                  {"ups-250kw", 3},
                                                                  {"ups-375kw", 4},
                                                                  {"ups-500kw", 4},
                                                                  {"ups-625kw", 5},
                                                                  {"ups-750kw", 6},
                                                                  {"ups-875kw", 6},
                                                                  {"ups-1000kw", 7},
                                                                  {"ups-1125kw", 8},
                                                                  {"ups-1250kw", 8}})
            modules += quantityOf(bom, ups), cabinets += each * quantityOf(bom, ups);
        QVERIFY(modules > 0);
        QCOMPARE(quantityOf(bom, "battery-cabinet-34kwh"), cabinets);
        std::int64_t breakers = 0, leaving = 0;
        for (const auto& line : bom.lines)
            if (line.part.starts_with("breaker-")) breakers += line.quantity;
        for (const SupplyLine& line : m_air->get<SupplyNode>().lines())
            leaving += line.medium == Medium::Power && line.size.kind != SupplyKind::Whip && line.size.needMa > 0 &&
                       m_air->parts->device(m_air->snapshot->devices.type[line.supplier]).power.element == PowerElement::Switchboard;
        QVERIFY(leaving > 0);
        QCOMPARE(breakers, leaving);
    }

    void standardRatings()
    {
        QCOMPARE(breakerAmperes(0), 0);
        QCOMPARE(breakerAmperes(16'000), 16);
        QCOMPARE(breakerAmperes(16'001), 20);
        QCOMPARE(breakerAmperes(4'546'600), 5000);
        QCOMPARE(breakerAmperes(6'300'001), 0);
    }

    /// Two for every cable, cord, hose and pipe, one for every rack and device.
    void labels()
    {
        for (const auto& f : {m_air, m_liquid}) {
            const Bom bom = makeBom(*f);
            std::int64_t expected = 0;
            for (const auto& line : bom.lines) {
                if (line.group == Bom::Group::Cables) expected += 2 * line.quantity;
                if (line.group == Bom::Group::Racks || line.group == Bom::Group::Devices) expected += line.quantity;
            }
            QCOMPARE(quantityOf(bom, "label"), expected); // without spare cables and packs to fill
        }
    }

    /// Sundries of all buildings and phases add up to those of the bill.
    void placesAddUp()
    {
        for (const auto& f : {m_air, m_liquid}) {
            const Bom bom = makeBom(*f);
            for (const BomBy by : {BomBy::Phase, BomBy::Building, BomBy::Room, BomBy::System}) {
                std::map<std::string, std::int64_t> sum;
                for (const auto& section : bomSections(*f, bom, by).sections)
                    for (const auto& line : section.bom.lines)
                        if (line.group == Bom::Group::Sundries) sum[line.part] += line.quantity;
                for (const auto& line : bom.lines)
                    if (line.group == Bom::Group::Sundries) QCOMPARE(sum[line.part], line.quantity);
            }
        }
    }

    /// A sundry has no price until somebody gives one; then it counts.
    void priceOfASundry()
    {
        auto s = std::make_shared<Snapshot>(*m_air->snapshot);
        const Bom before = makeBom(*m_air);
        QVERIFY(!lineOf(before, "blanking-panel-1u")->priced);
        const auto names = before.unpricedParts();
        QVERIFY(std::ranges::find(names, "blanking-panel-1u") != names.end());
        const PriceEntry entry{.part = "blanking-panel-1u", .each = Money(4 * 10'000), .currency = "USD", .source = "offer", .trust = Trust::Quoted};
        QVERIFY(putPrice(*s, *m_air->parts, entry));
        PriceEntry none = entry;
        none.part = "blanking-panel-2u";
        QVERIFY(!putPrice(*s, *m_air->parts, none));
        const Bom after = makeBom(*figuresFor(s));
        QCOMPARE(after.total - before.total, Money(4 * 10'000) * quantityOf(before, "blanking-panel-1u"));
    }

    /// Guesses of the catalog are in USD: in another currency they count at a stated rate, or not at all.
    void guessesNeedARate()
    {
        auto s = std::make_shared<Snapshot>(*m_air->snapshot);
        s->putSetting("project.currency", "EUR");
        const Bom none = makeBom(*figuresFor(s));
        QCOMPARE(none.total.count(), std::int64_t(0));
        QVERIFY(std::ranges::find(none.withoutRate, "hpn-host-8gpu") != none.withoutRate.end());
        QVERIFY(!totalKnown(none.total, none.withoutRate) && bomJson(none)["total"].is_null() && bomJson(none)["without_rate"].size() > 0);
        QVERIFY(words(withoutRateText(none.withoutRate)).find("no exchange rate") != std::string::npos);
        s->putSetting("currency.USD.rate", "0.5"), s->putSetting("currency.USD.date", "2026-11-23"), s->putSetting("currency.USD.source", "t");
        const Bom half = makeBom(*figuresFor(s)), whole = makeBom(*m_air);
        QVERIFY(half.withoutRate.empty() && totalKnown(half.total, half.withoutRate) && withoutRateText(half.withoutRate).empty());
        QVERIFY(std::abs(toCurrency(half.total) * 2 - toCurrency(whole.total)) < 1);
    }

private:
    FiguresPtr m_air, m_liquid;
};

QTEST_APPLESS_MAIN(SundriesTest)
#include "test_sundries.moc"
