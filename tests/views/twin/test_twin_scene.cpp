// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/values/place_fields.h"
#include "tests/views/twin/sample_hall.h"
#include "views/style/value_colors.h"
#include "views/twin/scene/build.h"
#include "views/twin/scene/picking.h"

#include <QTest>

using namespace hw;
using namespace hw::views;
using namespace hw::views::twin;

/// The scene without OpenGL: cameras, facts, meshes, picking.
class TwinSceneTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void rayMeetsBox();
    void projectionAndRayAgree();
    void fitShowsTheWholeBox_data();
    void fitShowsTheWholeBox();
    void orbitKeepsThePivotInPlace();
    void zoomKeepsThePointUnderTheCursor();
    void neverBelowTheFloor();
    void rackKindsOfThePod();
    void bundlesGrowWithTheirCables();
    void everyCablePathJoinsItsRacks();
    void updateEqualsAnew();
    void loadsOfSectionsAreMeans();
    void picksEveryRackFromAbove();
    void picksDevicesFromTheFront();
    void colorsAreOrdered();
    void otherColorsEqualOtherMeshes();
    void containedAislesArePanels();
    void linesTakeOtherColors();
    void valuesColorTheRacks();
    void valuesColorTheEquipment();
    void roundColumns();
    void tapsHangUnderBusways();

private:
    FiguresPtr m_figures;
    FactsPtr m_facts;
};

namespace {

void compareColors(const std::vector<Mesh>& recolored, const std::vector<Mesh>& built)
{
    QCOMPARE(recolored.size(), built.size());
    for (std::size_t i = 0; i < built.size(); ++i) {
        QCOMPARE(recolored[i].tints.size(), built[i].quads());
        QVERIFY(recolored[i] == built[i]);
    }
}

} // namespace

void TwinSceneTest::initTestCase()
{
    m_figures = test::figuresOf(test::hpnDesign(1, 3));
    m_facts = SceneFacts::of(*m_figures);
}

void TwinSceneTest::rayMeetsBox()
{
    const Aabb box{{1, -1, -1}, {3, 1, 1}};
    QCOMPARE(hit({{0, 0, 0}, {1, 0, 0}}, box).value_or(-1), 1.0f);
    QVERIFY(!hit({{0, 0, 0}, {-1, 0, 0}}, box));
    QVERIFY(!hit({{0, 2, 0}, {1, 0, 0}}, box));
    QCOMPARE(hit({{2, 0, 0}, {1, 0, 0}}, box).value_or(-1), 0.0f); // starts inside
}

void TwinSceneTest::projectionAndRayAgree()
{
    const CameraFrame frame = CameraFrame::of({35, 40, 50, {3, 4, 1}}, 800, 500);
    const Vec3 point{8, -2, 2};
    const auto seen = frame.project(point);
    QVERIFY(seen);
    const Ray ray = frame.ray(seen->x, seen->y);
    QVERIFY(length(cross(ray.direction, normalized(point - ray.origin))) < 1e-4f);
    QVERIFY(!frame.project(frame.eye - frame.forward)); // behind the camera
}

void TwinSceneTest::fitShowsTheWholeBox_data()
{
    QTest::addColumn<double>("azimuth");
    QTest::addColumn<double>("elevation");
    QTest::newRow("home") << -28.0 << 34.0;
    QTest::newRow("top") << 0.0 << 90.0;
    QTest::newRow("front") << 0.0 << 14.0;
    QTest::newRow("from the east") << 90.0 << 20.0;
}

void TwinSceneTest::fitShowsTheWholeBox()
{
    QFETCH(double, azimuth);
    QFETCH(double, elevation);
    const Aabb box{{0, 0, 0}, {120, 20, 4.5f}};
    const CameraFrame frame = CameraFrame::of(fit(box, azimuth, elevation, 1.6f), 800, 500);
    float widest = 0;
    for (int i = 0; i < 8; ++i) {
        const auto p = frame.project({i & 1 ? box.high[0] : box.low[0], i & 2 ? box.high[1] : box.low[1], i & 4 ? box.high[2] : box.low[2]});
        QVERIFY(p);
        QVERIFY(p->x > 0 && p->x < 800 && p->y > 0 && p->y < 500);
        widest = std::max({widest, std::abs(p->x - 400) / 400, std::abs(p->y - 250) / 250});
    }
    QVERIFY2(widest > 0.8f, "the box fills the picture");
}

void TwinSceneTest::orbitKeepsThePivotInPlace()
{
    const TwinCamera camera{20, 30, 40, {10, 5, 0}};
    const Vec3 pivot{14, 8, 1};
    const auto before = CameraFrame::of(camera, 800, 500).project(pivot),
               after = CameraFrame::of(orbited(camera, pivot, 25, 10), 800, 500).project(pivot);
    QVERIFY(before && after);
    QVERIFY(std::hypot(before->x - after->x, before->y - after->y) < 0.05f);
}

void TwinSceneTest::zoomKeepsThePointUnderTheCursor()
{
    const TwinCamera camera{20, 30, 40, {10, 5, 0}};
    const Vec3 point{14, 8, 1};
    const auto before = CameraFrame::of(camera, 800, 500).project(point),
               after = CameraFrame::of(zoomed(camera, point, 0.5), 800, 500).project(point);
    QVERIFY(before && after);
    QVERIFY(std::hypot(before->x - after->x, before->y - after->y) < 0.05f);
    QVERIFY(std::abs(after->depth * 2 - before->depth) < 0.01f);
}

void TwinSceneTest::neverBelowTheFloor()
{
    TwinCamera camera{0, 20, 10, {0, 0, 1}};
    for (int i = 0; i < 20; ++i) camera = orbited(camera, {0, 0, 0}, 7, -9);
    QVERIFY(CameraFrame::of(camera, 1, 1).eye[2] > 0.3f);
    camera = moved(camera, {0, 0, -50});
    QVERIFY(CameraFrame::of(camera, 1, 1).eye[2] > 0.3f);
}

void TwinSceneTest::rackKindsOfThePod()
{
    std::array<int, kRackKinds> kinds{};
    for (const auto& rack : m_facts->racks())
        if (rack.alive) ++kinds[std::size_t(rack.kind)];
    QCOMPARE(kinds[std::size_t(RackKind::Server)] + kinds[std::size_t(RackKind::Backup)], 3 * 34);
    QCOMPARE(kinds[std::size_t(RackKind::Access)], 3 * 2);
    QVERIFY(kinds[std::size_t(RackKind::Fabric)] >= 16);
}

void TwinSceneTest::bundlesGrowWithTheirCables()
{
    QVERIFY(buildBundles(*m_figures, *m_facts, {}).shown > 0);
    std::uint32_t most = 0, all = 0;
    for (std::uint32_t i = 0; i < m_facts->sections().size(); ++i)
        for (const auto n : m_facts->cablesOfSection(i)) most = std::max(most, n), all += n;
    QVERIFY(most > 100 && all > most);
    // A network that is hidden takes its bundles along.
    const auto hidden = buildBundles(*m_figures, *m_facts, {nullptr, std::vector<bool>(m_facts->networks(), true), false});
    QCOMPARE(hidden.shown, std::size_t(0));
}

void TwinSceneTest::everyCablePathJoinsItsRacks()
{
    const Snapshot& s = *m_figures->snapshot;
    int checked = 0;
    s.cables.forEach([&](CableId id) {
        if (id.value % 97) return;
        const auto path = cablePath(*m_figures, *m_facts, id);
        const LinkId link = m_figures->cabling->linksOf(id).front();
        const auto boxOf = [&](PortId port) {
            const auto rack = s.devices.rack[s.ports.device[port]];
            if (rack) return m_facts->racks()[(*rack).value].box.grown(0.15f);
            return toMeters(m_figures->placement->device(s, *m_figures->parts, s.ports.device[port])).grown(0.15f);
        };
        const auto inside = [](const Aabb& b, Vec3 p) {
            for (int i = 0; i < 3; ++i)
                if (p[i] < b.low[i] || p[i] > b.high[i]) return false;
            return true;
        };
        QVERIFY(path.size() >= 4);
        QVERIFY(inside(boxOf(s.links.from[link]), path.front()));
        QVERIFY(inside(boxOf(s.links.to[link]), path.back()));
        ++checked;
    });
    QVERIFY(checked > 20);
}

void TwinSceneTest::updateEqualsAnew()
{
    Document document(m_figures->snapshot);
    const auto moved = test::moveRow(document, m_figures, RowId(2), 600, -1200);
    const auto updated = SceneFacts::update(*m_facts, *moved.figures, *moved.changes), anew = SceneFacts::of(*moved.figures);
    const Palette& palette = Palette::of(false);
    QVERIFY(buildRacks(*moved.figures, *updated, palette) == buildRacks(*moved.figures, *anew, palette));
    QVERIFY(buildRacks(*moved.figures, *updated, palette) != buildRacks(*m_figures, *m_facts, palette));
    QVERIFY(buildBundles(*moved.figures, *updated, {}).inTrays == buildBundles(*moved.figures, *anew, {}).inTrays);
}

void TwinSceneTest::loadsOfSectionsAreMeans()
{
    auto result = std::make_shared<sim::FlowResult>();
    const std::size_t directed = 2 * std::size_t(m_figures->snapshot->links.nextId());
    result->capacityGbps.assign(directed, 200);
    result->loadGbps.assign(directed, 0);
    for (std::size_t i = 0; i < directed; i += 2) result->loadGbps[i] = 150, result->loadGbps[i + 1] = 20;
    const SceneLoads loads = SceneLoads::of(result, *m_figures, *m_facts);
    for (std::uint32_t i = 0; i < m_facts->sections().size(); ++i) {
        const auto counts = m_facts->cablesOfSection(i);
        const bool used = std::any_of(counts.begin(), counts.end(), [](auto n) { return n > 0; });
        QCOMPARE(loads.section[i], used ? 0.75f : -1.0f); // the busier direction, the same in all links
    }
    QCOMPARE(loads.highest, 0.75f);
}

void TwinSceneTest::picksEveryRackFromAbove()
{
    const CameraFrame frame = CameraFrame::of(fit(m_facts->bounds(), 0, 90, 1.6f), 1600, 1000);
    PickOptions options;
    options.sections = false;
    for (std::uint32_t i = 0; i < m_facts->racks().size(); ++i) {
        const auto& rack = m_facts->racks()[i];
        if (!rack.alive) continue;
        const Vec3 c = rack.box.center();
        const auto at = frame.project({c[0], c[1], rack.box.high[2]});
        QVERIFY(at);
        QCOMPARE(pickAt(*m_figures, *m_facts, frame, at->x, at->y, options).entity, ref(RackId(i)));
    }
}

void TwinSceneTest::picksDevicesFromTheFront()
{
    int tried = 0;
    for (std::uint32_t i = 0; i < m_facts->racks().size() && tried < 12; i += 7) {
        const auto& rack = m_facts->racks()[i];
        if (!rack.alive) continue;
        const FaceFrame front = frontOf(rack);
        const TwinCamera camera{double(rack.facing) + 90, 4, 1.6, {front.at(0.3f, 1.1f)[0], front.at(0.3f, 1.1f)[1], 1.1}};
        const CameraFrame frame = CameraFrame::of(camera, 800, 500);
        for (const DeviceId id : m_facts->devicesOf(RackId(i))) {
            if (isZeroU(*m_figures, id)) continue; // hangs at the rear
            const Aabb box = toMeters(m_figures->placement->device(*m_figures->snapshot, *m_figures->parts, id));
            const auto at = frame.project(front.at(front.width / 2, (box.low[2] + box.high[2]) / 2));
            QVERIFY(at);
            if (at->y < 0 || at->y > 500) continue;
            QCOMPARE(pickAt(*m_figures, *m_facts, frame, at->x, at->y, {}).entity, ref(id));
            ++tried;
        }
    }
    QVERIFY(tried > 5);
}

/// Every strip's way of power hangs under its busway over its rack, answers to the mouse and is marked.
void TwinSceneTest::tapsHangUnderBusways()
{
    const Snapshot& s = *m_figures->snapshot;
    std::size_t expected = 0, found = 0;
    int picked = 0;
    s.links.forEach([&](LinkId id) {
        const DeviceId high = s.ports.device[s.links.to[id]], low = s.ports.device[s.links.from[id]];
        expected +=
            s.devices.row[high] && s.devices.rack[low] && m_figures->parts->device(s.devices.type[high]).power.element == PowerElement::Busway;
    });
    for (std::uint32_t i = 0; i < m_facts->racks().size(); ++i) {
        const auto taps = m_facts->tapsOf(RackId(i));
        found += taps.size();
        for (const auto& tap : taps) {
            const Aabb box = tapBox(*m_figures, tap), bus = toMeters(m_figures->placement->device(s, *m_figures->parts, tap.busway));
            QCOMPARE(box.high[2], bus.low[2]);
            const Vec3 middle = box.center();
            for (int axis = 0; axis < 2; ++axis) QVERIFY(middle[axis] >= bus.low[axis] && middle[axis] <= bus.high[axis]);
            QVERIFY(buildHighlight(*m_figures, *m_facts, ref(tap.link), Palette::of(true).selection).lines.lines() > 0);
        }
        if (taps.empty() || i % 5 != 0) continue;
        const Vec3 at = tapBox(*m_figures, taps.front()).center();
        const TwinCamera camera{double(m_facts->racks()[i].facing) + 90, 4, 1.2, {at[0], at[1], at[2]}};
        const CameraFrame frame = CameraFrame::of(camera, 800, 500);
        const auto seen = frame.project(at);
        QVERIFY(seen);
        const EntityRef hit = pickAt(*m_figures, *m_facts, frame, seen->x, seen->y, {}).entity;
        picked += std::ranges::any_of(taps, [&](const auto& tap) { return ref(tap.link) == hit; });
    }
    QVERIFY(expected > 100);
    QCOMPARE(found, expected);
    QVERIFY2(picked > 5, qPrintable(QString::number(picked)));
}

void TwinSceneTest::colorsAreOrdered()
{
    const auto lightness = [](Rgba c) { return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b; };
    for (const bool dark : {true, false}) // one direction without a turn, the same in both themes: readable without telling hues apart
        for (int i = 1; i < 20; ++i) QVERIFY(lightness(utilizationColor((i + 1) / 20.0, dark)) > lightness(utilizationColor(i / 20.0, dark)));
    for (const bool dark : {true, false}) // what carries nothing is gray
        QCOMPARE(utilizationColor(0, dark), shade(Palette::of(dark).tray, 0.9f));
}

/// Colors put into meshes that are there are bit for bit those of meshes made with them.
void TwinSceneTest::otherColorsEqualOtherMeshes()
{
    for (const bool dark : {false, true}) {
        const Palette& palette = Palette::of(dark);
        std::vector<Rgba> given;
        for (std::uint32_t i = 0; i < m_facts->racks().size(); ++i) given.push_back(rgb((i * 2654435761u) >> 8));
        const auto byKind = buildRacks(*m_figures, *m_facts, palette), byValue = buildRacks(*m_figures, *m_facts, palette, &given);
        auto racks = byKind;
        for (Mesh& mesh : racks) QCOMPARE(mesh.recolor(rackColors(*m_facts, palette, &given)), mesh.quads() > 0);
        compareColors(racks, byValue);
        for (Mesh& mesh : racks) QVERIFY(!mesh.recolor(rackColors(*m_facts, palette, &given))); // nothing to do
        for (Mesh& mesh : racks) mesh.recolor(rackColors(*m_facts, palette));
        compareColors(racks, byKind);

        const SceneLoads first = SceneLoads::of(test::pretendedLoads(*m_figures->snapshot), *m_figures, *m_facts);
        const SceneLoads second = SceneLoads::of(test::pretendedLoads(*m_figures->snapshot, 1), *m_figures, *m_facts);
        const auto fills = trayFillFields(*m_figures);
        const CableLook plain{nullptr, {}, dark}, before{&first, {}, dark}, after{&second, {}, dark}, byTray{nullptr, {}, dark, &fills.front()};
        QVERIFY(sectionColors(*m_figures, *m_facts, byTray) != sectionColors(*m_figures, *m_facts, plain));
        auto bundles = buildBundles(*m_figures, *m_facts, before);
        for (const CableLook* look : {&after, &byTray, &plain, &before}) {
            const ThingColors colors{sectionColors(*m_figures, *m_facts, *look), {}};
            for (auto* meshes : {&bundles.inTrays, &bundles.drops})
                for (Mesh& mesh : *meshes) mesh.recolor(colors);
            const auto built = buildBundles(*m_figures, *m_facts, *look);
            compareColors(bundles.inTrays, built.inTrays);
            compareColors(bundles.drops, built.drops);
        }
    }
}

/// A row that closes its aisle has a roof and two doors, seen from both sides; nothing else changes.
void TwinSceneTest::containedAislesArePanels()
{
    auto open = std::make_shared<Snapshot>(*m_figures->snapshot);
    for (const RowId row : open->rows.ids()) open->rows.containment.set(row, Containment::None);
    auto changed = std::make_shared<Snapshot>(*open);
    changed->rows.containment.set(changed->rows.ids().front(), Containment::HotAisle);
    const auto openFigures = computeFigures(open).value(), figures = computeFigures(changed).value();
    const auto openFacts = SceneFacts::of(*openFigures), facts = SceneFacts::of(*figures);
    std::size_t before = 0, after = 0;
    for (std::size_t b = 0; b < facts->buildings().size(); ++b) {
        before += buildShell(*openFigures, *openFacts, b, Palette::of(false)).marks.quads();
        after += buildShell(*figures, *facts, b, Palette::of(false)).marks.quads();
    }
    QCOMPARE(after, before + 6);
}

void TwinSceneTest::linesTakeOtherColors()
{
    std::vector<CableId> cables;
    m_figures->snapshot->cables.forEach([&](CableId id) {
        if (id.value % 101 == 0) cables.push_back(id);
    });
    const SceneLoads loads = SceneLoads::of(test::pretendedLoads(*m_figures->snapshot), *m_figures, *m_facts);
    const CableLook plain{}, loaded{&loads, {}, false};
    LineMesh lines = buildCables(*m_figures, *m_facts, cables, plain);
    QVERIFY(lines.lines() > 10);
    QCOMPARE(lines.things.size(), lines.lines());
    std::vector<Rgba> colors;
    for (const std::uint32_t cable : lines.things) colors.push_back(colorOf(*m_figures, CableId(cable), loaded));
    QVERIFY(lines.recolor(colors));
    QVERIFY(lines == buildCables(*m_figures, *m_facts, cables, loaded));
    QVERIFY(!lines.recolor(colors));
}

void TwinSceneTest::valuesColorTheRacks()
{
    const auto count = m_facts->racks().size();
    QVERIFY(!valueColors(nullptr, count, 0, true));
    OverlayValues values{"power", {}};
    QCOMPARE(valueColors(&values, count, 0, true)->size(), count); // nothing is known: all the same gray
    QVERIFY(valueColors(&values, count, 0, true)->front() == valueColors(&values, count, 0, true)->back());
    values = makeOverlay(*findOverlay("power"), {*m_figures});
    const auto colors = *valueColors(&values, count, 0, true);
    const ValueField& field = *values.of(EntityKind::Rack);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < i && i < 40; ++j)
            if (field.values[i] == field.values[j]) QVERIFY(colors[i] == colors[j]);
}

/// Equipment on the floor and over rows has the colors of its values, as in the plan; what they say nothing of keeps its own.
void TwinSceneTest::valuesColorTheEquipment()
{
    const auto racks = m_facts->racks().size(), devices = std::size_t(m_figures->snapshot->devices.nextId());
    QVERIFY(!m_facts->freeDevices().empty());
    const DeviceId one = m_facts->freeDevices().front();
    ValueField field;
    field.entity = EntityKind::Device;
    field.ids = {one.value}, field.values = {1};
    const OverlayValues values{"power-worst", {field}};
    const auto given = valueColors(&values, racks, devices, false);
    QCOMPARE(given->size(), racks + devices);
    const ThingColors things = rackColors(*m_facts, Palette::of(false), given.get());
    QCOMPARE(things.body.size(), racks + m_facts->freeDevices().size());
    QVERIFY(things.body[racks] == rgb(views::valueRgb(field, 1, false)));
    for (std::size_t i = 1; i < m_facts->freeDevices().size(); ++i) QVERIFY(things.body[racks + i] == Palette::of(false).facility);
    auto meshes = buildRacks(*m_figures, *m_facts, Palette::of(false), nullptr); // repainted as built so
    const auto built = buildRacks(*m_figures, *m_facts, Palette::of(false), given.get());
    for (std::size_t m = 0; m < meshes.size(); ++m) {
        (void)meshes[m].recolor(things);
        QVERIFY(meshes[m] == built[m]);
    }
}

/// A column that has a middle and no length is round: as wide in every direction, half as far as its diameter.
void TwinSceneTest::roundColumns()
{
    Snapshot s(*m_figures->snapshot);
    const HallId hall = *s.halls.ids().begin();
    const StructureId id = s.structures.insert();
    s.structures.hall.set(id, hall), s.structures.kind.set(id, StructureKind::Column);
    for (auto* column : {&s.structures.x1, &s.structures.x2}) column->set(id, Millimeters(4'000));
    for (auto* column : {&s.structures.y1, &s.structures.y2}) column->set(id, Millimeters(2'000));
    s.structures.width.set(id, Millimeters(800));
    const auto figures = *computeFigures(std::make_shared<const Snapshot>(s));
    ShellMeshes shell;
    addStructures(shell, *figures, s.halls.building[hall], Palette::of(false));
    const StructureShape& shape = figures->placement->structure(id);
    const Box box = shape.box();
    QCOMPARE(box.high.x - box.low.x, 800);
    QCOMPARE(box.high.y - box.low.y, 800);
    const Vec3 middle = toMeters(shape.a);
    float least = 10, most = 0;
    for (std::size_t i = 0; i < shell.slab.positions.size(); i += 3) {
        const float away = std::hypot(shell.slab.positions[i] - middle[0], shell.slab.positions[i + 1] - middle[1]);
        most = std::max(most, away);
        if (away > 0.01f) least = std::min(least, away); // but for the middle of its top
    }
    QVERIFY(shell.slab.quads() >= 24);
    QVERIFY(std::abs(most - 0.4f) < 1e-4f && std::abs(least - 0.4f) < 1e-4f);
}

QTEST_GUILESS_MAIN(TwinSceneTest)
#include "test_twin_scene.moc"
