// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/check.h"
#include "core/derived/topology/cable_runs.h"
#include "core/design/template/template.h"
#include "core/foundation/model/document.h"
#include "core/foundation/model/places.h"
#include "core/foundation/storage/validate.h"
#include "core/output/exchange/bom.h"

#include <QTest>

#include <set>

using namespace hw;

namespace {

const Catalog& catalog()
{
    static const Catalog loaded = Catalog::load(HW_RESOURCES "/catalog").value();
    return loaded;
}

SnapshotPtr designed(const std::string& file, std::int64_t segments)
{
    const auto design = Template::load(file).value();
    const auto values = design.complete({{"segments", segments}, {"networks", 1}}); // the back end alone
    return instantiate(design, values.value(), catalog()).value();
}

const std::string kDirect = HW_RESOURCES "/templates/hpn.yaml", kTrunks = HW_RESOURCES "/../docs/examples/hpn-trunks.yaml";

std::size_t findings(const SnapshotPtr& s, std::vector<std::string> rules)
{
    return check(*figuresOf(s).value(), {std::move(rules), {}}).value().errors;
}

/// Links of ToRs to aggregation switches.
std::vector<LinkId> uplinks(const Snapshot& s)
{
    std::vector<LinkId> all;
    s.links.forEach([&](LinkId link) {
        if (const auto rule = s.links.rule[link]; rule && s.linkRules.key[*rule] == "tor-agg") all.push_back(link);
    });
    return all;
}

struct Sums {
    std::int64_t cables = 0, meters = 0, acrossRows = 0, areaMm2 = 0;
    double cost = 0;
};
/// What the uplinks are made of, panels and modules included.
Sums sums(const Figures& f)
{
    Sums out;
    std::set<CableId> seen;
    for (const LinkId link : uplinks(*f.snapshot))
        f.cabling->runs().eachCable(*f.snapshot, link, [&](CableId id) {
            if (!seen.insert(id).second) return;
            const auto& cable = (*f.cabling)[id];
            ++out.cables;
            out.meters += cable.lengthMm / 1000;
            const auto [a, b] = f.cabling->endsOf(id);
            out.acrossRows += rowOf(*f.snapshot, a) != rowOf(*f.snapshot, b);
        });
    for (const auto& line : makeBom(f).lines) out.cost += toCurrency(line.sum);
    for (const TrayLoad& load : f.get<TrayLoadNode>()) out.areaMm2 = std::max(out.areaMm2, load.of[std::size_t(Medium::Data)].areaUm2 / 1'000'000);
    return out;
}

} // namespace

class TestTrunks : public QObject {
    Q_OBJECT

private slots:
    void uplinksRunOverTrunks();
    void regenerating();
};

void TestTrunks::uplinksRunOverTrunks()
{
    const SnapshotPtr direct = designed(kDirect, 2), led = designed(kTrunks, 2);
    QCOMPARE(led->links.size(), direct->links.size());
    const auto up = uplinks(*led);
    QCOMPARE(up.size(), std::size_t(2 * 16 * 60));
    QCOMPARE(std::size_t(led->runs.size()), 2 * up.size());
    const CableRuns runs(*led);
    for (const LinkId link : up) QCOMPARE(runs.of(link).size(), std::size_t(2));
    QVERIFY(!findInconsistency(*led));
    for (const char* rule : {"N5", "N6", "N7", "K6", "S1"}) QCOMPARE(findings(led, {rule}), std::size_t(0));
    const auto before = figuresOf(direct).value(), after = figuresOf(led).value();
    const Sums a = sums(*before), b = sums(*after);
    qInfo("direct: %lld cables, %lld from row to row, %lld m, fullest section %lld mm2, %.0f USD", (long long)a.cables, (long long)a.acrossRows,
          (long long)a.meters, (long long)a.areaMm2, a.cost);
    qInfo("trunks: %lld cables, %lld from row to row, %lld m, fullest section %lld mm2, %.0f USD", (long long)b.cables, (long long)b.acrossRows,
          (long long)b.meters, (long long)b.areaMm2, b.cost);
    QCOMPARE(a.acrossRows, 12 * b.acrossRows); // twelve in a sheath, none of them half empty
    QVERIFY(b.meters < a.meters);
    std::int64_t worst = 0;
    for (const LinkId link : up) worst = std::max(worst, after->cabling->channelMm(*led, link));
    QVERIFY(worst <= 100'000); // the reach of multimode
}

void TestTrunks::regenerating()
{
    Document document(designed(kTrunks, 4)); // the network cell stays between the second and the third segment
    const CableId trunk = document.snapshot()->runs.cable[document.snapshot()->runs.ids().front()];
    {
        auto t = document.begin("length");
        t->cables.length.set(trunk, Millimeters(75'000));
        (void)t.commit();
    }
    for (const std::int64_t segments : {5, 4}) {
        auto t = document.begin("segments");
        const auto done = regenerate(t, {{"segments", segments}}, catalog());
        QVERIFY(done.has_value());
        (void)t.commit();
        const auto s = document.snapshot();
        QCOMPARE(std::size_t(s->runs.size()), 2 * uplinks(*s).size());
        QVERIFY(!findInconsistency(*s));
        QCOMPARE(findings(s, {"N7"}), std::size_t(0));
        std::set<CableId> used;
        const CableRuns runs(*s);
        s->links.forEach([&](LinkId link) { runs.eachCable(*s, link, [&](CableId id) { used.insert(id); }); });
        QCOMPARE(used.size(), std::size_t(s->cables.size()));
    }
    QCOMPARE(document.snapshot()->cables.length[trunk].count(), 75'000); // set by hand, and kept
}

QTEST_APPLESS_MAIN(TestTrunks)
#include "test_trunks.moc"
