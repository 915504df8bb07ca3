// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/parts_of_size.h"

#include "core/derive/figures.h"
#include "core/report/report.h"
#include "core/template/spec.h"
#include "tests/sizing/generated.h"

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

namespace {

const Catalogue& catalogue()
{
    static const auto loaded = Catalogue::load(HW_RESOURCES "/catalogue");
    return *loaded;
}

/// What one template is at given parameters: as the search describes each of its candidates.
Result<SizedDesign> sizeOne(const Template& design, const ParameterValues& values, const Catalogue& catalogue)
{
    const auto complete = design.complete(values);
    if (!complete) return tl::unexpected(complete.error());
    auto counter = TemplateCounter::bind(design, catalogue);
    if (!counter) return tl::unexpected(counter.error());
    const auto counted = counter->count(*complete);
    if (!counted) return tl::unexpected(counted.error());
    const auto library = readCableLibrary(catalogue);
    if (!library) return tl::unexpected(library.error());
    return describe(design, *counter, *counted, catalogue, CableParts(*library, design.spec().parts));
}

const std::vector<Template>& shipped()
{
    static const auto loaded = loadTemplates(HW_RESOURCES "/templates");
    if (!loaded) qFatal("%s", loaded.error().text().c_str());
    return *loaded;
}

SizeAnswer ask(const SizeRequest& request)
{
    auto answer = size(request, shipped(), catalogue());
    if (!answer) qFatal("%s", answer.error().text().c_str());
    return *answer;
}

SizeRequest wanted(std::int64_t accelerators, std::vector<std::string> templates = {})
{
    SizeRequest request;
    request.accelerators = accelerators;
    request.templates = std::move(templates);
    return request;
}

const SizedDesign* find(const SizeAnswer& answer, const std::string& name)
{
    const auto found = std::find_if(answer.designs.begin(), answer.designs.end(), [&](const auto& d) { return d.templateName == name; });
    return found == answer.designs.end() ? nullptr : &*found;
}

const RefusedDesign* refusedAs(const SizeAnswer& answer, const std::string& name)
{
    const auto found = std::find_if(answer.refused.begin(), answer.refused.end(), [&](const auto& d) { return d.templateName == name; });
    return found == answer.refused.end() ? nullptr : &*found;
}

std::size_t levels(const SizedDesign& design)
{
    std::set<int> seen;
    for (const auto& tier : design.tiers) seen.insert(tier.level);
    return seen.size();
}

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
    /// Panels, trunks and cords of a template that leads links over them are those of the whole design; the price has them.
    void panelsAreCounted_data()
    {
        QTest::addColumn<int>("segments");
        for (const int segments : {1, 2, 3, 15}) QTest::newRow(std::to_string(segments).c_str()) << segments;
    }
    void panelsAreCounted()
    {
        QFETCH(int, segments);
        const auto describedBy = [&](const char* file) {
            const auto design = *Template::load(std::string(HW_RESOURCES) + file);
            auto counter = *TemplateCounter::bind(design, catalogue());
            const auto count = *counter.count(*design.complete({{"segments", segments}, {"networks", 1}}));
            return *describe(design, counter, count, catalogue(), CableParts(*readCableLibrary(catalogue()), design.spec().parts));
        };
        const SizedDesign led = describedBy("/../docs/examples/hpn-trunks.yaml"), direct = describedBy("/templates/hpn.yaml");
        const auto design = *Template::load(HW_RESOURCES "/../docs/examples/hpn-trunks.yaml");
        const auto s = *instantiate(design, *design.complete({{"segments", segments}, {"networks", 1}}), catalogue());
        std::int64_t panels = 0;
        s->devices.forEach([&](DeviceId id) { panels += s->tiers.name[s->devices.tier[id]] == "patch-panel"; });
        std::set<CableId> trunks;
        s->runs.forEach([&](RunId run) {
            if (s->runs.number[run] == 1) trunks.insert(s->runs.cable[run]);
        });
        QVERIFY(panels > 0 && !trunks.empty());
        QCOMPARE(led.panels, panels);
        QCOMPARE(led.cabling.cables.at("trunk-mpo12-om4-144"), std::int64_t(trunks.size()));
        QCOMPARE(led.cables, generatedOf(**computeFigures(s), "backend", led.basis).cables);
        QCOMPARE(direct.panels, std::int64_t(0));
        QCOMPARE(led.links, direct.links);
        QVERIFY(led.cables > direct.cables);
        // A panel more is a panel's price more: what is left of the difference are cords and trunks.
        QVERIFY(led.price.total - direct.price.total > Money(0) || led.cabling.lengthMm < direct.cabling.lengthMm);
    }
    /// CHECKS P3 and SOURCES A10: 15,360 are one pod of HPN, 100,000 take seven (107,520), 122,880 all eight.
    void hpnPods_data()
    {
        QTest::addColumn<int>("accelerators");
        QTest::addColumn<int>("pods");
        QTest::addColumn<int>("segments");
        QTest::addColumn<int>("last");
        QTest::addColumn<int>("reached");
        QTest::addColumn<int>("switches");
        QTest::newRow("one GPU") << 1 << 1 << 1 << 0 << 1024 << 16 + 120 + 64;
        QTest::newRow("1K") << 1024 << 1 << 1 << 0 << 1024 << 16 + 120 + 64;
        QTest::newRow("2,048") << 2048 << 1 << 2 << 0 << 2048 << 32 + 120 + 64;
        QTest::newRow("a pod") << 15'360 << 1 << 15 << 0 << 15'360 << 360 + 64;
        QTest::newRow("one more") << 15'361 << 2 << 8 << 0 << 16'384 << 16 * 16 + 240 + 64;
        QTest::newRow("two halves") << 16'384 << 2 << 8 << 0 << 16'384 << 16 * 16 + 240 + 64;
        QTest::newRow("a full pod and two segments") << 17'000 << 2 << 15 << 2 << 17'408 << 17 * 16 + 240 + 64;
        QTest::newRow("two pods") << 30'720 << 2 << 15 << 0 << 30'720 << 720 + 64;
        QTest::newRow("100,000") << 100'000 << 7 << 14 << 0 << 100'352 << 98 * 16 + 7 * 120 + 64;
        QTest::newRow("seven pods") << 107'520 << 7 << 15 << 0 << 107'520 << 2584;
        QTest::newRow("all") << 122'880 << 8 << 15 << 0 << 122'880 << 2944;
    }
    void hpnPods()
    {
        QFETCH(int, accelerators);
        QFETCH(int, pods);
        QFETCH(int, segments);
        QFETCH(int, last);
        QFETCH(int, reached);
        QFETCH(int, switches);
        const auto answer = ask(wanted(accelerators, {"hpn"}));
        const auto* design = find(answer, "hpn");
        QVERIFY(design);
        QCOMPARE(design->parameters.at("pods"), std::int64_t(pods));
        QCOMPARE(design->parameters.at("segments"), std::int64_t(segments));
        QCOMPARE(design->parameters.at("last_segments"), std::int64_t(last));
        QCOMPARE(design->accelerators, std::int64_t(reached));
        QCOMPARE(design->switches, std::int64_t(switches));
        QCOMPARE(design->reach, std::int64_t(122'880));
        if (segments < 15 || last > 0) return;
        QVERIFY(std::abs(design->oversubscription - 16) < 1e-9);
        // A ToR holds one port of one NIC of each of 128 hosts; the other port goes on.
        QCOMPARE(design->failure.accelerators, std::int64_t(128));
        QVERIFY(!design->failure.jobStops);
        QCOMPARE(design->failure.bandwidthLeft, 0.5);
        QCOMPARE(design->failure.nicPortShare, 1.0 / (240 * pods));
    }

    void beyondEverything()
    {
        const auto answer = ask(wanted(122'881, {"hpn"}));
        QVERIFY(answer.designs.empty());
        const auto* refused = refusedAs(answer, "hpn");
        QVERIFY(refused);
        QCOMPARE(refused->reach, std::int64_t(122'880));
        QVERIFY2(words(refused->reason).find("needed above 122,880") != std::string::npos &&
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
        auto request = wanted(accelerators, {"rail-optimised-2", "rail-optimised-3"});
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
        const auto* refused = refusedAs(answer, "rail-optimised-2");
        QVERIFY(refused);
        QCOMPARE(refused->reach, std::int64_t(2048));
        QVERIFY2(words(refused->reason).starts_with("3 tiers needed above 2,048: "), words(refused->reason).c_str());
    }

    /// A template that adds a tier as it grows says where.
    void tierAddedOnTheWay()
    {
        const auto small = ask(wanted(2048, {"xingmai-1"})), large = ask(wanted(2049, {"xingmai-1"}));
        QCOMPARE(levels(small.designs.front()), std::size_t(2));
        QCOMPARE(levels(large.designs.front()), std::size_t(3));
        QCOMPARE(words(large.designs.front().tierNote), std::string("3 tiers needed above 2,048"));
        auto twoTiers = wanted(2049, {"xingmai-1"});
        twoTiers.tiers = 2;
        const auto none = ask(twoTiers);
        QVERIFY(none.designs.empty());
        QVERIFY(words(none.refused.front().reason).find("3 tiers needed above 2,048") != std::string::npos);
        twoTiers.accelerators = 2048;
        QCOMPARE(ask(twoTiers).designs.size(), std::size_t(1));
    }

    void filters()
    {
        auto request = wanted(4096);
        request.planes = 2;
        for (const auto& design : ask(request).designs) QCOMPARE(design.planes, 2);
        request = wanted(4096);
        request.maxOversubscription = 1.0;
        const auto full = ask(request);
        QVERIFY(!full.designs.empty() && !find(full, "hpn"));
        for (const auto& design : full.designs) QVERIFY(design.oversubscription <= 1.0 + 1e-9);
        request = wanted(4096);
        request.growTo = 100'000;
        const auto large = ask(request);
        QVERIFY(find(large, "hpn") && !find(large, "dcn-plus"));
        for (const auto& design : large.designs) QVERIFY(design.reach >= 100'000);
        request = wanted(4096);
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
            const auto answer = size(request, shipped(), catalogue());
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
        for (const std::int64_t n : {1'000, 10'000, 60'000, 100'000}) {
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
        auto request = wanted(8192, {"rail-optimised-2"});
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
        QVERIFY2(words(refusedAs(whole, "rail-optimised-2")->reason).find("with uplinks of 800G, and at 32768") != std::string::npos,
                 words(refusedAs(whole, "rail-optimised-2")->reason).c_str());
        request.split = {{"core", 2}};
        QVERIFY(words(refusedAs(ask(request), "rail-optimised-2")->reason).find("no switch tier 'core'") != std::string::npos);
        request = wanted(1000, {"hpn"});
        request.split = {{"", 2}};
        QVERIFY(words(refusedAs(ask(request), "hpn")->reason).find("give 1 port each, not 2") != std::string::npos);
        request.split = {{"", 0}};
        QVERIFY(!size(request, shipped(), catalogue()).has_value());
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
        QVERIFY2(words(refusedAs(ask(request), "multi-plane")->reason).find("it takes 2 to 8") != std::string::npos,
                 words(refusedAs(ask(request), "multi-plane")->reason).c_str());
    }

    /// The first step that is large enough is the smallest: one step less does not reach.
    void smallestDesign()
    {
        for (const auto& design : shipped()) {
            auto counter = TemplateCounter::bind(design, catalogue());
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
        for (const char* name : {"hpn", "hpn-single-plane", "dcn-plus", "rail-optimised-3"}) QTest::newRow(name) << QByteArray(name);
    }
    void rightSizedByBruteForce()
    {
        QFETCH(QByteArray, name);
        const auto design = std::find_if(shipped().begin(), shipped().end(), [&](const auto& t) { return t.name() == name.toStdString(); });
        auto counter = TemplateCounter::bind(*design, catalogue());
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
        const auto made = instantiate(*design, {{"pods", 2}, {"segments", 3}, {"last_segments", 1}}, catalogue());
        QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
        const auto sized = sizeOne(*design, {{"pods", 2}, {"segments", 3}, {"last_segments", 1}}, catalogue());
        QVERIFY2(sized.has_value(), sized ? "" : sized.error().text().c_str());
        QCOMPARE(sized->accelerators, std::int64_t(4 * 1024));
        std::map<std::string, std::int64_t> devices;
        (*made)->devices.forEach([&](DeviceId id) { ++devices[(*made)->tiers.key[(*made)->devices.tier[id]]]; });
        QCOMPARE(devices.at("server"), std::int64_t(4 * 136));
        QCOMPARE(devices.at("tor"), std::int64_t(4 * 16));
        QCOMPARE(devices.at("agg"), std::int64_t(240));
        QCOMPARE(sized->racks, std::int64_t((*made)->racks.size()));
        const auto refused = instantiate(*design, {{"pods", 2}, {"segments", 3}, {"last_segments", 4}}, catalogue());
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
        QVERIFY(!size(request, shipped(), catalogue()));
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
        auto request = wanted(1024, {"rail-optimised-2"});
        request.server = server.toStdString();
        request.switches = {"51t-128x400g"};
        const auto answer = size(request, shipped(), catalogue());
        QVERIFY2(answer.has_value(), answer ? "" : answer.error().text().c_str());
        QVERIFY(!answer->designs.empty());
        QCOMPARE(answer->designs.front().serverType, slug.toStdString());
        for (const auto& tier : answer->designs.front().tiers) QCOMPARE(tier.type, std::string("switch-51t-128x400g"));
        request.server = "hgx"; // several
        const auto several = size(request, shipped(), catalogue());
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
        for (const char* name : {"hpn", "rail-optimised-3"}) {
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
        auto request = wanted(0, {"rail-optimised-2"});
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

    /// README.md, "Lengths": racks, cable length, single-mode modules and power of the design that is made then, also
    /// over several buildings. The whole table is made by `tests/bench/run estimate`.
    void estimates_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("accelerators");
        for (const auto& [name, n] : std::initializer_list<std::pair<const char*, int>>{{"hpn", 17'000},
                                                                                        {"hpn", 2'048},
                                                                                        {"dcn-plus", 5'000},
                                                                                        {"hpn-102t", 70'000},
                                                                                        {"hpn-rail-only", 20'000},
                                                                                        {"rail-optimised-2", 2'000},
                                                                                        {"rail-optimised-3", 9'000},
                                                                                        {"rail-optimised-3", 30'000},
                                                                                        {"fat-tree-3", 4'000},
                                                                                        {"multi-plane", 8'000},
                                                                                        {"nvl72", 4'000},
                                                                                        {"xingmai-1", 3'000},
                                                                                        {"xingmai-2", 20'000},
                                                                                        {"bytedance-12k", 12'000},
                                                                                        {"meta-24k", 24'000},
                                                                                        {"google-pods", 10'000}})
            QTest::addRow("%s %d", name, n) << QByteArray(name) << n;
    }
    void estimates()
    {
        QFETCH(QByteArray, name);
        QFETCH(int, accelerators);
        verifyEstimate(wanted(accelerators, {name.toStdString()}), shipped());
    }

    /// A shuffle is as long as its longest leg.
    void estimatesOfShuffles_data()
    {
        QTest::addColumn<QByteArray>("on");
        for (const char* type : {"switch-51t-64x800g", "switch-51t-128x400g", "switch-102t-256x400g"}) QTest::newRow(type) << QByteArray(type);
    }
    void estimatesOfShuffles()
    {
        QFETCH(QByteArray, on);
        auto request = wanted(1'024, {"multi-plane"});
        request.switches = {on.toStdString()};
        verifyEstimate(request, shipped(), 0.03);
    }

    /// A breakout on one side is as long as its longer leg: each connector of the switch serves two servers that stand eight racks apart.
    void estimatesOfBreakouts()
    {
        const auto design =
            Template::parse("template: breakouts\n"
                            "parameters:\n  segments: {default: 4, min: 1, max: 30}\n"
                            "networks: {backend: {kind: backend}}\n"
                            "tiers:\n"
                            "  server: {kind: server, each: {segment: segments, host: 16}, name: \"s{segment}-h{host}\", type: xingmai2-host-8gpu, "
                            "ports: {host: {interfaces: nic, cages: 16, network: backend}}}\n"
                            "  tor: {network: backend, level: 1, each: {segment: segments}, name: \"tor{segment}\", type: switch-51t-64x800g, "
                            "ports: {down: {cages: 64, split: 4}}}\n"
                            "links:\n  access: {from: server.host, to: tor.down, each: {nic: 16}, from_index: nic, "
                            "to_index: \"2 * (nic * 8 + mod(host, 8)) + div(host, 8)\"}\n"
                            "layout: {servers_per_rack: 1, place: {tor: network-rows}}\n"
                            "sizing: {grow: [segments]}\n",
                            "breakouts.yaml");
        QVERIFY2(design.has_value(), design ? "" : design.error().text().c_str());
        verifyEstimate(wanted(500, {}), {*design}, 0.02);
    }

    /// Switches in the racks of their servers: copper fills their sockets, from one to two NICs, to four, or straight to a socket
    /// of the next tier; it costs no modules.
    void estimatesOfCopper_data()
    {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("down");
        QTest::addColumn<QByteArray>("server");
        QTest::addColumn<QByteArray>("part");
        QTest::newRow("two interfaces in a socket")
            << QByteArray("switch-ib-ndr-64x400g") << QByteArray("cages: 16") << QByteArray("hgx-h100-8gpu") << QByteArray("dac-800g-2x400g");
        QTest::newRow("one interface in two ports")
            << QByteArray("switch-51t-64x800g") << QByteArray("cages: 8, split: 2") << QByteArray("hgx-h100-8gpu") << QByteArray("dac-800g-2x400g");
        QTest::newRow("four ports") << QByteArray("switch-51t-64x800g") << QByteArray("cages: 8, split: 4") << QByteArray("xingmai2-host-8gpu")
                                    << QByteArray("dac-800g-4x200g-q112");
    }
    void estimatesOfCopper()
    {
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, down);
        QFETCH(QByteArray, server);
        QFETCH(QByteArray, part);
        for (const char* indices : {", from_index: nic, to_index: host * nics + nic", ""}) {
            const auto text =
                fmt::format("template: racks\n"
                            "parameters:\n  segments: {{default: 6, min: 1, max: 30}}\n"
                            "values: {{nics: {}}}\n"
                            "networks: {{backend: {{kind: backend}}}}\n"
                            "tiers:\n"
                            "  server: {{kind: server, each: {{segment: segments, host: 2}}, name: \"r{{segment}}-h{{host}}\", type: {}, "
                            "ports: {{host: {{interfaces: nic, cages: nics, network: backend}}}}}}\n"
                            "  tor: {{network: backend, level: 1, each: {{segment: segments}}, name: \"tor{{segment}}\", type: {}, "
                            "ports: {{down: {{{}}}}}}}\n"
                            "links:\n  access: {{from: server.host, to: tor.down, each: {{nic: nics}}{}}}\n"
                            "sizing: {{grow: [segments]}}\n",
                            part.contains("4x200g") ? 16 : 8, server.toStdString(), type.toStdString(), down.toStdString(), indices);
            const auto design = Template::parse(text, "racks.yaml");
            QVERIFY2(design.has_value(), design ? "" : design.error().text().c_str());
            const auto sized = verifyEstimate(wanted(60, {}), {*design});
            QVERIFY2(sized.cabling.cables.contains(part.toStdString()), fmt::format("{}", fmt::join(sized.cabling.cables, ", ")).c_str());
            QVERIFY(sized.cabling.transceivers.empty());
        }
    }

private:
    /// The first answer beside the design that is made of it.
    static SizedDesign verifyEstimate(const SizeRequest& request, const std::vector<Template>& templates, double lengthWithin = 0.10)
    {
        const auto answer = size(request, templates, catalogue());
        if (!answer || answer->designs.empty()) {
            QTest::qFail(answer ? "no design" : answer.error().text().c_str(), __FILE__, __LINE__);
            return {};
        }
        compareWithMade(answer->designs.front(), templates, lengthWithin);
        return answer->designs.front();
    }
    static void compareWithMade(const SizedDesign& sized, const std::vector<Template>& templates, double lengthWithin)
    {
        const auto design = std::find_if(templates.begin(), templates.end(), [&](const auto& t) { return t.name() == sized.templateName; });
        const auto snapshot = instantiate(*design, sized.parameters, catalogue());
        QVERIFY2(snapshot.has_value(), snapshot ? "" : snapshot.error().text().c_str());
        const auto made = generatedOf(**computeFigures(*snapshot), sized.network, sized.basis);
        const std::int64_t singleMode = singleModeOf(sized, catalogue());
        const auto line =
            fmt::format("{}: racks {} of {}, {:.1f} km of {:.1f}, single-mode {} of {}, {:.3f} MW of {:.3f}, {} halls of {}", sized.variant,
                        sized.racks, made.racks, double(sized.cabling.lengthMm) / 1e6, double(made.lengthMm) / 1e6, singleMode, made.singleMode,
                        toWatts(sized.powerOfAll[std::size_t(sized.basis)]) / 1e6, toWatts(made.power) / 1e6, sized.hallsM.size(), made.halls);
        qInfo("%s", line.c_str());
        QVERIFY2(missed(sized.racks, made.racks) < 0.03, line.c_str());
        QVERIFY2(missed(sized.cabling.lengthMm, made.lengthMm) < lengthWithin, line.c_str());
        QVERIFY2(missed(singleMode, made.singleMode, made.modules) < 0.10, line.c_str());
        QCOMPARE(sized.cables, made.cables);
        QCOMPARE(std::int64_t(sized.hallsM.size()), made.halls);
    }

private slots:
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

    /// The counts of a sized design are those of its report; what is estimated is near it.
    void agreesWithTheReport_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("parameter");
        QTest::addColumn<int>("value");
        QTest::newRow("hpn") << QByteArray("hpn") << QByteArray("segments") << 8;
        QTest::newRow("dcn-plus") << QByteArray("dcn-plus") << QByteArray("pods") << 10;
        QTest::newRow("rail-optimised-2") << QByteArray("rail-optimised-2") << QByteArray("segments") << 8;
        QTest::newRow("xingmai-1") << QByteArray("xingmai-1") << QByteArray("pods") << 2;
    }
    void agreesWithTheReport()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, parameter);
        QFETCH(int, value);
        const auto design = std::find_if(shipped().begin(), shipped().end(), [&](const auto& t) { return t.name() == name.toStdString(); });
        ParameterValues values{{parameter.toStdString(), value}};
        for (const auto& p : design->parameters())
            if (p.name == "networks") values["networks"] = *p.valueOf("backend");
        const auto sized = sizeOne(*design, values, catalogue());
        QVERIFY2(sized.has_value(), sized ? "" : sized.error().text().c_str());
        const auto figures = *computeFigures(*instantiate(*design, values, catalogue()));
        const auto report = reportJson(makeReport(*figures, makeBom(*figures)), *figures);
        const auto& networks = report["networks"];
        const auto& network = *std::find_if(networks.begin(), networks.end(), [&](const auto& n) { return n["name"] == sized->network; });
        QCOMPARE(report["accelerators"]["active"].get<std::int64_t>(), sized->accelerators);
        std::int64_t links = 0;
        for (const auto& l : network["links"]) links += l["active"].get<std::int64_t>() + l["backup"].get<std::int64_t>();
        QCOMPARE(sized->links, links);
        QVERIFY(std::abs(network["oversubscription_end_to_end"].get<double>() - sized->oversubscription) < 1e-9);
        for (const auto& tier : sized->tiers) {
            const auto& t = *std::find_if(network["tiers"].begin(), network["tiers"].end(), [&](const auto& x) { return x["name"] == tier.name; });
            QCOMPARE(t["switches"].get<std::int64_t>(), tier.switches);
            QVERIFY(std::abs(t["oversubscription"].get<double>() - tier.oversubscription) < 1e-9);
        }
        const auto racks = report["racks"]["total"].get<std::int64_t>();
        if (!sized->racksEstimated)
            QCOMPARE(sized->racks, racks);
        else
            QVERIFY2(std::abs(double(sized->racks) / double(racks) - 1) < 0.03,
                     fmt::format("{} racks estimated, {} made", sized->racks, racks).c_str());
        // Estimates: transceivers in number within 1 %, their kinds, lengths and draw within what README.md states.
        std::int64_t estimated = 0, actual = 0;
        for (const auto& [slug, n] : sized->cabling.transceivers) estimated += n;
        for (const auto& [slug, n] : report["fibre"]["transceivers"].items()) actual += n.get<std::int64_t>();
        qInfo("%s", fmt::format("{}: {} transceivers estimated, {} made; {:.1f} km estimated, {:.1f} made; longest {} and {} m; {} racks and {}",
                                name.toStdString(), nlohmann::json(sized->cabling.transceivers).dump(), report["fibre"]["transceivers"].dump(),
                                double(sized->cabling.lengthMm) / 1e6, report["fibre"]["physical_length_m"].get<double>() / 1e3,
                                sized->cabling.longestMm / 1000, report["fibre"]["longest_m"].dump(), sized->racks, racks)
                        .c_str());
        QVERIFY(std::abs(double(estimated) / double(actual) - 1) < 0.01);
        const double km = double(sized->cabling.lengthMm) / 1e6, made = report["fibre"]["physical_length_m"].get<double>() / 1e3;
        QVERIFY2(std::abs(km / made - 1) < 0.10, fmt::format("{} km estimated, {} made", km, made).c_str());
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
        auto request = wanted(20'000);
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
        const auto answer = ask(wanted(15'360));
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
        for (const int n : {100'000, 200'000}) {
            QElapsedTimer timer;
            timer.start();
            const auto sized = ask(wanted(n));
            QVERIFY(!sized.designs.empty());
            qInfo("size %d: %lld ms", n, static_cast<long long>(timer.elapsed()));
        }
    }
};

QTEST_APPLESS_MAIN(SizingTest)

#include "test_sizing.moc"
