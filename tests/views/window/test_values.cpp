// SPDX-License-Identifier: GPL-3.0-or-later
// Values over the design: who makes them for the views, their colors and legends, and the frames of a time line.
#include "sample.h"

#include "core/derived/figures/rack_kind.h"
#include "simulation/fabric/hottest_links.h"
#include "views/models/project_tree_model.h"
#include "views/panels/list_view.h"
#include "views/simulation/frame_results.h"
#include "views/style/format.h"
#include "views/style/legend.h"
#include "views/style/load_map.h"
#include "views/style/value_colors.h"
#include "views/values/overlay_source.h"

#include <QAbstractItemModelTester>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include <set>

using namespace hw;
using namespace hw::views;

class TestValues : public QObject {
    Q_OBJECT

    test::Sample m_sample = test::makeSample();

    [[nodiscard]] FlowPtr flows(float share) const
    {
        auto result = std::make_shared<sim::FlowResult>();
        result->scenarioName = "half";
        result->capacityGbps.assign(2 * std::size_t(m_sample.snapshot->links.nextId()), 400);
        result->loadGbps.assign(result->capacityGbps.size(), 400 * share);
        return result;
    }
    [[nodiscard]] OverlayValues make(const char* name) const
    {
        const auto checked = check(*m_sample.figures).value();
        const auto half = flows(0.5f);
        return makeOverlay(*findOverlay(name), {*m_sample.figures, &checked, {half->loadGbps, half->capacityGbps, "half", true}});
    }

private slots:
    void initTestCase() { applyTheme(*qobject_cast<QApplication*>(QApplication::instance()), ThemeKind::Dark); }

    /// One source for a bridge; it makes what is chosen again when what that reads has changed.
    void sourceFollowsTheDesign()
    {
        DocumentBridge bridge;
        auto& source = OverlaySource::of(bridge);
        QCOMPARE(&OverlaySource::of(bridge), &source);
        QVERIFY(source.plain() && source.values()->fields.empty());
        bridge.load(m_sample.snapshot, m_sample.figures);
        const RackId rack = m_sample.snapshot->racks.ids().front();
        QVERIFY(known(source.values()->of(EntityKind::Rack)->at(rack.value)));
        QSignalSpy changed(&source, &OverlaySource::changed);
        source.choose("power");
        QCOMPARE(changed.count(), 1);
        source.choose("power");
        source.choose("no such overlay");
        source.choose("plane"); // only the fabric has it
        QCOMPARE(changed.count(), 1);
        QCOMPARE(source.name(), std::string("power"));
        const float design = source.values()->of(EntityKind::Rack)->at(rack.value);
        QVERIFY(bridge
                    .edit("Basis",
                          [](Transaction& t) -> Result<void> {
                              t->putSetting("site.power_basis", "nameplate");
                              return {};
                          })
                    .has_value());
        QTRY_VERIFY_WITH_TIMEOUT(source.values()->of(EntityKind::Rack)->at(rack.value) > design, 20000);
        QCOMPARE(source.textOf(ref(rack)),
                 text(valueText(*source.values()->of(EntityKind::Rack), source.values()->of(EntityKind::Rack)->at(rack.value))));
        QVERIFY(source.textOf(ref(m_sample.snapshot->rows.ids().front())).isEmpty());
    }

    /// Lists show an entity in the color that the other views show it in, and say its value; plain colors leave lists plain.
    void listsHaveTheColorsOfTheOverlay()
    {
        DocumentBridge bridge;
        bridge.load(m_sample.snapshot, m_sample.figures);
        ListView list(bridge, {"Place", "Row", "Note"}, "Racks");
        const RackId rack = m_sample.snapshot->racks.ids().front();
        const auto row = ref(m_sample.snapshot->rows.ids().front());
        list.cells()->setRows(
            {{.cells = {{.text = "a rack", .place = true}, {.text = "its row"}, {.text = "note"}}, .entity = ref(rack), .toolTip = "tip"},
             {.cells = {{.text = "a row", .place = true}, {}, {}}, .entity = row}});
        const auto at = [&](int line, int column, int role) { return list.cells()->index(line, column).data(role); };
        auto& source = OverlaySource::of(bridge);
        QVERIFY(source.plain() && !at(0, 0, Qt::DecorationRole).isValid());
        QCOMPARE(at(0, 0, Qt::ToolTipRole).toString(), QString("tip"));
        QSignalSpy told(list.cells(), &QAbstractItemModel::dataChanged);
        source.choose("power");
        QCOMPARE(told.count(), 1);
        const ValueField& field = *source.values()->of(EntityKind::Rack);
        QCOMPARE(at(0, 0, Qt::DecorationRole).value<QColor>().rgb() & 0xFFFFFFu, valueRgb(field, field.at(rack.value), theme().dark()));
        QVERIFY(at(0, 0, Qt::ToolTipRole).toString().endsWith(": " + source.textOf(ref(rack))));
        QVERIFY(!at(0, 1, Qt::DecorationRole).isValid()); // names something else
        QVERIFY(!at(1, 0, Qt::DecorationRole).isValid()); // the overlay says nothing of rows
        ListView later(bridge, {"Place"}, "Made later");
        later.cells()->setRows({{.cells = {{.text = "a rack", .place = true}}, .entity = ref(rack)}});
        QVERIFY(later.cells()->index(0, 0).data(Qt::DecorationRole).isValid());
        source.choose("kind");
        QVERIFY(!at(0, 0, Qt::DecorationRole).isValid());
    }

    void sourceSaysWhatItWaitsFor()
    {
        DocumentBridge bridge;
        bridge.load(m_sample.snapshot, m_sample.figures);
        auto& source = OverlaySource::of(bridge);
        source.choose("load");
        QVERIFY(!source.values()->of(EntityKind::Rack));
        QVERIFY(!overlayLegend(*source.values(), EntityKind::Rack, theme()).warning.isEmpty());
        bridge.setFlows(flows(0.25f), {"quarter", true, false});
        const ValueField* links = source.values()->of(EntityKind::Link);
        QVERIFY(links && links->stale);
        QCOMPARE(words(links->source), "quarter");
        QCOMPARE(links->at(m_sample.snapshot->links.ids().front().value), 0.25f);
        QVERIFY(!overlayLegend(*source.values(), EntityKind::Rack, theme()).warning.isEmpty()); // it is stale
        bridge.markFlows({"quarter", false, false});
        QVERIFY(overlayLegend(*source.values(), EntityKind::Rack, theme()).warning.isEmpty());
        bridge.setFlows(nullptr);
        QVERIFY(source.values()->fields.empty());
    }

    void colorsStandOnOneMap()
    {
        ValueField field;
        field.scale = FieldScale::Amount;
        field.high = 50;
        field.values = {0, 25, 50, 80, ValueField::kNone};
        for (const bool dark : {true, false}) {
            QCOMPARE(valueRgb(field, 25, dark), loadMapRgb(0.5, dark));
            QCOMPARE(valueRgb(field, 80, dark), loadMapRgb(1, dark));
            QCOMPARE(valueRgb(field, ValueField::kNone, dark), noValueRgb(dark));
            const auto colors = valueColors(field, 6, dark);
            QCOMPARE(colors.size(), std::size_t(6));
            QCOMPARE(colors[1], loadMapRgb(0.5, dark));
            QCOMPARE(colors[5], noValueRgb(dark)); // beyond what the field knows
            field.ids = {0, 1, 2, 3, 5};
            QCOMPARE(valueColors(field, 6, dark)[4], noValueRgb(dark));
            QCOMPARE(valueColors(field, 3, dark).size(), std::size_t(3));
            field.ids.clear();
        }
        field.low = -field.high; // a change: the same thing, as far up as down, and a gray in the middle
        for (const bool dark : {true, false}) {
            QCOMPARE(valueRgb(field, 0, dark), changeMapRgb(0.5, dark));
            QCOMPARE(valueRgb(field, 80, dark), changeMapRgb(1, dark));
            const QColor none = QColor::fromRgb(valueRgb(field, 0, dark)), less = QColor::fromRgb(valueRgb(field, -50, dark)),
                         more = QColor::fromRgb(valueRgb(field, 50, dark));
            QVERIFY(none.hsvSaturation() < 60 && less.hsvSaturation() > 120 && more.hsvSaturation() > 120);
            QVERIFY(less.blue() > less.red() && more.red() > more.blue());
        }
        const auto kinds = make("kind"), findings = make("findings");
        const ValueField& kind = *kinds.of(EntityKind::Rack);
        std::set<std::uint32_t> different;
        for (std::size_t i = 0; i < kRackKinds; ++i) different.insert(valueRgb(kind, float(i), true));
        QCOMPARE(different.size(), kRackKinds);
        QCOMPARE(valueRgb(*findings.of(EntityKind::Rack), 2, true), makeTheme(ThemeKind::Dark).error.rgb() & 0xFFFFFFu);
    }

    void legendStaysInItsRoom_data()
    {
        QTest::addColumn<QString>("overlay");
        for (const Overlay& overlay : allOverlays())
            if (overlay.make) QTest::newRow(std::string(overlay.name).c_str()) << QString::fromStdString(std::string(overlay.name));
    }
    /// Nothing is drawn outside, however small the room; in a large one everything is said.
    void legendStaysInItsRoom()
    {
        QFETCH(QString, overlay);
        const OverlayValues values = make(overlay.toStdString().c_str());
        const Legend legend = overlayLegend(values, EntityKind::Rack, theme());
        for (const QSize room : {QSize(900, 400), QSize(240, 160), QSize(160, 60), QSize(420, 34), QSize(120, 300), QSize(60, 20), QSize(5, 5)}) {
            QImage picture(room.width() + 40, room.height() + 40, QImage::Format_ARGB32_Premultiplied);
            picture.fill(Qt::transparent);
            QPainter painter(&picture);
            const QRectF place = paintLegend(painter, legend, theme(), scaledFont(0.85), QRectF(20, 20, room.width(), room.height()));
            painter.end();
            QVERIFY(place.width() <= room.width() && place.height() <= room.height());
            if (room.width() == 900) QVERIFY(!place.isEmpty());
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    if (qAlpha(picture.pixel(x, y)) > 0)
                        QVERIFY2(place.adjusted(-1, -1, 1, 1).contains(QPointF(x, y)), qPrintable(QString("%1 %2").arg(x).arg(y)));
        }
        const QSizeF all = LegendLayout(legend, scaledFont(0.85), {900, 400}).size(),
                     little = LegendLayout(legend, scaledFont(0.85), {900, 46}).size();
        QVERIFY(little.height() <= 46);
        QVERIFY(all.height() >= little.height());
    }

    void treeShowsValues()
    {
        ProjectTreeModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSnapshot(m_sample.snapshot, nullptr);
        const RackId rack = m_sample.snapshot->racks.ids().front();
        const QString plain = model.data(model.indexOf(ref(rack))).toString();
        const auto values = std::make_shared<const OverlayValues>(make("draw"));
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.setValues(values);
        QCOMPARE(changed.count(), 1);
        const ValueField& field = *values->of(EntityKind::Rack);
        QCOMPARE(model.data(model.indexOf(ref(rack))).toString(), plain + "  ·  " + text(valueText(field, field.at(rack.value))));
        QVERIFY(!model.data(model.indexOf(ref(m_sample.snapshot->rows.ids().front()))).toString().contains("kW"));
        model.setValues(nullptr);
        QCOMPARE(model.data(model.indexOf(ref(rack))).toString(), plain);
    }

    /// Flows are copied once and not for each frame; what somebody still looks at is never written again.
    void framesShareWhatStays()
    {
        auto whole = std::make_shared<sim::FlowResult>();
        whole->flows.resize(1000);
        whole->loadGbps.assign(8, 0);
        whole->flowLinks = {3, 3, 5};
        auto playback = std::make_shared<sim::Playback>();
        playback->capacityGbps.assign(8, 100);
        FrameResults frames;
        frames.reset(playback, whole, 7);
        std::shared_ptr<const sim::FlowResult> shown;
        for (int i = 0; i < 20; ++i) {
            std::vector<float> loads(8, 0);
            loads[3] = float(i), loads[5] = float(i);
            shown = frames.make({loads, {}, "a moment", true});
            QCOMPARE(shown->revision, std::uint64_t(7));
            QCOMPARE(shown->flows.size(), std::size_t(1000));
            QCOMPARE(shown->loadGbps, loads);
            QCOMPARE(shown->hottest.size(), std::size_t(i > 0 ? 2 : 0));
            if (i > 0) QCOMPARE(shown->hottest[0].directedLink, 3u); // as full as the other, with more flows
        }
        QCOMPARE(frames.copies(), std::size_t(2)); // the one that is shown, and the next
        const auto held = shown;
        const auto before = *held;
        const std::vector<std::uint32_t> dead{1, 2, 99};
        std::vector<std::shared_ptr<const sim::FlowResult>> all;
        for (int i = 0; i < 7; ++i) all.push_back(shown = frames.make({std::vector<float>(8, float(i)), dead, "dead", i % 2 == 0}));
        QCOMPARE(held->loadGbps, before.loadGbps);
        QCOMPARE(held->scenarioName, before.scenarioName);
        for (int i = 0; i < 7; ++i) {
            QCOMPARE(all[std::size_t(i)]->loadGbps, std::vector<float>(8, float(i)));
            QCOMPARE(all[std::size_t(i)]->capacityGbps[1], 0.0f);
            QCOMPARE(all[std::size_t(i)]->flows.empty(), i % 2 != 0);
        }
        all.clear();
        shown.reset();
        for (int i = 0; i < 5; ++i) QCOMPARE(frames.make({std::vector<float>(8, 1), {}, "whole again", true})->capacityGbps, playback->capacityGbps);
    }

    void hottestAreThoseOfAFullSort()
    {
        sim::FlowResult result;
        std::vector<std::uint32_t> flowsOver;
        for (std::uint32_t i = 0; i < 5000; ++i) {
            result.loadGbps.push_back(float((i * 2654435761u) >> 28)); // many are equal
            result.capacityGbps.push_back(i % 11 == 0 ? 0.0f : 20.0f);
            flowsOver.push_back((i * 40503u >> 7) % 4);
        }
        std::vector<std::uint32_t> order;
        for (std::uint32_t i = 0; i < 5000; ++i)
            if (result.loadGbps[i] > 0) order.push_back(i);
        std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::tuple(-result.utilization(i), -std::int64_t(flowsOver[i]), i); });
        for (const std::size_t most : {std::size_t(0), std::size_t(1), std::size_t(200), std::size_t(9000)}) {
            sim::rankHottest(result, most, {.flowsOver = flowsOver});
            QCOMPARE(result.hottest.size(), std::min(most, order.size()));
            for (std::size_t i = 0; i < result.hottest.size(); ++i) {
                QCOMPARE(result.hottest[i].directedLink, order[i]);
                QCOMPARE(result.hottest[i].utilization, result.utilization(order[i]));
                QCOMPARE(result.hottest[i].flows, flowsOver[order[i]]);
            }
        }
    }
};

QTEST_MAIN(TestValues)
#include "test_values.moc"
