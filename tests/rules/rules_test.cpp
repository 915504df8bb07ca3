// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/check.h"
#include "core/derived/rules/functions.h"
#include "core/derived/topology/nic_ports.h"
#include "small_design.h"

#include <QtTest>

#include <nlohmann/json.hpp>

using namespace hw;

namespace {

using Change = void (*)(SmallDesign&);

/// Rules of power, plant and floor: held against a design of their own in plant_rules_test.
bool testedElsewhere(std::string_view id)
{
    static constexpr std::string_view kElsewhere[] = {"P1",  "P2",  "P3",  "P4", "P5",  "P6",  "P7",  "P8",  "P9",  "P10", "P11", "P12", "P16",
                                                      "P17", "N14", "K5",  "K8", "D2",  "N6",  "N7",  "S3",  "S6",  "S7",  "S8",  "N9",  "K2",
                                                      "K4",  "K7",  "C1",  "C2", "C3",  "C4",  "C5",  "C6",  "C7",  "C8",  "C9",  "C10", "C11",
                                                      "C12", "C14", "C15", "D6", "C13", "C16", "C17", "P18", "P19", "P20"};
    return std::ranges::find(kElsewhere, id) != std::end(kElsewhere);
}

std::vector<std::string> rulesOfThisTest()
{
    std::vector<std::string> ids;
    for (const Rule& rule : allRules())
        if (!testedElsewhere(rule.id)) ids.emplace_back(rule.id);
    return ids;
}

void replaceInDefinition(SmallDesign& d, const std::string& slug, const std::string& from, const std::string& to)
{
    std::string text = d.s.partTypes.definition[d.part(slug)];
    const auto at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error("no " + from);
    d.s.partTypes.definition.set(d.part(slug), text.replace(at, from.size(), to));
}

/// Turns row 2 so that its racks stand back to back with those of row 1, `width` mm apart.
void hotAisle(SmallDesign& d, int width)
{
    d.s.rows.angle.set(d.rows[1], 180);
    d.s.rows.x.set(d.rows[1], d.s.rows.x[d.rows[0]] + Millimeters(600));
    d.s.rows.y.set(d.rows[1], d.s.rows.y[d.rows[0]] + Millimeters(1200 + width + 1200));
}

void waive(SmallDesign& d, const std::string& finding)
{
    const WaiverId id = d.s.waivers.insert();
    d.s.waivers.finding.set(id, finding);
    d.s.waivers.reason.set(id, "agreed with the site");
}

/// One small project per rule: what is broken in the sound design. Expected findings: expected/NAME.txt.
const std::pair<const char*, Change> kProjects[] = {
    {"sound", [](SmallDesign&) {}},
    {"N1-twice", [](SmallDesign& d) { d.s.links.to.set(d.access[0][0][0], d.s.links.to[d.access[1][0][0]]); }},
    {"N1-rate", [](SmallDesign& d) { d.s.ports.rate.set(d.s.links.from[d.access[0][0][0]], Gbps(100)); }},
    {"N1-network",
     [](SmallDesign& d) {
         const NetworkId other = d.s.networks.insert();
         d.s.networks.key.set(other, "storage");
         d.s.networks.name.set(other, "storage");
         d.s.ports.network.set(d.s.links.to[d.uplinks[0][0]], other);
     }},
    {"N1-cage", [](SmallDesign& d) { d.addPort(d.tors[0][0], 1, 1, 0, 400, PortRole::Up); }},
    {"N2", [](SmallDesign& d) { d.s.cages.split.set(d.s.ports.cage[d.s.links.to[d.uplinks[0][0]]], 3); }},
    {"N3",
     [](SmallDesign& d) {
         d.s.cages.module.set(d.s.ports.cage[d.s.links.from[d.uplinks[0][0]]], d.part("other"));
         d.s.cages.module.set(d.s.ports.cage[d.s.links.to[d.uplinks[0][0]]], d.part("sr4"));
     }},
    {"N4",
     [](SmallDesign& d) {
         for (const char* module : {"other", "sr4"}) replaceInDefinition(d, module, "fits: [400gbase-x-osfp]", "fits: [800gbase-x-osfp]");
     }},
    {"N5",
     [](SmallDesign& d) {
         for (const auto& rail : d.uplinks)
             for (const LinkId link : rail) d.s.cables.length.set(*d.s.links.cable[link], Millimeters(50'000));
     }},
    {"N5-far", [](SmallDesign& d) { d.s.cables.length.set(*d.s.links.cable[d.uplinks[0][0]], Millimeters(12'345'678)); }},
    {"N8-rail", [](SmallDesign& d) { d.swapUpper(d.access[0][0][0], d.access[0][1][0]); }},
    {"N8-plane", [](SmallDesign& d) { d.swapUpper(d.uplinks[0][0], d.uplinks[0][1]); }},
    {"N8-segment", [](SmallDesign& d) { d.s.devices.segment.set(d.hosts[0], 1); }},
    {"N8-undeclared",
     [](SmallDesign& d) {
         d.s.networks.planes.set(d.network, 1);
         d.s.networks.rails.set(d.network, 1);
         d.swapUpper(d.access[0][0][0], d.access[0][1][0]);
         d.swapUpper(d.uplinks[0][0], d.uplinks[0][1]);
     }},
    {"N10", [](SmallDesign& d) { d.s.links.erase(d.uplinks[0][0]); }},
    {"N10-intended",
     [](SmallDesign& d) {
         d.s.links.erase(d.uplinks[0][0]);
         d.s.putSetting("network.backend.target_oversubscription.tor", "1.5");
     }},
    {"N11", [](SmallDesign& d) { d.s.putSetting("rule.n11.spare_percent", "5"); }},
    {"N12",
     [](SmallDesign& d) {
         for (const auto& rail : d.access[0])
             for (const LinkId link : rail) d.s.links.erase(link);
     }},
    {"N13",
     [](SmallDesign& d) {
         for (int i = 0; i < 2; ++i) // four switches with 400 Gb/s up each; one loses its links
             d.addLink(d.addPort(d.tors[0][1], 2 + i, 1, 0, 400, PortRole::Up), d.addPort(d.aggs[1], 2 + i, 1, 0, 400, PortRole::Down),
                       *d.s.links.rule[d.uplinks[0][1]], d.s.cables.insert());
         d.s.links.erase(d.uplinks[1][0]);
     }},
    {"N15", [](SmallDesign& d) { d.swapUpper(d.access[0][0][1], d.access[1][0][0]); }},
    {"P13", [](SmallDesign& d) { d.s.buildings.itLimit.set(d.building, watts(8'000)); }},
    {"P14", [](SmallDesign& d) { d.s.racks.powerLimit.set(d.racks[0], watts(3'000)); }},
    {"P15", [](SmallDesign& d) { d.s.buildings.itLimit.set(d.building, watts(6'000)); }},
    {"P15-facility",
     [](SmallDesign& d) { // 7.0 kW of IT fit, times the default PUE they do not
         d.s.buildings.itLimit.set(d.building, watts(8'000));
         d.s.putSetting("site.limit_basis", "facility");
     }},
    {"P13-facility",
     [](SmallDesign& d) {
         d.s.buildings.itLimit.set(d.building, watts(9'000));
         d.s.putSetting("site.limit_basis", "facility");
         d.s.putSetting("site.pue", "1.1");
     }},
    {"P15-nameplate",
     [](SmallDesign& d) {
         d.s.buildings.itLimit.set(d.building, watts(8'000));
         d.s.putSetting("site.power_basis", "nameplate");
     }},
    {"S1-overlap", [](SmallDesign& d) { d.s.devices.u.set(d.hosts[1], 2); }},
    {"S1-range", [](SmallDesign& d) { d.s.devices.u.set(d.hosts[1], 12); }},
    {"S2",
     [](SmallDesign& d) {
         for (int i = 0; i < 5; ++i) d.addDevice("extra" + std::to_string(i + 1), d.serverTier, "host", d.racks[0], 0);
         for (int i = 0; i < 17; ++i) d.addDevice("more" + std::to_string(i + 1), d.torTier, "switch", d.racks[2], 0);
     }},
    {"S4", [](SmallDesign& d) { d.s.putSetting("rule.s4.racks_per_row", "1"); }},
    {"S4-hot-aisle", [](SmallDesign& d) { hotAisle(d, 300); }},
    {"S4-hot-aisle-advised", [](SmallDesign& d) { hotAisle(d, 950); }},
    {"S4-hot-aisle-sound", [](SmallDesign& d) { hotAisle(d, 1000); }},
    {"S4-hot-aisle-allowed",
     [](SmallDesign& d) {
         hotAisle(d, 300);
         for (const char* key : {"rule.s4.rear_aisle_mm", "rule.s4.rear_advised_mm"}) d.s.putSetting(key, "300");
     }},
    {"S4-one-direction", [](SmallDesign& d) { d.s.rows.y.set(d.rows[1], d.s.rows.y[d.rows[0]] + Millimeters(1200 + 1000)); }}, // rears before fronts
    {"S4-wall", [](SmallDesign& d) { d.s.rows.y.set(d.rows[0], Millimeters(800)); }},
    {"S4-equipment",
     [](SmallDesign& d) { // a free-standing box 0.4 m behind rack 3
         replaceInDefinition(d, "host", "depth: {value: 800,", "height: {value: 2000, unit: mm, source: test, confidence: A}\ndepth: {value: 800,");
         const DeviceId box = d.addDevice("box", d.serverTier, "host", d.racks[0], 0);
         d.s.devices.rack.set(box, std::nullopt);
         d.s.devices.hall.set(box, d.hall);
         d.s.devices.x.set(box, Millimeters(2300));
         d.s.devices.y.set(box, Millimeters(6000 + 1200 + 400));
     }},
    {"S4-corridor", [](SmallDesign& d) { d.s.racks.across.set(d.racks[1], Millimeters(-500)); }},
    {"S4-alone",
     [](SmallDesign& d) {
         d.s.racks.row.set(d.racks[2], d.rows[0]);
         d.s.racks.along.set(d.racks[2], Millimeters(3000));
     }},
    {"S5-racks", [](SmallDesign& d) { d.s.rows.y.set(d.rows[1], Millimeters(3000)); }},
    {"S5-outside", [](SmallDesign& d) { d.s.rows.x.set(d.rows[0], Millimeters(11'000)); }},
    {"S9",
     [](SmallDesign& d) {
         d.s.trays.z1.set(d.trays[2], Millimeters(2600));
         d.s.trays.z2.set(d.trays[2], Millimeters(2600));
     }},
    {"K1",
     [](SmallDesign& d) {
         d.s.putSetting("rule.k1.planned_percent", "0.4");
         d.s.putSetting("rule.k1.full_percent", "0.8");
     }},
    {"K3",
     [](SmallDesign& d) {
         d.s.cables.length.set(*d.s.links.cable[d.uplinks[0][0]], Millimeters(2'500));
         d.s.cables.length.set(*d.s.links.cable[d.access[0][0][0]], Millimeters(500));
         d.s.cables.length.set(*d.s.links.cable[d.uplinks[1][0]], Millimeters(25'000));
     }},
    {"K6",
     [](SmallDesign& d) {
         for (const TrayId tray : d.trays) d.s.trays.erase(tray);
     }},
    {"D1", [](SmallDesign& d) { d.s.devices.name.set(d.hosts[1], "host1"); }},
    {"D3",
     [](SmallDesign& d) {
         d.s.buildings.itLimit.set(d.building, watts(9'500));
         d.s.putSetting("rule.d3.close_percent", "30");
         d.s.racks.powerLimit.set(d.racks[0], watts(4'200));
     }},
    {"D4", [](SmallDesign& d) { replaceInDefinition(d, "switch", "airflow: front-to-rear\n", ""); }},
    {"D7",
     [](SmallDesign& d) {
         for (int n = 1; n <= 2; ++n) {
             const PhaseId phase = d.s.phases.insert();
             d.s.phases.name.set(phase, "phase-" + std::to_string(n));
             d.s.phases.number.set(phase, n);
         }
         d.s.rows.phase.set(d.rows[1], d.s.phases.ids()[1]);
         d.s.racks.forEach([&](RackId id) { d.s.racks.phase.set(id, d.s.phases.ids()[0]); });
     }},
    {"D8", [](SmallDesign& d) { d.s.putSetting("project.currency", "EUR"); }},
    {"D5", [](SmallDesign& d) { replaceInDefinition(d, "switch", "airflow: front-to-rear\n", "airflow: front-to-rear\nflavor: sweet\n"); }},
    {"waived",
     [](SmallDesign& d) {
         d.s.buildings.itLimit.set(d.building, watts(6'000));
         waive(d, "P15@building");
         waive(d, "P15@another-building");
     }},
};

/// One line a finding, for the files in expected/.
std::string asText(const CheckResult& result, const Figures& figures)
{
    std::string out;
    for (const Finding& f : result.findings) {
        out += f.rule + ' ' + std::string(severityName(f.severity)) + (f.waived ? " waived (" + f.reason + ")" : "") + ' ' + f.id + '\n';
        out += "  " + words(f.message) + "\n ";
        for (const EntityRef e : f.entities) out += ' ' + entityName(*figures.snapshot, *figures.parts, e) + ';';
        out += '\n';
    }
    return out;
}

CheckResult checked(const Figures& figures, const CheckOptions& options = {})
{
    auto result = check(figures, options);
    if (!result) throw std::runtime_error(result.error().text());
    return std::move(*result);
}

std::vector<Change> s_changes; ///< of the rows of a test's data

} // namespace

class RulesTest : public QObject {
    Q_OBJECT

private slots:
    void findings_data()
    {
        QTest::addColumn<int>("project");
        for (int i = 0; i < int(std::size(kProjects)); ++i) QTest::newRow(kProjects[i].first) << i;
    }

    void findings()
    {
        QFETCH(int, project);
        const auto& [name, change] = kProjects[project];
        SmallDesign sound, broken;
        change(broken);
        broken.s.revision = 2;
        const FiguresPtr before = sound.figures(), after = broken.figures();
        const CheckResult result = checked(*after, {rulesOfThisTest(), {}});
        const std::string found = asText(result, *after);
        QFile file(QString(HW_TEST_EXPECTED) + '/' + name + ".txt");
        if (qEnvironmentVariableIsSet("HW_UPDATE_EXPECTED")) { // to be read before it is committed
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(found.c_str());
            return;
        }
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
        QCOMPARE(QString::fromStdString(found), QString::fromUtf8(file.readAll()));

        (void)checked(*before);
        const auto changed = updateFigures(before, after->snapshot, difference(*before->snapshot, *after->snapshot, {})).value();
        const CheckResult again = checked(*changed), all = checked(*after);
        QVERIFY(again.findings == all.findings);
        QCOMPARE(again.errors, all.errors);
    }

    /// Every rule of the registry speaks in at least one of the projects above.
    void everyRuleIsTested()
    {
        QStringList silent;
        for (const Rule& rule : allRules()) {
            bool speaks = false;
            for (const auto& [name, change] : kProjects) {
                QFile file(QString(HW_TEST_EXPECTED) + '/' + name + ".txt");
                if (!file.open(QIODevice::ReadOnly)) continue;
                for (const QByteArray& line : file.readAll().split('\n')) speaks = speaks || line.startsWith((std::string(rule.id) + ' ').c_str());
            }
            if (!speaks && !testedElsewhere(rule.id)) silent << QString::fromUtf8(rule.id.data(), int(rule.id.size()));
        }
        QCOMPARE(silent, QStringList());
    }

    void idsSurviveRenamesAndMoves()
    {
        SmallDesign a, b;
        for (SmallDesign* d : {&a, &b}) {
            d->swapUpper(d->access[0][0][0], d->access[0][1][0]);
            d->s.racks.powerLimit.set(d->racks[0], watts(3'000));
        }
        b.s.devices.name.set(b.hosts[0], "renamed");
        b.s.racks.name.set(b.racks[0], "elsewhere");
        b.s.rows.y.set(b.rows[0], Millimeters(1500));
        const auto ids = [](const SmallDesign& d) {
            QStringList list;
            for (const Finding& f : checked(*d.figures()).findings) list << QString::fromStdString(f.id);
            return list;
        };
        QCOMPARE(ids(a), ids(b));
        QVERIFY(ids(a).contains("P14@rack1"));
    }

    /// A group that was waived speaks again when something joins it, and only then.
    void waivedGroupLapses_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<int>("few");
        QTest::addColumn<int>("more");
        const auto row = [](const char* rule, Change few, Change more) {
            s_changes.push_back(few);
            s_changes.push_back(more);
            QTest::newRow(rule) << QString(rule) << int(s_changes.size()) - 2 << int(s_changes.size()) - 1;
        };
        row(
            "S5", [](SmallDesign& d) { d.s.rows.y.set(d.rows[1], Millimeters(3000)); },
            [](SmallDesign& d) { d.s.racks.along.set(d.racks[2], Millimeters(300)); });
        row(
            "N5", [](SmallDesign& d) { d.s.cables.length.set(*d.s.links.cable[d.uplinks[0][0]], Millimeters(50'000)); },
            [](SmallDesign& d) { d.s.cables.length.set(*d.s.links.cable[d.uplinks[0][1]], Millimeters(50'000)); });
        row(
            "N12",
            [](SmallDesign& d) {
                for (const auto& rail : d.access[0])
                    for (const LinkId link : rail) d.s.links.erase(link);
            },
            [](SmallDesign& d) {
                for (const auto& rail : d.access[1])
                    for (const LinkId link : rail) d.s.links.erase(link);
            });
        row(
            "N13", [](SmallDesign& d) { d.s.links.erase(d.uplinks[0][0]); }, [](SmallDesign& d) { d.s.links.erase(d.uplinks[0][1]); });
    }

    void waivedGroupLapses()
    {
        QFETCH(QString, rule);
        QFETCH(int, few);
        QFETCH(int, more);
        const auto only = [&](const SmallDesign& d) { return checked(*d.figures(), {{rule.toStdString()}, {}}); };
        SmallDesign d;
        s_changes[std::size_t(few)](d);
        const CheckResult before = only(d);
        QVERIFY(!before.findings.empty());
        for (const Finding& f : before.findings) waive(d, f.id);
        d.s.devices.name.set(d.hosts[0], "renamed");
        d.s.racks.name.set(d.racks[0], "elsewhere");
        const CheckResult renamed = only(d);
        QCOMPARE(renamed.waived, before.findings.size());
        QCOMPARE(renamed.errors + renamed.warnings, std::size_t(0));
        s_changes[std::size_t(more)](d);
        const CheckResult grown = only(d);
        QVERIFY(grown.errors + grown.warnings > 0);
    }

    void groupMarks()
    {
        QCOMPARE(groupMark({"a", "b"}), groupMark({"b", "a"}));
        QVERIFY(groupMark({"a", "b"}) != groupMark({"a", "b", "b"}));
        QVERIFY(groupMark({"a", "b"}) != groupMark({"ab"}));
        QCOMPARE(groupMark({"a"}).size(), std::size_t(7));
    }

    void lengthTexts()
    {
        QCOMPARE(words(rules::lengthText(50'000)), std::string("50 m"));
        QCOMPARE(words(rules::lengthText(6'233)), std::string("6.233 m"));
        QCOMPARE(words(rules::lengthText(125'500)), std::string("125.5 m"));
        QCOMPARE(words(rules::lengthText(12'345'678)), std::string("12,346 m"));
        QCOMPARE(words(rules::lengthText(0)), std::string("0 m"));
    }

    void filterAndUnknownRule()
    {
        SmallDesign d;
        d.s.buildings.itLimit.set(d.building, watts(6'000));
        const FiguresPtr figures = d.figures();
        const CheckResult only = checked(*figures, {{"P15"}, {}});
        QCOMPARE(only.findings.size(), std::size_t(1));
        QCOMPARE(only.errors, std::size_t(1));
        const auto unknown = check(*figures, {{"P15", "X9"}, {}});
        QVERIFY(!unknown);
        QCOMPARE(int(unknown.error().code), int(ErrorCode::Usage));
        QVERIFY(unknown.error().text().find("X9") != std::string::npos);
    }

    void basisOverridesTheProject()
    {
        SmallDesign d;
        d.s.buildings.itLimit.set(d.building, watts(8'000));
        const FiguresPtr figures = d.figures();
        QCOMPARE(checked(*figures, {{"P15"}, PowerBasis::Nameplate}).errors, std::size_t(1));
        QCOMPARE(checked(*figures, {{"P15"}, PowerBasis::Design}).errors, std::size_t(0));
    }

    void stopsWhenAsked()
    {
        std::stop_source source;
        source.request_stop();
        const auto result = check(*SmallDesign().figures(), {}, {source.get_token(), {}});
        QVERIFY(!result);
        QCOMPARE(int(result.error().code), int(ErrorCode::Canceled));
    }

    void json()
    {
        SmallDesign d;
        d.s.buildings.itLimit.set(d.building, watts(6'000));
        waive(d, "P15@building");
        const FiguresPtr figures = d.figures();
        const auto json = nlohmann::json::parse(checkJson(checked(*figures, {{"P15"}, {}}), *figures));
        QCOMPARE(json["schema"].get<std::string>(), std::string("hallwright.check/1"));
        QCOMPARE(json["errors"].get<int>(), 0);
        QCOMPARE(json["findings"].size(), std::size_t(1));
        const auto& finding = json["findings"][0];
        QCOMPARE(finding["rule"].get<std::string>(), std::string("P15"));
        QCOMPARE(finding["severity"].get<std::string>(), std::string("error"));
        QVERIFY(finding["waived"].get<bool>());
        QCOMPARE(finding["id"].get<std::string>(), std::string("P15@building"));
        QCOMPARE(finding["entities"][0].get<std::string>(), std::string("building"));
    }

    void nicNames()
    {
        using hw::nicPortFromName;
        const auto both = [](const char* name) {
            const auto p = nicPortFromName(name);
            return std::pair(p.rail, p.plane);
        };
        QCOMPARE(both("nic3p2"), std::pair(3, 2));
        QCOMPARE(both("nic12"), std::pair(12, 0));
        QCOMPARE(both("fe1p1"), std::pair(1, 1));
        QCOMPARE(both("bmc"), std::pair(0, 0));
        QCOMPARE(both("nic"), std::pair(0, 0));
        QCOMPARE(both("nic1x2"), std::pair(0, 0));
        QCOMPARE(both("nic1p2b"), std::pair(0, 0));
    }
};

QTEST_GUILESS_MAIN(RulesTest)
#include "rules_test.moc"
