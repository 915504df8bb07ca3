// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/parts_of_size.h"

#include "core/derived/figures/figures.h"
#include "core/design/sizing/facility_of_size.h"
#include "core/design/template/spec.h"
#include "core/output/cost/hour_cost.h"
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

/// What a size says of a design before it is made is what the design has once it is.
class EstimatesTest : public QObject {
    Q_OBJECT

    /// The first answer beside the design that is made of it.
    static SizedDesign verifyEstimate(const SizeRequest& request, const std::vector<Template>& templates, double lengthWithin = 0.10)
    {
        const auto answer = size(request, templates, catalog());
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
        const auto snapshot = instantiate(*design, sized.parameters, catalog());
        QVERIFY2(snapshot.has_value(), snapshot ? "" : snapshot.error().text().c_str());
        const auto made = generatedOf(**computeFigures(*snapshot), sized.network, sized.basis);
        const std::int64_t singleMode = singleModeOf(sized, catalog());
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
    /// Size, report, budgets, cost of an hour and substations name one facility power: IT, losses and cooling of the design, or a constant that says
    /// so.
    void facilityPowerIsOne()
    {
        auto answer = ask(wanted(256));
        QVERIFY(addFacilityPower(answer, shipped(), catalog()).has_value());
        std::set<std::string> seen, computed;
        for (const SizedDesign& sized : answer.designs) {
            if (!seen.insert(sized.templateName).second) continue;
            const auto source = std::ranges::find_if(shipped(), [&](const Template& t) { return t.name() == sized.templateName; });
            const auto figures = *computeFigures(*instantiate(*source, sized.parameters, catalog()));
            const Bom bom = makeBom(*figures);
            const Report report = makeReport(*figures, bom);
            const HourCost cost = hourCost(*figures, bom);
            const auto json = reportJson(report, *figures);
            const auto& power = json["power"];
            const char* name = sized.templateName.c_str();
            QVERIFY2(toWatts(sized.facility) == report.power.facilityW() && sized.facilityBasis == report.power.facilityBasis, name);
            QVERIFY2(cost.facilityW == report.power.facilityW() && cost.facilityBasis == report.power.facilityBasis, name);
            QVERIFY2(toWatts(sized.campusIt) == cost.itW && cost.itW == toWatts(report.power.campusAtBasis()), name);
            QVERIFY2(std::abs(power["facility_w"].get<double>() - cost.facilityW) < 0.01, name);
            QVERIFY2(std::abs(power["it_w"].get<double>() + power["core_it_w"].get<double>() - power["campus_it_w"].get<double>()) < 0.01, name);
            if (cost.facilityBasis == "losses") {
                computed.insert(sized.templateName);
                const double sum = power["campus_it_w"].get<double>() + power["losses_w"].get<double>() + power["feeder_losses_w"].get<double>() +
                                   power["cooling_at_load_w"].get<double>();
                QVERIFY2(std::abs(sum - cost.facilityW) < 0.01, name);
                double losses = 0, feeders = 0;
                for (const auto& node : power["nodes"]) losses += node["loss_w"].get<double>(), feeders += node["feeder_loss_w"].get<double>();
                QVERIFY2(losses > 0 && std::abs(losses - power["losses_w"].get<double>()) < 0.01, name);
                QVERIFY2(feeders > 0 && feeders <= power["feeder_losses_w"].get<double>() + 0.01, name); // and those of cooling equipment
            } else {
                QVERIFY2(std::abs(cost.facilityW - cost.pue * cost.itW) < 1, name);
            }
            for (const auto& reading : report.site.substationReadings)
                if (reading.basis == "facility") QCOMPARE(reading.loadW, cost.facilityW);
        }
        QVERIFY(seen.size() > 10 && computed.contains("hpn"));
    }

    /// The PUE of a large design is that of a smaller one of its variant, and says so.
    void largeDesignsTakeThePueOfSmallerOnes()
    {
        SizeRequest request = wanted(4'096);
        request.templates = {"hpn"};
        auto exact = ask(request), scaled = exact;
        QVERIFY(!exact.designs.empty());
        QVERIFY(addFacilityPower(exact, shipped(), catalog()).has_value());
        QVERIFY(addFacilityPower(scaled, shipped(), catalog(), 2'048).has_value());
        const SizedDesign &own = exact.designs.front(), &from = scaled.designs.front();
        QCOMPARE(own.facilityBasis, std::string("losses"));
        QCOMPARE(own.pueAccelerators, std::int64_t(0));
        QCOMPARE(from.facilityBasis, std::string("losses-of-smaller"));
        QVERIFY(from.pueAccelerators > 0 && from.pueAccelerators <= 2'048);
        QVERIFY2(std::abs(from.pue - own.pue) < 0.02, (std::to_string(from.pue) + " " + std::to_string(own.pue)).c_str());
        QVERIFY(std::abs(toWatts(from.facility) - from.pue * toWatts(from.campusIt)) < 1);
        QVERIFY(words(pueSource(from)).find("accelerators") != std::string::npos);
        QCOMPARE(sizeJson(scaled)["designs"][0]["power"]["pue_of_accelerators"].get<std::int64_t>(), from.pueAccelerators);
    }

    /// A limit of facility power holds for the losses of each design, not for a constant.
    void facilityLimitsCountTheOwnLosses()
    {
        SizeRequest request;
        request.templates = {"hpn", "nvl72"};
        request.limits.megawatts = 4;
        request.limits.facility = true;
        const auto answer = sizeWithFacility(request, shipped(), catalog());
        QVERIFY2(answer, answer ? "" : answer.error().text().c_str());
        QVERIFY(answer->designs.size() >= 2);
        bool other = false;
        for (const SizedDesign& design : answer->designs) {
            QCOMPARE(design.facilityBasis, std::string("losses"));
            QVERIFY2(toWatts(design.facility) <= 4e6 && toWatts(design.facility) > 2e6, std::to_string(toWatts(design.facility)).c_str());
            QCOMPARE(design.limits.size(), std::size_t(1));
            QVERIFY(std::abs(design.limits[0].share - toWatts(design.facility) / 4e6) < 1e-6);
            other = other || std::abs(design.pue - 1.2) > 1e-3;
        }
        QVERIFY(other);
        const std::string text = sizeText(*answer);
        QVERIFY2(text.find("losses and cooling of this design") != std::string::npos, text.c_str());
    }

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
            auto counter = *TemplateCounter::bind(design, catalog());
            const auto count = *counter.count(*design.complete({{"segments", segments}, {"networks", 1}}));
            return *describe(design, counter, count, catalog(), CableParts(*readCableLibrary(catalog()), design.spec().parts));
        };
        const SizedDesign led = describedBy("/../docs/examples/hpn-trunks.yaml"), direct = describedBy("/templates/hpn.yaml");
        const auto design = *Template::load(HW_RESOURCES "/../docs/examples/hpn-trunks.yaml");
        const auto s = *instantiate(design, *design.complete({{"segments", segments}, {"networks", 1}}), catalog());
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
                                                                                        {"rail-optimized-2", 2'000},
                                                                                        {"rail-optimized-3", 9'000},
                                                                                        {"rail-optimized-3", 30'000},
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

    /// A breakout on one side is as long as its longer leg: each connector of the switch serves two servers that stand eight racks apart. With
    /// service loops both the estimate and the design are longer.
    void estimatesOfBreakouts()
    {
        std::int64_t without = 0;
        for (const char* settings : {"", "settings: {cabling.service_loop_mm: 2000}\n"}) {
            const auto design = Template::parse(
                "template: breakouts\n"
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
                "sizing: {grow: [segments]}\n" +
                    std::string(settings),
                "breakouts.yaml");
            QVERIFY2(design.has_value(), design ? "" : design.error().text().c_str());
            const auto sized = verifyEstimate(wanted(500, {}), {*design}, 0.02);
            QVERIFY(sized.cabling.lengthMm > without);
            if (without > 0) QVERIFY(sized.cabling.lengthMm > without + sized.cables * 2000); // of about 4.2 m, in stocked lengths
            without = sized.cabling.lengthMm;
        }
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

    /// The counts of a sized design are those of its report; what is estimated is near it.
    void agreesWithTheReport_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("parameter");
        QTest::addColumn<int>("value");
        QTest::newRow("hpn") << QByteArray("hpn") << QByteArray("segments") << 8;
        QTest::newRow("dcn-plus") << QByteArray("dcn-plus") << QByteArray("pods") << 10;
        QTest::newRow("rail-optimized-2") << QByteArray("rail-optimized-2") << QByteArray("segments") << 8;
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
        const auto sized = sizeOne(*design, values, catalog());
        QVERIFY2(sized.has_value(), sized ? "" : sized.error().text().c_str());
        const auto figures = *computeFigures(*instantiate(*design, values, catalog()));
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
};

QTEST_APPLESS_MAIN(EstimatesTest)
#include "test_estimates.moc"
