// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/catalog.h"

#include <QtTest>

using namespace hw;

/// The shipped library: it loads without doubts, says what the templates rely on, and survives being
/// stored in a project.
class TestCatalog : public QObject {
    Q_OBJECT

    Catalog m_library;

    const DeviceSpec& device(const char* slug) const { return std::get<DeviceSpec>(m_library.find(slug)->spec); }
    const TransceiverSpec& module(const char* slug) const { return std::get<TransceiverSpec>(m_library.find(slug)->spec); }
    const CableSpec& cable(const char* slug) const { return std::get<CableSpec>(m_library.find(slug)->spec); }

private slots:
    void initTestCase()
    {
        auto library = Catalog::load(HW_RESOURCES "/catalog");
        QVERIFY2(library.has_value(), library ? "" : library.error().text().c_str());
        m_library = *library;
    }

    void shippedFilesRaiseNoDoubts()
    {
        for (const auto& issue : m_library.lint()) qWarning("%s: %s", issue.where.c_str(), words(issue.what).c_str());
        QVERIFY(m_library.lint().empty());
        for (const char* slug :
             {"hpn-host-8gpu", "dcn-host-8gpu", "switch-51t-128x400g", "switch-frontend-51t", "storage-node-2u", "rack-pdu-63a", "busway-1600a-400v",
              "transformer-3150kva", "fan-wall-450kw", "rack-48u-600x1200", "rack-48u-800x1200", "tray-600x100", "tray-300x100", "duct-campus",
              "mpo12-om4", "mpo12-om4-y2", "mpo12-os2", "mpo12-os2-y2", "lc-os2", "400g-sr4", "400g-sr4-ns", "400g-dr4", "400g-fr4", "200g-sr2",
              "200g-dr2",
              // what a planner finds beyond the shipped designs
              "hgx-a100-8gpu", "hgx-h100-8gpu", "hgx-h800-8gpu", "hgx-h20-8gpu", "dgx-b200-8gpu", "hgx-b300-8gpu", "ppu-host-16card",
              "panjiu-head-2u", "panjiu-tail-8gpu", "xingmai1-host-8gpu", "xingmai2-host-8gpu", "gb200-compute-tray", "gb200-compute-tray-nvl36",
              "gb300-compute-tray", "nvlink-switch-tray", "power-shelf-33kw", "rack-nvl72", "switch-12t-32x400g", "switch-25t-64x400g",
              "switch-51t-64x800g", "switch-102t-256x400g", "switch-ib-ndr-64x400g", "switch-mgmt-48x1g", "switch-mgmt-agg-48x10g",
              "switch-6t-64x100g", "gateway-2u", "storage-node-cold-4u", "cdu-1300kw", "cdu-rack-250kw", "800g-2xsr4", "800g-2xdr4", "400g-sr8",
              "400g-dr4-qdd", "100g-sr2", "100g-dr1", "100g-cwdm4", "10g-sr", "dac-400g-osfp", "dac-400g-2x200g", "dac-100g-qsfp28", "dac-10g-sfpp",
              "aoc-400g-osfp", "cat6a", "lc-om4", "aec-400g-osfp", "aec-800g-osfp", "aec-800g-2x400g", "lacc-800g-osfp"})
            QVERIFY2(m_library.find(slug), slug);
    }

    /// Whoever orders asks how long it takes: every part says so, and who says it, or that it is assumed.
    void everyPartHasALeadTime()
    {
        std::size_t sourced = 0;
        for (const auto& [slug, part] : m_library.parts()) {
            QVERIFY2(part->leadDays.value > 0, part->slug.c_str());
            QVERIFY2(!part->leadDays.source.empty(), part->slug.c_str());
            if (!part->leadDays.assumed())
                ++sourced;
            else
                QVERIFY2(part->leadDays.source.starts_with("assumed"), part->slug.c_str());
        }
        QVERIFY(sourced >= 3);
        QCOMPARE(m_library.find("transformer-63mva")->leadDays.value, 128 * 7);
    }

    /// Bandwidth of a host's back end, accelerators, memory domain and its rate in GB/s, one way.
    void hosts_data()
    {
        QTest::addColumn<QByteArray>("slug");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<int>("backendGbps");
        QTest::addColumn<int>("domain");
        QTest::addColumn<int>("gigabytes");
        const auto row = [](const char* slug, int gpus, int gbps, int domain, int gigabytes) {
            QTest::newRow(slug) << QByteArray(slug) << gpus << gbps << domain << gigabytes;
        };
        row("hpn-host-8gpu", 8, 3200, 8, 200);
        row("dcn-host-8gpu", 8, 3200, 8, 450);
        row("xingmai1-host-8gpu", 8, 1600, 8, 300); // 8 x 2 x 100G
        row("xingmai2-host-8gpu", 8, 3200, 8, 200);
        row("hgx-a100-8gpu", 8, 1600, 8, 300);
        row("hgx-h100-8gpu", 8, 3200, 8, 450);
        row("hgx-h800-8gpu", 8, 3200, 8, 200);
        row("hgx-b300-8gpu", 8, 6400, 8, 900);
        row("ppu-host-16card", 16, 3200, 16, 200);
        row("panjiu-tail-8gpu", 8, 3200, 8, 200);
        row("gb200-compute-tray", 4, 1600, 72, 900);
        row("gb200-compute-tray-nvl36", 4, 1600, 36, 900);
        row("gb300-compute-tray", 4, 3200, 72, 900);
    }
    void hosts()
    {
        QFETCH(QByteArray, slug);
        const auto& host = device(slug.constData());
        int backend = 0;
        for (const auto& port : host.interfaces)
            if (port.name.starts_with("nic")) backend += port.rate.count();
        QTEST(host.accelerators, "gpus");
        QTEST(backend, "backendGbps");
        QTEST(host.scaleUpDomain, "domain");
        QTEST(host.scaleUpRate.value.count() / 8, "gigabytes");
        QVERIFY(!host.scaleUpRate.source.empty());
        QVERIFY(std::ranges::any_of(host.interfaces, [](const Interface& port) { return port.name == "bmc" && port.management; }));
    }

    /// A split server is head and tail: 3.2T of back end and 0.4T of front end, 3.6T together.
    void splitChassis()
    {
        int gbps = 0;
        for (const char* slug : {"panjiu-head-2u", "panjiu-tail-8gpu"})
            for (const auto& port : device(slug).interfaces)
                if (!port.management) gbps += port.rate.count();
        QCOMPARE(gbps, 3600);
    }

    /// What a switch's chip carries is what its cages add up to, and the splits that it allows.
    void switches_data()
    {
        QTest::addColumn<QByteArray>("slug");
        QTest::addColumn<int>("gbps");
        QTest::addColumn<std::vector<int>>("splits");
        QTest::newRow("12.8T") << QByteArray("switch-12t-32x400g") << 12800 << std::vector<int>{2, 4};
        QTest::newRow("25.6T") << QByteArray("switch-25t-64x400g") << 25600 << std::vector<int>{2, 4};
        QTest::newRow("51.2T by 400G") << QByteArray("switch-51t-128x400g") << 51200 << std::vector<int>{2, 4};
        QTest::newRow("51.2T by 800G") << QByteArray("switch-51t-64x800g") << 51200 << std::vector<int>{2, 4, 8};
        QTest::newRow("102.4T") << QByteArray("switch-102t-256x400g") << 102400 << std::vector<int>{2, 4};
        QTest::newRow("NDR") << QByteArray("switch-ib-ndr-64x400g") << 25600 << std::vector<int>{2};
        QTest::newRow("management") << QByteArray("switch-mgmt-48x1g") << 48 + 40 << std::vector<int>{};
        QTest::newRow("management core") << QByteArray("switch-6t-64x100g") << 6400 << std::vector<int>{};
    }
    void switches()
    {
        QFETCH(QByteArray, slug);
        const auto& part = device(slug.constData());
        int gbps = 0;
        for (const auto& port : part.interfaces)
            if (!port.management) gbps += port.rate.count();
        QTEST(gbps, "gbps");
        QCOMPARE(part.switching.value.count(), gbps);
        QTEST(part.interfaces.front().splits, "splits");
    }

    /// An NVL72 rack draws 132 kW as designed, more than 40 kW of air can take; 85 % of it goes to coolant (SAMPLES: 112 kW, 140 L/min).
    void racksOfTheScaleUpDomain()
    {
        const auto &tray = device("gb200-compute-tray"), &links = device("nvlink-switch-tray");
        const double rack = toWatts(18 * tray.design.value + 9 * links.design.value);
        QVERIFY(std::abs(rack - 132e3) < 1e3);
        const auto limit = [&](const char* slug) { return toWatts(std::get<RackSpec>(m_library.find(slug)->spec).powerLimit.value); };
        QVERIFY(rack > limit("rack-48u-600x1200-air40") && rack < limit("rack-nvl72"));
        QVERIFY(std::abs(rack * tray.liquidPermille.value / 1000 - 112e3) < 1e3);
        const auto& cdu = device("cdu-1300kw");
        QCOMPARE(cdu.removes, std::string("liquid"));
        QCOMPARE(cdu.coolantLpm.value / (toWatts(cdu.capacity.value) / 1000), 1.25); // PG25 at 12 K
        QCOMPARE(8 * toWatts(device("power-shelf-33kw").capacity.value), 264e3);
    }

    /// Copper that plugs straight in says where, how fast and how far; a cord between modules says none of it.
    void directCables()
    {
        const auto& twisted = cable("cat6a");
        QCOMPARE(twisted.reach.value, Millimeters(100'000));
        QVERIFY(std::ranges::find(twisted.fits, "1000base-t") != twisted.fits.end());
        QCOMPARE(cable("dac-400g-osfp").reach.value, Millimeters(2000));
        QCOMPARE(cable("dac-400g-osfp").rate.value.count(), 400);
        QCOMPARE(cable("dac-400g-2x200g").legs, 2);
        QVERIFY(cable("mpo12-om4").fits.empty());
        for (const auto& [slug, part] : m_library.parts())
            if (const auto* spec = std::get_if<CableSpec>(&part->spec); spec && !spec->fits.empty())
                QVERIFY2(spec->stocked.back() <= spec->reach.value && !spec->reach.source.empty(), slug.c_str());
    }

    /// Active copper goes between ends of its own kind, each with its power; it reaches farther than passive copper, and is stocked as far.
    void activeCopper()
    {
        for (const auto& [slug, from, to] :
             {std::array{"aec-400g-osfp", "400g-aec-end", "400g-aec-end"}, std::array{"aec-800g-osfp", "800g-aec-end", "800g-aec-end"},
              std::array{"aec-800g-2x400g", "800g-aec-end", "400g-aec-end"}, std::array{"lacc-800g-osfp", "800g-lacc-end", "800g-lacc-end"}}) {
            QVERIFY2(mates(cable(slug), module(from), module(to)), slug);
            for (const char* end : {from, to}) {
                QVERIFY(module(end).price.value.count() == 0 && module(end).maximum.value.count() > 0);
                QVERIFY2(module(end).reach.at("dac-active").value >= cable(slug).stocked.back() || cable(slug).legs > 1, slug);
            }
        }
        QVERIFY(!mates(cable("lacc-800g-osfp"), module("800g-aec-end"), module("800g-aec-end")));
        QVERIFY(module("800g-aec-end").reach.at("dac-active").value > cable("dac-800g-osfp").reach.value);
        QCOMPARE(toWatts(module("800g-lacc-end").typical.value), 1.5);
    }

    void hostPortsStandInNicOrder()
    {
        for (const char* slug : {"hpn-host-8gpu", "dcn-host-8gpu"}) {
            const auto& host = device(slug);
            QCOMPARE(host.accelerators, 8);
            QCOMPARE(host.halfUnits, 16);
            QCOMPARE(host.interfaces.size(), std::size_t(19));
            for (std::size_t i = 0; i < 16; ++i) {
                QCOMPARE(host.interfaces[i].name, "nic" + std::to_string(i / 2 + 1) + "p" + std::to_string(i % 2 + 1));
                QCOMPARE(host.interfaces[i].rate.count(), 200);
            }
            QCOMPARE(host.interfaces[16].name, std::string("fe1p1"));
            QCOMPARE(host.interfaces[17].name, std::string("fe1p2"));
            QVERIFY(host.interfaces[18].management);
            QVERIFY(host.opticsIncluded);
        }
    }

    void powerOfThePodAddsUp()
    {
        const auto& host = device("hpn-host-8gpu");
        QCOMPARE(host.design.value, watts(8160));
        QVERIFY(host.design.assumed());
        QCOMPARE(host.nameplate.value, watts(10200));
        QCOMPARE(host.nameplate.confidence, Confidence::B);
        const auto& optic = module("400g-sr4");
        const auto tor = device("switch-51t-128x400g").design.value + 128 * optic.typical.value;
        QCOMPARE(tor, watts(2100));
        // 2,040 hosts, 240 ToR and 120 Agg, 68 front-end and storage switches, 250 storage nodes, 102 + 6 for management: 17.86 MW of 18 MW
        const auto pod = 2040 * host.design.value + 360 * tor + 68 * device("switch-frontend-51t").design.value +
                         250 * device("storage-node-2u").design.value + 102 * device("switch-mgmt-48x1g").design.value +
                         6 * device("switch-mgmt-agg-48x10g").design.value;
        QCOMPARE(qRound(toWatts(pod) / 1e4), 1786);
        QCOMPARE(qRound(toWatts(pod) / 15360), 1163);
    }

    void computeAndPowerChain()
    {
        QCOMPARE(device("hpn-host-8gpu").teraflops.at("fp16").value, 989.5);
        QCOMPARE(device("busway-1600a-400v").capacity.value, Milliwatts(886'810'000));
        QCOMPARE(device("transformer-3150kva").capacity.value, watts(2'992'500));
        const auto& pdu = device("rack-pdu-63a");
        QVERIFY(pdu.capacity.value >= 4 * watts(10200)); // a whole rack at nameplate on one side
        QCOMPARE(pdu.outlets.size(), std::size_t(48));
        QCOMPARE(pdu.outlets[4].leg, 'B');
        QCOMPARE(pdu.outlets[4].inlet, std::string("Input"));
        Milliwatts side; // a host on four of its eight supplies
        for (std::size_t i = 0; i < 4; ++i) side += device("hpn-host-8gpu").inlets[i].maximumDraw;
        QVERIFY(side >= watts(10200));
    }

    void racks()
    {
        const auto& rack = std::get<RackSpec>(m_library.find("rack-48u-600x1200")->spec);
        QCOMPARE(rack.heightU, 48);
        QCOMPARE(rack.width.value, Millimeters(600));
        QCOMPARE(rack.depth.value, Millimeters(1200));
        QCOMPARE(rack.powerLimit.value, watts(45000));
        QCOMPARE(rack.maxWeight.value, Grams(1'500'000));
        QVERIFY(rack.maxWeight.assumed());
    }

    void modulesFitTheirCages()
    {
        const auto cage = device("switch-51t-128x400g").interfaces.front();
        const auto nic = device("hpn-host-8gpu").interfaces.front();
        QCOMPARE(cage.splits, (std::vector<int>{2, 4}));
        const auto fits = [](const TransceiverSpec& t, const Interface& i) {
            return std::ranges::find(t.fits, i.slug) != t.fits.end() && t.rate == i.rate;
        };
        QVERIFY(!fits(module("400g-sr4-ns"), cage)); // a flat top, for NICs
        QVERIFY(fits(module("400g-sr4-ns"), device("hgx-h100-8gpu").interfaces.front()));
        QVERIFY(!fits(module("400g-sr4"), device("hgx-h100-8gpu").interfaces.front()));
        for (const char* slug : {"400g-sr4", "400g-dr4", "400g-fr4"}) {
            QVERIFY(fits(module(slug), cage));
            QVERIFY(!fits(module(slug), nic));
        }
        for (const char* slug : {"200g-sr2", "200g-dr2"}) {
            QVERIFY(!fits(module(slug), cage));
            QVERIFY(fits(module(slug), nic));
        }
        QCOMPARE(module("400g-sr4").reach.at("mmf-om4").value, Millimeters(100'000));
        QCOMPARE(module("400g-sr4-ns").reach.at("mmf-om4").value, Millimeters(50'000));
        QCOMPARE(module("400g-fr4").reach.at("smf-os2").value, Millimeters(2'000'000));
    }

    void breakoutsInteroperate()
    {
        const auto &sr4 = module("400g-sr4"), &sr2 = module("200g-sr2"), &dr4 = module("400g-dr4"), &dr2 = module("200g-dr2"),
                   &fr4 = module("400g-fr4");
        QVERIFY(interoperate(sr4, 2, sr2, 1));
        QVERIFY(interoperate(sr2, 1, sr4, 2));
        QVERIFY(interoperate(sr4, 1, module("400g-sr4-ns"), 1));
        QVERIFY(interoperate(dr4, 2, dr2, 1));
        QVERIFY(interoperate(fr4, 1, fr4, 1));
        QVERIFY(!interoperate(sr4, 1, sr2, 1)); // four lanes against two
        QVERIFY(!interoperate(sr4, 2, dr2, 1)); // multimode against single-mode
        QVERIFY(!interoperate(fr4, 2, sr2, 1)); // wavelengths do not break out
        QVERIFY(!interoperate(sr4, 4, sr4, 4)); // the optic does not offer four ways
    }

    void cablesAndPrices()
    {
        QCOMPARE(cable("mpo12-om4").stocked.back(), Millimeters(100'000));
        QCOMPARE(cable("mpo12-os2").stocked.back(), Millimeters(2'000'000));
        QVERIFY(std::ranges::find(cable("mpo12-om4").stocked, Millimeters(75'000)) != cable("mpo12-om4").stocked.end());
        QCOMPARE(cable("mpo12-om4-y2").legs, 2);
        QCOMPARE(cable("mpo12-om4").diameter.value, Millimeters(3));
        QCOMPARE(cable("lc-os2").pricePerMeter.value, Money(4000));
        // multimode saves 70 % of the single-mode module (CHECKS P6), both within the street ranges
        QCOMPARE(module("400g-sr4").price.value * 10, module("400g-fr4").price.value * 3);
    }

    void definitionsRoundTrip()
    {
        for (const auto& [slug, part] : m_library.parts()) {
            std::vector<LintIssue> lint;
            auto again = Catalog::parse(part->definition, slug, &lint);
            QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
            QVERIFY(lint.empty());
            QCOMPARE(again->slug, slug);
            QCOMPARE(again->definition, part->definition);
            QCOMPARE(kindOf(*again), kindOf(*part));
            if (const auto* spec = std::get_if<DeviceSpec>(&part->spec)) {
                const auto& other = std::get<DeviceSpec>(again->spec);
                QCOMPARE(other.design.value, spec->design.value);
                QCOMPARE(other.interfaces.size(), spec->interfaces.size());
            }
        }
    }

    void projectPartsParseOnce()
    {
        PartTypes table;
        const auto add = [&](const char* slug) {
            const auto id = table.insert();
            const auto* part = m_library.find(slug);
            table.slug.set(id, part->slug);
            table.kind.set(id, kindOf(*part));
            table.definition.set(id, part->definition);
            return id;
        };
        const auto host = add("hpn-host-8gpu");
        const auto rack = add("rack-48u-600x1200");
        const auto fiber = add("mpo12-om4");
        const auto parts = ProjectParts::of(table);
        QVERIFY(parts.has_value());
        QCOMPARE((*parts)->device(host).accelerators, 8);
        QCOMPARE((*parts)->rack(rack).heightU, 48);
        QCOMPARE((*parts)->cable(fiber).legs, 1);
        QCOMPARE((*parts)->find("mpo12-om4").value(), fiber);
        QVERIFY(!(*parts)->find("nothing"));
        const auto again = ProjectParts::of(table);
        QCOMPARE(&(**again)[host], &(**parts)[host]);

        table.kind.set(rack, PartKind::Tray);
        QVERIFY(!ProjectParts::of(table));
        table.kind.set(rack, PartKind::Rack);
        table.definition.set(rack, "slug: x\n");
        const auto damaged = ProjectParts::of(table);
        QVERIFY(!damaged);
        QCOMPARE(damaged.error().code, ErrorCode::Unreadable);
        QVERIFY(damaged.error().where.starts_with("part type rack-48u-600x1200"));
    }
};

QTEST_GUILESS_MAIN(TestCatalog)
#include "test_catalog.moc"
