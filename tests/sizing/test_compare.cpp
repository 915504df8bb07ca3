// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/compare.h"

#include "core/derived/figures/figures.h"
#include "core/design/template/template.h"
#include "core/output/report/report.h"

#include <QTest>

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace hw;
using namespace hw::sizing;
using Json = nlohmann::ordered_json;

namespace {

const ComparedValue* find(const Comparison& c, const std::string& key)
{
    const auto found = std::find_if(c.values.begin(), c.values.end(), [&](const auto& v) { return v.key == key; });
    return found == c.values.end() ? nullptr : &*found;
}

Json reportOf(const std::string& name, const ParameterValues& values)
{
    static const auto catalog = *Catalog::load(HW_RESOURCES "/catalog");
    const auto figures = *computeFigures(*instantiate(*Template::load(HW_RESOURCES "/templates/" + name + ".yaml"), values, catalog));
    return reportJson(makeReport(*figures, makeBom(*figures)), *figures);
}

} // namespace

class CompareTest : public QObject {
    Q_OBJECT
private slots:
    void valuesUnitsAndDirections()
    {
        const Json a = Json::parse(
            R"({"schema": "x", "design": {"name": "p", "revision": 3}, "power": {"it_w": 1000}, "networks": [{"name": "n", "connected": true, "oversubscription_end_to_end": 16.0,
                                       "tiers": [{"name": "tor", "switches": 240}], "links": [{"from": "server", "to": "tor", "rate_gbps": 200, "active": 10}]}], "cost": {"currency": "CNY", "total": 5.5}, "only": 1})");
        const Json b = Json::parse(
            R"({"schema": "y", "design": {"name": "p", "revision": 9}, "power": {"it_w": 1500}, "networks": [{"name": "n", "connected": false, "oversubscription_end_to_end": 8.0,
                                       "tiers": [{"name": "agg", "switches": 4}, {"name": "tor", "switches": 240}], "links": [{"from": "server", "to": "tor", "rate_gbps": 200, "active": 10}]}], "cost": {"currency": "CNY", "total": 4.5}})");
        const auto c = compareReports(a, b, "A", "B");
        QVERIFY(!find(c, "schema") && !find(c, "design.revision"));
        QVERIFY(find(c, "design.name")->same());
        const auto* power = find(c, "power.it_w");
        QCOMPARE(power->unit, std::string("W"));
        QCOMPARE(*power->difference(), 500.0);
        QCOMPARE(*power->ratio(), 1.5);
        QCOMPARE(power->winner(), -1);
        QCOMPARE(find(c, "networks[n].oversubscription_end_to_end")->winner(), 1);
        QCOMPARE(find(c, "networks[n].connected")->winner(), -1);
        QCOMPARE(find(c, "cost.total")->unit, std::string("CNY"));
        QCOMPARE(find(c, "cost.total")->winner(), 1);
        QVERIFY(find(c, "networks[n].tiers[tor].switches")->same());
        QVERIFY(!find(c, "networks[n].tiers[agg].switches")->a);
        QVERIFY(find(c, "networks[n].links[server-tor-200].active")->same());
        QVERIFY(!find(c, "only")->b);
        const auto json = compareJson(c, true);
        QCOMPARE(json["schema"].get<std::string>(), std::string("hallwright.compare/1"));
        QCOMPARE(json["different"].get<std::size_t>(), c.differences());
        QCOMPARE(json["rows"].size(), c.differences());
        QCOMPARE(json["only_a"].get<int>(), 1);
    }

    /// Of the proof: directions, lists of names as one value, and nothing about how it was found.
    void proofs()
    {
        const Json a = Json::parse(
            R"({"networks": [{"name": "n", "color": "red", "proof": {"holds": true, "method": {"classes": 5}, "flags": ["x", "y"], "worst_bisection": {"fraction": 0.5},
                                       "smallest_switch_cut": {"size": 2, "members": ["s1", "s2"]}, "single_points_of_failure": {"switches": {"count": 0}}, "planes": [{"plane": 1, "nics": 4}]}}]})");
        Json b = a;
        auto& proof = b["networks"][0]["proof"];
        proof["worst_bisection"]["fraction"] = 1.0, proof["smallest_switch_cut"] = {{"size", 1}, {"members", {"t"}}},
        proof["single_points_of_failure"]["switches"]["count"] = 3, proof["method"]["classes"] = 6;
        b["networks"][0]["color"] = "blue";
        const auto c = compareReports(a, b, "A", "B");
        QCOMPARE(c.differences(), std::size_t(3));
        QCOMPARE(find(c, "networks[n].proof.worst_bisection.fraction")->winner(), 1);
        QCOMPARE(find(c, "networks[n].proof.smallest_switch_cut.size")->winner(), -1);
        QCOMPARE(find(c, "networks[n].proof.single_points_of_failure.switches.count")->winner(), -1);
        QCOMPARE(*find(c, "networks[n].proof.flags")->a, std::string("x, y"));
        QVERIFY(find(c, "networks[n].proof.planes[1].nics")->same());
    }

    void itselfIsTheSame()
    {
        const auto report = reportOf("hpn", {{"segments", 1}});
        const auto c = compareReports(report, report, "A", "B");
        QVERIFY(c.values.size() > 100);
        QCOMPARE(c.differences(), std::size_t(0));
    }

    /// B against A has the same keys, values and units changed over, opposite differences and winners.
    void symmetric()
    {
        const auto a = reportOf("hpn", {{"segments", 1}}), b = reportOf("dcn-plus", {{"pods", 2}});
        const auto ab = compareReports(a, b, "A", "B"), ba = compareReports(b, a, "B", "A");
        QCOMPARE(ab.values.size(), ba.values.size());
        QCOMPARE(ab.differences(), ba.differences());
        QVERIFY(ab.differences() > 50);
        for (const auto& v : ab.values) {
            const auto* w = find(ba, v.key);
            QVERIFY2(w, v.key.c_str());
            QVERIFY(v.a == w->b && v.b == w->a && v.unit == w->unit && v.winner() == -w->winner());
            if (v.difference()) QCOMPARE(*v.difference(), -*w->difference());
        }
    }

    /// The table keeps to a hundred columns, whatever the names.
    void tableFits()
    {
        const auto c = compareReports(reportOf("hpn", {{"segments", 1}}), reportOf("dcn-plus", {{"pods", 2}}), "A", "B");
        const auto text = compareText(c, false);
        for (std::size_t at = 0; at < text.size();) {
            const auto end = std::min(text.find('\n', at), text.size());
            QVERIFY2(end - at <= 100, text.substr(at, end - at).c_str());
            at = end + 1;
        }
        QVERIFY(text.find("\nnetworks[backend].tiers[tor]\n  switches ") != text.npos);
    }
};

QTEST_APPLESS_MAIN(CompareTest)

#include "test_compare.moc"
