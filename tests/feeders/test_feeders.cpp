// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/check.h"
#include "core/output/feeders/feeder_study.h"
#include "core/physics/power/conductor.h"
#include "core/physics/power/fault.h"
#include "tests/figures/small_hall.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <complex>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

using namespace hw;
using test::SmallHall;

namespace {

/// Utility – MV switchgear – transformer – main board – 1,000 m of cable – a load of 574 kW; two sets on the main board.
struct LongFeeder : SmallHall {
    LongFeeder()
    {
        for (const char* slug : {"cable-lv-4x240", "cable-mv-3x1x240", "bus-duct-5000a"}) (void)part(slug);
        power = s.tiers.insert();
        s.tiers.kind.set(power, TierKind::Power), s.tiers.name.set(power, "power");
        const PartTypeId made = s.partTypes.insert();
        s.partTypes.slug.set(made, "t-load"), s.partTypes.kind.set(made, PartKind::Device);
        s.partTypes.definition.set(made,
                                   "manufacturer: Test\nmodel: t-load\nslug: t-load\nu_height: 0\nis_full_depth: true\n---\nkind: device\nslug: "
                                   "t-load\nreviewed: \"2026-11-27\"\n"
                                   "typical_power: {value: 400, unit: kW, source: t, confidence: A}\n"
                                   "design_power: {value: 574, unit: kW, source: t, confidence: A}\n"
                                   "nameplate_power: {value: 900, unit: kW, source: t, confidence: A}\noptics_included: true\n");
        utility = add("utility", power, part("utility-20kv-25mva"));
        gear = add("gear", power, part("mv-switchgear-20kv-1250a"));
        transformer = add("transformer", power, part("transformer-3150kva"));
        board = add("board", power, part("switchboard-6300a"));
        for (DeviceId& set : sets) set = add("set", power, part("generator-2500kw"));
        load = add("load", serverTier, made);
        feed(gear, utility, "cable-mv-3x1x240", 10), feed(transformer, gear, "cable-mv-3x1x240", 100), feed(board, transformer, "bus-duct-5000a", 10);
        for (const DeviceId set : sets) feed(board, set, "cable-lv-4x240", 20);
        far = feed(load, board, "cable-lv-4x240", 1000);
    }
    DeviceId add(const char* name, TierId tier, PartTypeId type)
    {
        const DeviceId id = s.devices.insert();
        s.devices.name.set(id, name), s.devices.tier.set(id, tier), s.devices.type.set(id, type), s.devices.hall.set(id, hall);
        for (auto* c : {&s.devices.pod, &s.devices.segment, &s.devices.rail, &s.devices.plane}) c->set(id, -1);
        return id;
    }
    PortId socket(DeviceId device, PortRole role)
    {
        const CageId cage = s.cages.insert();
        s.cages.device.set(cage, device), s.cages.number.set(cage, 100), s.cages.split.set(cage, 1);
        const PortId port = s.ports.insert();
        s.ports.cage.set(port, cage), s.ports.device.set(port, device), s.ports.role.set(port, role), s.ports.medium.set(port, Medium::Power);
        return port;
    }
    LinkId feed(DeviceId consumer, DeviceId supplier, const char* cable, int meters)
    {
        const PortId a = socket(consumer, PortRole::Up), b = socket(supplier, PortRole::Down);
        const CableId laid = addCable(Medium::Power);
        s.cables.type.set(laid, part(cable)), s.cables.length.set(laid, Millimeters(meters * 1000));
        return connect(a, b, laid);
    }
    TierId power;
    DeviceId utility, gear, transformer, board, sets[2], load;
    LinkId far;
};

bool near(double a, double b, double share) { return std::abs(a - b) <= share * std::abs(b); }

std::vector<Finding> found(const FiguresPtr& figures, const char* rule) { return check(*figures, CheckOptions{{rule}, {}})->findings; }

} // namespace

class FeedersTest : public QObject {
    Q_OBJECT
private slots:
    /// 1,000 m of 5 × 240 mm² at 574 kW: √3 · 175 A · (0.0966 · 0.95 + 0.08 · 0.31) mΩ/m · 1,000 m = 35 V = 8.8 %.
    void longFeederByHand()
    {
        const power::Impedance five{0.0966 * 1000 / 5, 0.08 * 1000 / 5};
        const double share = power::voltageDrop(five, 574'000, 400, 0.95, power::LinePhases::Three);
        QVERIFY2(near(share * 400, 35.4, 0.01) && near(share, 0.0885, 0.01), qPrintable(QString::number(share * 400)));
        const double amps = power::lineAmps(574'000, 400, 0.95, power::LinePhases::Three);
        QVERIFY(near(amps / 5, 174.4, 0.002));
        QVERIFY(near(power::lineLossW(five, 574'000, 400, 0.95, power::LinePhases::Three), 3 * amps * amps * 0.01932, 1e-9));
    }

    /// The same in a design, with the conductor of the catalog (0.0961 and 0.071 mΩ/m) and 398.4 V.
    void longFeederOfADesign()
    {
        const LongFeeder d;
        const auto figures = d.figures();
        const auto study = feederStudy(*figures);
        QVERIFY2(study.has_value(), study ? "" : study.error().text().c_str());
        QCOMPARE(study->feeders.size(), std::size_t(6));
        const auto far = std::ranges::find(study->feeders, d.far, &Feeder::link);
        QVERIFY(far != study->feeders.end() && far->known);
        QCOMPARE(far->size.runs, std::int16_t(5));
        QCOMPARE(far->meters, 1000.0);
        const double volts = std::sqrt(3.0) * 230, amps = 574'000 / (std::sqrt(3.0) * volts * 0.95), sine = std::sqrt(1 - 0.95 * 0.95);
        const double drop = std::sqrt(3.0) * amps / 5 * (0.0961 * 0.95 + 0.071 * sine) / volts;
        QVERIFY2(near(far->dropShare, drop, 1e-6) && near(drop, 0.0864, 0.01), qPrintable(QString::number(far->dropShare)));
        QVERIFY(near(far->lossW, 3 * amps * amps * 0.0961 / 5, 1e-6));
        QVERIFY(near(far->worstAmps, amps, 1e-9));
        double ofBoard = 0; // from the transformer, or from a set whose cables lose more
        for (const Feeder& f : study->feeders)
            if (f.consumer == d.board) ofBoard = std::max(ofBoard, f.dropShare);
        QVERIFY(ofBoard > 0 && near(far->regulatedShare, far->dropShare + ofBoard, 1e-9));
        QCOMPARE(far->pathShare, far->regulatedShare); // no UPS on the way
        QCOMPARE(study->worstDrop()->link, d.far);
        const auto p6 = found(figures, "P6");
        QCOMPARE(p6.size(), std::size_t(1));
        QVERIFY2(words(p6[0].message).find("(8.6 % of it in its own feeder)") != std::string::npos, words(p6[0].message).c_str());
    }

    /// Of 3,000 kVA with 5.75 % at 480 V behind an infinite grid: 3,608 A / 0.0575 = 62.8 kA, without the factors c and K_T.
    void faultsByHand()
    {
        const power::FaultImpedance z = power::transformerImpedance(3e6, 0.0575, 0, 1.0);
        const double k = 0.95 / (1 + 0.6 * 0.0575 / std::sqrt(1.01));
        QVERIFY(near(power::faultAmps(z / k, 480, 1.0), 62'757, 1e-3));
        QVERIFY(near(power::faultAmps(power::generatorImpedance(3e6, 0.15, false) / std::hypot(0.07, 1), 11'000, 1), 1050, 1e-3)); // 1.05 kA a set
        QVERIFY(near(power::faultAmps(power::gridImpedance(500e6, 1.1), 20'000, 1.1), 500e6 / (std::sqrt(3.0) * 20'000), 1e-9));
        QVERIFY(near(power::peakAmps({0, 1}, 10), 2.0 * std::sqrt(2.0) * 10, 1e-9));
        QVERIFY(near(power::peakAmps({1, 1}, 10), (1.02 + 0.98 * std::exp(-3.0)) * std::sqrt(2.0) * 10, 1e-9));
    }

    /// Against the formulas of bridges and of ways that share what is upstream.
    void drivingPoints()
    {
        using Z = power::FaultImpedance;
        const power::FaultBranch source{0, 0, Z(0, 2)};
        // Two ways of 4 behind one source of 2, not two sources of 2.
        const std::vector<power::FaultBranch> twin{{0, 1, Z(0, 4)}, {1, 2, {}}, {0, 3, Z(0, 4)}, {3, 2, {}}};
        const auto shared = power::drivingPoint(4, twin, {&source, 1}, 2);
        QVERIFY(shared && near(shared->imag(), 4, 1e-5));
        // A bridge out of balance: 1, 2, 3, 4 and 5 across, by star and delta: 0-1, 0-2, 1-3, 2-3, 1-2.
        const std::vector<power::FaultBranch> bridge{{0, 1, Z(0, 1)}, {0, 2, Z(0, 2)}, {1, 3, Z(0, 3)}, {2, 3, Z(0, 4)}, {1, 2, Z(0, 5)}};
        const double a = 1.0 * 2 / 8, b = 1.0 * 5 / 8, c = 2.0 * 5 / 8, expected = 2 + a + (b + 3) * (c + 4) / (b + 3 + c + 4);
        const auto z = power::drivingPoint(4, bridge, {&source, 1}, 3);
        QVERIFY(z && near(z->imag(), expected, 1e-9) && std::abs(z->real()) < 1e-9);
        QVERIFY(!power::drivingPoint(5, bridge, {&source, 1}, 4)); // nothing reaches it
        QVERIFY(!power::drivingPoint(4, bridge, {}, 0) && !power::drivingPoint(2, bridge, {&source, 1}, 7));
    }

    /// By ohms at 398.4 V, element after element.
    void faultsOfADesign()
    {
        const LongFeeder d;
        const auto figures = d.figures();
        const auto levels = faultLevelsOf(*figures);
        const auto of = [&](DeviceId id) { return *std::ranges::find(levels, id, &FaultLevel::at); };
        QCOMPARE(levels.size(), std::size_t(2)); // switchgear and main board
        using Z = std::complex<double>;
        const double u = std::sqrt(3.0) * 230;
        const auto ratio = [](double magnitude, double r) { return Z(r, 1) * (magnitude / std::hypot(r, 1)); };
        const auto& parts = *figures->parts;
        const CableSpec *found = nullptr, *duct = nullptr;
        for (const PartTypeId id : d.s.partTypes.ids()) {
            if (d.s.partTypes.slug[id] == "cable-mv-3x1x240") found = &parts.cable(id);
            if (d.s.partTypes.slug[id] == "bus-duct-5000a") duct = &parts.cable(id);
        }
        const double cold = 1 / (1 + 0.00393 * 70), up = (u / 20'000) * (u / 20'000); // resistances at 20 °C
        const auto feeders = feedersOf(FeederLoads(*figures, PowerBasis::Design));
        const auto runsOf = [&](DeviceId consumer, DeviceId supplier) {
            for (const Feeder& f : feeders)
                if (f.consumer == consumer && f.supplier == supplier) return double(f.size.runs);
            return 0.0;
        };
        const Z mv(found->milliohms.value * cold, found->reactance.value);
        const Z gear = ratio(1.1 * 20'000 * 20'000 / 500e6, 0.1) + mv * 10e-3 / runsOf(d.gear, d.utility);
        QVERIFY(near(of(d.gear).gridAmps, 1.1 * 20'000 / std::sqrt(3.0) / std::abs(gear), 1e-6));
        QVERIFY(near(of(d.gear).gridAmps, 14'434, 0.01)); // 500 MVA / (√3 · 20 kV), less the cable
        const double r = 22.0 / 3150, x = std::sqrt(0.06 * 0.06 - r * r), k = 0.95 * 1.05 / (1 + 0.6 * x);
        const Z ofMv = mv * 100e-3 / runsOf(d.transformer, d.gear);
        const Z ofDuct = Z(duct->milliohms.value * cold, duct->reactance.value) * 10e-3 / runsOf(d.board, d.transformer);
        const Z main = (gear + ofMv) * up + Z(r, x) * (k * u * u / 3.15e6) + ofDuct;
        QVERIFY2(near(of(d.board).gridAmps, 1.05 * u / std::sqrt(3.0) / std::abs(main), 1e-6), qPrintable(QString::number(of(d.board).gridAmps)));
        QVERIFY(near(of(d.board).gridAmps, 72'900, 0.01)); // 1.05 · 398.4 V / (√3 · 3.31 mΩ)
        QVERIFY(of(d.board).gridPeak > 2 * of(d.board).gridAmps);
        QVERIFY(of(d.gear).setsAmps == 0); // sets are on the low side
        // Two sets of 3,125 kVA with 15 % and R = 0.15 X, each over 20 m of cable.
        const Z set = Z(0.15 * 0.15, 0.15) * (u * u / 3.125e6) + Z(0.0961 * cold, 0.071) * 20e-3 / runsOf(d.board, d.sets[0]);
        QVERIFY2(near(of(d.board).setsAmps, 2 * 1.05 * u / std::sqrt(3.0) / std::abs(set), 1e-6), qPrintable(QString::number(of(d.board).setsAmps)));
    }

    /// P16 names what is over its rating, and only that.
    void withstand()
    {
        LongFeeder d;
        QVERIFY(found(d.figures(), "P16").empty());
        d.s.putSetting("rule.p16.low_ka", "65");
        auto findings = found(d.figures(), "P16");
        QCOMPARE(findings.size(), std::size_t(1));
        QVERIFY(findings[0].severity == Severity::Error && findings[0].entities == std::vector<EntityRef>{ref(d.board)});
        d.s.putSetting("site.fault_mva", "50"); // a weak grid
        QVERIFY(found(d.figures(), "P16").empty());
        d.s.putSetting("site.fault_mva", "1200");
        d.s.putSetting("rule.p16.low_ka", "0");
        findings = found(d.figures(), "P16");
        QCOMPARE(findings.size(), std::size_t(1)); // 34 kA at 20 kV
        QVERIFY(findings[0].entities == std::vector<EntityRef>{ref(d.gear)});
    }

    /// Load, cable and transformer: Q = P tan φ + 3 I² X + x S²/Sr + 0.5 % Sr.
    void powerFactorAtTheUtility()
    {
        LongFeeder d;
        auto figures = d.figures();
        const auto loads = utilityLoadsOf(FeederLoads(*figures, PowerBasis::Design));
        QCOMPARE(loads.size(), std::size_t(1));
        const double u = std::sqrt(3.0) * 230, tangent = std::tan(std::acos(0.95)), p = 574'000, q = p * tangent;
        const double amps = std::hypot(p, q) / (std::sqrt(3.0) * u), line = 3 * amps * amps * 0.0142; // 0.071 · 1,000 / 5 mΩ
        const double behind = q + line, s2 = (p * p + behind * behind), expected = behind + 0.06 * s2 / 3.15e6 + 0.005 * 3.15e6;
        QVERIFY2(near(loads[0].vars, expected, 0.01), qPrintable(QString("%1 against %2").arg(loads[0].vars).arg(expected)));
        QVERIFY(loads[0].factor() < 0.95 && loads[0].factor() > 0.9);
        QVERIFY(found(figures, "P17").empty());
        d.s.putSetting("rule.p17.power_factor", "0.95");
        const auto findings = found(d.figures(), "P17");
        QCOMPARE(findings.size(), std::size_t(1));
        QVERIFY(findings[0].entities == std::vector<EntityRef>{ref(d.utility)});
    }

    void contractsBySteps()
    {
        LongFeeder d;
        const auto steps = [&](const char* text) {
            d.s.putSetting("site.contract_steps", text);
            return contractSteps(d.s);
        };
        QVERIFY(steps("")->empty());
        const auto two = steps(" 1=0.5 ; 3 = 2.25;");
        QVERIFY(two.has_value());
        QCOMPARE(two->size(), std::size_t(2));
        QCOMPARE(contractAt(d.s, *two, 1), 0.5e6);
        QCOMPARE(contractAt(d.s, *two, 2), 0.5e6);
        QCOMPARE(contractAt(d.s, *two, 7), 2.25e6);
        for (const char* wrong : {"1", "1=", "=2", "1=x", "2=1;1=2", "1=1;1=2", "0=1", "1=-1", "1=0", "1=nan", "1=1e9", "1=2 MW"})
            QVERIFY2(!steps(wrong), wrong);
        QCOMPARE(steps("1=x").error().code, ErrorCode::Refused);
        QCOMPARE(found(d.figures(), "P17").size(), std::size_t(1)); // said, not left out
        (void)steps("1=0.5");                                       // of 574 kW times the PUE
        const auto over = found(d.figures(), "P17");
        QCOMPARE(over.size(), std::size_t(1));
        QVERIFY2(words(over[0].message).find("contracted 0.5 MW") != std::string::npos, words(over[0].message).c_str());
        (void)steps("1=5");
        QVERIFY(found(d.figures(), "P17").empty());
        QCOMPARE(contractAt(d.s, {}, 1), 0.0);
    }

    /// 100 MW of one job from 20 to 95 %: 75 MW in 2 s.
    void gridLimits()
    {
        const LoadSwing swing{75e6, 2};
        QCOMPARE(swing.within(5), 75e6);
        QCOMPARE(swing.within(1), 37.5e6);
        const auto& rules = shippedGridRules();
        QVERIFY2(rules.has_value(), rules ? "" : rules.error().text().c_str());
        const auto ercot = std::ranges::find(*rules, "ercot", &GridRule::slug), ieso = std::ranges::find(*rules, "ieso", &GridRule::slug);
        QVERIFY(ercot != rules->end() && ercot->stepMw == 10 && ercot->stepS == 5 && ercot->fromMw == 75 && ercot->rampMwPerMin == 0);
        QVERIFY(ieso != rules->end() && ieso->rampMwPerMin == 20 && ieso->stepMw == 5 && ieso->stepS == 15);
        for (const char* wrong :
             {"grids: {}", "grids: {x: {title: X}}", "grids: [1]", "x: 1", "grids: {x: {title: X, status: s, source: s, confidence: B, step_mw: 1}}",
              "grids: {x: {title: X, status: s, source: s, confidence: B, ramp_mw_per_min: -1}}", ": ["})
            QVERIFY2(!readGridRules(wrong, "grids.yaml"), wrong);
        LongFeeder d;
        d.s.buildings.kind.set(d.building, BuildingKind::Pod);
        d.s.putSetting("site.grid", "aeso"); // 0.43 MW of swing, limit 10 MW a minute
        QVERIFY(found(d.figures(), "P17").empty());
        d.s.putSetting("site.grid", "nowhere");
        const auto unknown = found(d.figures(), "P17");
        QCOMPARE(unknown.size(), std::size_t(1));
        QVERIFY2(words(unknown[0].message).find("ercot") != std::string::npos, words(unknown[0].message).c_str());
        QVERIFY(!feederStudy(*d.figures()));
    }

    /// Without the utility a set carries the board, which passes on what it did; without all three nothing is left.
    void statesWithoutAnElement()
    {
        const LongFeeder d;
        const auto figures = d.figures();
        const auto normal = feederStudy(*figures).value();
        QVERIFY(normal.lost.empty() && normal.dark.empty() && normal.withstand.size() == normal.faults.size());
        const DeviceId utility = d.utility;
        const auto state = feederStudy(*figures, {&utility, 1}).value();
        QCOMPARE(state.lost, std::vector<DeviceId>{d.utility});
        QVERIFY((state.dark == std::vector<DeviceId>{d.gear, d.transformer}));
        QVERIFY(state.utilities.empty() && state.faults.empty());
        const auto into = [&](const FeederStudy& study, DeviceId consumer, DeviceId supplier) {
            double sum = 0;
            for (const Feeder& f : study.feeders)
                if (f.consumer == consumer && f.supplier == supplier) sum += f.loadW;
            return sum;
        };
        const double board = into(normal, d.board, d.transformer);
        QVERIFY(board == 574'000 && into(normal, d.board, d.sets[0]) == 0);
        QVERIFY(into(state, d.board, d.sets[0]) == board && into(state, d.board, d.sets[1]) == 0); // a board takes the first that lives
        QCOMPARE(into(state, d.load, d.board), into(normal, d.load, d.board));
        for (const Feeder& f : state.feeders) {
            QCOMPARE(f.worstW, f.loadW); // of this state, nothing more is lost
            QVERIFY(f.supplier != d.gear && f.supplier != d.transformer && f.supplier != d.utility);
            const double amps = f.loadW / (std::sqrt(3.0) * f.size.volts * 0.95);
            QVERIFY(near(f.worstAmps, amps, 1e-9));
        }
        const std::array<DeviceId, 3> all{d.utility, d.sets[0], d.sets[1]};
        const auto dark = feederStudy(*figures, all).value();
        QVERIFY(dark.feeders.empty() && dark.lossW() == 0);
        QVERIFY((dark.dark == std::vector<DeviceId>{d.gear, d.transformer, d.board, d.load}));
        const auto json = feederJson(state, *figures, {});
        QVERIFY(json["without"].size() == 1 && json["loses_power"].size() == 2 && json["short_circuits"].is_null());
        const std::string text = feederText(state, *figures, {});
        QVERIFY2(text.find("Without utility: 2 devices lose power") != std::string::npos && text.find("short circuits,") == std::string::npos,
                 text.c_str());
        QVERIFY(powerEquipment(*figures, ref(d.transformer)).value() == d.transformer);
        for (const EntityRef wrong : {ref(d.load), ref(d.hall)}) QVERIFY(!powerEquipment(*figures, wrong));
    }

    /// A single run where five are needed carries too much.
    void aboveAmpacity()
    {
        LongFeeder d;
        const auto before = feederStudy(*d.figures()).value(); // the one cable of a set carries 538 A
        QCOMPARE(before.overloaded().size(), std::size_t(1));
        QVERIFY(before.overloaded()[0]->supplier == d.sets[0]);
        d.s.putSetting("cabling.parallel_runs", "1");
        const auto figures = d.figures();
        const auto study = feederStudy(*figures).value();
        const auto over = study.overloaded();
        QVERIFY(over.size() >= 2 && std::ranges::any_of(over, [&](const Feeder* f) { return f->link == d.far; }));
        for (const Feeder* f : over) QVERIFY(f->worstAmps > double(f->size.carriesMa) / 1000);
        QVERIFY(feederText(study, *figures, {}).find("above") != std::string::npos);
        QCOMPARE(feederJson(study, *figures, {})["above_ampacity"].get<std::size_t>(), over.size());
    }

    /// JSON, text and table say the same.
    void listed()
    {
        LongFeeder d;
        d.s.putSetting("site.grid", "ieso");
        const auto figures = d.figures();
        auto study = feederStudy(*figures);
        QVERIFY(study.has_value());
        addPhase(*study, *figures, 1, "phase 1");
        const auto json = feederJson(*study, *figures, {});
        QCOMPARE(json["feeders"].size(), std::size_t(6));
        QVERIFY(json["schema"] == "hallwright.feeders/1" && json["grid"]["name"] == "ieso" && json["grid"]["applies"] == false);
        QVERIFY(json["phases"].size() == 1 && json["short_circuits"].size() == 2 && json["utilities"].size() == 1);
        const std::string text = feederText(*study, *figures, {});
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) QVERIFY2(QString::fromStdString(line).size() <= 100, line.c_str());
        for (const char* part :
             {"5x cable-lv", "selective coordination", "IESO", "power factor 0.9", " 20,000 V ", " 25.0", "no contracted power specified"})
            QVERIFY2(text.find(part) != std::string::npos, text.c_str());
        d.s.putSetting("rule.p16.low_ka", "65");
        d.s.putSetting("site.contract_steps", "1=0.5");
        const auto tight = feederStudy(*d.figures()).value();
        const auto facts = gridFacts(tight, d.s, *figures->parts);
        QVERIFY(facts.size() >= 6 && facts[0].at == Maybe<DeviceId>(d.utility) && !facts[0].over);
        QVERIFY(facts[1].over && words(facts[1].limit) == "contracted 0.50 MW");
        QVERIFY2(feederText(tight, *figures, {}).find("\n!") != std::string::npos, "withstand"); // marks the board
        QTemporaryDir dir;
        const auto file = std::filesystem::path(dir.path().toStdString()) / "feeders.csv";
        QVERIFY(writeTable(feederTable(*study, *figures), file).has_value());
        std::ifstream in(file);
        int rows = 0;
        for (std::string line; std::getline(in, line);) ++rows;
        QCOMPARE(rows, 7);
        QVERIFY(!writeTable(feederTable(*study, *figures), dir.path().toStdString() + "/feeders.txt"));
    }
};

QTEST_APPLESS_MAIN(FeedersTest)
#include "test_feeders.moc"
