// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/pipes.h"
#include "core/foundation/base/file_kind.h"
#include "core/physics/hydraulics/balance.h"
#include "core/physics/hydraulics/head_loss.h"
#include "importers/formats.h"
#include "importers/simulators/epanet_reader.h"
#include "importers/simulators/epanet_writer.h"
#include "tests/cooling/cooling_hall.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>
#include <numbers>
#include <set>
#include <sstream>

#include <fmt/format.h>

using namespace hw;
using namespace hw::importers;
using namespace hw::hydraulics;
using nlohmann::json;

namespace {

/// A unit of flow in L/s, and what goes with it.
struct EpanetUnit {
    const char* name;
    double lps;
    bool metric;
};
const EpanetUnit kEpanetUnits[] = {{"CFS", 28.3168466, false},  {"GPM", 0.0630901964, false}, {"MGD", 43.8126364, false},
                                   {"IMGD", 52.6168042, false}, {"AFD", 14.2764102, false},   {"LPS", 1, true},
                                   {"LPM", 1 / 60.0, true},     {"MLD", 11.5740741, true},    {"CMH", 0.277777778, true},
                                   {"CMD", 0.0115740741, true}, {"CMS", 1000, true}};

json answersOf(const char* name)
{
    QFile file(QStringLiteral(HW_TEST_DATA "/hydraulics/") + name);
    if (!file.open(QIODevice::ReadOnly)) qFatal("no %s", name);
    return json::parse(file.readAll().toStdString());
}

/// A network with published answers as EPANET writes it in a unit.
std::string inputOf(const json& net, const EpanetUnit& unit)
{
    const bool darcy = net["formula"] == "darcy-weisbach";
    const double meter = unit.metric ? 1 : 1 / 0.3048, mm = unit.metric ? 1 : 1 / 25.4, rough = unit.metric ? 1 : 1 / 0.3048;
    std::string nodes = "[JUNCTIONS]\n", fixed = "[RESERVOIRS]\n", pipes = "[PIPES]\n", pumps = "[PUMPS]\n", curves = "[CURVES]\n";
    for (const auto& n : net["nodes"]) {
        const std::string id = n["id"];
        if (n["kind"] == "fixed")
            fixed += fmt::format(" {}\t{:.12g}\n", id, n["head_m"].get<double>() * meter);
        else
            nodes += fmt::format(" {}  {:.12g} {:.12g}\t;\n", id, n["elevation_m"].get<double>() * meter, n["demand_lps"].get<double>() / unit.lps);
    }
    for (const auto& l : net["links"]) {
        const std::string id = l["id"], ends = l["from"].get<std::string>() + " " + l["to"].get<std::string>();
        if (l["kind"] == "pump") {
            pumps += fmt::format(" {} {} HEAD c{}\n", id, ends, id);
            for (const auto& point : l["curve_lps_m"])
                curves += fmt::format(" c{} {:.12g} {:.12g}\n", id, point[0].get<double>() / unit.lps, point[1].get<double>() * meter);
        } else {
            pipes += fmt::format(" {} {} {:.12g} {:.12g} {:.12g} {:.12g} Open ;\n", id, ends, l["length_m"].get<double>() * meter,
                                 l["diameter_mm"].get<double>() * mm, darcy ? l["roughness_mm"].get<double>() * rough : l["hw_c"].get<double>(),
                                 l["minor_loss_k"].get<double>());
        }
    }
    std::string options = fmt::format("[OPTIONS]\n Units {}\n Headloss {}\n", unit.name, darcy ? "D-W" : "H-W");
    if (darcy) options += fmt::format(" Viscosity {:.12g}\n", net["kinematic_viscosity_m2_s"].get<double>() / (1.1e-5 * 0.3048 * 0.3048));
    return "[TITLE]\nown text\n\n" + nodes + fixed + pipes + pumps + curves + options + "[TIMES]\n Duration 0\n[END]\n";
}

Result<EpanetFile> readText(const std::string& text, double hour = 0) { return readEpanet(text, "x.inp", *coolant::shippedLibrary(), hour); }

/// Two reservoirs and what is between them.
std::string between(const std::string& more, const std::string& options = " UNITS LPS\n HEADLOSS D-W\n VISCOSITY 1.0\n")
{
    return "[JUNCTIONS]\n J 0\n K 0\n[RESERVOIRS]\n A 20\n B 0\n[PIPES]\n P A J 10 100 0.01\n Q K B 10 100 0.01\n[OPTIONS]\n" + options + more;
}

Solution solved(const EpanetFile& file, Network* set = nullptr)
{
    Network net = file.network.network;
    if (wantsBalance(net)) {
        auto made = balanced(net);
        if (!made) qFatal("%s", made.error().text().c_str());
        net = *made;
    }
    const auto solution = solve(net);
    if (!solution) qFatal("%s", solution.error().text().c_str());
    if (set) *set = net;
    return *solution;
}
std::size_t linkOf(const EpanetFile& file, const std::string& id)
{
    const auto& links = file.network.network.links;
    const auto found = std::ranges::find(links, id, &Link::id);
    if (found == links.end()) qFatal("no link %s", id.c_str());
    return std::size_t(found - links.begin());
}
double dropOf(const EpanetFile& file, const Solution& s, const std::string& id)
{
    const Link& link = file.network.network.links[linkOf(file, id)];
    return s.headM[link.from] - s.headM[link.to];
}
double liters(const EpanetFile& file, const Solution& s, const std::string& id) { return s.flowM3s[linkOf(file, id)] * 1000; }

#define QREAD(file) QVERIFY2((file).has_value(), (file).has_value() ? "" : (file).error().text().c_str())
#define QCLOSE(a, b, share)                                                                                                                          \
    QVERIFY2(std::abs((a) - (b)) <= (share)*std::max(std::abs(a), std::abs(b)),                                                                      \
             qPrintable(QString("%1 is not %2").arg(a, 0, 'g', 10).arg(b, 0, 'g', 10)))

} // namespace

class EpanetTest : public QObject {
    Q_OBJECT
private slots:
    /// Published answers in every unit: heads within 3 mm, flows within 1e-4.
    void published_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("unit");
        for (const char* name : {"net1.json", "row16-direct.json", "row16-reverse.json"})
            for (int u = 0; u < int(std::size(kEpanetUnits)); ++u) QTest::addRow("%s %s", name, kEpanetUnits[u].name) << QString(name) << u;
    }
    void published()
    {
        QFETCH(QString, name);
        QFETCH(int, unit);
        const json answers = answersOf(qPrintable(name));
        const auto file = readText(inputOf(answers, kEpanetUnits[unit]));
        QREAD(file);
        QCOMPARE(file->flowUnit, std::string(kEpanetUnits[unit].name));
        QVERIFY(file->issues.empty());
        const Solution s = solved(*file);
        std::map<std::string, double> head;
        for (std::size_t n = 0; n < s.headM.size(); ++n) head[file->network.network.nodes[n].id] = s.headM[n];
        for (const auto& n : answers["nodes"]) QVERIFY(std::abs(head[n["id"]] - n["head_m"].get<double>()) < 3e-3);
        for (const auto& l : answers["links"]) QCLOSE(liters(*file, s, l["id"]), l["flow_lps"].get<double>(), 1e-4);
    }

    /// Above 1e-3 a multiplier, else in m²/s or ft²/s.
    void viscosity()
    {
        const auto of = [](const char* unit, const std::string& value) {
            return readText(between("", fmt::format(" VISCOSITY {}\n UNITS {}\n HEADLOSS D-W\n", value, unit)))->network.network.viscosityM2s;
        };
        QCLOSE(of("LPS", "1.0"), 1.021933e-6, 1e-5);
        QCLOSE(of("GPM", "2"), 2 * 1.021933e-6, 1e-5);
        QCLOSE(of("LPS", "1.76e-6"), 1.76e-6, 1e-12);
        QCLOSE(of("GPM", "1.1e-5"), 1.1e-5 * 0.3048 * 0.3048, 1e-12);
        QCLOSE(readText(between("", " UNITS LPS\n HEADLOSS D-W\n SPECIFIC GRAVITY 1.02\n"))->network.network.densityKgM3, 999.55 * 1.02, 1e-4);
    }

    void pumpLaws()
    {
        const auto pumped = [](const std::string& pump, const std::string& curve, const std::string& more = "") {
            return readText(between("[PUMPS]\n U J K " + pump + "\n[CURVES]\n" + curve + more));
        };
        // Three points from no flow on: H = 40 - 2 Q^1.5 goes through them.
        const auto law = pumped("HEAD c", "c 0 40\nc 4 24\nc 5 17.639320225\n");
        QREAD(law);
        Solution s = solved(*law);
        QCLOSE(-dropOf(*law, s, "U"), 40 - 2 * std::pow(liters(*law, s, "U"), 1.5), 1e-6);
        // Four points, or three that begin later: straight lines.
        const auto lines = pumped("HEAD c", "c 0 40\nc 10 30\nc 20 15\nc 30 0\n");
        QREAD(lines);
        s = solved(*lines);
        const double q = liters(*lines, s, "U");
        QVERIFY(q > 20); // the last piece goes on
        QCLOSE(-dropOf(*lines, s, "U"), 15 - (q - 20) * 1.5, 1e-6);
        // Slower: flow in proportion, head with the square.
        const auto slow = pumped("HEAD c SPEED 0.8", "c 0 40\nc 10 30\nc 20 15\nc 30 0\n");
        QREAD(slow);
        const Link& pump = slow->network.network.links[linkOf(*slow, "U")];
        QCLOSE(HeadLoss(slow->network.network, pump).at(0.012).head, -(30 - (15 - 10) * 1.5) * 0.64, 1e-6);
        // One point: 4/3 at no flow, nothing at twice the flow.
        const auto one = pumped("HEAD c", "c 12 18\n");
        QREAD(one);
        const HeadLoss loss(one->network.network, one->network.network.links[linkOf(*one, "U")]);
        QCLOSE(loss.shutOffM(), 24.0, 1e-9);
        QVERIFY(std::abs(loss.at(0.024).head) < 1e-4);
        // Power: what goes into the fluid.
        const auto power = pumped("POWER 1.5", "");
        QREAD(power);
        s = solved(*power);
        QCLOSE(-dropOf(*power, s, "U") * kGravity * 999.55 * s.flowM3s[linkOf(*power, "U")], 1500.0, 1e-4);
        // A pattern replaces the speed; 0 shuts.
        const auto pattern = pumped("HEAD c PATTERN p", "c 12 18\n", "[PATTERNS]\n p 0 1\n");
        QREAD(pattern);
        QVERIFY(!pattern->network.network.links[linkOf(*pattern, "U")].open);
    }

    void valves()
    {
        const auto with = [](const std::string& valve, const std::string& more = "") {
            return readText(between("[VALVES]\n V J K " + valve + "\n" + more));
        };
        const auto velocityHead = [](double lps, double mm) {
            const double v = lps / 1000 / (std::numbers::pi / 4 * mm * mm * 1e-6);
            return v * v / (2 * kGravity);
        };
        const auto throttle = with("80 TCV 25 0");
        QREAD(throttle);
        Solution s = solved(*throttle);
        QCLOSE(dropOf(*throttle, s, "V"), 25 * velocityHead(liters(*throttle, s, "V"), 80), 1e-3);
        const auto fixedOpen = with("80 PRV 30 4", "[STATUS]\n V OPEN\n");
        QREAD(fixedOpen);
        s = solved(*fixedOpen);
        QCLOSE(dropOf(*fixedOpen, s, "V"), 4 * velocityHead(liters(*fixedOpen, s, "V"), 80), 1e-3);
        const auto general = with("80 GPV g", "[CURVES]\n g 0 0\n g 10 2\n g 20 8\n g 100 200\n");
        QREAD(general);
        s = solved(*general);
        const double q = liters(*general, s, "V");
        QVERIFY(q > 20 && q < 100);
        QCLOSE(dropOf(*general, s, "V"), 8 + (q - 20) * 192 / 80, 1e-6);
        const auto flow = with("80 FCV 7.5 0");
        QREAD(flow);
        QCOMPARE(flow->issues.size(), std::size_t(1));
        s = solved(*flow);
        QCLOSE(liters(*flow, s, "V"), 7.5, 1e-6);
        for (const char* type : {"PRV", "PSV", "PBV"}) {
            const auto refused = with(std::string("80 ") + type + " 10 0");
            QVERIFY(!refused);
            QCOMPARE(refused.error().code, ErrorCode::Refused);
            QVERIFY2(refused.error().where == "x.inp:15", refused.error().text().c_str());
        }
        const auto closed = with("80 PRV 10 0", "[STATUS]\n V CLOSED\n");
        QREAD(closed);
        QVERIFY(!closed->network.network.links[linkOf(*closed, "V")].open);
    }

    /// Chezy-Manning in SI: h = 10.29 n² L / d^16/3 Q², with EPANET's rounded exponents.
    void manning()
    {
        const auto file = readText("[JUNCTIONS]\n J 0 5\n[RESERVOIRS]\n A 20\n[PIPES]\n P A J 100 150 0.012\n[OPTIONS]\n UNITS LPS\n HEADLOSS C-M\n");
        QREAD(file);
        const Solution s = solved(*file);
        QCLOSE(dropOf(*file, s, "P"), 10.29 * 0.012 * 0.012 * 100 / std::pow(0.15, 16 / 3.0) * 0.005 * 0.005, 0.01);
    }

    void patternsTanksAndControls()
    {
        const std::string text = "[JUNCTIONS]\n J 0 10 day\n K 0 4\n[TANKS]\n T 10 5 0 8 12 0\n[RESERVOIRS]\n R 20\n"
                                 "[PIPES]\n P T J 10 100 130 0 Open\n Q R J 10 100 130 0 CV\n S J K 10 100 130\n"
                                 "[DEMANDS]\n K 1\n K 2 day\n[PATTERNS]\n day 0.5 1.5 2\n 1 1 1 1 3\n"
                                 "[TIMES]\n PATTERN TIMESTEP 2:00\n DURATION 24\n[OPTIONS]\n UNITS LPS\n DEMAND MULTIPLIER 2\n";
        const auto demand = [&](double hour, const char* id) {
            const auto file = readText(text, hour);
            if (!file) qFatal("%s", file.error().text().c_str());
            for (const auto& node : file->network.network.nodes)
                if (node.id == id) return node.demandM3s * 1000;
            return -1.0;
        };
        QCLOSE(demand(0, "J"), 10.0, 1e-12);
        QCLOSE(demand(2, "J"), 30.0, 1e-12);
        QCLOSE(demand(6, "J"), 10.0, 1e-12); // the pattern begins again
        QCLOSE(demand(0, "K"), 2 * (1 + 2 * 0.5), 1e-12);
        QCLOSE(demand(6, "K"), 2 * (3 + 2 * 0.5), 1e-12); // pattern 1 is the usual one
        const auto file = readText(text);
        QREAD(file);
        QCOMPARE(file->tanks, std::size_t(1));
        QVERIFY(!file->issues.empty()); // one moment of 24 h
        QVERIFY(file->network.network.links[1].checkValve);
        QCLOSE(file->network.network.nodes[3].headM, 15.0, 1e-12);
        const auto open = [&](const std::string& control, double hour = 0) {
            const auto read = readText(text + "[CONTROLS]\n" + control + "\n", hour);
            if (!read) qFatal("%s", read.error().text().c_str());
            return read->network.network.links[0].open;
        };
        QVERIFY(!open(" LINK P CLOSED IF NODE T BELOW 5.5"));
        QVERIFY(open(" LINK P CLOSED IF NODE T ABOVE 5.5"));
        QVERIFY(open(" LINK P CLOSED AT TIME 6"));
        QVERIFY(!open(" LINK P CLOSED AT TIME 6", 7));
    }

    void broken_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("where");
        const auto row = [](const char* name, const std::string& text, const char* where) {
            QTest::newRow(name) << QString::fromStdString(text) << QString(where);
        };
        row("empty", "", "x.inp");
        row("no section", "J 1 2\n", "x.inp:1");
        row("section", "[JUNCTIONZ]\n J 0\n[NOTHING]\n", "x.inp:3");
        row("number", between("[PUMPS]\n U J K POWER abc\n"), "x.inp:15");
        row("unknown node", between("[PUMPS]\n U J X POWER 1\n"), "x.inp:15");
        row("twice", between("[PUMPS]\n P J K POWER 1\n"), "x.inp:15");
        row("no law", between("[PUMPS]\n U J K SPEED 1\n"), "x.inp:15");
        row("no curve", between("[PUMPS]\n U J K HEAD c\n"), "x.inp:15");
        row("rising", between("[PUMPS]\n U J K HEAD c\n[CURVES]\n c 1 1\n c 2 2\n"), "x.inp:15");
        row("circle", between("[PUMPS]\n U J J POWER 1\n"), "x.inp:15");
        row("long id", between("[PUMPS]\n " + std::string(32, 'U') + " J K POWER 1\n"), "x.inp:15");
        row("long line", between("[PUMPS]\n U J K POWER 1" + std::string(1100, ' ') + "1\n"), "x.inp:15");
        row("many columns",
            between("[PATTERNS]\n p" + std::string(82, ' ') +
                    [] {
                        std::string out;
                        for (int i = 0; i < 45; ++i) out += " 1";
                        return out;
                    }() +
                    "\n"),
            "x.inp:15");
        row("unit", between("", " UNITS FURLONG\n"), "x.inp:11");
        row("head loss", between("", " HEADLOSS X-Y\n"), "x.inp:11");
        row("emitter", between("[EMITTERS]\n J 0.5\n"), "x.inp:15");
        row("pressure driven", between("", " DEMAND MODEL PDA\n"), "x.inp:11");
        row("pattern", between("[DEMANDS]\n J 1 nowhere\n"), "x.inp:2");
        row("no reservoir", "[JUNCTIONS]\n J 0\n K 0\n[PIPES]\n P J K 1 100 100\n", "x.inp: nodes");
        row("diameter", "[JUNCTIONS]\n J 0\n[RESERVOIRS]\n R 1\n[PIPES]\n P J R 1 -5 100\n", "x.inp: links[0].diameter_mm");
        row("few columns", "[JUNCTIONS]\n J 0\n[RESERVOIRS]\n R 1\n[PIPES]\n P J R 1\n", "x.inp:6");
    }
    void broken()
    {
        QFETCH(QString, text);
        QFETCH(QString, where);
        const auto file = readText(text.toStdString());
        QVERIFY(!file.has_value());
        QVERIFY2(file.error().where == where.toStdString(), file.error().text().c_str());
        QVERIFY(!file.error().todo.empty());
    }

    /// A loop goes out, is read again, and flows as the chain of the design says; a changed length comes back.
    void loopThereAndBack()
    {
        CoolingHall hall({14, 2, 2, 2, 2});
        const auto figures = hall.figures();
        const CoolingChain& chain = figures->get<CoolingChainNode>();
        int written = 0;
        for (std::size_t l = 0; l < chain.loops.size(); ++l) {
            const CoolingLoop& loop = chain.loops[l];
            if (loop.kind == LoopKind::Air) continue;
            const auto text = epanetText(*figures, loop.name);
            QREAD(text);
            QCOMPARE(*epanetText(*figures, loop.name), *text);
            const auto file = readText(*text);
            QREAD(file);
            ++written;
            std::set<std::string> ids;
            for (const auto& node : file->network.network.nodes) QVERIFY(node.id.size() <= 31 && ids.insert(node.id).second);
            Network set;
            const Solution s = solved(*file, &set);
            QVERIFY(s.certificate.ok());
            double taken = 0;
            for (std::size_t i = 0; i < set.links.size(); ++i)
                if (set.links[i].wantedM3s > 0) taken += s.flowM3s[i] * 60000;
            double wanted = 0;
            for (const auto& outlet : cooling::pipesOf(*figures, std::int32_t(l)).outlets) wanted += outlet.lpm;
            QCLOSE(taken, wanted, 1e-6);
            // Pipes that carry a cable's name: the flow of the chain, in the supply and in the return.
            std::map<std::string, double> flows;
            for (std::size_t i = 0; i < set.links.size(); ++i)
                if (const auto tag = file->tags.find(set.links[i].id); tag != file->tags.end())
                    flows[tag->second] += std::abs(s.flowM3s[i]) * 60000 / 2;
            std::size_t compared = 0;
            for (const auto& way : chain.ways)
                if (way.loop == std::int32_t(l) && way.link && hall.s.links.cable[*way.link])
                    if (const auto found = flows.find(fmt::format("cable-{:06}", (*hall.s.links.cable[*way.link]).value + 1));
                        found != flows.end() && way.lpm > 1) {
                        // Sources share by their pumps' curves here and by rating there.
                        QVERIFY2(std::abs(found->second - way.lpm) < 0.05 * way.lpm, qPrintable(QString("%1 %2").arg(found->second).arg(way.lpm)));
                        ++compared;
                    }
            if (loop.kind == LoopKind::Liquid) QVERIFY(compared >= 10);
        }
        QVERIFY(written >= 1);
        QCOMPARE(epanetText(*figures, "nowhere").error().code, ErrorCode::Usage);

        exchange::Formats formats;
        registerFormats(formats);
        std::string text = *epanetText(*figures, "hall liquid");
        const auto* importer = *formats.importer("epanet");
        const exchange::ImportSource same{"loop.inp", text};
        QVERIFY(importer->probe(same));
        const auto unchanged = importer->plan(same, hall.snapshot(), {});
        QREAD(unchanged);
        QVERIFY(unchanged->after && exchange::plannedRows(*unchanged).empty());
        const auto file = readText(text);
        const std::string id = file->tags.begin()->first;
        std::istringstream in(text);
        std::string changed;
        for (std::string line; std::getline(in, line);) {
            std::istringstream words(line);
            std::vector<std::string> list;
            for (std::string word; words >> word;) list.push_back(word);
            if (list.size() == 8 && list[0] == id) list[3] = "77.5", line = fmt::format(" {}", fmt::join(list, "\t"));
            changed += line + "\n";
        }
        const auto plan = importer->plan({"loop.inp", changed}, hall.snapshot(), {});
        QREAD(plan);
        const auto rows = exchange::plannedRows(*plan);
        QCOMPARE(rows.size(), std::size_t(1));
        QCOMPARE(rows[0].table, std::string("cables"));
        QCOMPARE(rows[0].changed, std::size_t(1));
        std::size_t found = 0;
        plan->after->cables.forEach([&](CableId cable) { found += plan->after->cables.length[cable].count() == 77500; });
        QCOMPARE(found, std::size_t(1));
    }
};

QTEST_APPLESS_MAIN(EpanetTest)
#include "test_epanet.moc"
