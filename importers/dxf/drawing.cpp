// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/dxf/curves.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <sstream>

#include <dl_creationadapter.h>
#include <dl_dxf.h>

namespace hw::importers::dxf {

namespace {

constexpr std::size_t kMostShapes = 2'000'000;
constexpr int kDeepest = 32;

/// x' = a x + b y + e, y' = c x + d y + f.
struct Transform {
    double a = 1, b = 0, c = 0, d = 1, e = 0, f = 0;
    [[nodiscard]] Spot at(Spot p) const { return {a * p.x + b * p.y + e, c * p.x + d * p.y + f}; }
    /// First `inner`, then this.
    [[nodiscard]] Transform after(const Transform& inner) const
    {
        const Spot origin = at({inner.e, inner.f});
        return {a * inner.a + b * inner.c, a * inner.b + b * inner.d, c * inner.a + d * inner.c, c * inner.b + d * inner.d, origin.x, origin.y};
    }
};

struct Insert {
    std::string block, layer;
    Spot at;
    double scaleX = 1, scaleY = 1, angle = 0, columnStep = 0, rowStep = 0;
    int columns = 1, rows = 1;
    bool mirrored = false;                       ///< drawn on the underside: x runs the other way
    std::map<std::string, std::string> values{}; ///< of its attributes, by tag in capitals
};

struct Block {
    Spot base;
    std::vector<Shape> shapes;
    std::vector<Insert> inserts;
};

/// Takes what dxflib finds: blocks with their content, and the model space as a block without a name.
class Reader final : public DL_CreationAdapter {
public:
    std::map<std::string, Block> blocks;

    void addBlock(const DL_BlockData& data) override
    {
        m_block = data.name.empty() ? std::string("*") : data.name;
        blocks[m_block].base = {data.bpx, data.bpy};
    }
    void endBlock() override { m_block.clear(); }
    void addLine(const DL_LineData& data) override
    {
        if (Shape* shape = add(ShapeKind::Path)) shape->points = {{data.x1, data.y1}, {data.x2, data.y2}};
    }
    void addCircle(const DL_CircleData& data) override { round(ShapeKind::Circle, {data.cx, data.cy}, data.radius, 0, 360); }
    void addArc(const DL_ArcData& data) override
    {
        const double from = std::fmod(data.angle1, 360), turn = std::fmod(data.angle2 - data.angle1, 360);
        if (!std::isfinite(from) || !std::isfinite(turn)) return round(ShapeKind::Circle, {data.cx, data.cy}, data.radius, 0, 360);
        round(ShapeKind::Arc, {data.cx, data.cy}, data.radius, from, from + (turn > 0 ? turn : turn + 360));
    }
    void addPolyline(const DL_PolylineData& data) override
    {
        m_polyline = (data.flags & (16 | 64)) == 0 ? add(ShapeKind::Path) : nullptr; // meshes are no lines
        m_bulge = 0;
        if (!m_polyline) return;
        m_polyline->closed = (data.flags & 1) != 0;
        m_mirrored = mirrored();
    }
    void addVertex(const DL_VertexData& data) override
    {
        if (!m_polyline) return;
        const Spot at{m_mirrored ? -data.x : data.x, data.y};
        if (!m_polyline->points.empty()) bow(at, m_bulge);
        m_polyline->points.push_back(at);
        m_last = at, m_bulge = m_mirrored ? -data.bulge : data.bulge;
        m_closing = m_bulge;
        if (m_polyline->points.size() == 1) m_first = at;
    }
    void endEntity() override { finish(); }
    void endSequence() override { finish(); }
    void addInsert(const DL_InsertData& data) override
    {
        finish();
        m_inserted = !attributes.isInPaperSpace();
        if (!m_inserted) return;
        const bool flip = mirrored();
        blocks[m_block].inserts.push_back({data.name,
                                           attributes.getLayer(),
                                           {data.ipx, data.ipy},
                                           data.sx,
                                           data.sy,
                                           data.angle,
                                           data.colSp,
                                           data.rowSp,
                                           std::max(1, data.cols),
                                           std::max(1, data.rows),
                                           flip,
                                           {}});
    }
    void addAttribute(const DL_AttributeData& data) override
    {
        auto& inserts = blocks[m_block].inserts;
        if (!m_inserted || inserts.empty()) return;
        std::string tag = data.tag;
        std::ranges::transform(tag, tag.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
        inserts.back().values.emplace(std::move(tag), data.text);
    }

private:
    [[nodiscard]] bool mirrored() { return getExtrusion() && getExtrusion()->getDirection()[2] < 0; }

    Shape* add(ShapeKind kind)
    {
        finish();
        if (attributes.isInPaperSpace()) return nullptr;
        auto& shape = blocks[m_block].shapes.emplace_back();
        shape.kind = kind;
        shape.layer = attributes.getLayer();
        return &shape;
    }
    /// A closed polyline's way back may be an arc.
    void finish()
    {
        if (m_polyline && m_polyline->closed && m_polyline->points.size() > 1) bow(m_first, m_closing);
        m_polyline = nullptr;
    }
    /// An arc from the last corner to the next.
    void bow(Spot to, double bulge)
    {
        const std::size_t from = m_polyline->points.size() - 1;
        const auto center = addBulge(m_polyline->points, m_last, to, bulge);
        if (center) m_polyline->bows.push_back({*center, from, m_polyline->points.size()});
    }
    void round(ShapeKind kind, Spot center, double radius, double from, double to)
    {
        Shape* shape = add(kind);
        if (!shape) return;
        dxf::addArc(shape->points, center, radius, from, to);
        shape->center = center;
        if (kind == ShapeKind::Circle) shape->closed = true, shape->points.pop_back();
        if (!mirrored()) return;
        for (Spot& p : shape->points) p.x = -p.x;
        shape->center.x = -shape->center.x;
    }

    std::string m_block; ///< empty: model space
    Shape* m_polyline = nullptr;
    Spot m_first, m_last;
    double m_bulge = 0, m_closing = 0;
    bool m_inserted = false; ///< the last insertion is one of the model space or of a block
    bool m_mirrored = false;
};

/// Puts the content of blocks where they are inserted.
class Expander {
public:
    Expander(const std::map<std::string, Block>& blocks, const std::map<std::string, bool>& hidden, const std::string& file, const Progress& progress,
             const std::function<bool(const std::string&)>& whole)
        : m_blocks(blocks), m_hidden(hidden), m_file(file), m_progress(progress), m_whole(whole)
    {
    }

    Result<Drawing> run()
    {
        if (const auto found = m_blocks.find(""); found != m_blocks.end())
            if (const auto done = put(found->second, {}, {}, {}, {}, 0); !done) return tl::unexpected(done.error());
        m_out.missingBlocks.assign(m_missing.begin(), m_missing.end());
        return std::move(m_out);
    }

private:
    /// Numbers of insertions; 0: none.
    struct Nest {
        std::uint32_t inner = 0, outer = 0;
        std::string hiddenBy = {}; ///< the frozen layer of an insertion
    };

    Result<void> put(const Block& block, const Transform& where, const std::string& layer, const std::string& name, const Nest& nest, int depth)
    {
        if (m_progress.stopRequested()) return fail(ErrorCode::Canceled, m_file, i18n("stopped"));
        if (depth > kDeepest) return fail(ErrorCode::Unreadable, m_file, i18n("block {} contains itself", name), i18n("repair the drawing"));
        for (const Shape& shape : block.shapes) {
            Shape& copy = m_out.shapes.emplace_back(shape);
            for (Spot& p : copy.points) p = where.at(p);
            for (Shape::Bow& bow : copy.bows) bow.center = where.at(bow.center);
            copy.center = where.at(copy.center);
            if (depth > 0 && copy.layer == "0") copy.layer = layer; // of the insertion, as the format has it
            copy.block = name, copy.insert = nest.inner, copy.outer = nest.outer;
            copy.hiddenBy = !nest.hiddenBy.empty() ? nest.hiddenBy : m_hidden.contains(copy.layer) ? copy.layer : std::string();
        }
        if (m_out.shapes.size() > kMostShapes)
            return fail(ErrorCode::Unreadable, m_file, i18n("contains more than {} lines and arcs", kMostShapes),
                        i18n("purge content that the room does not need"));
        for (const Insert& each : block.inserts)
            if (const auto done = putInsert(each, where, layer, nest, depth); !done) return done;
        return {};
    }

    Result<void> putInsert(const Insert& each, const Transform& where, const std::string& layer, Nest nest, int depth)
    {
        const auto found = m_blocks.find(each.block);
        if (each.block.empty() || found == m_blocks.end()) {
            m_missing.insert(each.block);
            return {};
        }
        const bool whole = m_whole && m_whole(each.block);
        const double turn = each.angle * std::numbers::pi / 180, cosine = std::cos(turn), sine = std::sin(turn);
        const std::string own = depth > 0 && each.layer == "0" ? layer : each.layer;
        // With a frozen layer all of an insertion is hidden, with one that is off what of it has no layer of its own.
        if (const auto hidden = m_hidden.find(own); hidden != m_hidden.end() && hidden->second && nest.hiddenBy.empty()) nest.hiddenBy = own;
        for (int row = 0; row < each.rows; ++row)
            for (int column = 0; column < each.columns; ++column) {
                const Transform turned{cosine, -sine, sine, cosine, each.at.x, each.at.y};
                const Transform step{1, 0, 0, 1, column * each.columnStep, row * each.rowStep};
                const Spot base = found->second.base;
                const Transform scaled{each.scaleX, 0, 0, each.scaleY, -base.x * each.scaleX, -base.y * each.scaleY};
                Transform local = turned.after(step).after(scaled);
                if (each.mirrored) local = Transform{-1, 0, 0, 1, 0, 0}.after(local);
                if (whole) {
                    if (const auto done = putWhole(each, found->second, where.after(local), own, nest, depth); !done) return done;
                    continue;
                }
                nest.inner = ++m_inserts;
                if (depth == 0) nest.outer = nest.inner;
                const auto done = put(found->second, where.after(local), own, each.block, nest, depth + 1);
                if (!done) return done;
            }
        return {};
    }

    /// The rectangle around a block, where it is inserted.
    Result<void> putWhole(const Insert& each, const Block& block, const Transform& where, const std::string& layer, const Nest& nest, int depth)
    {
        if (!nest.hiddenBy.empty() || m_hidden.contains(layer)) return void(++m_out.hiddenInsertions), Result<void>();
        auto known = m_extents.find(each.block);
        if (known == m_extents.end()) {
            Expander inside(m_blocks, m_hidden, m_file, m_progress, {});
            if (const auto done = inside.put(block, {}, {}, each.block, {}, depth + 1); !done) return done;
            std::pair<Spot, Spot> extent{{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
            for (const Shape& shape : inside.m_out.shapes)
                for (const Spot p : shape.points) {
                    extent.first = {std::min(extent.first.x, p.x), std::min(extent.first.y, p.y)};
                    extent.second = {std::max(extent.second.x, p.x), std::max(extent.second.y, p.y)};
                }
            if (extent.first.x > extent.second.x) extent = {block.base, block.base};
            known = m_extents.emplace(each.block, extent).first;
        }
        const auto [low, high] = known->second;
        Insertion one{each.block, layer, {where.at(low), where.at({high.x, low.y}), where.at(high), where.at({low.x, high.y})}, each.values};
        m_out.insertions.push_back(std::move(one));
        if (m_out.insertions.size() > kMostShapes)
            return fail(ErrorCode::Unreadable, m_file, i18n("contains more than {} lines and arcs", kMostShapes),
                        i18n("purge content that the room does not need"));
        return {};
    }

    const std::map<std::string, Block>& m_blocks;
    const std::map<std::string, bool>& m_hidden;
    const std::string& m_file;
    const Progress& m_progress;
    const std::function<bool(const std::string&)> m_whole;
    std::map<std::string, std::pair<Spot, Spot>> m_extents; ///< of blocks that are inserted whole
    Drawing m_out;
    std::set<std::string> m_missing;
    std::uint32_t m_inserts = 0;
};

} // namespace

Result<Drawing> readDrawing(const Checked& checked, const std::string& file, const Progress& progress,
                            const std::function<bool(const std::string&)>& whole)
{
    Reader reader;
    DL_Dxf parser;
    std::istringstream stream(checked.readable);
    parser.in(stream, &reader);
    return Expander(reader.blocks, checked.hiddenLayers, file, progress, whole).run();
}

} // namespace hw::importers::dxf
