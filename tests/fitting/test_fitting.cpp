// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/check.h"
#include "core/design/build/design_builder.h"
#include "core/design/edit/edits.h"
#include "core/design/fitting/fitting.h"
#include "core/design/template/template.h"
#include "core/foundation/model/places.h"
#include "core/foundation/model/setting_values.h"
#include "core/physics/site/room_shape.h"

#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

#include <QtTest>

using namespace hw;
using fitting::Fit;
using fitting::Limit;

namespace {

struct RoomSize {
    std::int32_t x = 120'000, y = 20'000;
    std::int32_t columnsEvery = 7'200; ///< in a line through the middle; 0: none
    double megawatts = 18;
};

/// A project with a hall and nothing in it.
SnapshotPtr emptyHall(const RoomSize& size)
{
    auto s = std::make_shared<Snapshot>();
    DesignBuilder build(*s);
    s->putSetting("project.name", "given");
    const SiteId site = build.site({.name = "site"});
    const BuildingId building = build.building(
        {.name = "house", .site = site, .sizeX = Millimeters(size.x + 2'000), .sizeY = Millimeters(size.y + 2'000), .sizeZ = Millimeters(7'000)});
    const HallId hall = build.hall({.name = "hall",
                                    .building = building,
                                    .x = Millimeters(1'000),
                                    .y = Millimeters(1'000),
                                    .sizeX = Millimeters(size.x),
                                    .sizeY = Millimeters(size.y),
                                    .sizeZ = Millimeters(4'500),
                                    .itLimit = watts(std::int64_t(size.megawatts * 1e6))});
    if (size.columnsEvery > 0)
        for (std::int32_t x = size.columnsEvery; x < size.x; x += size.columnsEvery)
            build.structure({.name = "column-" + std::to_string(x),
                             .hall = hall,
                             .kind = StructureKind::Column,
                             .x1 = Millimeters(x),
                             .y1 = Millimeters(size.y / 2),
                             .x2 = Millimeters(x),
                             .y2 = Millimeters(size.y / 2),
                             .width = Millimeters(600)});
    for (std::int32_t x = 3'000; x < size.x; x += 40'000) // a way out within reach of every place
        build.structure({.name = "door-" + std::to_string(x),
                         .hall = hall,
                         .kind = StructureKind::Door,
                         .x1 = Millimeters(x),
                         .y1 = Millimeters(0),
                         .x2 = Millimeters(x + 2'000),
                         .y2 = Millimeters(0),
                         .width = Millimeters(100)});
    return s;
}

/// Blocks of servers, one to a rack, under a leaf each, and two spines that all share: nothing that takes long to lay out.
constexpr const char* kBlocks = R"(
template: blocks
title: Blocks
parameters: {blocks: {default: 4, min: 1, max: 60}, servers: {default: 4, min: 1, max: 16}}
networks: {net: {kind: backend}}
tiers:
  server: {kind: server, level: 0, each: {block: blocks, host: servers}, name: "s{block}-{host}", type: hgx-h100-8gpu, ports: {host: {interfaces: nic, cages: 1, network: net}}}
  leaf: {network: net, level: 1, each: {block: blocks}, name: "l{block}", type: switch-51t-128x400g, ports: {down: {cages: 16}, up: {cages: 2}}}
  spine: {network: net, level: 2, each: {spine: 2}, name: "p{spine}", type: switch-51t-128x400g, ports: {down: {cages: 64}}}
links:
  access: {from: server.host, to: leaf.down}
  up: {from: leaf.up, to: spine.down, spread: true}
layout: {servers_per_rack: 1, feed: no, cdu: none}
)";

/// A hall of any shape, with columns and doors, and sometimes with a row that somebody put there; rules want one thing or another.
std::shared_ptr<Snapshot> anyHall(std::mt19937& random, const Catalog& catalog)
{
    const auto number = [&](int low, int high) { return low + int(random() % unsigned(high - low + 1)); };
    const std::int32_t x = 100 * number(90, 500), y = 100 * number(80, 260);
    auto s = std::make_shared<Snapshot>(*emptyHall({.x = x, .y = y, .columnsEvery = 0, .megawatts = number(0, 3) == 0 ? 0.4 : 0}));
    for (const StructureId door : s->structures.ids()) s->structures.erase(door);
    DesignBuilder build(*s);
    const HallId hall(0);
    const auto put = [&](StructureKind kind, std::int32_t x1, std::int32_t y1, std::int32_t x2, std::int32_t y2, std::int32_t width) {
        build.structure({.name = std::string(wordOf(kind)) + std::to_string(s->structures.size()),
                         .hall = hall,
                         .kind = kind,
                         .x1 = Millimeters(x1),
                         .y1 = Millimeters(y1),
                         .x2 = Millimeters(x2),
                         .y2 = Millimeters(y2),
                         .width = Millimeters(width)});
    };
    for (int n = number(0, 6); n > 0; --n) {
        const std::int32_t cx = number(500, x - 500), cy = number(500, y - 500), half = 50 * number(3, 8);
        put(StructureKind::Column, cx - half, cy, cx + half, cy, 2 * half);
    }
    for (int n = number(0, 3); n > 0; --n) {
        const std::int32_t wide = 100 * number(10, 20), at = number(0, (number(0, 1) ? x : y) - wide);
        if (at + wide <= y && number(0, 1))
            put(StructureKind::Door, number(0, 1) ? 0 : x, at, 0, at + wide, 100),
                s->structures.x2.set(StructureId(s->structures.nextId() - 1), s->structures.x1[StructureId(s->structures.nextId() - 1)]);
        else if (at + wide <= x)
            put(StructureKind::Door, at, 0, at + wide, 0, 100);
    }
    const int shape = number(0, 3);
    if (shape == 0) { // an L
        const std::int32_t cx = number(4'000, x - 1'000), cy = number(4'000, y - 1'000);
        build.corners(hall, std::vector<std::pair<std::int32_t, std::int32_t>>{{0, 0}, {x, 0}, {x, cy}, {cx, cy}, {cx, y}, {0, y}});
    } else if (shape == 1) { // turned, as large as the rectangle around it lets it be
        const double angle = number(1, 89) * M_PI / 180, share = 0.3 + 0.05 * number(0, 8), cx = x / 2.0, cy = y / 2.0;
        const double a = share * x / 2, b = share * y / 2;
        std::vector<std::pair<std::int32_t, std::int32_t>> corners;
        for (const auto& [u, v] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}})
            corners.emplace_back(std::clamp(std::int32_t(cx + u * a * std::cos(angle) - v * b * std::sin(angle)), 0, x),
                                 std::clamp(std::int32_t(cy + u * a * std::sin(angle) + v * b * std::cos(angle)), 0, y));
        build.corners(hall, corners);
    }
    if (number(0, 1)) s->putSetting("rule.s5.egress_mm", std::to_string(1000 * number(8, 30)));
    if (number(0, 3) == 0) s->putSetting("rule.s4.front_aisle_mm", std::to_string(100 * number(10, 18)));
    if (number(0, 3) == 0) s->putSetting("rule.s4.rear_advised_mm", std::to_string(100 * number(9, 14)));
    if (number(0, 3) == 0) s->putSetting("rule.s4.apart_mm", "600");
    if (number(0, 3) == 0) {
        const RowId row = build.row({.name = "mine",
                                     .hall = hall,
                                     .x = Millimeters(number(1'500, x - 1'500)),
                                     .y = Millimeters(number(1'500, y - 1'500)),
                                     .angle = std::int16_t(90 * number(0, 3))});
        for (int i = number(1, 5); i > 0; --i)
            build.rack({.name = "mine-" + std::to_string(i),
                        .row = row,
                        .type = build.partType(*catalog.find("rack-48u-600x1200")),
                        .along = Millimeters(600 * i)});
    }
    return s;
}

/// A hall as it is drawn, in mm: its outline, and what stands in it.
struct DrawnHall {
    struct Piece {
        StructureKind kind;
        double x1, y1, x2, y2, width;
    };
    std::vector<std::pair<double, double>> outline;
    std::vector<Piece> pieces;
    std::map<std::string, std::string> settings;

    template <class F>
    [[nodiscard]] DrawnHall moved(F&& to) const
    {
        DrawnHall out = *this;
        for (auto& [x, y] : out.outline) to(x, y);
        for (Piece& p : out.pieces) to(p.x1, p.y1), to(p.x2, p.y2);
        return out;
    }
    /// Counter-clockwise, about the origin.
    [[nodiscard]] DrawnHall turned(double degrees) const
    {
        const double c = std::cos(degrees * M_PI / 180), s = std::sin(degrees * M_PI / 180);
        return moved([&](double& x, double& y) { std::tie(x, y) = std::pair(c * x - s * y, s * x + c * y); });
    }
    /// With its low corner at the origin, to the mm.
    [[nodiscard]] std::shared_ptr<Snapshot> project() const
    {
        double lowX = INFINITY, lowY = INFINITY, highX = -INFINITY, highY = -INFINITY;
        for (const auto& [x, y] : outline) lowX = std::min(lowX, x), lowY = std::min(lowY, y), highX = std::max(highX, x), highY = std::max(highY, y);
        const auto mm = [](double v) { return Millimeters(std::int32_t(std::lround(v))); };
        auto s =
            std::make_shared<Snapshot>(*emptyHall({.x = mm(highX - lowX).count(), .y = mm(highY - lowY).count(), .columnsEvery = 0, .megawatts = 0}));
        for (const StructureId door : s->structures.ids()) s->structures.erase(door);
        DesignBuilder build(*s);
        const HallId hall(0);
        std::vector<std::pair<std::int32_t, std::int32_t>> corners;
        for (const auto& [x, y] : outline) corners.emplace_back(mm(x - lowX).count(), mm(y - lowY).count());
        build.corners(hall, corners);
        for (const Piece& p : pieces)
            build.structure({.name = std::string(wordOf(p.kind)) + std::to_string(s->structures.size()),
                             .hall = hall,
                             .kind = p.kind,
                             .x1 = mm(p.x1 - lowX),
                             .y1 = mm(p.y1 - lowY),
                             .x2 = mm(p.x2 - lowX),
                             .y2 = mm(p.y2 - lowY),
                             .width = mm(p.width)});
        for (const auto& [key, value] : settings) s->putSetting(key, value);
        return s;
    }
};

/// Places are no whole steps of racks and aisles: a mm more or less decides nothing.
DrawnHall anyDrawnHall(std::mt19937& random)
{
    const auto number = [&](int low, int high) { return low + int(random() % unsigned(high - low + 1)); };
    const double x = 100 * number(90, 400) + 53, y = 100 * number(80, 240) + 47;
    DrawnHall hall;
    if (number(0, 2) == 0) {
        const double cx = 100 * number(50, int(x / 100) - 20) + 31, cy = 100 * number(50, int(y / 100) - 20) + 29;
        hall.outline = {{0, 0}, {x, 0}, {x, cy}, {cx, cy}, {cx, y}, {0, y}};
    } else {
        hall.outline = {{0, 0}, {x, 0}, {x, y}, {0, y}};
    }
    for (int n = number(0, 5); n > 0; --n) {
        const double cx = 100 * number(6, int(x / 100) - 6) + 17, cy = 100 * number(6, int(y / 100) - 6) + 23, half = 50 * number(3, 8);
        hall.pieces.push_back({StructureKind::Column, cx - half, cy, cx + half, cy, 2 * half});
    }
    for (int n = number(0, 3); n > 0; --n) {
        const double wide = 100 * number(10, 20), at = 100 * number(0, int((x - wide) / 100) - 1) + 37;
        hall.pieces.push_back({StructureKind::Door, at, 0, at + wide, 0, 100});
    }
    if (number(0, 1)) hall.settings["rule.s5.egress_mm"] = std::to_string(1000 * number(8, 30) + 41);
    if (number(0, 3) == 0) hall.settings["rule.s4.front_aisle_mm"] = std::to_string(100 * number(10, 18));
    return hall;
}

} // namespace

/// Designs that are laid out into halls that are there.
class TestFitting : public QObject {
    Q_OBJECT

    Catalog m_catalog;
    std::vector<Template> m_templates;

    [[nodiscard]] const Template& design(const std::string& name) const { return *std::ranges::find(m_templates, name, &Template::name); }

    /// A document with a template's devices that are not placed.
    std::unique_ptr<Document> with(const RoomSize& size, const std::string& name, const ParameterValues& given) const
    {
        auto document = std::make_unique<Document>(emptyHall(size));
        auto t = document->begin("use");
        const auto values = design(name).complete(given);
        if (!values || !useTemplate(t, design(name), *values, m_catalog)) return nullptr;
        (void)t.commit();
        return document;
    }

    Result<Fit> layOut(Document& document, fitting::WhereNotAll whereNotAll = fitting::WhereNotAll::Refuse) const
    {
        auto t = document.begin("lay out");
        const auto hall = fitting::hallFor(*t, {});
        if (!hall) return tl::unexpected(hall.error());
        auto fit = fitting::layOut(*t, *hall, m_catalog, {}, whereNotAll);
        if (fit) (void)t.commit();
        return fit;
    }

    static std::size_t homeless(const Snapshot& s)
    {
        std::size_t count = 0;
        s.devices.forEach([&](DeviceId id) { count += !s.devices.rack[id] && !s.devices.row[id] && !s.devices.hall[id]; });
        return count;
    }

    static std::vector<std::string> errorsOf(const Snapshot& s)
    {
        const auto figures = computeFigures(std::make_shared<const Snapshot>(s));
        std::vector<std::string> errors;
        const auto result = check(**figures);
        for (const Finding& finding : result->findings)
            if (finding.severity == Severity::Error) errors.push_back(finding.rule + ": " + words(finding.message));
        return errors;
    }

    /// Active accelerators in racks.
    static std::int64_t housed(const Snapshot& s)
    {
        const auto parts = *ProjectParts::of(s.partTypes);
        std::int64_t count = 0;
        s.devices.forEach([&](DeviceId id) {
            if (s.devices.rack[id] && s.devices.role[id] != DeviceRole::Backup) count += parts->device(s.devices.type[id]).accelerators;
        });
        return count;
    }

    /// What rules of places find in a design and not in the one before.
    static std::string newFindings(const Snapshot& before, const Snapshot& after, std::vector<std::string> rules)
    {
        std::set<std::string> known;
        CheckOptions options;
        options.rules = std::move(rules);
        const auto figuresBefore = figuresOf(std::make_shared<const Snapshot>(before)),
                   figuresAfter = figuresOf(std::make_shared<const Snapshot>(after));
        const auto was = check(**figuresBefore, options), now = check(**figuresAfter, options);
        for (const Finding& finding : was->findings) known.insert(finding.id);
        for (const Finding& finding : now->findings)
            if (!known.contains(finding.id) && (finding.severity == Severity::Error || finding.rule == "K4"))
                return finding.rule + ": " + words(finding.message);
        return {};
    }
    static std::string brokenPlaces(const Snapshot& before, const Snapshot& after)
    {
        return newFindings(before, after, {"S1", "S2", "S3", "S4", "S5", "S8"});
    }

    static bool sameHall(const Snapshot& a, const Snapshot& b)
    {
        bool same = true;
        a.halls.forEach([&](HallId id) {
            same = same && b.halls.contains(id) && a.halls.name[id] == b.halls.name[id] && a.halls.sizeX[id] == b.halls.sizeX[id] &&
                   a.halls.sizeY[id] == b.halls.sizeY[id] && a.halls.sizeZ[id] == b.halls.sizeZ[id] && a.halls.x[id] == b.halls.x[id] &&
                   a.halls.y[id] == b.halls.y[id] && a.halls.itLimit[id] == b.halls.itLimit[id];
        });
        a.structures.forEach([&](StructureId id) {
            same = same && b.structures.contains(id) && a.structures.x1[id] == b.structures.x1[id] && a.structures.y2[id] == b.structures.y2[id];
        });
        return same;
    }

private slots:
    void initTestCase()
    {
        const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
        QVERIFY2(catalog, catalog ? "" : catalog.error().text().c_str());
        m_catalog = *catalog;
        const auto templates = loadTemplates(HW_RESOURCES "/templates");
        QVERIFY(templates);
        m_templates = *templates;
    }

    void aTemplateComesWithoutPlaces()
    {
        const auto loose = instantiateLoose(design("hpn"), *design("hpn").complete(ParameterValues{{"segments", 2}}), m_catalog);
        const auto whole = instantiate(design("hpn"), *design("hpn").complete(ParameterValues{{"segments", 2}}), m_catalog);
        QVERIFY(loose && whole);
        QVERIFY((*loose)->racks.size() == 0 && (*loose)->halls.size() == 0 && (*loose)->trays.size() == 0);
        const auto dataLinks = [](const Snapshot& s) { // but for those of plant that the room brings itself
            std::size_t count = 0;
            s.links.forEach([&](LinkId id) {
                const auto network = s.ports.network[s.links.from[id]];
                count += network && s.networks.kind[*network] != NetworkKind::Management;
            });
            return count;
        };
        QCOMPARE(dataLinks(**loose), dataLinks(**whole));
        std::size_t cables = 0;
        (*loose)->cables.forEach([&](CableId id) { cables += (*loose)->cables.medium[id] == Medium::Data; });
        QVERIFY(cables > 0);
        (*loose)->devices.forEach([&](DeviceId id) { QVERIFY((*loose)->tiers.kind[(*loose)->devices.tier[id]] != TierKind::Cooling); });
    }

    void aPodStandsBetweenColumns()
    {
        const auto document = with({}, "hpn", {{"segments", 12}});
        QVERIFY(document);
        const SnapshotPtr before = document->snapshot();
        const auto fit = layOut(*document);
        QVERIFY2(fit, fit ? "" : fit.error().text().c_str());
        QVERIFY2(fit->fits, words(fitting::fitText(*fit)).c_str());
        const Snapshot& s = *document->snapshot();
        QCOMPARE(fit->accelerators, std::int64_t(12'288));
        QCOMPARE(homeless(s), std::size_t(0));
        QVERIFY(sameHall(*before, s));
        const auto errors = errorsOf(s);
        QVERIFY2(errors.empty(), errors.empty() ? "" : errors.front().c_str());
        QVERIFY(fit->bound.count() > 0 && fit->bound <= fit->cost);
        QVERIFY(double(fit->cost.count()) < 1.25 * double(fit->bound.count()));
        // Every rack is in the room and in no column, by its own box.
        const auto figures = *computeFigures(document->snapshot());
        const Placement& placement = figures->get<PlacementNode>();
        s.racks.forEach([&](RackId id) {
            const Box box = placement.rack(id);
            QVERIFY(box.low.x >= 1'000 && box.low.y >= 1'000 && box.high.x <= 121'000 && box.high.y <= 21'000);
            s.structures.forEach([&](StructureId c) {
                if (s.structures.kind[c] != StructureKind::Column) return;
                const std::int32_t x = 1'000 + s.structures.x1[c].count(), y = 1'000 + s.structures.y1[c].count();
                QVERIFY(box.high.x <= x - 300 || box.low.x >= x + 300 || box.high.y <= y - 300 || box.low.y >= y + 300);
            });
        });
    }

    void itIsDeterministicAndOneStep()
    {
        const auto one = with({}, "hpn", {{"segments", 3}}), other = with({}, "hpn", {{"segments", 3}});
        const SnapshotPtr before = one->snapshot();
        QVERIFY(layOut(*one) && layOut(*other));
        const Snapshot &a = *one->snapshot(), &b = *other->snapshot();
        QCOMPARE(a.devices.size(), b.devices.size());
        a.devices.forEach([&](DeviceId id) {
            QCOMPARE(a.devices.name[id], b.devices.name[id]);
            QVERIFY(a.devices.rack[id] == b.devices.rack[id] && a.devices.u[id] == b.devices.u[id] && a.devices.x[id] == b.devices.x[id]);
        });
        a.racks.forEach([&](RackId id) { QVERIFY(a.racks.row[id] == b.racks.row[id] && a.racks.along[id] == b.racks.along[id]); });
        a.rows.forEach([&](RowId id) { QVERIFY(a.rows.x[id] == b.rows.x[id] && a.rows.y[id] == b.rows.y[id]); });
        QVERIFY(one->undo());
        QVERIFY(difference(*before, *one->snapshot(), {}).empty());
    }

    void whatDoesNotFitIsRefusedWithItsNumbers()
    {
        const auto document = with({.x = 60'000}, "hpn", {});
        const SnapshotPtr before = document->snapshot();
        const auto fit = layOut(*document);
        QVERIFY(fit);
        QVERIFY(!fit->fits);
        QVERIFY(difference(*before, *document->snapshot(), {}).empty());
        QVERIFY2(!fit->limits.empty() && fit->limits.front().binds, words(fitting::fitText(*fit)).c_str());
        QVERIFY(std::ranges::any_of(fit->limits, [](const Limit& l) { return l.kind == Limit::Kind::Space && l.binds && l.needed > l.available; }));
        QVERIFY(std::ranges::is_sorted(fit->limits, {}, [](const Limit& l) { return std::pair(!l.binds, l.accelerators); }));
        QCOMPARE(fit->most, fit->limits.front().accelerators);
        QVERIFY(fit->most > 0 && fit->most < 15'360);
    }

    /// Halls of any kind, and any number asked for: what is said to fit is laid out when it is asked for, and breaks no rule of places; what is
    /// refused is not said to fit.
    void numbersAreTrue()
    {
        const auto blocks = Template::parse(kBlocks, "blocks.yaml");
        QVERIFY2(blocks, blocks ? "" : blocks.error().text().c_str());
        std::mt19937 random(11);
        int refused = 0, some = 0, whole = 0;
        const auto use = [&](Document& document, std::int64_t count, std::int64_t servers) {
            auto t = document.begin("use");
            if (!useTemplate(t, *blocks, *blocks->complete(ParameterValues{{"blocks", count}, {"servers", servers}}), m_catalog))
                qFatal("no template");
            (void)t.commit();
        };
        for (int round = 0; round < 50; ++round) {
            const auto room = anyHall(random, m_catalog);
            const std::int64_t servers = 1 + random() % 10, count = 1 + random() % (round % 4 == 0 ? 6 : 40);
            Document document(room);
            use(document, count, servers);
            const SnapshotPtr before = document.snapshot();
            const auto told = [&](const std::string& what) { return "round " + std::to_string(round) + ": " + what; };
            const auto fit = layOut(document);
            if (!fit && fit.error().text().find("cannot be rotated") != std::string::npos) { // a row of somebody's stands in the way
                QVERIFY(room->rows.size() > 0 && fitting::askew(*room, HallId(0)) != 0);
                QVERIFY(difference(*before, *document.snapshot(), {}).empty());
                continue;
            }
            QVERIFY2(fit, told(fit ? "" : fit.error().text()).c_str());
            QCOMPARE(fit->accelerators, count * servers * 8);
            if (fit->fits) {
                ++whole;
                QCOMPARE(homeless(*document.snapshot()), std::size_t(0));
                QCOMPARE(fit->laidOut, fit->accelerators);
                const auto broken = brokenPlaces(*before, *document.snapshot());
                QVERIFY2(broken.empty(), told(broken).c_str());
                continue;
            }
            ++refused;
            QVERIFY(document.snapshot() == before || difference(*before, *document.snapshot(), {}).empty());
            QVERIFY2(fit->most < fit->accelerators, told(words(fitting::fitText(*fit))).c_str());
            QVERIFY(!fit->limits.empty() && fit->limits.front().binds && fit->limits.front().accelerators == fit->most);
            for (const Limit& limit : fit->limits) QVERIFY(!limit.binds || limit.needed > limit.available || limit.unit.empty());
            const auto largest = layOut(document, fitting::WhereNotAll::AsManyAsFit);
            QVERIFY(largest && !largest->fits);
            QCOMPARE(largest->most, fit->most);
            QCOMPARE(largest->laidOut, fit->most);
            QCOMPARE(housed(*document.snapshot()), fit->most);
            const auto broken = brokenPlaces(*before, *document.snapshot());
            QVERIFY2(broken.empty(), told(broken).c_str());
            if (fit->most < servers * 8) continue;
            ++some;
            Document smaller(room); // asked for in whole blocks
            use(smaller, fit->most / (servers * 8), servers);
            const auto asked = layOut(smaller);
            QVERIFY2(asked && asked->fits, told(std::to_string(fit->most) + " fit; " + words(fitting::fitText(*asked))).c_str());
        }
        QVERIFY2(refused > 12 && some > 5 && whole > 12,
                 qPrintable(QString("%1 %2 %3").arg(refused).arg(some).arg(whole))); // or the halls say nothing
    }

    /// A hall that is drawn askew, by any angle, takes what it takes when it is drawn along the axes, in rows along its walls.
    void turnedHallsTakeAsMuch()
    {
        const auto blocks = Template::parse(kBlocks, "blocks.yaml");
        QVERIFY2(blocks, blocks ? "" : blocks.error().text().c_str());
        std::mt19937 random(5);
        int refused = 0, whole = 0;
        for (int round = 0; round < 24; ++round) {
            const DrawnHall hall = anyDrawnHall(random);
            const double askew = (random() % 2 ? 1 : -1) * (0.1 + double(random() % 4'470) / 100);
            const int quarter = int(random() % 4);
            const std::int64_t servers = 1 + random() % 10, count = 1 + random() % (round % 4 == 0 ? 6 : 40);
            Document straight(hall.turned(90.0 * quarter).project()), turned(hall.turned(90.0 * quarter + askew).project());
            for (Document* document : {&straight, &turned}) {
                auto t = document->begin("use");
                QVERIFY(useTemplate(t, *blocks, *blocks->complete(ParameterValues{{"blocks", count}, {"servers", servers}}), m_catalog));
                (void)t.commit();
            }
            const SnapshotPtr before = turned.snapshot();
            const auto told = [&](const std::string& what) {
                return "round " + std::to_string(round) + ", " + std::to_string(askew) + " degrees: " + what;
            };
            const auto wanted = layOut(straight, fitting::WhereNotAll::AsManyAsFit), fit = layOut(turned, fitting::WhereNotAll::AsManyAsFit);
            QVERIFY2(wanted && fit, told(fit ? "" : fit.error().text()).c_str());
            QVERIFY2(fit->fits == wanted->fits && fit->most == wanted->most && fit->laidOut == wanted->laidOut,
                     told(std::to_string(fit->most) + " instead of " + std::to_string(wanted->most)).c_str());
            (fit->fits ? whole : refused)++;
            const Snapshot& s = *turned.snapshot();
            QCOMPARE(housed(s), fit->laidOut);
            if (fit->laidOut == 0) {
                QVERIFY(difference(*before, s, {}).empty());
                continue;
            }
            QVERIFY(fit->turned && std::abs(fit->turned->clockwise - askew) < 0.05);
            QVERIFY(std::abs(std::remainder(numberSetting(s, "site.plan_north_deg") + askew, 360)) < 0.05);
            const auto shape = site::RoomShape::of(s, HallId(0)), drawn = site::RoomShape::of(*straight.snapshot(), HallId(0));
            for (std::size_t i = 0; i < drawn.outline().size(); ++i) { // square, and of the lengths that were drawn
                QVERIFY2(std::abs(shape.outline()[i].x - drawn.outline()[i].x) <= 1, told("walls").c_str());
                QVERIFY2(std::abs(shape.outline()[i].y - drawn.outline()[i].y) <= 1, told("walls").c_str());
            }
            const auto broken = brokenPlaces(*straight.snapshot(), s);
            QVERIFY2(broken.empty(), told(broken).c_str());
            QVERIFY(turned.undo()); // one step
            QVERIFY(difference(*before, *turned.snapshot(), {}).empty());
        }
        QVERIFY2(refused > 5 && whole > 5, qPrintable(QString("%1 %2").arg(refused).arg(whole)));
    }

    /// What stands on the campus turns about one point: other rooms keep their place beside the hall, and what was put by hand stands along the
    /// walls. A room whose equipment would stand askew then is named.
    void theWholePlanTurns()
    {
        DrawnHall hall;
        hall.outline = {{0, 0}, {40'000, 0}, {40'000, 20'000}, {0, 20'000}};
        hall.pieces = {{StructureKind::KeepOut, 2'000, 15'000, 6'000, 15'000, 1'000}, {StructureKind::Door, 1'000, 0, 3'000, 0, 100}};
        const auto made = hall.turned(20).project();
        DesignBuilder build(*made);
        const HallId first(0);
        const BuildingId house = made->halls.building[first];
        const HallId store = build.hall({.name = "store",
                                         .building = house,
                                         .x = Millimeters(80'000),
                                         .y = Millimeters(5'000),
                                         .sizeX = Millimeters(10'000),
                                         .sizeY = Millimeters(6'000),
                                         .sizeZ = Millimeters(4'500),
                                         .kind = RoomKind::Store});
        made->putSetting("site.plan_north_deg", "5");
        const TrayId duct = build.tray({.name = "duct",
                                        .kind = TrayKind::Duct,
                                        .type = build.partType(*m_catalog.find("duct-campus")),
                                        .x1 = Millimeters(0),
                                        .y1 = Millimeters(0),
                                        .x2 = Millimeters(30'000),
                                        .y2 = Millimeters(0)});
        const UnderlayId underlay = made->underlays.insert();
        made->underlays.hall.set(underlay, first);
        made->underlays.lines.set(underlay, "0,0,1000,0;stray;0,0,0,1000");
        // A row in the middle of the hall, a little askew to its walls as rows along the axes are.
        const std::int32_t midX = made->halls.sizeX[first].count() / 2, midY = made->halls.sizeY[first].count() / 2;
        const RowId row = build.row({.name = "mine", .hall = first, .x = Millimeters(midX - 1'200), .y = Millimeters(midY - 600)});
        for (int i = 0; i < 4; ++i)
            build.rack({.name = "mine-" + std::to_string(i),
                        .row = row,
                        .type = build.partType(*m_catalog.find("rack-48u-600x1200")),
                        .along = Millimeters(600 * i)});
        Snapshot s(*made);
        const auto turned = fitting::turnToWalls(s, first, {});
        QVERIFY2(turned, turned ? "" : turned.error().text().c_str());
        QVERIFY(std::abs(turned->clockwise - 20) < 0.02);
        QCOMPARE(std::lround(turned->planNorth), 345l);
        QVERIFY2(
            words(turned->text).starts_with("the plan was rotated 20.0° clockwise so that rows run along the walls of hall; plan north is now 345"),
            words(turned->text).c_str());
        QCOMPARE(s.halls.sizeX[first].count(), 40'000);
        QCOMPARE(s.halls.sizeY[first].count(), 20'000);
        // Of the row the middle stays the middle, and the angle.
        QCOMPARE(s.rows.angle[row], std::int16_t(0));
        QVERIFY(std::abs(s.rows.x[row].count() + 1'200 - 20'000) <= 1 && std::abs(s.rows.y[row].count() + 600 - 10'000) <= 1);
        // The store lies askew now, as far from the hall as it was.
        const auto outline = site::RoomShape::of(s, store).outline();
        QCOMPARE(outline.size(), std::size_t(4));
        const auto far = [](const Snapshot& d, HallId a, HallId b) {
            const auto corner = [&](HallId id) {
                const auto p = site::RoomShape::of(d, id).outline()[0];
                const BuildingId at = d.halls.building[id];
                return std::pair(double(d.buildings.x[at].count() + d.halls.x[id].count() + p.x),
                                 double(d.buildings.y[at].count() + d.halls.y[id].count() + p.y));
            };
            return std::hypot(corner(a).first - corner(b).first, corner(a).second - corner(b).second);
        };
        QVERIFY(std::abs(far(*made, first, store) - far(s, first, store)) <= 2);
        const double length = std::hypot(s.trays.x2[duct].count() - s.trays.x1[duct].count(), s.trays.y2[duct].count() - s.trays.y1[duct].count());
        QVERIFY(std::abs(length - 30'000) <= 2 && s.trays.y2[duct] < s.trays.y1[duct]);
        QVERIFY2(s.underlays.lines[underlay].find(";stray;") != std::string::npos, s.underlays.lines[underlay].c_str());
        const auto keepOut = s.structures.ids().front();
        QCOMPARE(s.structures.y1[keepOut].count(), s.structures.y2[keepOut].count());
        QVERIFY(std::abs(s.structures.x2[keepOut].count() - s.structures.x1[keepOut].count() - 4'000) <= 1);

        // With equipment in the store the two directions exclude each other.
        Snapshot furnished(*made);
        DesignBuilder more(furnished);
        (void)more.row({.name = "shelf", .hall = store, .x = Millimeters(2'000), .y = Millimeters(2'000)});
        const auto refused = fitting::turnToWalls(furnished, first, {});
        QVERIFY(!refused && refused.error().where == "store");
        QVERIFY(refused.error().text().find("cannot be rotated") != std::string::npos);

        // A row by the wall would stand in it.
        Snapshot outside(*made);
        outside.rows.x.set(row, Millimeters(midX - 1'200)), outside.rows.y.set(row, Millimeters(midY - 600));
        const auto door = outside.structures.insert();
        outside.structures.name.set(door, "pillar"), outside.structures.hall.set(door, first);
        outside.structures.kind.set(door, StructureKind::Column);
        outside.structures.x1.set(door, Millimeters(midX + 1'000)), outside.structures.y1.set(door, Millimeters(midY + 900));
        outside.structures.x2.set(door, Millimeters(midX + 1'000)), outside.structures.y2.set(door, Millimeters(midY + 900));
        outside.structures.width.set(door, Millimeters(400));
        const auto blocked = fitting::turnToWalls(outside, first, {});
        QVERIFY2(!blocked && blocked.error().text().find("move or remove the object") != std::string::npos, blocked ? "turned" : "other");
    }

    /// Racks of 72 accelerators in a hall of 40 m × 20 m: aisles as narrow as the rules allow where wider ones do not take all.
    void aislesAsNarrowAsNeedBe()
    {
        auto document = with({.x = 40'000, .y = 20'000, .columnsEvery = 0, .megawatts = 0}, "nvl72", {{"segments", 16}});
        const SnapshotPtr before = document->snapshot();
        const auto fit = layOut(*document);
        QVERIFY2(fit && fit->fits, fit ? words(fitting::fitText(*fit)).c_str() : fit.error().text().c_str());
        QCOMPARE(fit->accelerators, std::int64_t(8'064));
        const auto broken = newFindings(*before, *document->snapshot(), {"S1", "S2", "S3", "S4", "S5", "S8", "K4"});
        QVERIFY2(broken.empty(), broken.c_str());
    }

    /// Ladders keep their distance to data beside two lines of cells, too; the number that is laid out is the one that was said.
    void aPodThatIsTooLarge()
    {
        auto document = with({.x = 124'000, .y = 24'000, .columnsEvery = 21'600, .megawatts = 18}, "hpn", {});
        const SnapshotPtr before = document->snapshot();
        const auto fit = layOut(*document);
        QVERIFY(fit && !fit->fits && fit->most > 14'000);
        const auto largest = layOut(*document, fitting::WhereNotAll::AsManyAsFit);
        QVERIFY(largest);
        QCOMPARE(largest->laidOut, fit->most);
        QCOMPARE(housed(*document->snapshot()), fit->most);
        const auto broken = newFindings(*before, *document->snapshot(), {"S1", "S2", "S3", "S4", "S5", "S8", "K4"});
        QVERIFY2(broken.empty(), broken.c_str());
    }

    void powerLetsInWholeRacks()
    {
        const auto document = with({.x = 200'000, .y = 40'000, .megawatts = 18}, "nvl72", {});
        const auto fit = layOut(*document);
        QVERIFY2(fit, fit ? "" : fit.error().text().c_str());
        QVERIFY(!fit->fits);
        const Limit& power = fit->limits.front();
        QVERIFY(power.kind == Limit::Kind::Power && power.binds);
        QCOMPARE(power.available, 18e6);
        QCOMPARE(fit->most % 72, std::int64_t(0));
        const auto largest = layOut(*document, fitting::WhereNotAll::AsManyAsFit);
        QCOMPARE(largest->laidOut, fit->most);
        const auto figures = *computeFigures(document->snapshot());
        const double drawn = double(figures->get<PowerNode>().hall(HallId(0)).at(PowerBasis::Design).count()) / 1e3;
        QVERIFY2(drawn <= 18e6 && drawn + 2 * drawn * 72 / double(fit->most) > 18e6, std::to_string(drawn).c_str()); // to a rack and its modules
    }

    void ceilingAndFloorAreLimits()
    {
        const auto document = with({}, "hpn", {{"segments", 2}});
        auto t = document->begin("limits");
        const HallId hall = *fitting::hallFor(*t, {});
        t->halls.clearHeight.set(hall, Millimeters(3'000));
        t->halls.floorLoad.set(hall, KilogramsPerSquareMeter(200));
        (void)t.commit();
        const auto fit = layOut(*document);
        QVERIFY(fit && !fit->fits);
        const auto has = [&](Limit::Kind kind) {
            return std::ranges::any_of(fit->limits, [&](const Limit& l) { return l.kind == kind && l.binds; });
        };
        QVERIFY(has(Limit::Kind::Height));
        QVERIFY(has(Limit::Kind::Floor));
    }

    void whatStandsByHandStays()
    {
        auto document = with({}, "hpn", {{"segments", 3}});
        {
            auto t = document->begin("by hand");
            DesignBuilder build(*t);
            const RowId row = build.row({.name = "mine", .hall = *fitting::hallFor(*t, {}), .x = Millimeters(60'000), .y = Millimeters(8'000)});
            for (int i = 0; i < 6; ++i)
                build.rack({.name = "mine-" + std::to_string(i),
                            .row = row,
                            .type = build.partType(*m_catalog.find("rack-48u-600x1200")),
                            .along = Millimeters(600 * i)});
            (void)t.commit();
        }
        const SnapshotPtr before = document->snapshot();
        const auto fit = layOut(*document);
        QVERIFY(fit && fit->fits);
        const Snapshot& s = *document->snapshot();
        before->racks.forEach([&](RackId id) { QVERIFY(s.racks.contains(id) && s.racks.along[id] == before->racks.along[id]); });
        before->rows.forEach([&](RowId id) { QVERIFY(s.rows.x[id] == before->rows.x[id] && s.rows.y[id] == before->rows.y[id]); });
        const auto errors = errorsOf(s);
        QVERIFY2(errors.empty(), errors.empty() ? "" : errors.front().c_str());
    }

    void parametersLayTheHallOutAgain()
    {
        auto document = with({}, "hpn", {{"segments", 4}});
        QVERIFY(layOut(*document)->fits);
        const auto change = [&](std::int64_t segments) {
            auto t = document->begin("change");
            auto merged = fitting::changeParameters(t, {{"segments", segments}}, m_catalog);
            if (merged) (void)t.commit();
            return merged.has_value();
        };
        QVERIFY(change(3));
        QCOMPARE(homeless(*document->snapshot()), std::size_t(0));
        QVERIFY(errorsOf(*document->snapshot()).empty());
        QVERIFY(change(5));
        QCOMPARE(homeless(*document->snapshot()), std::size_t(0));
        const SnapshotPtr before = document->snapshot();
        QVERIFY(!change(15));
        QVERIFY(difference(*before, *document->snapshot(), {}).empty());
    }

    /// A row that somebody moved stays with its racks and what stands in them.
    void aMovedRowStays()
    {
        auto document = with({}, "hpn", {{"segments", 3}});
        QVERIFY(layOut(*document)->fits);
        RowId last{};
        document->snapshot()->rows.forEach([&](RowId id) {
            bool servers = false;
            document->snapshot()->racks.forEach([&](RackId rack) { servers = servers || document->snapshot()->racks.row[rack] == id; });
            if (servers) last = id;
        });
        {
            auto t = document->begin("move");
            QVERIFY(edit::moveEntity(t, ref(last), 900, 0));
            (void)t.commit();
        }
        const SnapshotPtr before = document->snapshot();
        auto t = document->begin("change");
        QVERIFY(fitting::changeParameters(t, {{"segments", 2}}, m_catalog));
        (void)t.commit();
        const Snapshot& s = *document->snapshot();
        QVERIFY(s.rows.contains(last));
        QCOMPARE(s.rows.x[last], before->rows.x[last]);
        QCOMPARE(homeless(s), std::size_t(0));
    }

    void anotherTemplateTakesThePlace()
    {
        auto document = with({}, "hpn", {{"segments", 2}});
        QVERIFY(layOut(*document)->fits);
        auto t = document->begin("swap");
        const auto& other = design("nvl72");
        QVERIFY(useTemplate(t, other, *other.complete(ParameterValues{{"segments", 2}}), m_catalog));
        (void)t.commit();
        const Snapshot& s = *document->snapshot();
        QCOMPARE(s.racks.size(), std::size_t(0));
        QCOMPARE(s.rows.size(), std::size_t(0));
        QCOMPARE(s.halls.size(), std::size_t(1));
        QVERIFY(s.setting("template.name") == "nvl72");
        const auto fit = layOut(*document);
        QVERIFY2(fit && fit->fits, fit ? words(fitting::fitText(*fit)).c_str() : fit.error().text().c_str());
        QVERIFY(fit->cdus > 0);
    }

    void aDesignWithItsOwnRoomsIsNotReplaced()
    {
        Document document(*instantiate(design("rail-only"), *design("rail-only").complete(ParameterValues{}), m_catalog));
        auto t = document.begin("swap");
        QVERIFY(!useTemplate(t, design("hpn"), *design("hpn").complete(ParameterValues{}), m_catalog));
    }

    /// A rack that somebody stands in another hall gets no plant, no ladder and no room from the layout of this one.
    void otherHallsStayAsTheyAre()
    {
        auto document = with({.x = 60'000, .y = 20'000}, "rail-only", {{"segments", 2}});
        {
            auto t = document->begin("annex");
            DesignBuilder build(*t);
            const BuildingId house = *t->buildings.ids().begin();
            const HallId annex = build.hall({.name = "annex",
                                             .building = house,
                                             .x = Millimeters(1'000),
                                             .y = Millimeters(200'000),
                                             .sizeX = Millimeters(20'000),
                                             .sizeY = Millimeters(20'000),
                                             .sizeZ = Millimeters(4'500)});
            const RowId row = build.row({.name = "annex-row", .hall = annex, .x = Millimeters(5'000), .y = Millimeters(5'000)});
            const RackId rack = build.rack({.name = "annex-rack", .row = row, .type = build.partType(*m_catalog.find("rack-48u-600x1200"))});
            const TierId server = [&] {
                TierId found;
                t->tiers.forEach([&](TierId id) {
                    if (t->tiers.kind[id] == TierKind::Server) found = id;
                });
                return found;
            }();
            build.device(
                {.name = "annex-node", .tier = server, .type = build.partType(*m_catalog.find("support-chassis-2u4n")), .rack = rack, .u = 1});
            (void)t.commit();
        }
        auto t = document->begin("lay out");
        const auto hall = fitting::hallFor(*t, "hall");
        QVERIFY(hall);
        const auto fit = fitting::layOut(*t, *hall, m_catalog);
        QVERIFY2(fit && fit->fits, fit ? words(fitting::fitText(*fit)).c_str() : fit.error().text().c_str());
        (void)t.commit();
        const Snapshot& s = *document->snapshot();
        std::size_t here = 0, plant = 0;
        s.devices.forEach([&](DeviceId id) {
            const auto room = hallOf(s, id);
            here += room && s.halls.name[*room].starts_with("annex");
            plant += room && s.halls.name[*room].starts_with("hall-");
        });
        QCOMPARE(here, std::size_t(1)); // the node alone
        QVERIFY(plant > 10);
        s.halls.forEach([&](HallId id) { QVERIFY2(!s.halls.name[id].starts_with("annex-"), s.halls.name[id].c_str()); });
        s.trays.forEach([&](TrayId id) { QVERIFY(!s.trays.hall[id] || s.halls.name[*s.trays.hall[id]] != "annex"); });
    }

    /// A room too narrow for two rows back to back takes one row after the other.
    void aNarrowRoomTakesSingleRows()
    {
        auto document = with({.x = 90'000, .y = 5'500, .columnsEvery = 0}, "rail-only", {{"segments", 2}});
        const auto fit = layOut(*document);
        QVERIFY2(fit && fit->fits, fit ? words(fitting::fitText(*fit)).c_str() : fit.error().text().c_str());
        const Snapshot& s = *document->snapshot();
        QCOMPARE(homeless(s), std::size_t(0));
        std::set<std::int16_t> angles;
        s.rows.forEach([&](RowId id) { angles.insert(s.rows.angle[id]); });
        QCOMPARE(angles.size(), std::size_t(1));
        const auto errors = errorsOf(s);
        QVERIFY2(errors.empty(), errors.empty() ? "" : errors.front().c_str());
    }

    /// With a room for network racks what belongs to no pod stands there, and a duct joins the two.
    void coreStandsInItsRoom()
    {
        auto document = with({}, "hpn", {{"segments", 6}});
        {
            auto t = document->begin("room");
            DesignBuilder build(*t);
            const BuildingId building = build.building({.name = "core-house",
                                                        .kind = BuildingKind::Network,
                                                        .y = Millimeters(80'000),
                                                        .sizeX = Millimeters(62'000),
                                                        .sizeY = Millimeters(22'000),
                                                        .sizeZ = Millimeters(7'000)});
            (void)build.hall({.name = "core-room",
                              .building = building,
                              .x = Millimeters(1'000),
                              .y = Millimeters(1'000),
                              .sizeX = Millimeters(60'000),
                              .sizeY = Millimeters(20'000),
                              .sizeZ = Millimeters(4'500),
                              .kind = RoomKind::Network});
            (void)t.commit();
        }
        QVERIFY(layOut(*document)->fits);
        QVERIFY(homeless(*document->snapshot()) > 0);
        auto t = document->begin("core");
        const auto room = fitting::hallFor(*t, "core-room");
        QVERIFY(room);
        const auto fit = fitting::layOut(*t, *room, m_catalog);
        QVERIFY2(fit && fit->fits, fit ? words(fitting::fitText(*fit)).c_str() : fit.error().text().c_str());
        (void)t.commit();
        const Snapshot& s = *document->snapshot();
        QCOMPARE(homeless(s), std::size_t(0));
        std::size_t ducts = 0;
        s.trays.forEach([&](TrayId id) { ducts += s.trays.kind[id] == TrayKind::Duct; });
        QVERIFY(ducts > 0);
        const auto errors = errorsOf(s);
        QVERIFY2(errors.empty(), errors.empty() ? "" : errors.front().c_str());
    }

    /// Whatever rack stands on whichever of the places, the cables cost no less than the bound; tried with random orders and descents.
    void nothingIsCheaperThanTheBound()
    {
        auto document = with({.x = 60'000, .y = 20'000}, "rail-only", {{"segments", 2}});
        QVERIFY(document);
        const auto fit = layOut(*document);
        QVERIFY2(fit && fit->fits, fit ? words(fitting::fitText(*fit)).c_str() : fit.error().text().c_str());
        const Snapshot& made = *document->snapshot();
        std::map<std::int32_t, std::vector<RackId>> byWidth;
        const auto figures = *computeFigures(document->snapshot());
        made.racks.forEach([&](RackId id) { byWidth[figures->get<PartsNode>().rack(made.racks.type[id]).width.value.count()].push_back(id); });
        std::mt19937 random(7);
        for (int round = 0; round < 40; ++round) {
            Snapshot other(made);
            for (const auto& [width, racks] : byWidth) {
                std::vector<std::size_t> order(racks.size());
                std::iota(order.begin(), order.end(), std::size_t(0));
                std::shuffle(order.begin(), order.end(), random);
                for (std::size_t i = 0; i < racks.size(); ++i) {
                    other.racks.row.set(racks[i], made.racks.row[racks[order[i]]]);
                    other.racks.along.set(racks[i], made.racks.along[racks[order[i]]]);
                }
            }
            const auto now = *computeFigures(std::make_shared<const Snapshot>(std::move(other)));
            const Money cost = cableTotals(now->get<PartsNode>(), now->get<CablingNode>()).cost;
            QVERIFY(cost >= fit->bound);
        }
    }

    void hallsAreNamed()
    {
        Document document(emptyHall({}));
        QVERIFY(!fitting::hallFor(*document.snapshot(), "hal"));
        QVERIFY(fitting::hallFor(*document.snapshot(), "hall"));
        auto t = document.begin("nothing");
        const auto fit = fitting::layOut(*t, *fitting::hallFor(*t, {}), m_catalog);
        QVERIFY(fit && fit->fits && fit->racks == 0);
        QVERIFY(!fitting::hallFor(Snapshot(), {}));
    }
};

QTEST_GUILESS_MAIN(TestFitting)
#include "test_fitting.moc"
