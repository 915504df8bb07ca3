// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/ifc/ifc_building.h"

#include "importers/dxf/loops.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::importers::ifc {

namespace {

using Kind = StepValue::Kind;
constexpr int kMostParents = 20;
constexpr std::size_t kMostRingWalls = 2000;
constexpr double kThickestWall = 1000; ///< mm, by which walls are lengthened to find corners

const StepValue& item(const std::vector<StepValue>& v, std::size_t i)
{
    static const StepValue none;
    return i < v.size() ? v[i] : none;
}
std::string textOf(const StepValue& v) { return v.kind == Kind::Text ? v.text : std::string(); }

class ModelReader {
public:
    explicit ModelReader(const StepFile& file) : m_file(file), m_geometry(file) {}

    IfcModel run()
    {
        if (!m_geometry.unitStated()) m_model.doubts.push_back(i18n("no length unit specified: meters assumed"));
        relations();
        for (const auto number : m_file.of("IFCBUILDING")) building(number);
        for (const auto number : m_file.of("IFCBUILDINGSTOREY")) m_model.stories[number] = {nameOf(number), ancestor(number, "IFCBUILDING")};
        for (const auto number : m_file.of("IFCSPACE")) space(number);
        for (const auto& [entity, kind] : kPieces)
            for (const auto number : m_file.of(entity)) piece(number, entity, kind);
        for (const auto number : m_file.of("IFCBUILDINGELEMENTPROXY")) keepOut(number);
        if (m_model.rooms.empty()) rings();
        others();
        for (const auto& [entity, count] : m_geometry.unread())
            m_model.doubts.push_back(i18np(count, "{0} {1} is not supported", "{0} {1} are not supported", entity));
        return std::move(m_model);
    }

private:
    static constexpr std::pair<std::string_view, StructureKind> kPieces[] = {
        {"IFCWALL", StructureKind::Wall},        {"IFCWALLSTANDARDCASE", StructureKind::Wall}, {"IFCWALLELEMENTEDCASE", StructureKind::Wall},
        {"IFCCURTAINWALL", StructureKind::Wall}, {"IFCCOLUMN", StructureKind::Column},         {"IFCCOLUMNSTANDARDCASE", StructureKind::Column},
        {"IFCDOOR", StructureKind::Door},        {"IFCDOORSTANDARDCASE", StructureKind::Door}, {"IFCRAMP", StructureKind::Ramp},
        {"IFCRAMPFLIGHT", StructureKind::Ramp}};

    /// Calls f(whole, part) for the pairs of a relation.
    template <class F>
    void pairs(std::string_view entity, std::size_t whole, std::size_t parts, F&& f)
    {
        for (const auto number : m_file.of(entity)) {
            const auto v = m_file.attributesOf(number);
            const StepValue& of = item(v, whole);
            if (of.kind != Kind::Reference) continue;
            for (const StepValue& part : item(v, parts).items)
                if (part.kind == Kind::Reference) f(of.reference, part.reference);
        }
    }

    void relations()
    {
        const auto holds = [&](std::uint64_t whole, std::uint64_t part) { m_parent.try_emplace(part, whole); };
        pairs("IFCRELAGGREGATES", 4, 5, holds);
        pairs("IFCRELCONTAINEDINSPATIALSTRUCTURE", 5, 4, holds);
        pairs("IFCRELREFERENCEDINSPATIALSTRUCTURE", 5, 4, [&](std::uint64_t space, std::uint64_t part) { m_refers[part].push_back(space); });
        pairs("IFCRELDEFINESBYPROPERTIES", 5, 4, [&](std::uint64_t set, std::uint64_t part) { m_sets[part].push_back(set); });
    }

    [[nodiscard]] std::string_view entityOf(std::uint64_t number) const
    {
        const auto* instance = m_file.find(number);
        return instance ? instance->entity : std::string_view();
    }
    [[nodiscard]] std::string nameOf(std::uint64_t number) const { return textOf(item(m_file.attributesOf(number), 2)); }

    /// The nearest that holds it and is of this entity; 0: none.
    [[nodiscard]] std::uint64_t ancestor(std::uint64_t number, std::string_view entity) const
    {
        for (int i = 0; i < kMostParents; ++i) {
            const auto found = m_parent.find(number);
            if (found == m_parent.end()) return 0;
            number = found->second;
            if (entityOf(number) == entity) return number;
        }
        return 0;
    }

    [[nodiscard]] std::map<std::string, std::string> ownSet(std::uint64_t number, std::string_view name) const
    {
        std::map<std::string, std::string> values;
        const auto sets = m_sets.find(number);
        if (sets == m_sets.end()) return values;
        for (const auto set : sets->second) {
            if (entityOf(set) != "IFCPROPERTYSET") continue;
            const auto v = m_file.attributesOf(set);
            if (textOf(item(v, 2)) != name) continue;
            for (const StepValue& p : item(v, 4).items) {
                if (p.kind != Kind::Reference) continue;
                const auto single = m_file.attributesOf(p.reference);
                const StepValue& value = item(item(single, 2).items, 0);
                if (value.kind == Kind::Text) values[textOf(item(single, 0))] = value.text;
                if (value.kind == Kind::Number) values[textOf(item(single, 0))] = fmt::format("{}", value.number);
            }
        }
        return values;
    }

    void building(std::uint64_t number)
    {
        IfcSiteBuilding b{nameOf(number), {}, ownSet(number, "Hall_Building")};
        const auto v = m_file.attributesOf(number);
        if (item(v, 5).kind == Kind::Reference)
            if (const auto frame = m_geometry.placement(v[5].reference); frame && std::abs(frame->x.x - 1) < 1e-9 && std::abs(frame->z.z - 1) < 1e-9)
                b.origin = Spot3{frame->origin.x * m_geometry.millimeters(), frame->origin.y * m_geometry.millimeters(),
                                 frame->origin.z * m_geometry.millimeters()};
        m_model.buildings[number] = std::move(b);
    }

    void space(std::uint64_t number)
    {
        const auto v = m_file.attributesOf(number);
        const PlanBody body = m_geometry.bodyOf(v);
        IfcRoom room{number, textOf(item(v, 2)), textOf(item(v, 7)), {}};
        room.story = ancestor(number, "IFCBUILDINGSTOREY"), room.building = ancestor(number, "IFCBUILDING");
        room.properties = ownSet(number, "Hall_Space");
        if (body.empty()) return void(++m_model.shapeless["IFCSPACE"]);
        room.low = body.low(), room.height = body.high() - body.low();
        room.outline = body.outline;
        if (room.outline.size() < 3) {
            Spot2 low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
            for (const Spot3 p : body.points)
                low = {std::min(low.x, p.x), std::min(low.y, p.y)}, high = {std::max(high.x, p.x), std::max(high.y, p.y)};
            room.outline = {low, {high.x, low.y}, high, {low.x, high.y}};
            m_model.doubts.push_back(i18n("space {}: floor plan cannot be read; its bounding rectangle is used", room.name));
        }
        m_model.rooms.push_back(std::move(room));
    }

    /// The straight rectangle around a body that takes least floor: along the object's own axis, or along the longest edge of its outline.
    static std::optional<IfcPiece> straight(const PlanBody& body)
    {
        std::optional<IfcPiece> best;
        double least = INFINITY;
        std::vector<Spot2> directions{body.direction};
        double longest = 0;
        for (std::size_t i = 0; i < body.outline.size(); ++i) {
            const Spot2 a = body.outline[i], b = body.outline[(i + 1) % body.outline.size()];
            if (const double length = std::hypot(b.x - a.x, b.y - a.y); length > longest * 1.001) {
                longest = length;
                directions.resize(1);
                directions.push_back({(b.x - a.x) / length, (b.y - a.y) / length});
            }
        }
        for (const Spot2 d : directions) {
            double u1 = INFINITY, u2 = -INFINITY, v1 = INFINITY, v2 = -INFINITY;
            for (const Spot3 p : body.points) {
                const double u = p.x * d.x + p.y * d.y, v = -p.x * d.y + p.y * d.x;
                u1 = std::min(u1, u), u2 = std::max(u2, u), v1 = std::min(v1, v), v2 = std::max(v2, v);
            }
            const double size = (u2 - u1) * (v2 - v1);
            if (!(size < least * 0.999)) continue;
            least = size;
            IfcPiece piece;
            const double v = (v1 + v2) / 2;
            piece.a = {u1 * d.x - v * d.y, u1 * d.y + v * d.x}, piece.b = {u2 * d.x - v * d.y, u2 * d.y + v * d.x};
            piece.width = v2 - v1;
            best = piece;
        }
        return best;
    }

    void piece(std::uint64_t number, std::string_view entity, StructureKind kind)
    {
        const auto v = m_file.attributesOf(number);
        PlanBody body = m_geometry.bodyOf(v);
        if (body.empty() && kind == StructureKind::Door) body = doorway(v);
        if (body.empty()) { // it may be made of parts, or a part of one that was read
            if (entity != "IFCRAMP" && entity != "IFCCURTAINWALL") ++m_model.shapeless[std::string(entity)];
            return;
        }
        auto found = straight(body);
        if (!found) return;
        found->kind = kind;
        found->low = body.low(), found->height = body.high() - body.low();
        if (body.round && kind == StructureKind::Column) {
            Spot2 middle;
            for (const Spot2 p : body.outline) middle.x += p.x / double(body.outline.size()), middle.y += p.y / double(body.outline.size());
            found->a = found->b = middle;
            found->width = 0;
            for (const Spot2 p : body.outline) found->width = std::max(found->width, 2 * std::hypot(p.x - middle.x, p.y - middle.y));
        } else if (std::hypot(found->b.x - found->a.x, found->b.y - found->a.y) < found->width && kind != StructureKind::Column &&
                   ownSet(number, "Hall_Structure").empty()) {
            turn(*found); // a wall runs along its longer side; our own say which
        }
        finish(*found, number, v);
    }

    static void turn(IfcPiece& piece)
    {
        const double length = std::hypot(piece.b.x - piece.a.x, piece.b.y - piece.a.y);
        if (!(length > 0)) return;
        const Spot2 m{(piece.a.x + piece.b.x) / 2, (piece.a.y + piece.b.y) / 2},
            d{-(piece.b.y - piece.a.y) / length, (piece.b.x - piece.a.x) / length};
        const double half = piece.width / 2;
        piece.a = {m.x - d.x * half, m.y - d.y * half}, piece.b = {m.x + d.x * half, m.y + d.y * half};
        piece.width = length;
    }

    /// Of a door without a body: its placement and overall size.
    PlanBody doorway(const std::vector<StepValue>& v)
    {
        constexpr double kThick = 100; // mm, of a door that does not say (assumed)
        PlanBody body;
        const StepValue &place = item(v, 5), &height = item(v, 8), &width = item(v, 9);
        if (place.kind != Kind::Reference || width.kind != Kind::Number || !(width.number > 0 && width.number < 1e6)) return body;
        const auto frame = m_geometry.placement(place.reference);
        if (!frame) return body;
        const double mm = m_geometry.millimeters(), tall = height.kind == Kind::Number ? std::min(std::abs(height.number), 1e6) : 0;
        for (const double y : {-kThick / 2 / mm, kThick / 2 / mm})
            for (const double x : {0.0, width.number})
                for (const double z : {0.0, tall}) {
                    const Spot3 p = frame->at({x, y, z});
                    body.points.push_back({p.x * mm, p.y * mm, p.z * mm});
                }
        if (const double length = std::hypot(frame->x.x, frame->x.y); length > 1e-9) body.direction = {frame->x.x / length, frame->x.y / length};
        return body;
    }

    void finish(IfcPiece& piece, std::uint64_t number, const std::vector<StepValue>& v)
    {
        piece.name = textOf(item(v, 2));
        piece.story = ancestor(number, "IFCBUILDINGSTOREY");
        if (const auto space = ancestor(number, "IFCSPACE")) piece.spaces.push_back(space);
        if (const auto refers = m_refers.find(number); refers != m_refers.end())
            for (const auto space : refers->second)
                if (entityOf(space) == "IFCSPACE") piece.spaces.push_back(space);
        m_model.pieces.push_back(std::move(piece));
    }

    /// Room that the design keeps free, as our export writes it.
    void keepOut(std::uint64_t number)
    {
        const auto v = m_file.attributesOf(number);
        if (textOf(item(v, 4)) != "Keep-out" || item(v, 8).text != "PROVISIONFORSPACE") return;
        const PlanBody body = m_geometry.bodyOf(v);
        auto found = body.empty() ? std::nullopt : straight(body);
        if (!found) return;
        found->kind = StructureKind::KeepOut;
        found->low = body.low();
        m_keepOuts.insert(number);
        finish(*found, number, v);
    }

    /// The pieces of lines between those that they cross; what is before the first and after the last is left out.
    static std::vector<dxf::Seg> cutWhereTheyMeet(const std::vector<dxf::Seg>& lines)
    {
        std::vector<dxf::Seg> pieces;
        for (const dxf::Seg& line : lines) {
            const double dx = double(line.b.x - line.a.x), dy = double(line.b.y - line.a.y);
            std::vector<double> cuts;
            for (const dxf::Seg& other : lines) {
                const double ex = double(other.b.x - other.a.x), ey = double(other.b.y - other.a.y), turn = dx * ey - dy * ex;
                if (std::abs(turn) < 1e-6) continue;
                const double ax = double(other.a.x - line.a.x), ay = double(other.a.y - line.a.y);
                const double t = (ax * ey - ay * ex) / turn, u = (ax * dy - ay * dx) / turn;
                if (t >= 0 && t <= 1 && u >= 0 && u <= 1) cuts.push_back(t);
            }
            std::ranges::sort(cuts);
            const auto at = [&](double t) { return dxf::Pt{std::llround(double(line.a.x) + dx * t), std::llround(double(line.a.y) + dy * t)}; };
            for (std::size_t i = 1; i < cuts.size(); ++i)
                if (at(cuts[i - 1]) != at(cuts[i])) pieces.push_back({at(cuts[i - 1]), at(cuts[i])});
        }
        return pieces;
    }

    /// A loop along the middles of walls, counter-clockwise, moved in by half of their widths.
    static std::vector<Spot2> innerFaces(const std::vector<dxf::Pt>& loop, const std::vector<const IfcPiece*>& walls)
    {
        constexpr double kOn = 30; // mm between a line and the middle of the wall that it came from
        struct Face {
            Spot2 at, along;
        };
        std::vector<Face> faces;
        for (std::size_t i = 0; i < loop.size(); ++i) {
            const dxf::Pt a = loop[i], b = loop[(i + 1) % loop.size()];
            const double length = dxf::distance(a, b);
            if (!(length > 0)) continue;
            const Spot2 d{double(b.x - a.x) / length, double(b.y - a.y) / length};
            double width = 0;
            for (const IfcPiece* wall : walls) {
                const auto aside = [&](Spot2 p) { return std::abs(-(p.x - double(a.x)) * d.y + (p.y - double(a.y)) * d.x); };
                const auto ahead = [&](Spot2 p) { return (p.x - double(a.x)) * d.x + (p.y - double(a.y)) * d.y; };
                if (aside(wall->a) > kOn || aside(wall->b) > kOn) continue;
                if (std::max(ahead(wall->a), ahead(wall->b)) > kOn && std::min(ahead(wall->a), ahead(wall->b)) < length - kOn)
                    width = std::max(width, wall->width);
            }
            faces.push_back({{double(a.x) - d.y * width / 2, double(a.y) + d.x * width / 2}, d});
        }
        std::vector<Spot2> inner;
        for (std::size_t i = 0; i < faces.size(); ++i) {
            const Face &before = faces[(i + faces.size() - 1) % faces.size()], &next = faces[i];
            const double turn = before.along.x * next.along.y - before.along.y * next.along.x;
            if (std::abs(turn) < 1e-6) {
                inner.push_back(next.at);
                continue;
            }
            const double t = ((next.at.x - before.at.x) * next.along.y - (next.at.y - before.at.y) * next.along.x) / turn;
            inner.push_back({before.at.x + before.along.x * t, before.at.y + before.along.y * t});
        }
        return inner;
    }

    /// Without spaces: what the walls of a story enclose.
    void rings()
    {
        std::map<std::uint64_t, std::vector<const IfcPiece*>> byStory;
        for (const IfcPiece& piece : m_model.pieces)
            if (piece.kind == StructureKind::Wall) byStory[piece.story].push_back(&piece);
        for (const auto& [story, walls] : byStory) {
            if (walls.size() > kMostRingWalls) {
                m_model.doubts.push_back(i18n("{} walls without spaces exceed the limit of {}", walls.size(), kMostRingWalls));
                continue;
            }
            std::vector<dxf::Seg> lines; // their middles, long enough to meet at corners
            double low = INFINITY, height = 0, thickest = 0;
            for (const IfcPiece* wall : walls) thickest = std::max(thickest, std::min(wall->width, kThickestWall));
            for (const IfcPiece* wall : walls) {
                low = std::min(low, wall->low), height = std::max(height, wall->height);
                const double length = std::hypot(wall->b.x - wall->a.x, wall->b.y - wall->a.y);
                if (!(length > 0)) continue;
                const double dx = (wall->b.x - wall->a.x) / length * thickest, dy = (wall->b.y - wall->a.y) / length * thickest;
                lines.push_back(
                    {{std::llround(wall->a.x - dx), std::llround(wall->a.y - dy)}, {std::llround(wall->b.x + dx), std::llround(wall->b.y + dy)}});
            }
            IfcRoom room;
            room.outline = innerFaces(dxf::outerLoop(cutWhereTheyMeet(lines)), walls);
            if (room.outline.size() < 3) continue;
            const auto known = m_model.stories.find(story);
            room.name = known == m_model.stories.end() ? std::string() : known->second.name;
            room.low = low, room.height = height, room.story = story;
            room.building = known == m_model.stories.end() ? 0 : known->second.building;
            m_model.doubts.push_back(
                i18n("the model contains no spaces: the area enclosed by {} is used as the room", i18np(walls.size(), "{} wall", "{} walls")));
            m_model.rooms.push_back(std::move(room));
        }
    }

    /// Objects with a placement that make no room.
    void others()
    {
        for (const auto& [entity, numbers] : m_file.byEntity()) {
            if (!entity.starts_with("IFC") || entity.starts_with("IFCREL") || entity == "IFCSPACE" || entity == "IFCSITE" ||
                entity == "IFCBUILDING" || entity == "IFCBUILDINGSTOREY" || entity == "IFCDISTRIBUTIONPORT" || entity == "IFCOPENINGELEMENT" ||
                std::ranges::any_of(kPieces, [&](const auto& known) { return known.first == entity; }))
                continue;
            for (const auto number : numbers) {
                if (entity == "IFCBUILDINGELEMENTPROXY" && m_keepOuts.contains(number)) continue;
                const auto v = m_file.attributesOf(number);
                if (v.empty() || v[0].kind != Kind::Text || v[0].text.size() != 22) break; // without identity, as all of this entity
                if (v.size() > 6 && v[5].kind == Kind::Reference && entityOf(v[5].reference) == "IFCLOCALPLACEMENT")
                    ++m_model.ignored[std::string(entity)];
            }
        }
    }

    const StepFile& m_file;
    IfcGeometry m_geometry;
    IfcModel m_model;
    std::unordered_map<std::uint64_t, std::uint64_t> m_parent;
    std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> m_refers, m_sets;
    std::set<std::uint64_t> m_keepOuts;
};

} // namespace

IfcModel readModel(const StepFile& file) { return ModelReader(file).run(); }

} // namespace hw::importers::ifc
