// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/overlays/overlays.h"
#include "tests/rules/small_design.h"

#include "core/derived/figures/rack_kind.h"

#include <QTest>

#include <set>

using namespace hw;

/// Values over the smallest design, against sums that can be done by hand.
class ValuesTest : public QObject {
    Q_OBJECT

private slots:
    void fieldsAreAskedById();
    void histogramCountsEveryKnownValueOnce();
    void categoriesHaveABinEach();
    void ticksAreRoundAndEndWhereTheMapDoes();
    void valuesAreSaidWithTheirUnit();
    void rangesAreRoundedUp();
    void namesAreOneListForAllViews();
    void whatSwitchesHaveIsSeenInTheFabric();
    void powerFollowsTheBasisOfTheProject();
    void limitOfTheRackWinsOverItsType();
    void heatIsAllThePower();
    void kindsAreThoseOfTheDrawings();
    void findingsRaiseTheirRacksAndDevices();
    void loadsAreThoseOfTheBusiestLink();
    void deadLinksSayNothing();
    void whatIsMissingGivesNoFields();

private:
    SmallDesign m_design;
    FiguresPtr m_figures = m_design.figures();
    [[nodiscard]] OverlayValues make(const char* name, const CheckResult* findings = nullptr, LinkLoads loads = {}) const
    {
        return makeOverlay(*findOverlay(name), {*m_figures, findings, std::move(loads), nullptr});
    }
    [[nodiscard]] float rack(const OverlayValues& values, int i) const
    {
        return values.of(EntityKind::Rack)->at(m_design.racks[std::size_t(i)].value);
    }
};

void ValuesTest::fieldsAreAskedById()
{
    ValueField all;
    all.values = {1, 2, 3};
    QCOMPARE(all.at(2), 3.0f);
    QVERIFY(!known(all.at(3)));
    ValueField some = all;
    some.ids = {4, 7, 900};
    QCOMPARE(some.at(4), 1.0f);
    QCOMPARE(some.at(900), 3.0f);
    for (const std::uint32_t id : {0u, 5u, 899u, 901u}) QVERIFY(!known(some.at(id)));
}

void ValuesTest::histogramCountsEveryKnownValueOnce()
{
    ValueField f;
    f.values = {0, 0.05f, 0.5f, 0.999f, 1.0f, 1.7f, -2, ValueField::kNone};
    const auto h = histogramOf(f, 10);
    QCOMPARE(h.counts, (std::vector<std::uint32_t>{3, 0, 0, 0, 0, 1, 0, 0, 0, 3})); // beyond the ends: in the end steps
    QCOMPARE(h.known, 7u);
    QCOMPARE(h.unknown, 0u); // an id without a row is nobody's value
    QCOMPARE(h.most, double(1.7f));
    QCOMPARE(h.least, -2.0);
    f.ids = {1, 2, 3, 4, 5, 6, 7, 8};
    QCOMPARE(histogramOf(f, 10).unknown, 1u);
    QCOMPARE(histogramOf(ValueField{}, 0).counts.size(), std::size_t(1));
}

void ValuesTest::categoriesHaveABinEach()
{
    ValueField f;
    f.scale = FieldScale::Category;
    f.categories = {{verbatim("a"), Tone::Note, 0}, {verbatim("b"), Tone::Error, 0}};
    f.values = {1, 1, 0, ValueField::kNone, 1};
    QCOMPARE(histogramOf(f).counts, (std::vector<std::uint32_t>{1, 3}));
    QCOMPARE(words(valueText(f, 1)), "b");
    QVERIFY(valueText(f, ValueField::kNone).empty());
    f.categories[0].ordinary = true; // beside an object it goes without saying
    QCOMPARE(words(valueText(f, 0)), "a");
    QVERIFY(noteText(f, 0).empty() && noteText(f, ValueField::kNone).empty());
    QCOMPARE(words(noteText(f, 1)), "b");
    QVERIFY(noteText(f, 7).empty());
}

void ValuesTest::ticksAreRoundAndEndWhereTheMapDoes()
{
    ValueField share;
    share.scale = FieldScale::Share;
    QCOMPARE(ticksOf(share, 5), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
    QCOMPARE(ticksOf(share, 3), (std::vector<double>{0, 0.5, 1}));
    QCOMPARE(ticksOf(share, 2), (std::vector<double>{0, 1}));
    ValueField amount;
    for (const double high : {1.0, 2.0, 5.0, 20.0, 50.0, 0.01, 3.7, 1e6})
        for (const std::size_t most : {2u, 3u, 4u, 5u, 6u}) {
            amount.high = high;
            const auto ticks = ticksOf(amount, most);
            QVERIFY(ticks.size() >= 2 && ticks.size() <= most);
            QCOMPARE(ticks.front(), 0.0);
            QCOMPARE(ticks.back(), high);
            QVERIFY(std::is_sorted(ticks.begin(), ticks.end()));
        }
}

void ValuesTest::valuesAreSaidWithTheirUnit()
{
    ValueField f;
    f.unit = "kW";
    QCOMPARE(words(valueText(f, 32.64f)), "32.6 kW");
    QCOMPARE(words(valueText(f, 5)), "5 kW");
    f.scale = FieldScale::Share;
    f.unit = "%";
    QCOMPARE(words(valueText(f, 0.834f)), "83 %");
    QCOMPARE(mapPlace(f, 0.5f), 0.5);
    QCOMPARE(mapPlace(f, 7), 1.0);
    QCOMPARE(mapPlace(f, -7), 0.0);
}

void ValuesTest::rangesAreRoundedUp()
{
    QCOMPARE(roundUp(0), 1.0);
    QCOMPARE(roundUp(-3), 1.0);
    QCOMPARE(roundUp(1), 1.0);
    QCOMPARE(roundUp(1.01), 2.0);
    QCOMPARE(roundUp(23), 50.0);
    QCOMPARE(roundUp(51), 100.0);
    QCOMPARE(roundUp(0.003), 0.005);
}

void ValuesTest::namesAreOneListForAllViews()
{
    std::set<std::string_view> names;
    for (const Overlay& overlay : allOverlays()) {
        QVERIFY2(names.insert(overlay.name).second, overlay.name.data());
        QCOMPARE(findOverlay(overlay.name), &overlay);
        QVERIFY(overlay.make || !overlay.in(OverlayView::Plan)); // only the fabric makes its own
        if (overlay.name != "tray-fill") QCOMPARE(overlay.in(OverlayView::Plan), overlay.in(OverlayView::Twin));
    }
    for (const char* name : {"kind", "power", "findings", "load", "draw", "heat"})
        for (const OverlayView view : {OverlayView::Plan, OverlayView::Twin, OverlayView::Rack}) QVERIFY(findOverlay(name)->in(view));
    QVERIFY(!findOverlay("smell"));
    QCOMPARE(
        overlayNames(OverlayView::Fabric),
        std::string("power, load, findings, draw, heat, coolant, finding-count, spare-ports, stage, phase, plane, rail, network, oversubscription"));
}

/// A value of each switch can be looked at where switches are looked at.
void ValuesTest::whatSwitchesHaveIsSeenInTheFabric()
{
    std::set<std::string_view> seen;
    for (const Overlay& overlay : allOverlays()) {
        if (!overlay.make || overlay.needs != OverlayNeeds::Nothing || overlay.name == "kind") continue; // its columns are the kinds
        const OverlayValues values = makeOverlay(overlay, {*m_figures});
        const ValueField* devices = values.of(EntityKind::Device);
        bool any = false;
        if (devices)
            m_design.s.devices.forEach([&](DeviceId id) {
                any = any || (m_design.s.tiers.kind[m_design.s.devices.tier[id]] == TierKind::Switch && known(devices->at(id.value)));
            });
        if (any) seen.insert(overlay.name);
        if (any) QVERIFY2(overlay.in(OverlayView::Fabric), std::string(overlay.name).c_str());
    }
    for (const char* name : {"draw", "spare-ports", "stage"}) QVERIFY2(seen.contains(name), name);
}

void ValuesTest::powerFollowsTheBasisOfTheProject()
{
    for (const PowerBasis basis : {PowerBasis::Typical, PowerBasis::Design, PowerBasis::Nameplate}) {
        SmallDesign design;
        design.s.putSetting("site.power_basis", std::string(powerBasisName(basis)));
        const auto figures = design.figures();
        const auto values = makeOverlay(*findOverlay("power"), {*figures});
        const auto* racks = values.of(EntityKind::Rack);
        QVERIFY(words(racks->source).find(powerBasisName(basis)) != std::string::npos);
        for (const RackId id : design.racks) {
            const auto limit = rackPowerLimit(*figures->snapshot, *figures->parts, id);
            QVERIFY(limit.count() > 0);
            QCOMPARE(racks->at(id.value), float(double(figures->power->rack(id).at(basis).count()) / double(limit.count())));
        }
        // What the devices take of the limit is what the rack takes.
        const auto* devices = values.of(EntityKind::Device);
        float sum = 0;
        for (const DeviceId host : design.hosts) sum += devices->at(host.value);
        QVERIFY(std::abs(sum - racks->at(design.racks[0].value)) < 1e-5f);
    }
}

void ValuesTest::limitOfTheRackWinsOverItsType()
{
    SmallDesign design;
    const float before = makeOverlay(*findOverlay("power"), {*design.figures()}).of(EntityKind::Rack)->at(design.racks[0].value);
    const auto figures = design.figures();
    const auto limit = rackPowerLimit(*figures->snapshot, *figures->parts, design.racks[0]);
    design.s.racks.powerLimit.set(design.racks[0], Milliwatts(limit.count() / 2));
    const float after = makeOverlay(*findOverlay("power"), {*design.figures()}).of(EntityKind::Rack)->at(design.racks[0].value);
    QVERIFY(std::abs(after - 2 * before) < 1e-4f * before);
}

void ValuesTest::heatIsAllThePower()
{
    const auto draw = make("draw"), air = make("heat"), liquid = make("coolant");
    for (int i = 0; i < 3; ++i) {
        QVERIFY(rack(draw, i) > 0);
        QVERIFY(std::abs(rack(air, i) + rack(liquid, i) - rack(draw, i)) < 1e-4f);
        QCOMPARE(rack(draw, i), float(toWatts(m_figures->power->rack(m_design.racks[std::size_t(i)]).at(PowerBasis::Design)) / 1000));
        QVERIFY(double(rack(draw, i)) <= draw.of(EntityKind::Rack)->high);
    }
}

void ValuesTest::kindsAreThoseOfTheDrawings()
{
    const auto values = make("kind");
    const auto kinds = RackKinds::of(m_design.s).ofRack;
    for (int i = 0; i < 3; ++i) QCOMPARE(rack(values, i), float(kinds[m_design.racks[std::size_t(i)].value]));
    QCOMPARE(values.of(EntityKind::Rack)->categories.size(), kRackKinds);
    QVERIFY(valueText(*values.of(EntityKind::Rack), rack(values, 0)) == Text(rackKindText(RackKind::Server)));
}

void ValuesTest::findingsRaiseTheirRacksAndDevices()
{
    CheckResult check;
    const auto say = [&](Severity severity, std::vector<EntityRef> entities, bool waived = false) {
        Finding finding;
        finding.severity = severity;
        finding.entities = std::move(entities);
        finding.waived = waived;
        check.findings.push_back(finding);
    };
    say(Severity::Info, {ref(m_design.racks[0])});
    say(Severity::Warning, {ref(m_design.hosts[0]), ref(m_design.hosts[1])}); // one finding, both in rack 1
    say(Severity::Error, {ref(m_design.racks[1])}, true);                     // waived
    say(Severity::Error, {ref(m_design.rows[0])});                            // names no rack
    const auto gravest = make("findings", &check), counts = make("finding-count", &check);
    QCOMPARE(rack(gravest, 0), 1.0f);
    QVERIFY(!known(rack(gravest, 1)));
    QVERIFY(!known(rack(gravest, 2)));
    QCOMPARE(rack(counts, 0), 2.0f);
    QVERIFY(!known(rack(counts, 1)));
    QCOMPARE(gravest.of(EntityKind::Device)->at(m_design.hosts[1].value), 1.0f);
    QVERIFY(!known(gravest.of(EntityKind::Device)->at(m_design.aggs[0].value)));
    QCOMPARE(gravest.of(EntityKind::Rack)->categories[1].tone, Tone::Warning);
}

void ValuesTest::loadsAreThoseOfTheBusiestLink()
{
    const std::size_t directed = 2 * std::size_t(m_design.s.links.nextId());
    std::vector<float> load(directed, 0), rate(directed, 200);
    const LinkId access = m_design.access[0][0][0], uplink = m_design.uplinks[0][0];
    load[2 * access.value] = 50;
    load[2 * uplink.value] = 20;
    load[2 * uplink.value + 1] = 150; // the busier direction counts
    LinkLoads loads{load, rate, "a test", true, 2.5};
    const auto values = make("load", nullptr, loads);
    const auto* links = values.of(EntityKind::Link);
    QCOMPARE(links->at(access.value), 0.25f);
    QCOMPARE(links->at(uplink.value), 0.75f);
    QCOMPARE(rack(values, 0), 0.25f); // hosts
    QCOMPARE(rack(values, 1), 0.75f); // ToRs: both links
    QCOMPARE(rack(values, 2), 0.75f); // aggregation
    QCOMPARE(values.of(EntityKind::Device)->at(m_design.tors[0][0].value), 0.75f);
    QCOMPARE(values.of(EntityKind::Device)->at(m_design.hosts[1].value), 0.0f);
    QCOMPARE(words(links->source), "a test");
    QVERIFY(links->stale);
    QCOMPARE(links->timeS.value_or(0), 2.5);
}

void ValuesTest::deadLinksSayNothing()
{
    const std::size_t directed = 2 * std::size_t(m_design.s.links.nextId());
    std::vector<float> load(directed, 0), rate(directed, 0);
    auto values = make("load", nullptr, {load, rate, {}});
    for (const float value : values.of(EntityKind::Link)->values) QVERIFY(!known(value));
    for (const float value : values.of(EntityKind::Rack)->values) QVERIFY(!known(value));
    // A result of an earlier state may know fewer links than the design has.
    const std::vector<float> few(2, 100);
    values = make("load", nullptr, {few, few, {}});
    QCOMPARE(values.of(EntityKind::Link)->values.size(), std::size_t(m_design.s.links.nextId()));
    QCOMPARE(histogramOf(*values.of(EntityKind::Link)).known, 1u);
}

void ValuesTest::whatIsMissingGivesNoFields()
{
    QVERIFY(make("findings").fields.empty());
    QVERIFY(make("load").fields.empty());
    QVERIFY(make("plane").fields.empty());
    QVERIFY(!make("load").of(EntityKind::Rack));
}

QTEST_GUILESS_MAIN(ValuesTest)
#include "values_test.moc"
