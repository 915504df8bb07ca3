// SPDX-License-Identifier: GPL-3.0-or-later
// Trays for what feeds a design, in every shipped template.
#include "core/derived/figures/cords.h"
#include "core/derived/figures/supply.h"
#include "core/derived/geometry/placement.h"
#include "core/derived/rules/check.h"
#include "core/design/template/template.h"
#include "core/foundation/model/places.h"
#include "core/output/exchange/supply_bill.h"

#include <QtTest>

#include <filesystem>
#include <map>
#include <set>

using namespace hw;

namespace {

const Catalog& catalog()
{
    static const auto loaded = Catalog::load(HW_RESOURCES "/catalog");
    return *loaded;
}

FiguresPtr figured(const std::string& name, const std::map<std::string, std::string>& given = {})
{
    const auto design = Template::load(HW_RESOURCES "/templates/" + name + ".yaml");
    if (!design) qFatal("%s", design.error().text().c_str());
    const auto values = design->complete(given);
    if (!values) qFatal("%s", values.error().text().c_str());
    const auto made = instantiate(*design, *values, catalog());
    if (!made) qFatal("%s", made.error().text().c_str());
    return figuresOf(*made).value();
}

/// A tray that runs over what stands in a yard.
std::string overYard(const Figures& f)
{
    const Snapshot& s = *f.snapshot;
    std::string wrong;
    std::vector<Box> trays;
    std::vector<TrayId> ids;
    s.trays.forEach([&](TrayId id) {
        if (s.trays.carries[id] != Carries::Power || s.trays.kind[id] == TrayKind::Duct) return;
        const TrayLine& line = f.placement->tray(id);
        const std::int32_t half = f.parts->tray(s.trays.type[id]).width.value.count() / 2;
        const bool alongX = line.a.y == line.b.y;
        Box box{{std::min(line.a.x, line.b.x), std::min(line.a.y, line.b.y), 0}, {std::max(line.a.x, line.b.x), std::max(line.a.y, line.b.y), 0}};
        (alongX ? box.low.y : box.low.x) -= half, (alongX ? box.high.y : box.high.x) += half;
        trays.push_back(box), ids.push_back(id);
    });
    s.devices.forEach([&](DeviceId id) {
        const auto hall = hallOf(s, id);
        if (!hall || s.halls.kind[*hall] != RoomKind::Yard || s.devices.rack[id]) return;
        const Box box = f.placement->device(s, *f.parts, id);
        for (std::size_t n = 0; n < trays.size(); ++n)
            if (trays[n].low.x < box.high.x && box.low.x < trays[n].high.x && trays[n].low.y < box.high.y && box.low.y < trays[n].high.y)
                wrong = s.trays.name[ids[n]] + " runs over " + s.devices.name[id];
    });
    return wrong;
}

} // namespace

class TestSupplyTrays : public QObject {
    Q_OBJECT

private slots:
    void everyFeederHasAWay_data();
    void everyFeederHasAWay();
    void hpnByNumbers();
    void movedRowFollows();
};

void TestSupplyTrays::everyFeederHasAWay_data()
{
    QTest::addColumn<QString>("name");
    for (const auto& entry : std::filesystem::directory_iterator(HW_RESOURCES "/templates"))
        if (entry.path().extension() == ".yaml") QTest::newRow(entry.path().stem().c_str()) << QString::fromStdString(entry.path().stem());
}

/// Every feeder has a part, a way and trays of its own side alone, which are neither too full nor too heavy.
void TestSupplyTrays::everyFeederHasAWay()
{
    QFETCH(QString, name);
    const auto f = figured(name.toStdString());
    const Snapshot& s = *f->snapshot;
    const Supply& supply = f->get<SupplyNode>();
    std::int64_t feeders = 0;
    for (const SupplyLine& line : supply.lines()) {
        if (line.medium != Medium::Power) continue;
        const std::string who = s.devices.name[line.consumer] + " from " + s.devices.name[line.supplier];
        QVERIFY2(bool(line.size.type), who.c_str());
        QVERIFY2(!line.noWay, who.c_str());
        QVERIFY2(line.lengthMm > 0 && line.lengthMm >= line.routeMm, who.c_str());
        QVERIFY2(line.size.carriesMa + 500 >= line.size.needMa, who.c_str());
        feeders += line.pair != Routing::kNoPair;
        for (const std::uint32_t section : supply.sectionsOf(line))
            if (const auto tray = supply.routing(Medium::Power).sections()[section].tray) {
                QCOMPARE(s.trays.carries[*tray], Carries::Power);
                const PowerSide side = s.trays.side[*tray];
                QVERIFY2(side == PowerSide::None || line.side == 0 || int(side) - 1 == line.side - 'A', who.c_str());
            }
    }
    QVERIFY(feeders > 0);
    QVERIFY2(overYard(*f).empty(), overYard(*f).c_str());
    QVERIFY(supply.routing(Medium::Power).detours().empty());
    const auto findings = check(*f, {.rules = {"K1", "K2", "K4", "K6", "S9"}, .basis = {}}).value();
    for (const Finding& finding : findings.findings) QVERIFY2(finding.severity != Severity::Error || finding.waived, words(finding.message).c_str());
}

/// Eight supplies of 2,040 hosts, two of 1,224 other devices: 18,768 cords. 1,264 strips depend on whips.
void TestSupplyTrays::hpnByNumbers()
{
    const auto f = figured("hpn");
    const SupplyTotals totals = supplyTotals(f->get<SupplyNode>(), f->get<CordsNode>());
    QCOMPARE(totals.cords, std::int64_t(18'768));
    QCOMPARE(totals.cords, f->get<PowerFeedsNode>().cords());
    std::int64_t strips = 0, hosts = 0;
    f->snapshot->devices.forEach([&](DeviceId id) {
        const auto& spec = f->parts->device(f->snapshot->devices.type[id]);
        strips += spec.power.element == PowerElement::Pdu && f->snapshot->devices.rack[id];
        hosts += spec.accelerators > 0;
    });
    QCOMPARE(hosts, std::int64_t(2'040));
    QCOMPARE(totals.whips, strips);
    QCOMPARE(totals.tapOffs, strips);
    QCOMPARE(totals.withoutPart, std::int64_t(0));
    QCOMPARE(totals.noWay, std::int64_t(0));
}

void TestSupplyTrays::movedRowFollows()
{
    const auto before = figured("hpn", {{"segments", "2"}});
    (void)before->get<SupplyNode>();
    for (const RowId row : before->snapshot->rows.ids()) {
        auto next = std::make_shared<Snapshot>(*before->snapshot);
        next->rows.x.set(row, next->rows.x[row] + Millimeters(700)), next->rows.y.set(row, next->rows.y[row] - Millimeters(400));
        const auto moved = updateFigures(before, next, difference(*before->snapshot, *next, "move")).value();
        QVERIFY(moved->get<SupplyNode>() == figuresOf(next).value()->get<SupplyNode>());
    }
}

QTEST_APPLESS_MAIN(TestSupplyTrays)
#include "test_supply_trays.moc"
