// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/chain.h"
#include "core/derived/figures/nodes.h"
#include "core/derived/figures/power_feeds.h"
#include "core/design/template/template.h"
#include "core/foundation/catalog/entity.h"
#include "core/operations/monitoring/causes/prediction.h"
#include "tests/monitoring/fault_table.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace hw;

namespace {

FaultRun fastRun()
{
    FaultRun run;
    run.options.pollS = 4;
    run.options.seed = 7;
    run.options.startMs = 1'800'000'000'000;
    return run;
}

/// A plain fabric cooled by air alone, on one side of power: transformers, sets and UPS in parallel on common boards, a reserve feed.
FiguresPtr onOneSide()
{
    const auto catalog = Catalog::load(HW_RESOURCES "/catalog").value();
    const auto design = Template::parse("template: one-side\nextends: rail-optimized-2\ntitle: One side\nlayout: {redundancy: n+1}\n", "one-side",
                                        HW_RESOURCES "/templates")
                            .value();
    return computeFigures(instantiate(design, design.complete({{"segments", "2"}}).value(), catalog).value()).value();
}

/// The sample pod with a set on every board instead of central ones.
const FiguresPtr& withSetsOnBoards()
{
    static const FiguresPtr figures = [] {
        const auto catalog = Catalog::load(HW_RESOURCES "/catalog").value();
        const auto design =
            Template::parse("template: boards\nextends: nvl72\ntitle: Boards\nlayout: {generators: board}\n", "boards", HW_RESOURCES "/templates")
                .value();
        return computeFigures(instantiate(design, design.complete({{"segments", "1"}, {"networks", "backend"}}).value(), catalog).value()).value();
    }();
    return figures;
}

/// Each is named alone, nothing else at any time, and no alarm stands beside it.
void expectAll(const FiguresPtr& figures, const std::vector<FaultCase>& cases, const FaultRun& run)
{
    const std::vector<FaultFound> rows = tryFaults(figures, cases, run);
    fmt::print("{}", tableOf(rows));
    std::fflush(stdout);
    for (const FaultFound& row : rows) {
        QVERIFY2(row.all, (row.fault.kind + ": " + row.said).c_str());
        QVERIFY2(row.wrong.empty(), (row.fault.kind + ": " + fmt::format("{}", fmt::join(row.wrong, ", "))).c_str());
        QVERIFY2(row.beside.empty(), (row.fault.kind + ": " + fmt::format("{}", fmt::join(row.beside, ", "))).c_str());
    }
}

FaultCase failing(const char* kind, const std::vector<std::string>& names, int mostS = 0)
{
    FaultCase fault{kind, {}, names, mostS};
    for (const std::string& name : names) fault.deeds.push_back("fail " + name);
    return fault;
}

} // namespace

/// Causes from values alone: an emulated hall, 5 % of its sensors missing, noise, jobs that swing.
class TestCauses : public QObject {
    Q_OBJECT
private slots:
    /// Jobs that start, end and swing are no faults: no cause is named, nothing is missing.
    void healthy()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        const FaultRun run = fastRun();
        Emulated hall(figures, run.options);
        monitoring::Monitor watch;
        watch.design(figures, hall.bound());
        hall.missing(5);
        std::size_t causes = 0, missing = 0;
        for (const monitoring::Event& e : hall.watch(watch, 300)) {
            causes += e.kind == monitoring::Event::Kind::Alarm && e.alarm.kind == monitoring::AlarmKind::Cause;
            missing += e.kind == monitoring::Event::Kind::Alarm && e.alarm.kind == monitoring::AlarmKind::MissingData;
        }
        QCOMPARE(causes, std::size_t(0));
        QCOMPARE(missing, std::size_t(0));
    }

    /// One of each kind of equipment: the element itself is named, and at the end nothing else. A tank has no sensor and feeds nobody alone.
    void oneAtATime()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        std::vector<FaultCase> cases = oneOfEachKind(figures);
        std::erase_if(cases, [](const FaultCase& fault) { return fault.kind == "tank"; });
        FaultRun run = fastRun();
        run.mostS = 20;
        const std::vector<FaultFound> rows = tryFaults(figures, cases, run);
        fmt::print("{}", tableOf(rows));
        std::fflush(stdout);
        QVERIFY(rows.size() >= 16);
        for (const FaultFound& row : rows) QVERIFY2(row.all, (row.fault.kind + ": " + row.said).c_str());
    }

    /// Two at once, in different networks: a busway and a CDU as in the tour of the README, and others.
    void twoAtOnce()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        const auto singles = oneOfEachKind(figures);
        const auto of = [&](const char* kind) { return *std::ranges::find(singles, kind, &FaultCase::kind); };
        std::vector<FaultCase> pairs;
        for (const auto& [a, b] : std::vector<std::pair<const char*, const char*>>{{"busway", "cdu"}, {"utility", "leaf"}, {"ups", "host"}}) {
            const FaultCase one = of(a), two = of(b);
            pairs.push_back({one.kind + " + " + two.kind, {one.deeds[0], two.deeds[0]}, {one.causes[0], two.causes[0]}});
        }
        FaultRun run = fastRun();
        run.mostS = 25;
        const std::vector<FaultFound> rows = tryFaults(figures, pairs, run);
        fmt::print("{}", tableOf(rows));
        std::fflush(stdout);
        for (const FaultFound& row : rows) QVERIFY2(row.all, (row.fault.kind + ": " + row.said).c_str());
    }

    /// What is not a whole device, and what is more than one: each is named alone, and nothing else at any time.
    void partsAndPlaces()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        FaultRun run = fastRun();
        run.options.seed = 34, run.warmUpS = 75, run.mostS = 25;
        std::vector<FaultCase> cases, onBoards;
        for (const auto& [kind, deed, cause] :
             std::vector<std::array<const char*, 3>>{{"pump in a CDU", "fail hall1-c1-cdu1-1:pump1", "hall1-c1-cdu1-1:pump1"},
                                                     {"link", "fail g01-rack1-tray01:nic1", "g01-rack1-tray01:nic1 – g01-leaf-rail1-1:port1"},
                                                     {"GPU", "xid g01-rack2-tray05 gpu=2 code=79", "g01-rack2-tray05:gpu2"},
                                                     {"cable tray", "fail tray-hall1-c1-row1", "tray-hall1-c1-row1"},
                                                     {"rack", "fail hall1-c1-r1-05", "hall1-c1-r1-05"},
                                                     {"row", "fail hall1-c1-row1", "hall1-c1-row1"},
                                                     {"header of a row", "fail hall1-c1-row1-header", "hall1-c1-row1-header"},
                                                     {"manifold", "fail hall1-c1-r1-02-manifold", "hall1-c1-r1-02-manifold"},
                                                     {"transformer", "fail transformer1-2", "transformer1-2"},
                                                     {"utility", "fail utility-b", "utility-b"}})
            (std::string_view(kind) == "transformer" ? onBoards : cases).push_back({kind, {deed}, {cause}});
        std::vector<FaultFound> rows = tryFaults(figures, cases, run);
        for (FaultFound& row : tryFaults(withSetsOnBoards(), onBoards, run)) rows.push_back(std::move(row));
        fmt::print("{}", tableOf(rows));
        std::fflush(stdout);
        for (const FaultFound& row : rows) {
            QVERIFY2(row.all, (row.fault.kind + ": " + row.said).c_str());
            QVERIFY2(row.wrong.empty(), (row.fault.kind + ": " + fmt::format("{}", fmt::join(row.wrong, ", "))).c_str());
        }
    }

    /// Meters are polled in turn, every 10 to 60 s: what is named before all of them were read is the element that failed, or lists it.
    void metersPolledInTurn()
    {
        const auto figures = designOf("fat-tree-2", {});
        FaultRun run = fastRun();
        run.options.seed = 11, run.options.metersFromS = 10, run.options.metersToS = 60, run.options.gpus = run.options.ports = false;
        run.warmUpS = 260, run.mostS = 100;
        const auto rows =
            tryFaults(figures,
                      {failing("utility", {"utility-a"}), failing("transformer", {"transformer1-1"}), failing("busway", {"c01-row1-busway1"}),
                       failing("chiller", {"chiller1-03"}), failing("breaker", {"transformer1-2:LV1"})},
                      run);
        for (const FaultFound& row : rows) {
            QVERIFY2(row.all || row.among, tableOf({row}).c_str());
            QVERIFY2(row.falsely.empty(), (row.fault.kind + ": " + fmt::format("{}", fmt::join(row.falsely, ", "))).c_str());
        }
    }

    /// Racks without coolant shut down by themselves, and what is in them falls silent minutes later: their manifold stays the one cause.
    void aManifoldAndItsRack()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        FaultRun run = fastRun();
        run.options.pollS = 20, run.options.ports = false, run.mostS = 240;
        const CoolingChain& chain = figures->get<CoolingChainNode>();
        const auto manifold = std::ranges::find_if(chain.units, [](const CoolingUnit& unit) { return unit.element == CoolingElement::Manifold; });
        QVERIFY(manifold != chain.units.end());
        const std::string name = figures->snapshot->devices.name[manifold->device];
        const auto rack = figures->snapshot->devices.rack[manifold->device];
        QVERIFY(rack);
        FaultCase unmeasured = failing("manifold, its flow without a number", {name});
        unmeasured.deeds.insert(unmeasured.deeds.begin(), "sensor-nan " + figures->snapshot->racks.name[*rack] + " reading=flow");
        expectAll(figures, {failing("manifold", {name}), unmeasured}, run);
    }

    /// Where one board feeds all: what depends on it fails by itself, and a feed that is lost takes along cooling that needs minutes to start
    /// again. That air warms up meanwhile is a symptom.
    void powerOnOneSide()
    {
        FaultRun run = fastRun();
        run.warmUpS = 75, run.mostS = 30;
        expectAll(onOneSide(),
                  {failing("utility", {"utility-a"}, 90), failing("server and utility", {"su01-host001", "utility-a"}),
                   failing("two busways", {"c01-row1-busway1", "c01-row2-busway1"}), failing("rack", {"c01-r1-01"}),
                   failing("tray", {"tray-c01-row1"}), failing("header", {"facility_header1"}), failing("spine", {"spine01"})},
                  run);
    }

    /// One small loop of liquid: coolant and air go round without facility water, so neither CDUs nor fan walls have failed.
    void aSmallLoop()
    {
        const auto figures = designOf("nvl36", {{"segments", "1"}, {"networks", "backend"}});
        FaultRun run = fastRun();
        run.options.ports = false, run.mostS = 20;
        expectAll(figures, {failing("header", {"facility_header1"}), failing("header of a row", {"c01-row1-header"})}, run);
    }

    /// Ports are read one device after the other: none of its links takes the place of a switch that has no meter, at any time.
    void switchesOfThreeTiers()
    {
        const auto figures = designOf("dcn-plus", {{"pods", "1"}});
        FaultRun run = fastRun();
        run.options.pollS = 10, run.warmUpS = 100, run.mostS = 35;
        expectAll(figures,
                  {failing("core", {"core-plane1-01"}), failing("management", {"mgmt-core1"}), failing("gateway", {"vpc-gateway-plane1-1"}),
                   failing("storage node", {"storage-001"}), failing("tray", {"tray-c01-b1-row1"})},
                  run);
    }

    /// Racks that carry little, jobs that end on the other side, meters that repeat after 100 s: the busway stays what it is.
    void aBuswayStaysNamed()
    {
        const auto figures = designOf("hpn", {{"segments", "1"}, {"networks", "backend"}});
        FaultRun run = fastRun();
        run.options.seed = 11, run.options.gpus = run.options.ports = false, run.mostS = 720;
        const FaultFound row = tryFault(figures, {"busway", {"fail pod1-c01-row1-busway1"}, {"pod1-c01-row1-busway1"}}, run);
        QVERIFY2(row.all && row.wrong.empty() && row.seconds <= 10, tableOf({row}).c_str());
    }

    /// A card behind a bad PCIe link sends 50 Gb/s; its link, rate and lanes are in order. It is reported, and in a hall without one nothing is.
    void aCardBehindItsPcieLink()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        FaultRun run = fastRun();
        run.options.seed = 12, run.mostS = 150, run.missingPercent = 0;
        const auto healthy = tryFault(figures, {"none", {}, {}}, run);
        QVERIFY2(healthy.located.empty() && healthy.named.empty(), fmt::format("{}", fmt::join(healthy.located, "; ")).c_str());
        const auto found = tryFault(figures, {"card", {"degrade g01-rack3-tray07:nic3 gbps=50"}, {}}, run);
        QCOMPARE(found.located.size(), std::size_t(1));
        QVERIFY2(found.located[0].starts_with("g01-rack3-tray07:nic3: sends "), found.located[0].c_str());
        QVERIFY2(found.located[0].find("PCIe") != std::string::npos, found.located[0].c_str());
    }

    /// One feed of a row and half a minute later the other: both busways stay named, not what feeds them or depends on them.
    void oneFeedThenTheOther()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        FaultRun run = fastRun();
        run.options.seed = 5, run.options.pollS = 30;
        Emulated hall(figures, run.options);
        monitoring::Monitor watch;
        watch.design(figures, hall.bound());
        (void)hall.watch(watch, 100);
        hall.deed("fail hall1-c1-row1-busway1");
        (void)hall.watch(watch, 30);
        hall.deed("fail hall1-c1-row1-busway2");
        const std::set<std::string> expected{"hall1-c1-row1-busway1", "hall1-c1-row1-busway2"};
        for (int s = 0; s < 20; ++s) {
            (void)hall.watch(watch, 1);
            const auto named = causesOf(figures, *watch.frame());
            QVERIFY2(std::ranges::includes(expected, named), fmt::format("{} s: {}", s, fmt::join(named, ", ")).c_str());
        }
        QCOMPARE(causesOf(figures, *watch.frame()), expected);
    }

    /// Ports are read every 90 s, so that those at the far ends are down for a while after a switch is back: nothing takes its place, and its
    /// alarm ends.
    void aLeafThatIsBack()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        FaultRun run = fastRun();
        run.options.seed = 5, run.options.pollS = 30;
        Emulated hall(figures, run.options);
        monitoring::Monitor watch;
        watch.design(figures, hall.bound());
        (void)hall.watch(watch, 120);
        hall.deed("fail g01-leaf-rail3-2");
        (void)hall.watch(watch, 60);
        QCOMPARE(causesOf(figures, *watch.frame()), (std::set<std::string>{"g01-leaf-rail3-2"}));
        hall.deed("restore g01-leaf-rail3-2");
        for (int s = 0; s < 120; ++s) {
            (void)hall.watch(watch, 1);
            const auto named = causesOf(figures, *watch.frame());
            QVERIFY2(named.empty() || named == std::set<std::string>{"g01-leaf-rail3-2"}, fmt::format("{} s: {}", s, fmt::join(named, ", ")).c_str());
        }
        QVERIFY(causesOf(figures, *watch.frame()).empty());
    }

    /// What is mended leaves the other cause where it is, whose meters say nothing new, and ends within seconds.
    void oneOfTwoIsMended()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        FaultRun run = fastRun();
        run.options.seed = 3, run.options.gpus = run.options.ports = false;
        Emulated hall(figures, run.options);
        monitoring::Monitor watch;
        watch.design(figures, hall.bound());
        hall.missing(5);
        (void)hall.watch(watch, 60);
        hall.deed("fail hall1-c1-row1-busway1");
        (void)hall.watch(watch, 20);
        hall.deed("fail hall1-fanwall1-1");
        (void)hall.watch(watch, 30);
        QCOMPARE(causesOf(figures, *watch.frame()), (std::set<std::string>{"hall1-c1-row1-busway1", "hall1-fanwall1-1"}));
        hall.deed("restore hall1-c1-row1-busway1");
        for (int s = 1; s <= 110; ++s) {
            (void)hall.watch(watch, 1);
            const auto named = causesOf(figures, *watch.frame());
            QVERIFY2(named.contains("hall1-fanwall1-1"), fmt::format("{} s", s).c_str());
            QVERIFY2(s < 8 || named.size() == 1, fmt::format("{} s: {}", s, fmt::join(named, ", ")).c_str());
        }
    }

    /// A card behind a switch that failed sends nothing, and nobody says that its link is down: it is not slow, nor is it once that is mended.
    void aCardBehindADeadLeaf()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        FaultRun run = fastRun();
        run.options.seed = 3, run.options.pollS = 10;
        Emulated hall(figures, run.options);
        monitoring::Monitor watch;
        watch.design(figures, hall.bound());
        for (int rack = 1; rack <= 7; ++rack)
            for (int tray = 10; tray <= 18; ++tray) hall.deed(fmt::format("sensor-missing g01-rack{}-tray{}:nic1 reading=link-up", rack, tray));
        (void)hall.watch(watch, 100);
        hall.deed("fail g01-leaf-rail1-1");
        (void)hall.watch(watch, 170);
        QCOMPARE(causesOf(figures, *watch.frame()), (std::set<std::string>{"g01-leaf-rail1-1"}));
        hall.deed("restore");
        for (int s = 0; s < 100; ++s)
            for (const monitoring::Event& e : hall.watch(watch, 1))
                QVERIFY2(e.kind != monitoring::Event::Kind::Deviation, words(e.deviation.what).c_str());
    }

    /// Batteries carry until generators run: nothing is due on the other side of a transformer that is lost.
    void batteriesCarry()
    {
        const auto figures = withSetsOnBoards();
        const Emulated hall(figures, {});
        const monitoring::Plans plans = monitoring::Plans::of(*figures, *hall.bound());
        monitoring::Predictor predictor(impact::Model::of(figures).value(), plans, *hall.bound());
        const Snapshot& s = *figures->snapshot;
        const auto of = [&](const char* name) { return monitoring::Suspect{{*findEntity(s, *figures->parts, name)}}; };
        const auto rises = [&](const std::vector<monitoring::Suspect>& lost, const char* name) {
            const auto forecasts = predictor.of(lost, 0);
            return std::ranges::any_of(forecasts, [&](const monitoring::Forecast& f) {
                const bool up =
                    f.what == monitoring::Predicted::Up || f.what == monitoring::Predicted::MayUp || f.what == monitoring::Predicted::MayRise;
                return up && hall.bound()->points[f.point].entity == of(name).element.entity;
            });
        };
        QVERIFY(!predictor.effect(std::vector{of("transformer1-1")}).course.gaps.empty()); // until the generator runs
        QVERIFY(!rises({of("transformer1-1")}, "hall1-c1-row1-busway2"));
        QVERIFY(rises({of("hall1-c1-row1-busway1")}, "hall1-c1-row1-busway2"));
    }

    /// Two of the three busways of a board at once: the board, which still has voltage and feeds the third, is not named.
    void twoOfThreeBusways()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}});
        FaultRun run = fastRun();
        run.options.seed = 5, run.options.pollS = 30, run.warmUpS = 120, run.missingPercent = 0;
        const FaultFound row = tryFault(
            figures,
            {"two busways", {"fail hall1-c1-row1-busway1", "fail hall1-c3-row1-busway1"}, {"hall1-c1-row1-busway1", "hall1-c3-row1-busway1"}}, run);
        QVERIFY2(row.all, tableOf({row}).c_str());
    }

    /// Two servers of one rack and one of another fail at once: three causes, at no time the manifold of the rack. (The first
    /// readings are of NVSwitches alone; some of these are named until the servers are read.)
    void threeServersAtOnce()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        FaultRun run = fastRun();
        run.options.seed = 5, run.options.pollS = 30, run.warmUpS = 120, run.missingPercent = 0;
        const FaultFound row = tryFault(figures,
                                        {"three servers",
                                         {"fail g01-rack3-tray07", "fail g01-rack5-tray02", "fail g01-rack3-tray09"},
                                         {"g01-rack3-tray07", "g01-rack5-tray02", "g01-rack3-tray09"}},
                                        run);
        QVERIFY2(row.all, tableOf({row}).c_str());
        for (const std::string& wrong : row.wrong) QVERIFY2(wrong.find("nvswitch") != wrong.npos, tableOf({row}).c_str());
    }

    /// A utility whose generator does not start: not the switchboard that both feed.
    void aGeneratorThatDoesNotStart()
    {
        const auto figures = withSetsOnBoards();
        FaultRun run = fastRun();
        run.options.seed = 5, run.missingPercent = 0;
        const FaultFound row =
            tryFault(figures, {"generator and utility", {"fail generator1-1", "fail utility-a"}, {"utility-a", "generator1-1"}}, run);
        QVERIFY2(row.all, tableOf({row}).c_str());
    }

    /// What predicts the same at every point is named beside it: a breaker or a cord by what it feeds, where nothing measures the breaker.
    void notToBeToldApart()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        const Snapshot& s = *figures->snapshot;
        FaultRun run = fastRun();
        run.missingPercent = 0;
        const auto pdu = findEntity(s, *figures->parts, "hall1-c3-r1-01-pdu1");
        QVERIFY(pdu.has_value());
        const auto ways = figures->get<PowerFeedsNode>().of(DeviceId(pdu->id));
        QVERIFY(ways.size() == 1 && ways[0].link);
        const std::vector<FaultFound> rows = tryFaults(figures,
                                                       {failing("power feed", {"hall1-c3-row1-busway1:T01"}),
                                                        failing("power feed", {"hall1-c3-r1-01-pdu1"}), failing("plant header", {"plant_header1"})},
                                                       run);
        for (const FaultFound& row : std::span(rows).first(2)) {
            QVERIFY2((row.all || row.among) && row.named.size() == 1, (row.fault.causes[0] + ": " + row.said).c_str());
            QVERIFY2(row.said.find("hall1-c3-row1-busway1:T01") != std::string::npos && row.said.find("hall1-c3-r1-01-pdu1") != std::string::npos,
                     row.said.c_str());
        }
        const FaultFound& header = rows[2];
        QVERIFY2(header.among && header.named.size() == 1, header.said.c_str());
    }

    /// Servers whose GPUs are slowed down are reported, however many: busy, and drawing less than others as busy. In a hall without one none is.
    void slowServers()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        FaultRun run = fastRun();
        run.options.seed = 6, run.options.pollS = 30, run.mostS = 400, run.missingPercent = 0;
        const auto slow = [&](const std::vector<std::string>& deeds) {
            std::vector<std::string> told;
            for (const std::string& where : tryFault(figures, {"slow", deeds, {}}, run).located)
                if (where.find(" draws ") != std::string::npos) told.push_back(where.substr(0, where.find(':')));
            std::ranges::sort(told);
            return told;
        };
        QCOMPARE(slow({}), std::vector<std::string>{});
        QCOMPARE(slow({"throttle g01-rack3-tray07 percent=30", "throttle g01-rack5-tray02 percent=40", "throttle g01-rack6-tray11 percent=20"}),
                 (std::vector<std::string>{"g01-rack3-tray07", "g01-rack5-tray02", "g01-rack6-tray11"}));
    }

    /// The transformer still has voltage: it is the board behind it that failed, whichever sensors are missing.
    void aBoardAndItsTransformer()
    {
        const auto figures = designOf("rail-optimized-2", {{"segments", "4"}, {"networks", "backend"}});
        for (unsigned seed = 1; seed <= 6; ++seed) {
            FaultRun run = fastRun();
            run.options.seed = seed, run.options.gpus = run.options.ports = false, run.warmUpS = 60, run.mostS = 20;
            const FaultFound row = tryFault(figures, {"board", {"fail switchboard1-1"}, {"switchboard1-1"}}, run);
            QVERIFY2(row.all, tableOf({row}).c_str());
            QVERIFY2(row.wrong.empty() || row.seconds <= 12, tableOf({row}).c_str());
        }
    }

    /// A row has no way to lose its power but through its feeds: both are named, and the row beside them, as values do not tell it apart.
    void bothFeedsOfARow()
    {
        const auto figures = designOf("rail-optimized-2", {{"segments", "4"}, {"networks", "backend"}});
        FaultRun run = fastRun();
        run.options.ports = false, run.warmUpS = 60, run.mostS = 20;
        const std::vector<std::string> feeds{"c01-row1-busway1", "c01-row1-busway2"};
        const FaultFound row = tryFault(figures, {"both feeds", {"fail " + feeds[0], "fail " + feeds[1]}, feeds}, run);
        QVERIFY2(row.all && row.wrong.empty(), tableOf({row}).c_str());
        QVERIFY2(row.said.find("c01-row1,") != row.said.npos || row.said.find("c01-row1 ") != row.said.npos ||
                     row.said.find("c01-row1.") != row.said.npos,
                 row.said.c_str());
    }

    /// A flow meter that says 0 while the coolant is as warm as its load makes it: the meter is reported, no manifold. One that says so because its
    /// manifold failed: that is named.
    void aMeterThatSaysNothingFlows()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        for (const unsigned seed : {1U, 4U}) {
            FaultRun run = fastRun();
            run.options.seed = seed, run.options.pollS = 10;
            Emulated hall(figures, run.options);
            monitoring::Monitor watch;
            watch.design(figures, hall.bound());
            (void)hall.watch(watch, 75);
            hall.deed("sensor-scale hall1-c1-r1-02 reading=flow by=0");
            bool told = false;
            for (int s = 0; s < 45; ++s) {
                for (const monitoring::Event& e : hall.watch(watch, 1))
                    told = told || (e.deviation.kind == monitoring::DeviationKind::BadSensor && e.deviation.measure == bindings::Measure::Flow);
                QVERIFY2(causesOf(figures, *watch.frame()).empty(), fmt::format("{}", fmt::join(causesOf(figures, *watch.frame()), ", ")).c_str());
            }
            QVERIFY(told);
            run.missingPercent = 0, run.warmUpS = 75, run.mostS = 15;
            const FaultFound row = tryFault(figures, {"manifold", {"fail hall1-c1-r1-02-manifold"}, {"hall1-c1-r1-02-manifold"}}, run);
            QVERIFY2(row.all && row.wrong.empty(), tableOf({row}).c_str());
        }
    }

    /// Of a rack that is mended, ports at the far ends and servers are read a while later: nothing takes its place meanwhile.
    void aRackThatIsBack()
    {
        for (const auto& [name, segments, rack] :
             std::vector<std::array<const char*, 3>>{{"nvl72", "1", "hall1-c1-r1-02"}, {"rail-optimized-2", "4", "c01-r1-01"}}) {
            const auto figures = designOf(name, {{"segments", segments}});
            FaultRun run = fastRun();
            run.options.seed = 2, run.options.pollS = 10;
            Emulated hall(figures, run.options);
            monitoring::Monitor watch;
            watch.design(figures, hall.bound());
            hall.missing(5);
            (void)hall.watch(watch, 60);
            hall.deed(std::string("fail ") + rack);
            (void)hall.watch(watch, 60);
            const auto named = causesOf(figures, *watch.frame());
            QVERIFY(!named.empty());
            hall.deed(std::string("restore ") + rack);
            for (int s = 0; s < 100; ++s) {
                (void)hall.watch(watch, 1);
                const auto now = causesOf(figures, *watch.frame());
                QVERIFY2(std::ranges::includes(named, now), fmt::format("{} s: {}", s, fmt::join(now, ", ")).c_str());
            }
            QVERIFY(causesOf(figures, *watch.frame()).empty());
        }
    }

    /// What a header that was named explains is its symptom: no rack stands beside it with low flow, nor after it is mended.
    void symptomsAreGrouped()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        FaultRun run = fastRun();
        run.options.seed = 2, run.options.gpus = run.options.ports = false;
        Emulated hall(figures, run.options);
        monitoring::Monitor watch;
        watch.design(figures, hall.bound());
        (void)hall.watch(watch, 60);
        const auto lowFlows = [&] {
            return std::ranges::count(watch.frame()->deviations, monitoring::DeviationKind::LowFlow, &monitoring::Deviation::kind);
        };
        QCOMPARE(lowFlows(), 0);
        hall.deed("fail hall1-c1-row1-header");
        for (int s = 0; s < 16; ++s) {
            (void)hall.watch(watch, 1);
            QCOMPARE(lowFlows(), 0);
        }
        QCOMPARE(causesOf(figures, *watch.frame()), (std::set<std::string>{"hall1-c1-row1-header"}));
        hall.deed("restore hall1-c1-row1-header");
        for (int s = 0; s < 60; ++s) {
            (void)hall.watch(watch, 1);
            QCOMPARE(lowFlows(), 0);
        }
    }

    /// Both supply sensors of a CDU drift alike: each is reported once and stays, and no other is blamed.
    void sensorsThatDriftAlike()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        for (const unsigned seed : {2U}) {
            FaultRun run = fastRun();
            run.options.seed = seed, run.options.gpus = run.options.ports = false;
            Emulated hall(figures, run.options);
            monitoring::Monitor watch;
            watch.design(figures, hall.bound());
            (void)hall.watch(watch, 60);
            hall.deed("sensor-drift hall1-c1-cdu1-1 reading=supply-temperature by=2");
            std::vector<std::string> told;
            for (const monitoring::Event& e : hall.watch(watch, 600))
                if (e.deviation.kind == monitoring::DeviationKind::BadSensor) told.push_back(std::string(wordOf(e.deviation.measure)));
            QCOMPARE(told, (std::vector<std::string>{"supply-temperature", "supply-temperature"}));
        }
    }

    /// The shelves of a side that is dead say 0 and nothing more: a rack meter that is stuck is found as without.
    void aStuckMeterBesideADeadBusway()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        for (const unsigned seed : {4U}) {
            FaultRun run = fastRun();
            run.options.seed = seed, run.options.gpus = run.options.ports = false;
            Emulated hall(figures, run.options);
            monitoring::Monitor watch;
            watch.design(figures, hall.bound());
            (void)hall.watch(watch, 60);
            hall.deed("sensor-stuck hall1-c1-r1-05 reading=active-power");
            (void)hall.watch(watch, 30);
            hall.deed("fail hall1-c1-row1-busway1");
            std::set<std::string> told;
            for (const monitoring::Event& e : hall.watch(watch, 150))
                if (e.kind == monitoring::Event::Kind::Deviation && e.deviation.kind == monitoring::DeviationKind::BadSensor)
                    told.insert(entityName(*figures->snapshot, *figures->parts, e.deviation.entity) + " " + std::string(wordOf(e.deviation.measure)));
            QCOMPARE(told, (std::set<std::string>{"hall1-c1-r1-05 active-power"}));
        }
    }

    /// A busway, then a CDU, then another, with which heat stays: each is named and nothing else at any time, with what all of them cost.
    void oneAfterTheOther()
    {
        const auto figures = designOf("nvl72", {{"segments", "4"}, {"networks", "backend"}});
        FaultRun run = fastRun();
        run.options.seed = 6, run.options.gpus = run.options.ports = false;
        Emulated hall(figures, run.options);
        monitoring::Monitor watch;
        watch.design(figures, hall.bound());
        (void)hall.watch(watch, 60);
        std::set<std::string> expected;
        for (const char* name : {"hall1-c1-row1-busway1", "hall1-c1-cdu1-1", "hall1-c1-cdu1-2"}) {
            hall.deed(std::string("fail ") + name);
            expected.insert(name);
            for (int s = 1; s <= 20; ++s) {
                (void)hall.watch(watch, 1);
                const auto named = causesOf(figures, *watch.frame());
                QVERIFY2(std::ranges::includes(expected, named), fmt::format("{} s after {}: {}", s, name, fmt::join(named, ", ")).c_str());
            }
            QCOMPARE(causesOf(figures, *watch.frame()), expected);
        }
        const auto frame = watch.frame();
        for (const monitoring::Alarm& alarm : frame->alarms) { // the busway costs no GPU, with the cooling units or without
            if (alarm.kind != monitoring::AlarmKind::Cause) continue;
            const bool cools = entityName(*figures->snapshot, *figures->parts, alarm.cause) != "hall1-c1-row1-busway1";
            QCOMPARE(alarm.gpusLost, cools ? 28u * 72 : 0u);
            QCOMPARE(alarm.together.size(), cools ? 2u : 0u);
            QCOMPARE(alarm.rideThroughS > 60, cools);
        }
    }

    /// Cooling of one cell fails, and later that of another, which rides through for just as long: the first does not get its seconds back.
    void rideThroughOfEach()
    {
        const auto figures = designOf("nvl72", {{"segments", "8"}, {"networks", "backend"}});
        FaultRun run = fastRun();
        run.options.seed = 6, run.options.gpus = run.options.ports = false;
        Emulated hall(figures, run.options);
        monitoring::Monitor watch;
        watch.design(figures, hall.bound());
        (void)hall.watch(watch, 60);
        const auto alarmOf = [&](const std::string& name) -> std::optional<monitoring::Alarm> {
            const auto frame = watch.frame();
            for (const monitoring::Alarm& alarm : frame->alarms)
                if (alarm.kind == monitoring::AlarmKind::Cause && entityName(*figures->snapshot, *figures->parts, alarm.cause) == name) return alarm;
            return std::nullopt;
        };
        hall.deed("fail hall1-c1-cdu1-1");
        (void)hall.watch(watch, 20);
        hall.deed("fail hall1-c1-cdu1-2"); // only now it warms up
        (void)hall.watch(watch, 20);
        const auto before = alarmOf("hall1-c1-cdu1-1");
        QVERIFY(before && before->rideThroughS > 60);
        const auto second = alarmOf("hall1-c1-cdu1-2");
        QVERIFY(second && second->sinceMs - before->sinceMs > 15'000);
        QCOMPARE(before->rideThroughEndsMs, second->sinceMs + std::llround(before->rideThroughS * 1000));
        QCOMPARE(second->rideThroughEndsMs, before->rideThroughEndsMs);
        const std::int64_t at = watch.frame()->atMs;
        QCOMPARE(monitoring::rideThroughLeftS(*before, at), std::optional(double(before->rideThroughEndsMs - at) / 1000));
        QCOMPARE(monitoring::rideThroughLeftS(*before, before->rideThroughEndsMs + 1), std::optional(0.0));
        hall.deed("fail hall1-c2-cdu1-1");
        hall.deed("fail hall1-c2-cdu1-2");
        (void)hall.watch(watch, 20);
        const auto after = alarmOf("hall1-c1-cdu1-1"), other = alarmOf("hall1-c2-cdu1-1");
        QVERIFY(after && other && other->sinceMs > second->sinceMs);
        QCOMPARE(other->rideThroughS, after->rideThroughS); // by this the panel took both for one
        QCOMPARE(after->rideThroughEndsMs, before->rideThroughEndsMs);
        monitoring::Alarm nothing;
        QVERIFY(!monitoring::rideThroughLeftS(nothing, at));
    }

    /// What is named in one second is reported with what all of it costs.
    void allAtOnce()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        FaultRun run = fastRun();
        run.options.seed = 2, run.options.gpus = run.options.ports = false;
        Emulated hall(figures, run.options);
        monitoring::Monitor watch;
        watch.design(figures, hall.bound());
        hall.missing(5);
        (void)hall.watch(watch, 60);
        for (const char* name : {"hall1-c1-row1-busway1", "hall1-c1-cdu1-1", "hall1-c1-cdu1-2", "hall1-c1-cdu2-1", "hall1-c1-cdu2-2"})
            hall.deed(std::string("fail ") + name);
        std::size_t units = 0;
        for (const monitoring::Event& event : hall.watch(watch, 20)) {
            if (event.kind != monitoring::Event::Kind::Alarm || event.alarm.kind != monitoring::AlarmKind::Cause) continue;
            if (entityName(*figures->snapshot, *figures->parts, event.alarm.cause) == "hall1-c1-row1-busway1") {
                QCOMPARE(event.alarm.gpusLost, 0u);
                continue;
            }
            ++units;
            QCOMPARE(event.alarm.gpusLost, 7u * 72);
            QCOMPARE(event.alarm.together.size(), std::size_t(4));
        }
        QVERIFY(units >= 4);
    }
};

QTEST_GUILESS_MAIN(TestCauses)
#include "test_causes.moc"
