// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/hydraulics/balance.h"
#include "core/physics/hydraulics/network_file.h"

#include <QTest>

using namespace hw;
using namespace hw::hydraulics;
using nlohmann::json;

namespace {

/// A pump, a plate and a way back, PG25 at 30 °C.
const char* const kLoop = R"({
 "formula": "darcy-weisbach", "coolant": "pg25", "temperature_c": 30,
 "nodes": [
  {"id": "A", "kind": "fixed", "head_m": 20},
  {"id": "D", "kind": "junction", "elevation_m": 2},
  {"id": "R", "kind": "junction"}],
 "links": [
  {"id": "P", "kind": "pump", "from": "A", "to": "D", "curve_lps_m": [[0, 30], [1, 25]]},
  {"id": "plate", "kind": "cold-plate", "from": "D", "to": "R", "at_lps": 0.5, "loss_kpa": 50},
  {"id": "back", "kind": "pipe", "from": "R", "to": "A", "length_m": 10, "diameter_mm": 40, "roughness_mm": 0.0015, "check_valve": true}]})";

Result<NetworkFile> read(const std::string& text) { return readNetwork(text, "loop.json", *coolant::shippedLibrary()); }

} // namespace

class TestNetworkFile : public QObject {
    Q_OBJECT

private slots:
    void reads()
    {
        const auto file = read(kLoop);
        QVERIFY2(file.has_value(), file ? "" : file.error().text().c_str());
        QVERIFY(qFuzzyCompare(file->network.densityKgM3, 1019.4) || std::abs(file->network.densityKgM3 - 1019.4) < 0.1);
        QCOMPARE(file->network.links[1].exponent, 1.85);
        QVERIFY(file->network.links[2].checkValve);
        const auto s = solve(file->network);
        QVERIFY(s.has_value());
        const json out = answerJson(*file, file->network, *s);
        QCOMPARE(out["answer"]["certificate"].get<std::string>(), std::string("ok"));
        const double plate = out["links"][1]["loss_across_kpa"], flow = out["links"][1]["flow_lps"];
        QVERIFY(std::abs(plate - 50 * std::pow(flow / 0.5, 1.85)) < 1e-3);
        QVERIFY(std::abs(out["links"][0]["loss_across_kpa"].get<double>() + plate + out["links"][2]["loss_across_kpa"].get<double>()) < 1e-6);
        QVERIFY(answerText(*file, file->network, *s).find("Pump P") != std::string::npos);
        // What was written is read again, and gives the same.
        const auto again = read(out.dump());
        QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
        QCOMPARE(answerJson(*again, again->network, *solve(again->network)).dump(), out.dump());
    }

    void balances()
    {
        json loop = json::parse(kLoop);
        loop["links"][2] = {{"id", "v"}, {"kind", "valve"}, {"from", "R"}, {"to", "A"}, {"wanted_lps", 0.4}};
        const auto file = read(loop.dump());
        QVERIFY(file.has_value() && wantsBalance(file->network));
        const auto set = balanced(file->network);
        QVERIFY(set.has_value());
        const json out = answerJson(*file, *set, *solve(*set));
        QVERIFY(std::abs(out["links"][2]["flow_lps"].get<double>() - 0.4) < 1e-6);
        QVERIFY(out["links"][2]["set_kv_m3_h"].get<double>() > 0.1);
    }

    /// Every fault has its place. `pointer` is replaced by `value` (removed by an empty one).
    void broken_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("where");
        const auto row = [](const char* pointer, const char* value, const char* where) {
            QTest::addRow("%s %s", pointer, value) << pointer << value << where;
        };
        row("/links/0/to", "\"X\"", "loop.json: links[0].to");
        row("/links/2/diameter_mm", "-40", "loop.json: links[2].diameter_mm");
        row("/links/2/diameter_mm", "\"wide\"", "loop.json: links[2].diameter_mm");
        row("/links/2/diameter_mm", "", "loop.json: links[2].diameter_mm");
        row("/links/2/hw_c", "100", "loop.json: links[2].hw_c");
        row("/links/1/loss_kpa", "0", "loop.json: links[1].loss_kpa");
        row("/links/1/exponent", "9", "loop.json: links[1].exponent");
        row("/links/1/kind", "\"hose\"", "loop.json: links[1].kind");
        row("/links/1/id", "\"P\"", "loop.json: links[1].id");
        row("/links/0/curve_lps_m", "[]", "loop.json: links[0].curve_lps_m");
        row("/links/0/curve_lps_m", "[[0, 30], [1, 31]]", "loop.json: links[0].curve_lps_m");
        row("/links/0/curve_lps_m", "[[0, 30, 2]]", "loop.json: links[0].curve_lps_m");
        row("/links/0/open", "1", "loop.json: links[0].open");
        row("/links/0/law", "\"magic\"", "loop.json: links[0].law");
        row("/links/0/law", "\"power-law\"", "loop.json: links[0].curve_lps_m"); // of two points
        row("/links/0/law", "\"constant-power\"", "loop.json: links[0].power_w");
        row("/links/0/speed", "0", "loop.json: links[0].speed");
        row("/links/2/manning_n", "0.01", "loop.json: links[2].manning_n");
        row("/links/1", R"({"id": "v", "kind": "valve", "from": "D", "to": "R", "loss_lps_m": [[0, 1], [1, 2]]})", "loop.json: links[1].loss_lps_m");
        row("/nodes/1/id", "\"A\"", "loop.json: nodes[1].id");
        row("/nodes/0/kind", "\"junction\"", "loop.json: nodes");
        row("/nodes/0/demand_lps", "1", "loop.json: nodes[0].demand_lps");
        row("/nodes/1/demand_lps", "[]", "loop.json: nodes[1].demand_lps");
        row("/nodes/1/color", "1", "loop.json: nodes[1].color");
        row("/nodes/3", R"({"id": "Z", "kind": "junction"})", "loop.json: links");
        row("/nodes", "3", "loop.json: nodes");
        row("/links/1", "7", "loop.json: links[1]");
        row("/formula", "\"guess\"", "loop.json: formula");
        row("/formula", "\"hazen-williams\"", "loop.json: coolant");
        row("/coolant", "\"beer\"", "loop.json: coolant");
        row("/coolant", "", "loop.json: kinematic_viscosity_m2_s");
        row("/temperature_c", "200", "loop.json: temperature_c");
        row("/fraction", "0.9", "loop.json: coolant");
        row("/density_kg_m3", "1000", "loop.json: density_kg_m3");
    }
    void broken()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, where);
        json loop = json::parse(kLoop);
        const json::json_pointer at(pointer.toStdString());
        if (value.isEmpty())
            loop[at.parent_pointer()].erase(at.back());
        else
            loop[at] = json::parse(value.toStdString());
        const auto file = read(loop.dump());
        QVERIFY(!file);
        QCOMPARE(file.error().code, ErrorCode::Unreadable);
        QCOMPARE(QString::fromStdString(file.error().where), where);
        QVERIFY(!file.error().what.empty() && !file.error().todo.empty());
    }

    void noJson()
    {
        for (const char* text : {"", "[]", "null", "{", "{\"nodes\": NaN}", "{\"formula\": \"darcy-weisbach\",\n \"density_kg_m3\": 1e999}"}) {
            const auto file = read(text);
            QVERIFY2(!file, text);
            QCOMPARE(file.error().code, ErrorCode::Unreadable);
        }
        QCOMPARE(read("{\n \"nodes\": NaN}").error().where, std::string("loop.json:2"));
    }
};

QTEST_GUILESS_MAIN(TestNetworkFile)
#include "test_network_file.moc"
