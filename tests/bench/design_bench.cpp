// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/design_bench.h"

#include "core/derived/figures/figures.h"
#include "core/derived/figures/tray_load.h"
#include "core/derived/impact/ranking.h"
#include "core/derived/proof/proof.h"
#include "core/derived/rules/check.h"
#include "core/design/build/design_builder.h"
#include "core/design/fitting/fitting.h"
#include "core/design/template/template.h"
#include "core/foundation/base/resources.h"
#include "core/foundation/storage/project_file.h"
#include "core/output/exchange/bom.h"
#include "core/output/exchange/cable_schedule.h"
#include "core/output/exchange/supply_bill.h"
#include "core/output/report/report.h"
#include "simulation/questions/flow_run.h"
#include "tests/bench/peak_memory.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <ostream>

#include <fmt/ostream.h>
#include <malloc.h>
#include <unistd.h>

namespace hw::bench {

namespace {

using Clock = std::chrono::steady_clock;

double once(const std::function<void()>& work)
{
    const auto start = Clock::now();
    work();
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double median(int runs, const std::function<void()>& work)
{
    std::vector<double> ms;
    for (int i = 0; i < runs; ++i) ms.push_back(once(work));
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
}

/// Aims are those of the project's plan: what a planner does not notice as waiting.
void line(std::ostream& out, const char* what, double ms, const char* aim = "")
{
    fmt::print(out, "  {:<44}{:>10.1f} ms   peak {:>5} MiB   {}\n", what, ms, peakMiB(), aim);
}

RowId rowNamed(const Snapshot& s, const std::string& name)
{
    RowId found;
    s.rows.forEach([&](RowId id) {
        if (s.rows.name[id] == name) found = id;
    });
    return found;
}

/// Moves a row back and forth by 600 mm, with every figure current after each move.
template <class... More>
double moveRow(Document& document, FiguresPtr& figures, RowId row)
{
    int direction = 600;
    return median(15, [&] {
        auto tx = document.begin("Move row");
        tx->rows.x.set(row, tx->rows.x[row] + Millimeters(direction));
        const auto changes = tx.commit();
        figures = *updateFigures(figures, document.snapshot(), *changes);
        (void)figures->prepare(MainNodes::infos(), {});
        (void)figures->prepare<More...>({});
        direction = -direction;
    });
}

/// A pod into a hall that is there, 140 x 20 m with columns.
void benchLayout(std::ostream& out, const Template& design, const Catalog& catalog)
{
    auto site = std::make_shared<Snapshot>();
    DesignBuilder build(*site);
    const BuildingId building = build.building({.name = "house", .sizeX = Millimeters(142'000), .sizeY = Millimeters(22'000)});
    const HallId hall =
        build.hall({.name = "hall", .building = building, .sizeX = Millimeters(140'000), .sizeY = Millimeters(20'000), .sizeZ = Millimeters(4'500)});
    for (std::int32_t x = 7'200; x < 140'000; x += 7'200)
        build.structure({.name = fmt::format("column-{}", x),
                         .hall = hall,
                         .kind = StructureKind::Column,
                         .x1 = Millimeters(x),
                         .y1 = Millimeters(10'000),
                         .x2 = Millimeters(x),
                         .y2 = Millimeters(10'000),
                         .width = Millimeters(600)});
    Document document(site);
    auto tx = document.begin("layout");
    line(out, "a template's devices into a project", once([&] { (void)useTemplate(tx, design, *design.complete(ParameterValues{}), catalog); }));
    std::int64_t racks = 0;
    line(out, "layout of a pod into a given hall", once([&] {
             if (const auto fit = fitting::layOut(*tx, hall, catalog); fit && fit->fits) racks = fit->racks;
         }),
         "target: 5 s");
    fmt::print(out, "  {:<44}{:>10} racks\n", "", racks);
}

/// What fails: the arrays of it, one element after the other, and all of them.
void benchImpact(std::ostream& out, const FiguresPtr& figures)
{
    impact::ModelPtr model;
    line(out, "what fails: arrays from current figures", median(3, [&] { model = *impact::Model::of(figures); }));
    impact::Study study(model);
    const auto find = [&](const char* name) { return *impact::findFailing(*model, name); };
    const impact::Failing tor = find("pod1-seg01-tor-rail1-plane1"), hall = find("pod1-hall"), transformer = find("pod1-transformer1-1"),
                          utility = find("utility-a");
    line(out, "what fails: a ToR", median(5, [&] { (void)study.lose(tor); }), "target: 50 ms");
    line(out, "what fails: a whole hall", median(5, [&] { (void)study.lose(hall); }), "target: 50 ms");
    line(out, "what fails: a transformer, played through", median(5, [&] { (void)study.lose(transformer); }), "target: 50 ms");
    line(out, "what fails: a utility, played through", median(5, [&] { (void)study.lose(utility); }), "target: 50 ms");
    std::size_t elements = 0;
    line(out, "what fails: every single element, ranked", median(3, [&] { elements = impact::rankSingles(model)->size(); }), "target: 5 s");
    fmt::print(out, "  {:<44}{:>10} elements\n", "", elements);
    line(out, "what fails: pairs", once([&] { (void)impact::rankPairs(model); }));
}

} // namespace

void benchDesign(std::ostream& out, int pods)
{
    fmt::print(out, "hpn, {} pod{}: {} GPUs\n", pods, pods == 1 ? "" : "s", 15360 * pods);
    const auto catalog = *Catalog::load(resourceFolder() / "catalog");
    const auto design = *Template::load(resourceFolder() / "templates/hpn.yaml");
    SnapshotPtr snapshot;
    line(out, "instantiate", median(3, [&] {
             snapshot.reset();
             snapshot = *instantiate(design, {{"pods", pods}}, catalog);
         }));
    FiguresPtr figures;
    line(out, "every figure from nothing", median(3, [&] {
             figures.reset();
             figures = *computeFigures(snapshot);
         }));
    line(out, "bill of materials and report", once([&] { (void)makeReport(*figures, makeBom(*figures)); }), // kept for the second one
         pods > 1 ? "target: all above 3 s, 600 MiB" : "");
    line(out, "proof of every network", median(3, [&] { (void)proveNetworks(*snapshot, *figures->parts); }), pods > 1 ? "target: 1 s" : "");
    line(out, "check, all rules", median(3, [&] { (void)check(*figures, {{}, PowerBasis::Typical}); })); // not the one that figures keep
    (void)check(*figures);
    line(out, "ways of every medium, cords, tray loads",
         median(3,
                [&] {
                    const auto anew = *figuresOf(snapshot);
                    (void)anew->prepare<RoutingNode, CablingNode, SupplyNode, CordsNode, TrayLoadNode>({});
                }),
         pods > 1 ? "target: 2 s" : "");
    const SupplyTotals laid = supplyTotals(figures->get<SupplyNode>(), figures->get<CordsNode>());
    fmt::print(out, "  {:<44}{:>10} cords, {} whips, {} cables of {} feeders\n", "", laid.cords, laid.whips, laid.runs, laid.feeders);
    line(out, "feeders, whips, ducts and pipes alone", median(3, [&] {
             const PowerFeeds& feeds = figures->get<PowerFeedsNode>();
             (void)Supply::compute(*snapshot, *figures->parts, *figures->placement, figures->get<MediumNode<Medium::Power>>(),
                                   figures->get<MediumNode<Medium::Coolant>>(), feeds);
         }));
    line(out, "cords alone", median(3, [&] {
             (void)Cords::compute(*snapshot, *figures->parts, figures->get<PowerFeedsNode>(), figures->get<MediumNode<Medium::Coolant>>());
         }));
    benchImpact(out, figures);
    if (pods == 1) benchLayout(out, design, catalog);

    const auto folder = std::filesystem::temp_directory_path() / fmt::format("hallwright-bench-{}", getpid());
    std::filesystem::create_directories(folder);
    line(out, "cable schedule, csv", once([&] { (void)writeCableSchedule(*figures, folder / "cables.csv"); }),
         pods == 1 ? "target: 1 s (closest peer: 512 s for 2,048 servers)" : "");
    line(out, "save", once([&] { (void)writeProject(*snapshot, folder / "bench.hall"); }));
    figures.reset();
    snapshot.reset();
    malloc_trim(0);
    line(out, "open, every figure current",
         median(3,
                [&] {
                    auto loaded = *readProject(folder / "bench.hall");
                    figures = *computeFigures(loaded.snapshot);
                    (void)makeReport(*figures, makeBom(*figures));
                }),
         "target: 1 s");
    fmt::print(out, "  {:<44}{:>10.1f} MiB\n", "file size", double(std::filesystem::file_size(folder / "bench.hall")) / 1048576.0);
    std::filesystem::remove_all(folder);

    Document document(figures->snapshot);
    line(out, "move a row of servers, figures current", moveRow(document, figures, rowNamed(*figures->snapshot, "pod1-c02-row1")),
         pods == 1 ? "target: 16 ms" : "");
    line(out, "move a row of aggregation racks, figures current", moveRow(document, figures, rowNamed(*figures->snapshot, "pod1-c08-row1")),
         pods == 1 ? "target: 16 ms" : "");
    (void)figures->prepare<SupplyNode, TrayLoadNode>({});
    line(out, "move a row, feeders and tray loads current, too",
         moveRow<SupplyNode, TrayLoadNode>(document, figures, rowNamed(*figures->snapshot, "pod1-c02-row1")), pods == 1 ? "target: 16 to 50 ms" : "");
    line(out, "report after the move", once([&] { (void)makeReport(*figures, makeBom(*figures)); }));
    line(out, "check after the move", once([&] { (void)check(*figures); }));
    line(out, "undo, figures current", once([&] {
             std::shared_ptr<const ChangeSet> changes;
             const auto connection = document.changed.connect([&](const ChangeEvent& event) { changes = event.changes; });
             document.undo();
             figures = *updateFigures(figures, document.snapshot(), *changes);
             (void)figures->prepare(MainNodes::infos(), {});
         }));
    line(out, "fewer segments: regenerate and merge", once([&] {
             auto tx = document.begin("Segments");
             (void)regenerate(tx, {{"segments", 14}}, catalog);
             tx.commit();
         }));
    document.undo();
    sim::FlowQuestion ring;
    std::shared_ptr<const sim::FlowResult> result;
    const double ms = once([&] { result = *sim::askFlows(*document.snapshot(), ring); });
    line(out, "ring all-reduce over all GPUs, proved", ms);
    fmt::print(out, "  {:<44}{:>10} flows, certificate {}\n", "", result->flows.size(), result->certificateOk ? "ok" : "FAILED");
}

} // namespace hw::bench
