// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/dxf/racks.h"

#include "core/foundation/base/resources.h"
#include "core/foundation/catalog/catalog.h"
#include "importers/dxf/roles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace hw::importers::dxf {

namespace {

constexpr std::array<std::string_view, 4> kEdges{"bottom", "right", "top", "left"};
constexpr double kAskew = 0.5;             ///< degrees from a right angle
constexpr std::int64_t kSameLine = 10;     ///< mm between fronts of one row
constexpr std::int64_t kSameRow = 1500;    ///< mm between two racks of one row: a wider gap is an aisle
constexpr std::int64_t kSameSize = 10;     ///< mm between a block and the type of its racks
constexpr std::int64_t kBesideRoom = 2000; ///< mm; as for walls and columns

/// A rack in the frame of its row's direction.
struct PlacedRack {
    const DrawnRack* drawn = nullptr;
    int angle = 0; ///< of the row
    PartTypeId type{};
    std::int64_t along = 0, across = 0, width = 0; ///< of the left front corner
};

Spot minus(Spot a, Spot b) { return {a.x - b.x, a.y - b.y}; }
double times(Spot a, Spot b) { return a.x * b.x + a.y * b.y; }
std::int64_t whole(double value) { return std::int64_t(std::floor(value + 0.5 + 1e-4)); }

Spot directionOf(int angle)
{
    constexpr std::array<Spot, 4> kDirections{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
    return kDirections[std::size_t(angle / 90)];
}

/// Rack types of the project and, where it has none of a name, of the catalog.
class RackTypes {
public:
    explicit RackTypes(DesignBuilder& build) : m_build(build) {}

    Result<PartTypeId> find(const std::string& slug, const std::string& where)
    {
        const auto& types = m_build.design().partTypes;
        if (const auto own = m_build.findPartType(slug); own && types.kind[*own] == PartKind::Rack) return *own;
        if (!m_shipped) {
            auto read = Catalog::load(resourceFolder() / "catalog" / "racks");
            if (!read) return tl::unexpected(read.error());
            m_shipped = std::move(*read);
        }
        if (const Part* part = m_shipped->find(slug)) return m_build.partType(*part);
        std::set<std::string> names;
        for (const auto& [name, part] : m_shipped->parts()) names.insert(name);
        types.forEach([&](PartTypeId id) {
            if (types.kind[id] == PartKind::Rack) names.insert(types.slug[id]);
        });
        return fail(ErrorCode::Refused, where, i18n("rack type '{}' not found", slug),
                    i18n("choose from {}", listedNames(std::vector<std::string>(names.begin(), names.end()))));
    }

private:
    DesignBuilder& m_build;
    std::optional<Catalog> m_shipped;
};

class RackWriter {
public:
    RackWriter(DesignBuilder& build, HallId hall, const std::string& file, exchange::ImportPlan& plan)
        : m_build(build), m_s(build.design()), m_hall(hall), m_file(file), m_plan(plan), m_types(build)
    {
        m_s.racks.forEach([&](RackId id) { m_rackNames.insert(m_s.racks.name[id]); });
        m_s.rows.forEach([&](RowId id) { m_rowNames.insert(m_s.rows.name[id]); });
        m_known = m_rackNames;
    }

    Result<void> run(const std::vector<DrawnRack>& racks)
    {
        std::vector<PlacedRack> all;
        for (const DrawnRack& rack : racks)
            if (const auto done = place(rack, all); !done) return done;
        std::ranges::stable_sort(all, {}, [](const PlacedRack& r) { return std::tie(r.angle, r.drawn->row, r.across, r.along); });
        std::size_t rows = 0;
        for (std::size_t first = 0; first < all.size();) {
            std::size_t end = first + 1;
            while (end < all.size() && together(all, first, end)) ++end;
            // Racks of one line may differ by a few mm across: in their order along it.
            std::stable_sort(all.begin() + std::ptrdiff_t(first), all.begin() + std::ptrdiff_t(end),
                             [](const PlacedRack& a, const PlacedRack& b) { return a.along < b.along; });
            for (std::size_t from = first; from < end; ++rows) {
                std::size_t to = from + 1;
                while (to < end && (!all[from].drawn->row.empty() || all[to].along - (all[to - 1].along + all[to - 1].width) <= kSameRow)) ++to;
                writeRow(all, from, to);
                from = to;
            }
            first = end;
        }
        m_plan.facts.push_back(i18n("{} in {}", i18np(all.size(), "{:L} rack", "{:L} racks"), i18np(rows, "{:L} row", "{:L} rows")));
        tell();
        return {};
    }

private:
    Result<void> place(const DrawnRack& rack, std::vector<PlacedRack>& all)
    {
        const auto type = m_types.find(rack.type, "--rack-block " + rack.block);
        if (!type) return tl::unexpected(type.error());
        if (!rack.name.empty() && m_known.contains(rack.name)) return void(++m_present), Result<void>();
        const Spot out = minus(rack.front[0], rack.front[2]), edge = minus(rack.front[1], rack.front[0]);
        const double degrees = std::atan2(out.y, out.x) * 180 / std::numbers::pi + 90, nearest = std::round(degrees / 90) * 90;
        const double width = std::hypot(edge.x, edge.y), depth = std::hypot(out.x, out.y);
        if (width < 1 || depth < 1) return void(++m_empty), Result<void>();
        if (std::abs(degrees - nearest) > kAskew) return void(++m_askew), Result<void>();
        const RackSpec spec = specOf(*type);
        PlacedRack one{&rack, (int(nearest) % 360 + 360) % 360, *type, 0, 0, spec.width.value.count()};
        const Spot ahead = directionOf(one.angle), left{-ahead.y, ahead.x};
        const double middle = (times(rack.front[0], ahead) + times(rack.front[1], ahead)) / 2;
        const bool same = std::abs(width - double(one.width)) <= double(kSameSize) && std::abs(depth - spec.depth.value.count()) <= double(kSameSize);
        one.along = same ? whole(std::min(times(rack.front[0], ahead), times(rack.front[1], ahead))) : whole(middle - double(one.width) / 2);
        one.across = whole(times(rack.front[0], left));
        if (!same)
            m_sizes.insert(
                words(i18n("block {} is {:.0f} mm × {:.0f} mm, rack type {} is {} mm × {} mm: racks are aligned at the center of their front",
                           rack.block, width, depth, rack.type, one.width, spec.depth.value.count())));
        const Spot corner = cornerOf(one);
        const double sizeX = m_s.halls.sizeX[m_hall].count(), sizeY = m_s.halls.sizeY[m_hall].count(), around = double(kBesideRoom);
        if (corner.x < -around || corner.y < -around || corner.x > sizeX + around || corner.y > sizeY + around)
            return void(++m_outside), Result<void>();
        all.push_back(one);
        return {};
    }

    RackSpec specOf(PartTypeId type)
    {
        const auto [known, fresh] = m_specs.try_emplace(type.value);
        if (fresh) {
            const auto part = Catalog::parse(m_s.partTypes.definition[type], m_s.partTypes.slug[type]);
            if (part)
                if (const auto* spec = std::get_if<RackSpec>(&part->spec)) known->second = *spec;
        }
        return known->second;
    }

    static Spot cornerOf(const PlacedRack& one)
    {
        const Spot ahead = directionOf(one.angle), left{-ahead.y, ahead.x};
        return {double(one.along) * ahead.x + double(one.across) * left.x, double(one.along) * ahead.y + double(one.across) * left.y};
    }

    static bool together(const std::vector<PlacedRack>& all, std::size_t first, std::size_t next)
    {
        const PlacedRack &a = all[first], &b = all[next];
        return a.angle == b.angle && a.drawn->row == b.drawn->row && b.across - a.across <= kSameLine;
    }

    std::string freeRow(const std::string& wanted)
    {
        std::string name = wanted;
        for (int n = 2; !m_rowNames.insert(name).second; ++n) name = fmt::format("{}-{}", wanted, n);
        return name;
    }

    void writeRow(const std::vector<PlacedRack>& all, std::size_t from, std::size_t to)
    {
        const PlacedRack& first = all[from];
        const Spot at = cornerOf(first);
        const std::string wanted = first.drawn->row.empty() ? fmt::format("{}-row-{}", m_s.halls.name[m_hall], ++m_unnamed) : first.drawn->row;
        const std::string name = freeRow(wanted);
        const auto mm = [](std::int64_t v) { return Millimeters(std::int32_t(v)); };
        const RowId row = m_build.row({.name = name, .hall = m_hall, .x = mm(whole(at.x)), .y = mm(whole(at.y)), .angle = std::int16_t(first.angle)});
        for (std::size_t i = from; i < to; ++i) {
            const PlacedRack& rack = all[i];
            std::string own = rack.drawn->name.empty() ? fmt::format("{}-{}", name, i - from + 1) : rack.drawn->name;
            if (m_rackNames.contains(own)) {
                if (!rack.drawn->name.empty()) ++m_twice;
                const std::string base = own;
                for (int n = 2; m_rackNames.contains(own); ++n) own = fmt::format("{}-{}", base, n);
            }
            m_rackNames.insert(own);
            (void)m_build.rack(
                {.name = own, .row = row, .type = rack.type, .along = mm(rack.along - first.along), .across = mm(rack.across - first.across)});
        }
    }

    void doubt(Text what) { m_plan.issues.push_back({m_file, std::move(what)}); }
    void tell()
    {
        for (const std::string& size : m_sizes) doubt(verbatim(size));
        if (m_askew > 0)
            doubt(i18np(m_askew, "{} rack is not at a right angle to the walls: not imported",
                        "{} racks are not at a right angle to the walls: not imported"));
        if (m_outside > 0)
            doubt(i18np(m_outside, "{} rack more than 2 m outside the room is skipped", "{} racks more than 2 m outside the room are skipped"));
        if (m_present > 0)
            doubt(i18np(m_present, "{} rack with this name is already in the design: position unchanged",
                        "{} racks with these names are already in the design: positions unchanged"));
        if (m_twice > 0)
            doubt(i18np(m_twice, "{} rack has a duplicate name: a number is appended", "{} racks have duplicate names: a number is appended"));
        if (m_empty > 0)
            doubt(i18np(m_empty, "{} insertion of a rack block without lines is skipped", "{} insertions of rack blocks without lines are skipped"));
    }

    DesignBuilder& m_build;
    Snapshot& m_s;
    HallId m_hall;
    const std::string& m_file;
    exchange::ImportPlan& m_plan;
    RackTypes m_types;
    std::map<std::uint32_t, RackSpec> m_specs;
    std::set<std::string> m_rackNames, m_rowNames, m_known, m_sizes;
    std::size_t m_askew = 0, m_outside = 0, m_present = 0, m_twice = 0, m_empty = 0;
    int m_unnamed = 0;
};

std::string attribute(const Insertion& in, std::initializer_list<const char*> tags)
{
    for (const char* tag : tags)
        if (const auto found = in.values.find(tag); found != in.values.end() && !found->second.empty()) return found->second;
    return {};
}

} // namespace

Result<std::vector<RackRule>> rackRules(const std::string& given)
{
    std::vector<RackRule> rules;
    for (std::size_t at = 0; at < given.size();) {
        const auto end = std::min(given.find('\n', at), given.size());
        const std::string one = given.substr(at, end - at);
        at = end + 1;
        const auto equals = one.rfind('=');
        RackRule rule;
        if (equals != std::string::npos) rule.pattern = one.substr(0, equals), rule.type = one.substr(equals + 1);
        if (const auto edge = rule.type.find('@'); edge != std::string::npos) {
            const auto found = std::ranges::find(kEdges, std::string_view(rule.type).substr(edge + 1));
            if (found == kEdges.end())
                return fail(ErrorCode::Usage, "--rack-block " + one, i18n("'{}' is not an edge of a block", rule.type.substr(edge + 1)),
                            i18n("choose from {}", listedNames(std::vector<std::string>(kEdges.begin(), kEdges.end()))));
            rule.front = std::size_t(found - kEdges.begin());
            rule.type.resize(edge);
        }
        if (rule.pattern.empty() || rule.type.empty())
            return fail(ErrorCode::Usage, "--rack-block " + one, i18n("assigns no rack type to blocks"),
                        i18n("use PATTERN=RACKTYPE, for example RACK*=rack-48u-600x1200"));
        rules.push_back(std::move(rule));
    }
    return rules;
}

const RackRule* ruleOf(const std::vector<RackRule>& rules, const std::string& block)
{
    const auto found = std::ranges::find_if(rules, [&](const RackRule& rule) { return matchesPattern(rule.pattern, block); });
    return found == rules.end() ? nullptr : &*found;
}

std::vector<DrawnRack> drawnRacks(const Drawing& drawing, const std::vector<RackRule>& rules, double millimeters, Spot origin)
{
    std::vector<DrawnRack> racks;
    for (const Insertion& in : drawing.insertions) {
        const RackRule* rule = ruleOf(rules, in.block);
        if (!rule) continue;
        DrawnRack rack;
        rack.block = in.block;
        rack.name = attribute(in, {"NAME", "RACK", "RACK_NAME", "RACKNAME", "RACK_ID", "TAG", "ID", "LABEL"});
        rack.row = attribute(in, {"ROW", "ROW_NAME"});
        std::string star;
        (void)matchesPattern(rule->pattern, in.block, &star);
        for (const char c : rule->type)
            if (c == '*')
                rack.type += star;
            else
                rack.type += c;
        for (std::size_t i = 0; i < 3; ++i) {
            const Spot corner = in.corners[(rule->front + (i == 2 ? 3 : i)) % 4];
            rack.front[i] = {corner.x * millimeters - origin.x, corner.y * millimeters - origin.y};
        }
        racks.push_back(std::move(rack));
    }
    return racks;
}

Result<void> writeRacks(DesignBuilder& build, HallId hall, const std::vector<DrawnRack>& racks, const std::string& file, exchange::ImportPlan& plan)
{
    return RackWriter(build, hall, file, plan).run(racks);
}

} // namespace hw::importers::dxf
