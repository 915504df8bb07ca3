// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/parts_of_size.h"
#include "core/design/sizing/supply_of_size.h"

#include "core/derived/figures/figures.h"
#include "core/design/template/spec.h"
#include "core/output/report/report.h"
#include "tests/sizing/generated.h"
#include "tests/sizing/shipped_sizes.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace hw;
using namespace hw::sizing;
using namespace hw::test;

namespace {

/// A design with given objectives, for ranking alone.
SizedDesign made(double price, std::int64_t switches, double ratio, double share, bool stops, std::int64_t watt, const std::string& name)
{
    SizedDesign design;
    design.templateName = name;
    design.price.total = Money(std::int64_t(price * 10000));
    design.switches = switches;
    design.oversubscription = ratio;
    design.failure.acceleratorShare = share;
    design.failure.jobStops = stops;
    design.power[std::size_t(design.basis)] = watts(watt);
    return design;
}

} // namespace

class SizingTest : public QObject {
    Q_OBJECT
private slots:
    /// Two 110 kV substations of 2 × 63 MVA carry 119.7 MW with a transformer out in each.
    void substationsThatAPowerNeeds()
    {
        const sizing::SiteSupply supply{.station = {.transformers = 2, .spare = 1, .transformerMva = 63, .powerFactor = 0.95}, .feedMva = 25};
        QCOMPARE(sizing::supplyNeed(supply, 119.7e6).substations, std::int64_t(2));
        QCOMPARE(sizing::supplyNeed(supply, 119.8e6).substations, std::int64_t(3));
        QCOMPARE(sizing::supplyNeed(supply, 155.66e6).substations, std::int64_t(3));
        QCOMPARE(sizing::supplyNeed(supply, 119.7e6).feeds, std::int64_t(6));
        for (const std::int64_t stations : {1, 2, 3, 7}) { // what they carry needs so many, and a watt more needs one more
            for (const std::int64_t transformers : {1, 2, 4}) {
                const SubstationSize size{.transformers = transformers, .spare = 1, .transformerMva = 63, .powerFactor = 0.95};
                const double most = size.capacityW(stations);
                if (most > 0) QCOMPARE(size.required(most), stations);
                QCOMPARE(size.required(most + 1), stations + 1);
            }
        }
        sizing::SizedDesign large;
        large.supply = supply, large.accelerators = 100'352, large.facility = Milliwatts(160'650'000'000);
        QCOMPARE(sizing::supplyOfFewer(large).substations, std::int64_t(2));
        QCOMPARE(sizing::supplyOfFewer(large).accelerators, std::int64_t(100'352 * 119.7 / 160.65));
        large.facility = Milliwatts(59'000'000'000); // one is enough
        QCOMPARE(sizing::supplyOfFewer(large).substations, std::int64_t(0));
        sizing::SiteSupply single = supply;
        single.station.transformers = 1; // with one out nothing is left of one: another station instead
        QCOMPARE(sizing::supplyNeed(single, 59.85e6).substations, std::int64_t(2));
        single.station.transformerMva = 0;
        QCOMPARE(sizing::supplyNeed(single, 59.85e6).substations, std::int64_t(0));
    }
    void beyondEverything()
    {
        const auto answer = ask(wanted(122'881, {"hpn"}));
        QVERIFY(answer.designs.empty());
        const auto* refused = refusedAs(answer, "hpn");
        QVERIFY(refused);
        QCOMPARE(refused->reach, std::int64_t(122'880));
        QVERIFY2(words(refused->reason).find("4 tiers required above 122,880 accelerators") != std::string::npos &&
                     words(refused->reason).find("128 ports") != std::string::npos,
                 words(refused->reason).c_str());
    }

    /// CHECKS P4: 64-port switches end at 2,048 in two tiers and at 65,536 in three.
    void tiersOfFatTrees_data()
    {
        QTest::addColumn<int>("accelerators");
        QTest::addColumn<int>("tiers");
        QTest::newRow("1K") << 1024 << 2;
        QTest::newRow("2,048") << 2048 << 2;
        QTest::newRow("2,049") << 2049 << 3;
        QTest::newRow("65,536") << 65'536 << 3;
    }
    void tiersOfFatTrees()
    {
        QFETCH(int, accelerators);
        QFETCH(int, tiers);
        auto request = wanted(accelerators, {"rail-optimized-2", "rail-optimized-3"});
        request.switches = {"switch-ib-ndr-64x400g"};
        request.server = "hgx-h100-8gpu";
        const auto answer = ask(request);
        QVERIFY(!answer.designs.empty());
        std::size_t fewest = 99;
        for (const auto& design : answer.designs) {
            QVERIFY(design.accelerators >= accelerators);
            QVERIFY(std::abs(design.oversubscription - 1) < 1e-9);
            QVERIFY(design.failure.jobStops); // one 400G port a NIC, so nothing to fall back to
            fewest = std::min(fewest, levels(design));
        }
        QCOMPARE(int(fewest), tiers);
        if (tiers < 3) return;
        const auto* refused = refusedAs(answer, "rail-optimized-2");
        QVERIFY(refused);
        QCOMPARE(refused->reach, std::int64_t(2048));
        QVERIFY2(words(refused->reason).starts_with("3 tiers required above 2,048 accelerators: "), words(refused->reason).c_str());
    }

    /// A template that adds a tier as it grows says where.
    void tierAddedOnTheWay()
    {
        const auto small = ask(wanted(2048, {"xingmai-1"})), large = ask(wanted(2049, {"xingmai-1"}));
        QCOMPARE(levels(small.designs.front()), std::size_t(2));
        QCOMPARE(levels(large.designs.front()), std::size_t(3));
        QCOMPARE(words(large.designs.front().tierNote), std::string("3 tiers required above 2,048 accelerators"));
        auto twoTiers = wanted(2049, {"xingmai-1"});
        twoTiers.tiers = 2;
        const auto none = ask(twoTiers);
        QVERIFY(none.designs.empty());
        QVERIFY(words(none.refused.front().reason).find("3 tiers required above 2,048 accelerators") != std::string::npos);
        twoTiers.accelerators = 2048;
        QCOMPARE(ask(twoTiers).designs.size(), std::size_t(1));
    }

    void filters()
    {
        const std::vector<std::string> templates = {"hpn", "hpn-rail-only", "dcn-plus", "rail-optimized-2", "fat-tree-2", "multi-plane"};
        auto request = wanted(4096, templates);
        request.planes = 2;
        const auto two = ask(request);
        QVERIFY(!two.designs.empty() && two.designs.size() < ask(wanted(4096, templates)).designs.size());
        for (const auto& design : two.designs) QCOMPARE(design.planes, 2);
        request = wanted(4096, templates);
        request.maxOversubscription = 1.0;
        const auto full = ask(request);
        QVERIFY(!full.designs.empty() && !find(full, "hpn"));
        for (const auto& design : full.designs) QVERIFY(design.oversubscription <= 1.0 + 1e-9);
        request = wanted(4096, templates);
        request.growTo = 100'000;
        const auto large = ask(request);
        QVERIFY(find(large, "hpn") && !find(large, "dcn-plus"));
        for (const auto& design : large.designs) QVERIFY(design.reach >= 100'000);
        request = wanted(4096, templates);
        request.server = "hpn-host-8gpu";
        request.switches = {"switch-51t-128x400g"};
        const auto parts = ask(request);
        QVERIFY(find(parts, "hpn"));
        for (const auto& design : parts.designs) {
            QCOMPARE(design.serverType, std::string("hpn-host-8gpu"));
            for (const auto& tier : design.tiers) QCOMPARE(tier.type, std::string("switch-51t-128x400g"));
        }
    }

    void refusedRequests()
    {
        const auto code = [&](const SizeRequest& request) {
            const auto answer = size(request, shipped(), catalog());
            return answer ? 0 : int(answer.error().code);
        };
        QCOMPARE(code(wanted(0)), int(ErrorCode::Refused));
        QCOMPARE(code(wanted(-5)), int(ErrorCode::Refused));
        QCOMPARE(code(wanted(1'000'000'000)), int(ErrorCode::Refused));
        QCOMPARE(code(wanted(8, {"no-such"})), int(ErrorCode::Usage));
        auto request = wanted(8);
        request.server = "no-such";
        QCOMPARE(code(request), int(ErrorCode::Usage));
        request = wanted(8);
        request.maxOversubscription = 0.5;
        QCOMPARE(code(request), int(ErrorCode::Refused));
        request = wanted(8);
        request.growTo = 4;
        QCOMPARE(code(request), int(ErrorCode::Refused));
    }

    /// More accelerators never take fewer switches or less money of one template, and never reach less.
    void monotonous()
    {
        std::map<std::string, std::tuple<std::int64_t, std::int64_t, std::int64_t>> last;
        for (const std::int64_t n : {2'000, 60'000}) {
            const auto answer = ask(wanted(n));
            for (const auto& design : answer.designs) {
                QVERIFY(design.accelerators >= n);
                QVERIFY(design.reach >= design.accelerators);
                const auto now = std::tuple(design.accelerators, design.switches, design.price.total.count());
                std::string variant = design.templateName; // and what does not grow
                for (const auto& [name, text] : design.parameterTexts)
                    if (name != "pods" && name != "segments" && name != "units" && name != "blocks" && name != "last_segments")
                        variant += " " + name + text;
                if (const auto before = last.find(variant); before != last.end()) {
                    QVERIFY2(std::get<0>(now) >= std::get<0>(before->second), design.templateName.c_str());
                    QVERIFY2(std::get<1>(now) >= std::get<1>(before->second), design.templateName.c_str());
                    QVERIFY2(std::get<2>(now) >= std::get<2>(before->second), design.templateName.c_str());
                }
                last[variant] = now;
            }
        }
        QVERIFY(!last.empty());
    }

    /// 64 sockets of 800G are 128 ports of 400G where uplinks are broken out too: two tiers end at 8,192, not at 4,096.
    void uplinksBrokenOut()
    {
        auto request = wanted(8192, {"rail-optimized-2"});
        request.switches = {"switch-51t-64x800g"};
        request.tiers = 2;
        const auto found = ask(request);
        QCOMPARE(found.designs.size(), std::size_t(1));
        QCOMPARE(found.designs.front().accelerators, std::int64_t(8192));
        QCOMPARE(found.designs.front().switches, std::int64_t(128 + 64));
        QCOMPARE(found.tierLimits.front().reach, std::int64_t(8192));
        auto small = request; // whole uplinks do: finer ones are not told beside them
        small.accelerators = 4096;
        QCOMPARE(ask(small).designs.size(), std::size_t(1));
        QCOMPARE(ask(small).designs.front().parameters.at("leaf_up_split"), std::int64_t(1));
        request.split = {{"leaf", 2}}; // the same said by hand, and as an answer to "of every tier"
        QCOMPARE(ask(request).designs.size(), std::size_t(1));
        request.split = {{"", 2}};
        QCOMPARE(ask(request).designs.size(), std::size_t(1));
        request.split = {{"", 1}};
        const auto whole = ask(request);
        QVERIFY(whole.designs.empty());
        QVERIFY2(
            words(refusedAs(whole, "rail-optimized-2")->reason).find("up to 4096 ports of 400G with 800G uplinks, and 32768 with cages broken out") !=
                std::string::npos,
            words(refusedAs(whole, "rail-optimized-2")->reason).c_str());
        request.split = {{"core", 2}};
        QVERIFY(words(refusedAs(ask(request), "rail-optimized-2")->reason).find("no switch tier 'core'") != std::string::npos);
        request = wanted(1000, {"hpn"});
        request.split = {{"", 2}};
        QVERIFY(words(refusedAs(ask(request), "hpn")->reason).find("uplink cages of ToR provide 1 port each, not 2") != std::string::npos);
        request.split = {{"", 0}};
        QVERIFY(!size(request, shipped(), catalog()).has_value());
    }

    /// Planes are varied where a template has them as a parameter: eight planes of 100G under 512-port switches reach 131,072 in two tiers.
    void planesAreVaried_data()
    {
        QTest::addColumn<int>("planes");
        QTest::addColumn<QString>("switches");
        QTest::addColumn<int>("reach");
        QTest::newRow("8 x 100G, 64 x 800G") << 8 << QString("switch-51t-64x800g") << 131'072;
        QTest::newRow("4 x 200G, 64 x 1.6T") << 4 << QString("switch-102t-64x1600g") << 131'072;
        QTest::newRow("4 x 200G, 64 x 800G") << 4 << QString("switch-51t-64x800g") << 32'768;
        QTest::newRow("2 x 400G, 64 x 800G") << 2 << QString("switch-51t-64x800g") << 8'192;
    }
    void planesAreVaried()
    {
        QFETCH(int, planes);
        QFETCH(QString, switches);
        QFETCH(int, reach);
        auto request = wanted(4096, {"multi-plane"});
        request.server = "hgx-b300-8gpu";
        request.switches = {switches.toStdString()};
        request.planes = planes;
        const auto answer = ask(request);
        QVERIFY2(!answer.designs.empty(), answer.refused.empty() ? "" : words(answer.refused.front().reason).c_str());
        for (const auto& design : answer.designs) {
            QCOMPARE(design.planes, planes);
            QCOMPARE(levels(design), std::size_t(2));
        }
        QCOMPARE(answer.tierLimits.size(), std::size_t(1));
        QCOMPARE(answer.tierLimits.front().reach, std::int64_t(reach));
        request.accelerators = reach; // whole uplinks end before
        QCOMPARE(ask(request).designs.size(), std::size_t(1));
        QCOMPARE(ask(request).designs.front().accelerators, std::int64_t(reach));
        request.accelerators = 4096;
        request.server.clear(); // another server where the NICs of the template's own do not break out so far
        const auto any = ask(request);
        QVERIFY(!any.designs.empty());
        for (const auto& design : any.designs) QCOMPARE(design.planes, planes);
        request.server = "hgx-b300-8gpu";
        request.planes = 9;
        QVERIFY2(words(refusedAs(ask(request), "multi-plane")->reason).find("supported range: 2 to 8") != std::string::npos,
                 words(refusedAs(ask(request), "multi-plane")->reason).c_str());
    }

    /// The first step that is large enough is the smallest: one step less does not reach.
    void smallestDesign()
    {
        for (const auto& design : shipped()) {
            auto counter = TemplateCounter::bind(design, catalog());
            QVERIFY(counter.has_value());
            for (const auto& variant : variantsOf(design, {})) {
                const GrowthPath path(design, variant, *counter);
                const auto first = firstReaching(*counter, path, 5000);
                if (!first.step) continue;
                QVERIFY(*counter->accelerators(path.at(*first.step)) >= 5000);
                if (*first.step > 0)
                    if (const auto before = counter->accelerators(path.at(*first.step - 1)); before) QVERIFY2(*before < 5000, design.name().c_str());
            }
        }
    }

    /// Against every shape of a template with pods: none with at least so many accelerators is smaller, so far as units
    /// of less than half the possible size are left out.
    void rightSizedByBruteForce_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"hpn", "hpn-single-plane", "dcn-plus", "rail-optimized-3"}) QTest::newRow(name) << QByteArray(name);
    }
    void rightSizedByBruteForce()
    {
        QFETCH(QByteArray, name);
        const auto design = std::find_if(shipped().begin(), shipped().end(), [&](const auto& t) { return t.name() == name.toStdString(); });
        auto counter = TemplateCounter::bind(*design, catalog());
        const GrowthPath path(*design, Variant{}, *counter);
        const auto &inner = path.growing()[0], &outer = path.growing()[1];
        struct Shape {
            std::int64_t accelerators, units;
        };
        std::vector<Shape> shapes;
        ParameterValues values = path.at(0);
        for (std::int64_t units = outer.parameter->minimum; units <= std::min<std::int64_t>(outer.last, 20); ++units)
            for (std::int64_t size = inner.parameter->minimum; size <= inner.last; ++size)
                for (std::int64_t last = 0; last < (path.lastUnit() && units > 1 ? size : 1); ++last) {
                    values[outer.parameter->name] = units, values[inner.parameter->name] = size;
                    if (path.lastUnit()) values[path.lastUnit()->name] = last;
                    if (const auto n = counter->accelerators(values)) shapes.push_back({*n, units});
                }
        const auto full = counter->accelerators(path.at(inner.last - inner.parameter->minimum));
        QVERIFY(full.has_value());
        for (std::int64_t wanted = *full / 3; wanted <= *full * 10; wanted += *full / 7 + 11) {
            const auto found = smallestReaching(*counter, path, wanted);
            const std::int64_t fewest = (wanted + *full - 1) / *full;
            std::int64_t best = INT64_MAX;
            for (const auto& shape : shapes)
                if (shape.accelerators >= wanted && shape.units <= 2 * fewest) best = std::min(best, shape.accelerators);
            if (best == INT64_MAX) continue;
            QVERIFY2(found.values.has_value(), words(found.reason).c_str());
            QCOMPARE(found.accelerators, best);
            QCOMPARE(*counter->accelerators(*found.values), best);
        }
    }

    /// A last pod of fewer segments is counted as it is made, in every network.
    void smallerLastPod()
    {
        const auto design = std::find_if(shipped().begin(), shipped().end(), [](const auto& t) { return t.name() == "hpn"; });
        const auto made = instantiate(*design, {{"pods", 2}, {"segments", 3}, {"last_segments", 1}}, catalog());
        QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
        const auto sized = sizeOne(*design, {{"pods", 2}, {"segments", 3}, {"last_segments", 1}}, catalog());
        QVERIFY2(sized.has_value(), sized ? "" : sized.error().text().c_str());
        QCOMPARE(sized->accelerators, std::int64_t(4 * 1024));
        std::map<std::string, std::int64_t> devices;
        (*made)->devices.forEach([&](DeviceId id) { ++devices[(*made)->tiers.key[(*made)->devices.tier[id]]]; });
        QCOMPARE(devices.at("server"), std::int64_t(4 * 136));
        QCOMPARE(devices.at("tor"), std::int64_t(4 * 16));
        QCOMPARE(devices.at("agg"), std::int64_t(240));
        QCOMPARE(sized->racks, std::int64_t((*made)->racks.size()));
        const auto refused = instantiate(*design, {{"pods", 2}, {"segments", 3}, {"last_segments", 4}}, catalog());
        QVERIFY(!refused && words(refused.error().what).find("the last pod has 4 segments") != std::string::npos);
    }

    /// TPUs are no GPUs: neither class beats the other, GPUs stand first, and a class can be asked for.
    void classesOfAccelerators()
    {
        const auto any = ask(wanted(4096));
        QCOMPARE(any.designs.front().acceleratorClass, std::string("gpu"));
        const auto* tpu = find(any, "google-pods");
        QVERIFY(tpu);
        QCOMPARE(tpu->acceleratorClass, std::string("tpu"));
        bool tpuSeen = false;
        for (const auto& design : any.designs) {
            if (design.dominatedBy) QCOMPARE(any.designs[*design.dominatedBy].acceleratorClass, design.acceleratorClass);
            if (!design.pareto) break;
            tpuSeen = tpuSeen || design.acceleratorClass != "gpu";
            QVERIFY(!tpuSeen || design.acceleratorClass != "gpu");
        }
        auto request = wanted(4096);
        request.acceleratorClass = "gpu";
        const auto gpus = ask(request);
        QVERIFY(!gpus.designs.empty() && !find(gpus, "google-pods"));
        QVERIFY(words(refusedAs(gpus, "google-pods")->reason).find("TPUs, not GPUs") != std::string::npos);
        request.acceleratorClass = "abacus";
        QVERIFY(!size(request, shipped(), catalog()));
    }

    /// Of two designs that differ in nothing but their number, the one nearer to what was asked is better.
    void oversizeCounts()
    {
        auto near = made(1, 1, 1, 0, false, 1000, "near"), far = made(1, 1, 1, 0, false, 1000, "far");
        near.accelerators = 16'384, far.accelerators = 30'720, far.sizeObjective = 87;
        QVERIFY(dominates(near, far) && !dominates(far, near));
        const auto answer = ask(wanted(16'384, {"hpn"}));
        QCOMPARE(answer.designs.front().sizeObjective, 0.0);
    }

    /// Parts are found by every name that the program shows.
    void namesAsShown_data()
    {
        QTest::addColumn<QByteArray>("server");
        QTest::addColumn<QByteArray>("slug");
        for (const char* name : {"hgx-h100", "HGX H100", "hgx-h100-8gpu", "HGX-H100-8GPU", "h100"})
            QTest::newRow(name) << QByteArray(name) << QByteArray("hgx-h100-8gpu");
        QTest::newRow("a choice that is not the slug") << QByteArray("hgx-b200") << QByteArray("dgx-b200-8gpu");
    }
    void namesAsShown()
    {
        QFETCH(QByteArray, server);
        QFETCH(QByteArray, slug);
        auto request = wanted(1024, {"rail-optimized-2"});
        request.server = server.toStdString();
        request.switches = {"51t-128x400g"};
        const auto answer = size(request, shipped(), catalog());
        QVERIFY2(answer.has_value(), answer ? "" : answer.error().text().c_str());
        QVERIFY(!answer->designs.empty());
        QCOMPARE(answer->designs.front().serverType, slug.toStdString());
        for (const auto& tier : answer->designs.front().tiers) QCOMPARE(tier.type, std::string("switch-51t-128x400g"));
        request.server = "hgx"; // several
        const auto several = size(request, shipped(), catalog());
        QVERIFY(!several && several.error().code == ErrorCode::Usage && words(several.error().what).find("hgx-h100-8gpu") != std::string::npos);
    }

    /// The largest design within limits fits, names what ends it, and the next larger one does not fit.
    void largestWithinLimits_data()
    {
        QTest::addColumn<double>("megawatts");
        QTest::addColumn<int>("racks");
        QTest::newRow("18 MW") << 18.0 << 0;
        QTest::newRow("5 MW") << 5.0 << 0;
        QTest::newRow("400 racks") << 0.0 << 400;
        QTest::newRow("18 MW and 400 racks") << 18.0 << 400;
    }
    void largestWithinLimits()
    {
        QFETCH(double, megawatts);
        QFETCH(int, racks);
        for (const char* name : {"hpn", "rail-optimized-3"}) {
            auto request = wanted(0, {name});
            if (megawatts > 0) request.limits.megawatts = megawatts;
            if (racks > 0) request.limits.racks = racks;
            const auto answer = ask(request);
            QVERIFY(!answer.designs.empty());
            for (const auto& design : answer.designs) {
                for (const auto& use : design.limits) QVERIFY2(use.share <= 1 + 1e-9, (use.name + " " + words(use.taken)).c_str());
                QVERIFY(!design.binding.empty());
                if (design.accelerators == design.reach) continue;
                auto more = wanted(design.accelerators + 1, {name});
                more.limits = request.limits;
                const auto larger = ask(more);
                const bool same = std::any_of(larger.designs.begin(), larger.designs.end(), [&](const auto& d) {
                    return d.serverType == design.serverType && d.tiers.front().type == design.tiers.front().type &&
                           d.accelerators < design.accelerators * 11 / 10;
                });
                QVERIFY2(!same, fmt::format("{}: {} is not the largest", name, design.accelerators).c_str());
            }
        }
        auto both = wanted(16'384, {"hpn"});
        both.limits.megawatts = 5;
        const auto none = ask(both);
        QVERIFY(none.designs.empty() && words(none.refused.front().reason).find("power") != std::string::npos);
    }

    void oneHall()
    {
        auto request = wanted(0, {"rail-optimized-2"});
        request.limits.hall = SizeLimits::Hall{60, 25};
        const auto small = ask(request);
        QVERIFY(!small.designs.empty());
        for (const auto& design : small.designs) {
            QCOMPARE(design.hallsM.size(), std::size_t(1));
            QVERIFY(design.hallsM[0][0] <= 60 && design.hallsM[0][1] <= 25);
        }
        request.limits.hall = SizeLimits::Hall{25, 60}; // either way round
        QCOMPARE(ask(request).designs.front().accelerators, small.designs.front().accelerators);
        request.limits.hall = SizeLimits::Hall{90, 25};
        QVERIFY(ask(request).designs.front().accelerators >= small.designs.front().accelerators);
    }

    /// Random objectives: marked are exactly those that no other beats, found by comparing all pairs here.
    void paretoByBruteForce()
    {
        std::uint32_t state = 7;
        const auto random = [&](int n) { return int((state = state * 1664525u + 1013904223u) >> 16) % n; };
        for (int round = 0; round < 50; ++round) {
            std::vector<SizedDesign> designs;
            for (int i = 0; i < 12; ++i)
                designs.push_back(
                    made(1 + random(5), 1 + random(4), 1 + random(3), random(3) * 0.1, random(2), 1000 * (1 + random(4)), fmt::format("t{:02}", i)));
            rank(designs);
            bool dominatedSeen = false;
            for (std::size_t i = 0; i < designs.size(); ++i) {
                bool beaten = false;
                for (const auto& other : designs) {
                    const auto a = other.objectives(), b = designs[i].objectives();
                    bool nowhereWorse = true, somewhereBetter = false;
                    for (std::size_t k = 0; k < a.size(); ++k)
                        nowhereWorse = nowhereWorse && a[k] <= b[k], somewhereBetter = somewhereBetter || a[k] < b[k];
                    beaten = beaten || (nowhereWorse && somewhereBetter);
                }
                QCOMPARE(designs[i].pareto, !beaten);
                QVERIFY(designs[i].pareto ? !dominatedSeen : true); // Pareto-optimal ones first
                dominatedSeen = dominatedSeen || !designs[i].pareto;
                if (designs[i].pareto) continue;
                QVERIFY(designs[i].dominatedBy && designs[*designs[i].dominatedBy].pareto);
                QVERIFY(dominates(designs[*designs[i].dominatedBy], designs[i]));
                QVERIFY(!designs[i].explanation.empty());
            }
        }
    }

    /// A cheap slow machine does not beat a fast one, and rails that meet only in hosts do not beat joined ones.
    void comparable()
    {
        auto slow = made(1, 1, 1, 0, false, 1000, "slow"), fast = made(9, 9, 2, 0.5, true, 9000, "fast");
        slow.teraflops = 100, fast.teraflops = 1000, slow.accessGbps = fast.accessGbps = 400;
        QVERIFY(!dominates(slow, fast) && !dominates(fast, slow));
        fast.teraflops = 100;
        QVERIFY(dominates(slow, fast));
        fast.accessGbps = 800;
        QVERIFY(!dominates(slow, fast));
        fast.accessGbps = 400, slow.railsApart = true;
        QVERIFY(!dominates(slow, fast));
        const auto apart = ask(wanted(4096, {"hpn-rail-only"})), joined = ask(wanted(4096, {"hpn"}));
        QVERIFY(apart.designs.front().railsApart && !joined.designs.front().railsApart);
        QCOMPARE(joined.designs.front().accessGbps, 400.0);
        QCOMPARE(joined.designs.front().teraflops, 989.5);
    }

    /// The answer is the same with any number of threads.
    void threadsDoNotMatter()
    {
        auto request = wanted(20'000, {"hpn", "hpn-single-plane", "rail-optimized-2", "rail-optimized-3", "google-pods", "multi-plane", "xingmai-1"});
        request.threads = 1;
        const auto one = sizeJson(ask(request)).dump();
        request.threads = 3;
        QVERIFY(one == sizeJson(ask(request)).dump());
    }

    /// 131,072 cards at 16 a node are 8,192 nodes; 2,000 of them are 32,000 cards (SOURCES D5).
    void schedulerLimits()
    {
        QCOMPARE(passedSchedulerLimits(2000).size(), std::size_t(0));
        QCOMPARE(passedSchedulerLimits(2001).size(), std::size_t(1));
        QCOMPARE(passedSchedulerLimits(5001).size(), std::size_t(2));
        QCOMPARE(passedSchedulerLimits(131'072 / 16).size(), std::size_t(3));
        const auto answer = ask(wanted(100'000, {"hpn"}));
        QCOMPARE(answer.designs.front().schedulers.size(), std::size_t(3));
        QCOMPARE(answer.designs.front().schedulers.back().nodes, std::int64_t(7500));
    }

    void jsonAndText()
    {
        const auto answer = ask(wanted(15'360, {"hpn", "hpn-rail-only", "dcn-plus", "rail-optimized-3", "google-pods", "multi-plane"}));
        const auto json = sizeJson(answer);
        QCOMPARE(json["schema"].get<std::string>(), std::string("hallwright.size/1"));
        QCOMPARE(json["designs"].size(), answer.designs.size());
        for (const auto& design : json["designs"]) {
            QVERIFY(design["accelerators"]["active"].get<std::int64_t>() >= 15'360);
            QVERIFY(design["pareto"].get<bool>() != design.contains("dominated_by"));
            QVERIFY(design["price"]["total"].get<double>() > 0);
            QVERIFY(design["power"]["it_w"].get<double>() > 0);
            for (const auto& ports : design["ports"])
                QCOMPARE(ports["left"].get<std::int64_t>(), ports["total"].get<std::int64_t>() - ports["used"].get<std::int64_t>());
        }
        const auto text = sizeText(answer);
        for (std::size_t at = 0; at < text.size();) {
            const auto end = std::min(text.find('\n', at), text.size());
            QVERIFY2(end - at <= 100, text.substr(at, end - at).c_str());
            at = end + 1;
        }
    }

    /// Prints how long it takes; the bench `size` measures it.
    void largest()
    {
        QElapsedTimer timer;
        timer.start();
        QVERIFY(!ask(wanted(200'000)).designs.empty());
        qInfo("size 200000: %lld ms", static_cast<long long>(timer.elapsed()));
    }
};

QTEST_APPLESS_MAIN(SizingTest)

#include "test_sizing.moc"
