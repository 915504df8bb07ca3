// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/chain.h"
#include "core/derived/installed/plant_sizes.h"
#include "core/derived/installed/site_loads.h"
#include "core/derived/rules/check.h"
#include "core/derived/tiers/tier_proof.h"
#include "core/design/template/template.h"
#include "core/foundation/model/places.h"
#include "core/output/exchange/bom.h"
#include "core/output/report/report.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace hw;

namespace {

const Catalog& catalog()
{
    static const auto loaded = Catalog::load(HW_RESOURCES "/catalog");
    return *loaded;
}

/// Two units of 32 air-cooled servers, some 0.6 MW, with other words under `layout:`.
FiguresPtr hall(const std::string& layout, const std::string& more = "", const std::string& base = "rail-optimized-2",
                const std::string& parameter = "")
{
    const std::string size = base == "nvl72" ? "" : "parameters: {segments: {default: 2}" + (parameter.empty() ? "" : ", " + parameter) + "}\n";
    const auto design =
        Template::parse("template: t\nextends: " + base + "\n" + size + "layout: {" + layout + "}\n" + more, "t.yaml", HW_RESOURCES "/templates");
    if (!design) qFatal("%s", design.error().text().c_str());
    const auto values = design->complete(std::map<std::string, std::string>{});
    if (!values) qFatal("%s", values.error().text().c_str());
    auto snapshot = instantiate(*design, *values, catalog());
    if (!snapshot) qFatal("%s", snapshot.error().text().c_str());
    auto figures = computeFigures(*snapshot);
    if (!figures) qFatal("%s", figures.error().text().c_str());
    return *figures;
}

const tiers::Statement& statement(const tiers::TierProof& proof, const std::string& id)
{
    for (const auto& one : proof.statements)
        if (one.id == id) return one;
    qFatal("no %s", id.c_str());
}

std::vector<PartTypeId> typesOf(const Figures& f, const tiers::PowerPaths& paths)
{
    std::vector<PartTypeId> types;
    for (const DeviceId id : paths.elements()) types.push_back(f.snapshot->devices.type[id]);
    return types;
}

bool isPower(const Snapshot& s, DeviceId id) { return s.tiers.kind[s.devices.tier[id]] == TierKind::Power; }

/// By brute force, the whole chain computed again: IT power that the loss of an element leaves without.
std::map<std::uint32_t, std::int64_t> darkByElement(const Figures& f, bool utilities)
{
    const Snapshot& s = *f.snapshot;
    const power::Network& net = powerChain(f, PowerBasis::Design).network;
    std::vector<power::Index> all = utilities ? std::vector<power::Index>{} : elementsOf(f, PowerElement::Utility);
    const power::Flow before = power::flowOf(net, all);
    std::map<std::uint32_t, std::int64_t> out;
    s.devices.forEach([&](DeviceId lost) {
        if (!isPower(s, lost)) return;
        auto gone = all;
        gone.push_back(lost.value);
        std::ranges::sort(gone);
        gone.erase(std::unique(gone.begin(), gone.end()), gone.end());
        const power::Flow now = power::flowOf(net, gone);
        std::int64_t mw = 0;
        s.devices.forEach([&](DeviceId id) {
            if (!isPower(s, id) && s.tiers.kind[s.devices.tier[id]] != TierKind::Cooling && before.live[id.value] && !now.live[id.value])
                mw += net[id.value].draw.count();
        });
        if (mw > 0) out[lost.value] = mw;
    });
    return out;
}

std::int64_t worstDark(const tiers::Statement& one, bool paths)
{
    std::int64_t most = 0;
    for (const auto& o : one.breaks)
        if ((o.out.front().kind == EntityKind::Link) == paths) most = std::max(most, o.itLost.count());
    return most;
}

/// A server of the small hall, whose two sides have one of everything.
DeviceId serverOf(const Figures& f)
{
    const Snapshot& s = *f.snapshot;
    for (const DeviceId id : s.devices.ids())
        if (!isPower(s, id) && f.parts->device(s.devices.type[id]).accelerators > 0) return id;
    qFatal("no server");
}

} // namespace

class TestTiers : public QObject {
    Q_OBJECT
private slots:
    /// Sides A and B with two headers of everything: each element and section may be taken out. One header fails, and is named.
    void twoHeadersAreMaintainable()
    {
        const auto two = hall("");
        const auto dual = tiers::proveTier(*two, PowerBasis::Design, 3);
        QVERIFY(dual.has_value());
        const auto text = tiers::tierText(*dual, *two);
        QVERIFY2(dual->holds(), text.c_str());
        QVERIFY(statement(*dual, "T3.1c").tried > 40);
        const auto f = hall("headers: single");
        const auto single = tiers::proveTier(*f, PowerBasis::Design, 3);
        QVERIFY(single && !single->holds());
        const auto& cooling = statement(*single, "T3.1c");
        QVERIFY(cooling.holds == std::optional(false) && !cooling.breaks.empty());
        const DeviceId worst(cooling.breaks.front().out.front().id);
        QCOMPARE(f->parts->device(f->snapshot->devices.type[worst]).cooling.element, CoolingElement::Header);
        QVERIFY(cooling.breaks.front().uncooledW > 5e5);
        QVERIFY(!cooling.breaks.front().remedy.empty() && cooling.breaks.front().remedyCost.count() > 0);
        QVERIFY(statement(*single, "T3.1").holds == std::optional(true)); // power is 2N
    }

    /// A liquid-cooled hall: warm and cool loop, two headers over its row; manifolds belong to their cabinets. With one header of each, both are
    /// named.
    void liquidCooledHallIsMaintainable()
    {
        const std::string small = "parameters: {segments: {default: 1}, networks: {fixed: backend}}\n";
        const auto f = hall("", small, "nvl72");
        const auto proof = tiers::proveTier(*f, PowerBasis::Design, 3);
        QVERIFY(proof.has_value());
        const auto text = tiers::tierText(*proof, *f);
        QVERIFY2(proof->holds() && text.find("7 rack manifolds not taken out of service") != text.npos, text.c_str());
        const auto single = tiers::proveTier(*hall("headers: single", small, "nvl72"), PowerBasis::Design, 3);
        QVERIFY(single && !single->holds());
        std::int64_t headers = 0;
        for (const auto& one : statement(*single, "T3.1c").breaks) headers += one.likeIt;
        QCOMPARE(headers, 1 + 2 * 3);
    }

    /// One side: the boards on it take their racks, and brute force agrees on how much.
    void oneSideFailsAsBruteForceSays()
    {
        for (const bool utilities : {true, false}) {
            const auto f = hall("redundancy: n+1");
            const auto proof = tiers::proveTier(*f, PowerBasis::Design, 3);
            QVERIFY(proof.has_value());
            const auto brute = darkByElement(*f, utilities);
            std::int64_t most = 0;
            for (const auto& [id, mw] : brute)
                if (utilities || f->parts->device(f->snapshot->devices.type[DeviceId(id)]).power.element != PowerElement::Utility)
                    most = std::max(most, mw);
            QVERIFY(most > 0);
            const auto& one = statement(*proof, utilities ? "T3.1" : "T3.3");
            QVERIFY(one.holds == std::optional(false));
            QCOMPARE(worstDark(one, false), most);
            QVERIFY(worstDark(one, true) > 0); // a feeder of one side, too
        }
        const auto twoN = hall("");
        QVERIFY(darkByElement(*twoN, true).empty() && darkByElement(*twoN, false).empty());
    }

    /// Everything in one electrical room: tier 4 fails, and the room is the reason.
    void oneRoomIsNotFaultTolerant()
    {
        const auto f = hall("");
        const auto proof = tiers::proveTier(*f, PowerBasis::Design, 4);
        QVERIFY(proof && !proof->holds());
        const auto& rooms = statement(*proof, "T4.2");
        QVERIFY(rooms.holds == std::optional(false));
        QCOMPARE(rooms.breaks.front().out.front().kind, EntityKind::Hall);
        QVERIFY(toWatts(rooms.breaks.front().itLost) > 5e5); // all of it
        QVERIFY(statement(*proof, "E1").holds == std::optional(true));
        const auto json = nlohmann::json::parse(tiers::tierJson(*proof, *f));
        QCOMPARE(json.at("schema").get<std::string>(), std::string("hallwright.tier/1"));
        QVERIFY(!json.at("holds").get<bool>() && json.at("statements").size() == proof->statements.size());
    }

    /// Central sets behind every switchgear; on boards with one way to a switchgear, and refused with blocks.
    void generatorsFollowTheRedundancy()
    {
        const auto sets = [](const Figures& f) { return elementsOf(f, PowerElement::Generator).size(); };
        const std::string size = "generators: central, generator: generator-mv-1000kw, generator_reserve: "; // of one size
        const auto one = hall(size + "1"), two = hall(size + "2");
        QCOMPARE(sets(*two), sets(*one) + 1);
        const power::Network& net = powerChain(*one, PowerBasis::Design).network;
        for (const auto set : elementsOf(*one, PowerElement::Generator)) QCOMPARE(net.uses(set).size(), std::size_t(2)); // A and B
        const auto board = hall("generators: board");
        for (const auto set : elementsOf(*board, PowerElement::Generator))
            QCOMPARE(powerChain(*board, PowerBasis::Design).network.uses(set).size(), std::size_t(1));
        const auto refused = [](const std::string& layout) {
            const auto design =
                Template::parse("template: t\nextends: rail-optimized-2\nlayout: {" + layout + "}\n", "t.yaml", HW_RESOURCES "/templates");
            const auto values = design->complete(std::map<std::string, std::string>{});
            const auto snapshot = instantiate(*design, *values, catalog());
            return snapshot ? std::string() : snapshot.error().text();
        };
        QVERIFY(refused("redundancy: block").empty());
        QVERIFY(!refused("redundancy: block, generators: central").empty());
        QVERIFY(refused("generators: board, generator_reserve: 2").find("has no effect") != std::string::npos);
        QVERIFY(refused("generator: none, generators: central").find("has no effect") != std::string::npos);
    }

    void withoutPlantThereIsNothingToProve()
    {
        const auto proof = tiers::proveTier(*hall("transformer: none"), PowerBasis::Design, 3);
        QVERIFY(!proof && proof.error().code == ErrorCode::Refused);
    }

    /// 3516E of 2,750 kW, data sheet: 735.6, 559.9, 406.7, 236.8 L/h at 100, 75, 50, 25 %.
    void fuelFollowsTheDataSheet()
    {
        for (const auto& [load, liters] : std::initializer_list<std::pair<double, double>>{{1, 735.6}, {0.75, 559.9}, {0.5, 406.7}, {0.25, 236.8}}) {
            const double own = fuelLitersPerHour(2750, 2750 * load);
            QVERIFY2(std::abs(own / liters - 1) < 0.025, std::to_string(own).c_str());
        }
        const auto f = hall("");
        const FuelNeed fuel = fuelNeed(*f, PowerBasis::Design);
        QVERIFY(fuel.sets >= 2 && fuel.loadW > 6e5 && fuel.loadW < 1.5e6);
        QCOMPARE(fuel.hours, 12.0);
        QVERIFY(std::abs(fuel.liters - 12 * fuel.litersPerHour / 0.92) < 1e-6);
        QVERIFY(std::abs(fuel.litersPerHour - (0.024 * fuel.ratedW + 0.243 * fuel.loadW) / 1e3) < 1e-6);
    }

    /// Servers with 5 + 1 supplies need both feeds: that is what the result and its remedy are about, not a missing feed.
    void suppliesOfOneFeed()
    {
        const auto f = hall("", "", "rail-optimized-2", "server: {default: hgx-b200}");
        const auto proof = tiers::proveTier(*f, PowerBasis::Design, 3);
        QVERIFY(proof.has_value());
        const auto& breaks = statement(*proof, "T3.1").breaks;
        QVERIFY(!breaks.empty());
        for (const auto& one : breaks)
            if (one.devicesDark > 0) QVERIFY2(one.suppliesShort && words(one.remedy).find("P3") != std::string::npos, words(one.remedy).c_str());
        const auto result = hw::check(*f, {{"P20"}, PowerBasis::Design});
        QVERIFY(result.has_value() && result->findings.empty());
    }

    /// Transformers in parallel stay within the short-circuit current of their board.
    void parallelTransformersAreWithstood()
    {
        for (const char* base : {"rail-optimized-2", "fat-tree-3"}) {
            const auto f = hall("redundancy: n+1", "", base);
            const auto result = hw::check(*f, {{"P3", "P10", "P16"}, PowerBasis::Design});
            QVERIFY(result.has_value());
            for (const Finding& finding : result->findings)
                QVERIFY2(finding.severity == Severity::Info, (finding.rule + " " + words(finding.message)).c_str());
        }
    }

    /// Hours with every set out, one at a time, by hand from the flow of the chain.
    void tanksOfTheSets()
    {
        for (const auto& [layout, more] : std::initializer_list<std::pair<std::string, std::string>>{
                 {"generators: central, generator_reserve: 1", ""}, {"", ""}, {"", "settings: {site.fuel_hours: 48}\n"}}) {
            const auto f = hall(layout, more);
            const auto proof = tiers::proveTier(*f, PowerBasis::Design, 3);
            QVERIFY(proof.has_value());
            const tiers::Statement& fuel = statement(*proof, "T3.3f");
            const PowerChain& chain = powerChain(*f, PowerBasis::Design);
            const auto sets = elementsOf(*f, PowerElement::Generator);
            double least = 1e9;
            for (const auto out : sets) {
                auto lost = elementsOf(*f, PowerElement::Utility);
                lost.push_back(out);
                std::ranges::sort(lost);
                const power::Flow flow = power::flowOf(chain.network, lost);
                for (const auto set : sets) {
                    const double loadKw = set == out ? 0 : toWatts(flow.through[set].total()) / 1e3;
                    const DeviceSpec& part = f->parts->device(f->snapshot->devices.type[DeviceId(set)]);
                    if (loadKw > 0)
                        least = std::min(least, 0.267 * 12 * toWatts(part.capacity.value) / 1e3 /
                                                    fuelLitersPerHour(toWatts(part.capacity.value) / 1e3, loadKw));
                }
            }
            QCOMPARE(fuel.tried, std::int64_t(sets.size()));
            QVERIFY(least > 12 && least < 48);
            QVERIFY2(words(fuel.note).find(fmt::format("{:.1f} h", least)) != std::string::npos, words(fuel.note).c_str());
            QCOMPARE(fuel.holds, std::optional(more.empty()));
            QCOMPARE(proof->holds(), more.empty());
            QCOMPARE(fuel.breaks.size(), std::size_t(more.empty() ? 0 : 1));
        }
    }

    /// Some 0.6 MW of IT: plant of that size, sets on a common bus, restart in steps, no finding of size or step.
    void smallHallHasSmallPlant()
    {
        const auto f = hall("");
        double sets = 0, needed = 0;
        for (const PlantSize& size : plantSizes(*f, PowerBasis::Design)) {
            QVERIFY2(size.installedW >= size.neededW && size.ratio() < 4.5, std::string(wordOf(size.part)).c_str());
            if (size.part == PlantPart::Generators) sets = size.installedW, needed = size.neededW;
            if (size.part == PlantPart::Ups) // 2N at no more than 90 % each, in steps of 125 kW
                QVERIFY2(size.ratio() >= 2 / 0.9 && size.ratio() < 2.7, std::to_string(size.ratio()).c_str());
        }
        QVERIFY2(sets > 0 && sets <= 2.3e6 && needed > 8e5, std::to_string(sets).c_str());
        const auto result = hw::check(*f, {{"P9", "P18", "P19", "P20", "C9"}, PowerBasis::Design});
        QVERIFY(result.has_value());
        for (const Finding& finding : result->findings) QVERIFY2(finding.rule == "P18", finding.id.c_str());
    }

    /// By the flow of the whole chain, for random sets of failed elements: a load that the paths report as supplied has power, and the other way
    /// round where nothing works in parallel.
    void pathsAgreeWithTheFlow()
    {
        std::mt19937 random(3);
        for (const char* layout : {"", "redundancy: n+1", "redundancy: distributed"}) {
            const auto f = hall(layout, "", *layout ? "rail-optimized-2" : "fat-tree-2");
            const DeviceId load = serverOf(*f);
            const tiers::PowerPaths paths(*f, PowerBasis::Design, load);
            const power::Network& network = powerChain(*f, PowerBasis::Design).network;
            const auto count = paths.elements().size();
            QVERIFY(count > 10 && count < 100 && paths.elements().back() == load);
            int supplied = 0, dark = 0;
            for (int round = 0; round < 400; ++round) {
                std::vector<char> failed(count, 0);
                std::vector<power::Index> lost;
                for (std::size_t i = 0; i + 1 < count; ++i)
                    if (random() % 6 == 0) failed[i] = 1, lost.push_back(paths.elements()[i].value);
                std::ranges::sort(lost);
                const bool live = power::flowOf(network, lost).live[load.value] != 0, works = paths.works(failed);
                QVERIFY(!works || live);
                if (!*layout) QCOMPARE(works, live);
                ++(works ? supplied : dark);
            }
            QVERIFY(supplied > 20 && dark > 20);
        }
    }

    /// All 2^n states of the elements, and a simulation of failures and repairs, give what the minimal cuts give.
    void cutsAgreeWithAllStates()
    {
        const auto f = hall("", "", "fat-tree-2");
        const tiers::PowerPaths paths(*f, PowerBasis::Design, serverOf(*f));
        const std::size_t count = paths.elements().size(), open = count - 1;
        QVERIFY2(open <= 20, std::to_string(open).c_str());
        std::mt19937 random(7);
        std::uniform_real_distribution<double> unit(0, 1);
        std::vector<double> out(count, 0);
        for (std::size_t i = 0; i < open; ++i) out[i] = 0.01 + 0.02 * unit(random);
        double exact = 0;
        std::vector<char> failed(count, 0);
        for (std::uint32_t state = 0; state < 1u << open; ++state) {
            double share = 1;
            for (std::size_t i = 0; i < open; ++i) failed[i] = state >> i & 1, share *= failed[i] ? out[i] : 1 - out[i];
            if (!paths.works(failed)) exact += share;
        }
        const auto outages = tiers::failureEventsOf(out, typesOf(*f, paths), 0);
        QCOMPARE(outages.size(), open); // each element by itself
        const auto cuts = tiers::minimalCuts(paths, outages, 4);
        const double upper = tiers::shareOf(cuts);
        QVERIFY2(exact > 0 && exact <= upper + tiers::moreThan(out, 4) && upper < 1.1 * exact,
                 (std::to_string(exact) + " " + std::to_string(upper)).c_str());
        for (const auto& cut : cuts) { // none is larger than it must be
            std::ranges::fill(failed, 0);
            for (const auto i : cut.events) failed[i] = 1;
            QVERIFY(!paths.works(failed));
            for (const auto i : cut.events) {
                failed[i] = 0;
                QVERIFY(paths.works(failed));
                failed[i] = 1;
            }
        }
        std::ranges::fill(failed, 0);
        double all = 0, down = 0;
        for (int event = 0; event < 600'000; ++event) { // repair after 1 on average, failure at the rate that gives this share
            double rate = 0;
            for (std::size_t i = 0; i < open; ++i) rate += failed[i] ? 1 : out[i] / (1 - out[i]);
            const double time = -std::log(1 - unit(random)) / rate;
            all += time, down += paths.works(failed) ? 0 : time;
            double at = unit(random) * rate;
            for (std::size_t i = 0; i < open; ++i)
                if ((at -= failed[i] ? 1 : out[i] / (1 - out[i])) <= 0) {
                    failed[i] = !failed[i];
                    break;
                }
        }
        QVERIFY2(std::abs(down / all / exact - 1) < 0.1, (std::to_string(down / all) + " for " + std::to_string(exact)).c_str());
    }

    /// A common cause puts all elements of a type out at once: all states of elements and causes give what the minimal cuts give.
    void commonCausesAgreeWithAllStates()
    {
        const auto f = hall("", "", "fat-tree-2");
        const tiers::PowerPaths paths(*f, PowerBasis::Design, serverOf(*f));
        const auto types = typesOf(*f, paths);
        std::vector<double> out(paths.elements().size(), 0);
        for (std::size_t i = 0; i < std::min<std::size_t>(12, out.size() - 1); ++i) out[i] = 0.02;
        const auto outages = tiers::failureEventsOf(out, types, 0.1);
        QVERIFY2(outages.size() > 12 && outages.size() <= 18, std::to_string(outages.size()).c_str());
        double exact = 0;
        std::vector<char> failed(out.size(), 0);
        for (std::uint32_t state = 0; state < 1u << outages.size(); ++state) {
            double share = 1;
            std::ranges::fill(failed, 0);
            for (std::size_t i = 0; i < outages.size(); ++i) {
                const bool now = state >> i & 1;
                share *= now ? outages[i].share : 1 - outages[i].share;
                if (now)
                    for (const auto e : outages[i].elements) failed[e] = 1;
            }
            if (!paths.works(failed)) exact += share;
        }
        const double upper = tiers::shareOf(tiers::minimalCuts(paths, outages, 4));
        QVERIFY2(exact > 0 && exact <= upper * (1 + 1e-9) + 1e-6 && upper < 1.1 * exact,
                 (std::to_string(exact) + " " + std::to_string(upper)).c_str());
        // by hand: three units at 2 %, a tenth of it together; one of its own type has nothing in common
        const std::vector<PartTypeId> four{PartTypeId(1), PartTypeId(1), PartTypeId(1), PartTypeId(2)};
        const auto by = tiers::failureEventsOf(std::vector<double>{0.02, 0.02, 0.02, 0.02}, four, 0.1);
        QCOMPARE(by.size(), std::size_t(5));
        QVERIFY(std::abs(by[0].share - 0.018) < 1e-15 && std::abs(by[3].share - 0.02) < 1e-15);
        QVERIFY(by[4].elements.size() == 3 && std::abs(by[4].share - 0.002) < 1e-15);
    }

    /// k of n in closed form; shares from rates; two feeds are better than one, and the result lists what takes the power away.
    void availabilityByHand()
    {
        const double q = 0.03;
        const std::vector<double> four(4, q);
        QVERIFY(std::abs(tiers::moreThan(four, 1) - (1 - std::pow(1 - q, 4) - 4 * q * std::pow(1 - q, 3))) < 1e-15);
        QVERIFY(std::abs(tiers::moreThan(four, 3) - std::pow(q, 4)) < 1e-15 && tiers::moreThan(four, -1) == 1 && tiers::moreThan(four, 4) == 0);
        QVERIFY(std::abs(tiers::unavailability(1.96, 1.3) - 2.548 / (8760 + 2.548)) < 1e-15);
        const std::string apart = "settings: {power.common_cause_percent: 0}\n";
        const auto common = tiers::availabilities(*hall(""), PowerBasis::Design);
        const auto two = hall("", apart), one = hall("redundancy: n+1", apart);
        const auto a = tiers::availabilities(*two, PowerBasis::Design), b = tiers::availabilities(*one, PowerBasis::Design);
        QVERIFY(!a.empty() && a.size() == b.size());
        QVERIFY2(a.front().power > 0 && 100 * a.front().power < b.front().power, std::to_string(b.front().power / a.front().power).c_str());
        QVERIFY(a.front().beyond < a.front().power && a.front().cooling > 0 && a.front().cooling < 1e-3);
        // With common causes a type of two or more units decides: 2N is at four to six nines, not at eight.
        QVERIFY2(common.front().power > 100 * a.front().power && common.front().power > 1e-7 && common.front().power < 1e-3,
                 std::to_string(common.front().power).c_str());
        QVERIFY(common.front().cooling > a.front().cooling && common.front().cuts.front().elements.size() == 1);
        QVERIFY(common.front().cuts.front().together.front() > 1);
        double sum = 0;
        for (const auto& kind : a.front().cuts) {
            sum += kind.share;
            QVERIFY(kind.elements.size() >= 2 && kind.likeIt >= 1); // no single one
        }
        QVERIFY(std::abs(sum / a.front().power - 1) < 1e-3);
        const auto proof = tiers::proveTier(*two, PowerBasis::Design, 3);
        const auto json = nlohmann::json::parse(tiers::tierJson(*proof, *two));
        QCOMPARE(json["availability"].size(), a.size());
        QVERIFY(std::abs(json["availability"][0]["power"].get<double>() - (1 - a.front().power)) < 1e-12);
    }

    /// With one unit or feed lost: twice the load for 2N, and n / (n - 1) of it for parallel units, one of which is redundant.
    void redundancyIsPartOfTheNeed()
    {
        const auto sizes = [](const Figures& f) {
            std::map<PlantPart, PlantSize> all;
            for (const PlantSize& size : plantSizes(f, PowerBasis::Design)) all.emplace(size.part, size);
            return all;
        };
        const auto isNear = [](double value, double wanted, double share) { return std::abs(value - wanted) <= share * wanted; };
        const auto twoN = sizes(*hall(""));
        for (const PlantPart part : {PlantPart::Ups, PlantPart::Transformers}) {
            const PlantSize& size = twoN.at(part);
            QVERIFY2(isNear(size.worstW, 2 * size.neededW, 0.03), std::to_string(size.worstW / size.neededW).c_str());
        }
        for (const auto& [part, size] : twoN)
            QVERIFY2(size.worstW <= size.installedW && size.worstW >= size.neededW, std::string(wordOf(part)).c_str());
        // Parallel units on one feed: more than one carry the load, so that the redundant one is less than a second plant.
        const auto parallel = hall("redundancy: n+1");
        const PowerChain& chain = powerChain(*parallel, PowerBasis::Design);
        const auto nPlus1 = sizes(*parallel);
        for (const auto& [part, element] :
             {std::pair(PlantPart::Ups, PowerElement::Ups), std::pair(PlantPart::Transformers, PowerElement::Transformer)}) {
            std::map<power::Index, std::vector<power::Index>> boards;
            for (const auto i : elementsOf(*parallel, element)) boards[chain.network.uses(i).front().consumer].push_back(i);
            double byHand = 0;
            for (const auto& [board, units] : boards)
                for (const auto i : units) byHand += toWatts(chain.flow.through[i].total()) * double(units.size()) / double(units.size() - 1);
            const PlantSize& size = nPlus1.at(part);
            QVERIFY2(isNear(size.worstW, byHand, 0.01), std::to_string(size.worstW / byHand).c_str());
            QVERIFY2(size.count > std::ssize(boards) * 2 && size.ratio() < 0.85 * twoN.at(part).ratio(), std::to_string(size.ratio()).c_str());
        }
        const PlantSize& sets = nPlus1.at(PlantPart::Generators);
        QVERIFY2(sets.worstW > sets.neededW && sets.worstW < 1.6 * sets.neededW && sets.worstRatio() < 1.4,
                 std::to_string(sets.worstRatio()).c_str());
    }

    /// Racks of 33 kW: what moves their air and water is on UPS, of the racks or of its own; C16 where it is not.
    void denseHallsKeepMoving()
    {
        const auto dark = [](const Figures& f) { return hw::check(f, {{"C16", "P1", "P3", "P7", "P10"}, PowerBasis::Design}); };
        const auto kept = dark(*hall(""));
        QVERIFY(kept && kept->findings.empty());
        const auto stops = dark(*hall("cooling_ups: no"));
        QVERIFY(stops.has_value());
        QCOMPARE(stops->findings.size(), std::size_t(2)); // fan walls, pumps
        for (const Finding& finding : stops->findings) QCOMPARE(std::string(finding.rule), std::string("C16"));
        QVERIFY(hw::check(*hall("ups: none"), {{"C16"}, PowerBasis::Design})->findings.empty()); // no finding on power
        const auto hpn = Template::load(HW_RESOURCES "/templates/hpn.yaml");
        QVERIFY(hpn.has_value());
        const auto values = hpn->complete(std::map<std::string, std::string>{{"segments", "4"}});
        QVERIFY2(values, values ? "" : values.error().text().c_str());
        const auto made = instantiate(*hpn, *values, catalog());
        QVERIFY2(made, made ? "" : made.error().text().c_str());
        const auto figures = computeFigures(*made);
        QVERIFY(figures.has_value());
        const auto large = dark(**figures);
        QVERIFY(large && large->findings.empty());
    }

    /// Air units carry the losses of the electrical room with one of them lost, on the cool loop of their hall.
    void electricalRoomsAreCooled()
    {
        const auto f = hall("");
        QVERIFY(hw::check(*f, {{"C17", "C4", "C5", "C8", "C16"}, PowerBasis::Design})->findings.empty());
        const Snapshot& s = *f->snapshot;
        const PowerChain& chain = powerChain(*f, PowerBasis::Design);
        const CoolingChain& cooling = f->get<CoolingChainNode>();
        int rooms = 0;
        for (const CoolingLoop& loop : cooling.loops) {
            if (loop.kind != LoopKind::Air || !loop.hall || s.halls.kind[*loop.hall] != RoomKind::Electrical) continue;
            ++rooms;
            double watts = 0, largest = 0;
            s.devices.forEach([&](DeviceId id) {
                if (isPower(s, id) && hallOf(s, id) == loop.hall) watts += toWatts(chain.load(id) - chain.through(id));
            });
            for (const DeviceId id : loop.sources) largest = std::max(largest, cooling.unit(id)->capacityW);
            QVERIFY(watts > 1e4 && std::abs(loop.heatW - watts) < 1e-6 * watts && loop.capacityW - largest >= watts && loop.spare() >= 1);
            QVERIFY(cooling.loops[std::size_t(cooling.unit(loop.sources.front())->takes)].supplyC < 25);
        }
        QCOMPARE(rooms, 1);
    }

    /// Losses of UPS and transformers, in a room with batteries that nothing cools: reported once, with the airflow that they require.
    void electricalRoomsAreWarm()
    {
        const auto f = hall("electrical_air: none");
        const auto warm = hw::check(*f, {{"C17"}, PowerBasis::Design});
        QVERIFY(warm.has_value());
        QCOMPARE(warm->findings.size(), std::size_t(1));
        const PowerChain& chain = powerChain(*f, PowerBasis::Design);
        const Snapshot& s = *f->snapshot;
        double watts = 0;
        s.devices.forEach([&](DeviceId id) {
            const auto room = hallOf(s, id);
            if (isPower(s, id) && room && s.halls.kind[*room] == RoomKind::Electrical) watts += toWatts(chain.load(id) - chain.through(id));
        });
        const std::string text = words(warm->findings.front().message), flow = std::to_string(std::lround(watts / 12'000)) + " m³/s";
        QVERIFY2(watts > 1e4 && text.find(flow) != std::string::npos, text.c_str());
        QVERIFY(hw::check(*hall("ups: none"), {{"C17"}, PowerBasis::Design})->findings.empty()); // no batteries
    }

    /// Larger sets by hand, four on boards of their own: told as too large, and idling.
    void whatIsTooLargeIsTold()
    {
        const auto f = hall("generator: generator-3250kw, transformer: transformer-3150kva");
        const auto result = hw::check(*f, {{"P18", "P19"}, PowerBasis::Design});
        QVERIFY(result.has_value());
        std::set<std::string> rules, parts;
        for (const Finding& finding : result->findings) rules.insert(finding.rule), parts.insert(finding.id);
        QVERIFY(rules.contains("P18") && rules.contains("P19"));
        QVERIFY(parts.contains("P18@generators") && parts.contains("P18@transformers"));
    }

    /// The header that takes its loop is a finding, and two headers are none.
    void headersAreFound()
    {
        const auto single = hw::check(*hall("headers: single"), {{"C13"}, PowerBasis::Design});
        QVERIFY(single && single->warnings >= 1);
        const auto dual = hw::check(*hall(""), {{"C13"}, PowerBasis::Design});
        QVERIFY(dual && dual->findings.empty());
    }

    /// Noise by a walk of one meter along the boundary, weights and clearance by sums over all devices.
    void siteLoadsByHand()
    {
        const auto f = hall("", "settings: {site.boundary_m: 30, site.noise_limit_dba: 40}\n");
        const Snapshot& s = *f->snapshot;
        const auto noise = siteNoise(*f);
        const auto gap = exhaustGap(*f);
        QVERIFY(noise && gap);
        QCOMPARE(noise->boundaryM, 30.0);
        std::vector<std::pair<Box, bool>> sources; // generator set or not
        std::map<std::uint32_t, double> kg;
        s.devices.forEach([&](DeviceId id) {
            const DeviceSpec& spec = f->parts->device(s.devices.type[id]);
            const auto room = s.devices.hall[id];
            if (!room || s.devices.rack[id] || s.devices.row[id]) return;
            const bool plant = isPower(s, id) || s.tiers.kind[s.devices.tier[id]] == TierKind::Cooling;
            if (plant)
                kg[(*room).value] +=
                    double(spec.weight.value.count()) / 1e3 + spec.cooling.liters.value + spec.cooling.feedLiters.value +
                    0.839 * (spec.power.element == PowerElement::Generator ? 0.267 * 12 / 0.92 * toWatts(spec.capacity.value) / 1e3 : 0);
            const bool set = spec.power.element == PowerElement::Generator;
            if (set || spec.cooling.element == CoolingElement::Chiller) sources.emplace_back(f->placement->device(s, *f->parts, id), set);
        });
        QCOMPARE(std::int64_t(sources.size()), noise->sets + noise->coolers);
        Box all = sources.front().first;
        const auto hold = [&](const Box& box) {
            all.low.x = std::min(all.low.x, box.low.x), all.low.y = std::min(all.low.y, box.low.y);
            all.high.x = std::max(all.high.x, box.high.x), all.high.y = std::max(all.high.y, box.high.y);
        };
        s.buildings.forEach([&](BuildingId id) { hold(f->placement->building(id)); });
        for (const auto& [box, set] : sources) hold(box);
        double normal = 0, outage = 0, least = 1e9;
        for (const auto& [a, one] : sources)
            for (const auto& [b, other] : sources) {
                if (!one || other) continue;
                const double dx = std::max({0, b.low.x - a.high.x, a.low.x - b.high.x}), dy = std::max({0, b.low.y - a.high.y, a.low.y - b.high.y});
                least = std::min(least, std::sqrt(dx * dx + dy * dy) / 1000);
            }
        const auto hear = [&](double x, double y) {
            double quiet = 0, loud = 0;
            for (const auto& [box, set] : sources) {
                const double r = std::hypot(x - (box.low.x + box.high.x) / 2.0, y - (box.low.y + box.high.y) / 2.0) / 1000;
                const double power = std::pow(10, ((set ? 75 : 65) - 20 * std::log10(r / 7)) / 10);
                loud += power, quiet += set ? 0 : power;
            }
            normal = std::max(normal, 10 * std::log10(quiet)), outage = std::max(outage, 10 * std::log10(loud));
        };
        const double x0 = all.low.x - 30e3, x1 = all.high.x + 30e3, y0 = all.low.y - 30e3, y1 = all.high.y + 30e3;
        for (double x = x0; x <= x1; x += 1000) hear(x, y0), hear(x, y1);
        for (double y = y0; y <= y1; y += 1000) hear(x0, y), hear(x1, y);
        QVERIFY2(std::abs(noise->normalDba - normal) < 0.3 && std::abs(noise->outageDba - outage) < 0.3,
                 (std::to_string(normal) + ' ' + std::to_string(outage)).c_str());
        QVERIFY(std::abs(gap->meters - least) < 1e-6);
        QCOMPARE(gap->leastM, 3.0);
        const auto rooms = roomMasses(*f);
        QCOMPARE(rooms.size(), std::size_t(std::ranges::count_if(kg, [](const auto& room) { return room.second > 0; })));
        double liters = 0;
        for (const RoomMass& room : rooms) {
            QVERIFY(std::abs(room.kg - kg.at(room.room.value)) < 0.5 && room.densestKg <= room.kg && room.areaM2 > 0);
            liters += room.liters;
        }
        QVERIFY(liters > 1000); // the tanks
        const std::string text = reportText(makeReport(*f, makeBom(*f)), *f);
        QVERIFY2(text.find("limit 40 dB(A): ! exceeded") != std::string::npos, text.c_str());
    }

    /// Cost of a megawatt stands beside the published span.
    void reportComparesWithPublishedCosts()
    {
        const auto f = hall("");
        const Bom& bom = makeBom(*f);
        const Report report = makeReport(*f, bom);
        const auto json = reportJson(report, *f);
        const auto& power = json.at("cost").at("published").at(0);
        QCOMPARE(power.at("system").get<std::string>(), std::string("power"));
        QCOMPARE(power.at("most").get<double>(), 3700.0);
        const double total = json.at("cost").at("by_system").at("power").at("total").get<double>();
        double inside = 0, all = 0, beyond = 0;
        std::set<std::string> outside;
        for (const auto& item : json.at("cost").at("power_items")) {
            const auto perKw = item.at("per_kw").get<double>();
            all += perKw;
            const auto ratio = item.at("installed_to_required").is_null() ? 1.0 : item.at("installed_to_required").get<double>();
            beyond += item.at("beyond_required_per_kw").get<double>();
            if (item.at("published").get<bool>() && ratio > 1)
                QVERIFY(std::abs(item.at("beyond_required_per_kw").get<double>() - (perKw - perKw / ratio)) < 0.01);
            if (item.at("published").get<bool>())
                inside += perKw;
            else
                outside.insert(item.at("item").get<std::string>());
        }
        QVERIFY(outside == (std::set<std::string>{"racks", "spares"}));
        QVERIFY(std::abs(all - total / toWatts(report.power.campusAtBasis()) * 1000) < 0.01);
        QVERIFY(std::abs(power.at("per_kw").get<double>() - inside) < 0.01);
        QVERIFY(json.at("plant").at("sizes").size() >= 4);
        const std::string text = reportText(report, *f);
        QVERIFY(text.find("arc flash") != std::string::npos && text.find("UPS with batteries") != std::string::npos);
        QVERIFY(json.at("plant").at("scope").get<std::string>().find("water hammer") != std::string::npos);
        QVERIFY(inside > 3700 && beyond > 0 && text.find("redundancy and sizes") != std::string::npos); // above the range: explained
        QVERIFY(json.at("plant").at("fuel").at("liters").get<double>() > 1000);
    }
};

QTEST_GUILESS_MAIN(TestTiers)
#include "test_tiers.moc"
