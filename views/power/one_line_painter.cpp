// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/power/one_line_painter.h"

#include "core/derived/values/impact_fields.h"
#include "views/power/cooling_texts.h"
#include "views/power/one_line_symbols.h"
#include "views/power/one_line_texts.h"
#include "views/style/format.h"
#include "views/style/side_color.h"
#include "views/style/theme.h"
#include "views/style/value_colors.h"

#include <QApplication>
#include <QFontInfo>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <set>

namespace hw::views {
namespace {

constexpr double kNames = 158, kDrawingMargin = 14, kLegend = 30, kMostScale = 1.6;

/// The application's font in pixels, which mean the same on a screen and on a page.
QFont pixelFont(double pixels, int weight = QFont::Normal)
{
    QFont font = scaledFont(1);
    font.setPixelSize(std::max(1, int(std::lround(pixels))));
    font.setWeight(QFont::Weight(weight));
    return font;
}

QColor findingColor(const Finding& finding)
{
    return finding.waived ? theme().textFaint : finding.severity == Severity::Error ? theme().error : theme().warning;
}

} // namespace

void OneLineCamera::place(const QRectF& rect)
{
    whole = rect;
    area = rect.adjusted(std::min(kNames, rect.width() * 0.22), kDrawingMargin, -kDrawingMargin, -kLegend - 4);
}

void OneLineCamera::fit(const OneLineLayout& layout)
{
    if (layout.width <= 0 || layout.height <= 0 || area.isEmpty()) return;
    scale = std::min({area.width() / layout.width, area.height() / layout.height, kMostScale});
    origin = QPointF(layout.width / 2, layout.height / 2) - QPointF(area.width(), area.height()) / (2 * scale);
}

void OneLineCamera::read(const OneLineLayout& layout)
{
    fit(layout);
    if (scale >= kLegible || layout.width <= 0 || area.isEmpty()) return;
    scale = std::min(area.width() / layout.width, kLegible);
    for (const double top : layout.levelTop) { // the level that the lower edge cuts comes whole where that takes little
        const double whole = area.height() / (top + OneLineLayout::kBoxHeight);
        if (whole < scale && top * scale < area.height() && whole >= std::min(kSmallest, 0.9 * scale)) scale = whole;
    }
    const QSizeF seen(area.width() / scale, area.height() / scale);
    origin = QPointF((layout.width - seen.width()) / 2, layout.height > seen.height() ? 0 : (layout.height - seen.height()) / 2);
}

QRectF OneLineCamera::mark(const OneLineLayout& layout, std::uint32_t box) const
{
    const double half = 7.5 * scale;
    const QRectF of = rect(layout, box);
    return QRectF(of.right() - half, of.center().y() - half, 2 * half, 2 * half);
}

void OneLineCamera::zoomAt(QPointF at, double factor)
{
    const QPointF stays = toLayout(at);
    scale = std::clamp(scale * factor, 0.02, 6.0);
    origin = stays - (at - area.topLeft()) / scale;
}

OneLinePainter::OneLinePainter(QPainter& painter, const OneLineModel& model, const OneLineLayout& layout, const OneLineCamera& camera,
                               const OneLineLook& look)
    : m_p(painter), m_model(model), m_layout(layout), m_camera(camera), m_look(look)
{
    m_p.setRenderHint(QPainter::Antialiasing);
}

void OneLinePainter::paint()
{
    m_p.fillRect(m_camera.whole, theme().canvas);
    paintLevels();
    m_p.save();
    const double right = m_camera.cut > 0 ? std::min(m_camera.toScreen(m_camera.cut, 0).x(), m_camera.whole.right()) : m_camera.whole.right();
    m_p.setClipRect(
        QRectF(m_camera.area.left() - 4, m_camera.whole.top(), right - m_camera.area.left() + 4, m_camera.area.bottom() + 4 - m_camera.whole.top()));
    paintLines();
    for (std::uint32_t b = 0; b < m_model.boxes.size(); ++b)
        if (m_camera.rect(m_layout, b).intersects(m_camera.whole)) paintBox(b);
    m_p.restore();
    paintNames();
    paintLegend();
}

/// Every other level on a lighter ground, from edge to edge.
void OneLinePainter::paintLevels()
{
    const double half = 8 * m_camera.scale;
    for (std::size_t l = 0; l < m_layout.levelTop.size(); ++l) {
        const double top = m_camera.toScreen(0, m_layout.levelTop[l]).y();
        const QRectF band(m_camera.whole.left(), top - half, m_camera.whole.width(), OneLineLayout::kBoxHeight * m_camera.scale + 2 * half);
        m_p.fillRect(band.intersected(m_camera.whole), withOpacity(theme().floor, 0.75));
    }
}

void OneLinePainter::paintNames()
{
    const auto texts = levelTexts(*m_model.line);
    const double left = m_camera.whole.left() + kDrawingMargin, width = m_camera.area.left() - 10 - left;
    for (std::size_t l = 0; l < texts.size() && l < m_layout.levelTop.size(); ++l) {
        const QRectF band(left, m_camera.toScreen(0, m_layout.levelTop[l]).y(), width, OneLineLayout::kBoxHeight * m_camera.scale);
        if (!band.intersects(m_camera.whole) || band.height() < 14) continue;
        QStringList sums = texts[l].sums.split('\n');
        const bool room = band.height() >= 30;
        const auto most = qsizetype(std::max(1.0, (band.height() + 8 - 16 - (texts[l].share > 0 ? 15 : 0)) / 14)); // lines that stay in the band
        while (sums.size() > most) sums.removeLast();
        double y = band.center().y() - (room ? (16.0 + 14.0 * double(sums.size()) + (texts[l].share > 0 ? 15 : 0)) / 2 : 8);
        m_p.setPen(theme().text);
        drawFitting({left, y, width, 16}, texts[l].name, 12.5, QFont::DemiBold);
        if (!room) continue;
        m_p.setPen(theme().textDim);
        for (const QString& line : sums) drawFitting({left, y += 14.5, width, 15}, line, 11, QFont::Normal);
        if (texts[l].share <= 0) continue;
        m_p.setPen(loadColor(texts[l].share));
        drawFitting({left, y + 14.5, width, 15},
                    (m_model.line->cooling() ? tr("most loaded %1") : tr("worst case %1")).arg(percent(texts[l].share, 0)), 11, QFont::DemiBold);
    }
}

bool OneLinePainter::lineMarked(const OneLineEdge& edge) const
{
    const auto hovered = [&](std::uint32_t box) { return box == m_look.hover; };
    if (hovered(edge.from) || hovered(edge.to)) return true;
    return !m_look.selected.empty() && (marked(m_model.boxes[edge.from]) || marked(m_model.boxes[edge.to]));
}

void OneLinePainter::paintLines()
{
    for (const bool marked : {false, true}) // what is marked lies on top
        for (const auto& line : m_layout.lines)
            if (lineMarked(m_model.edges[line.edge]) == marked) paintLine(line, marked);
}

void OneLinePainter::paintLine(const OneLineLayout::Line& line, bool marked)
{
    const OneLineEdge& edge = m_model.edges[line.edge];
    const OneLineBox& from = m_model.boxes[edge.from];
    const bool dead = from.dark == from.members.size() || lost(from);
    const bool other = !m_look.selected.empty() || m_look.hover != OneLine::kNone;
    QPolygonF way;
    for (const auto& corner : line.corners) way << m_camera.toScreen(corner.x, corner.y);
    const bool coolant = m_model.line->cooling();
    QPen pen(dead      ? theme().error
             : coolant ? loadColor(coolantFits(m_model, from) ? 0 : 2)
                       : sideColor(from.side),
             std::clamp((marked ? 2.4 : 1.5) * std::sqrt(m_camera.scale), 0.6, 3.5));
    pen.setColor(withOpacity(pen.color(), marked ? 1.0 : other ? 0.4 : 0.85));
    pen.setJoinStyle(Qt::MiterJoin);
    if (edge.reserve || dead) pen.setStyle(Qt::DashLine);
    m_p.setPen(pen);
    m_p.setBrush(Qt::NoBrush);
    m_p.drawPolyline(way);
}

int OneLinePainter::marked(const OneLineBox& box) const
{
    if (m_look.selected.empty()) return 0;
    const auto found = std::ranges::count_if(box.members, [&](std::uint32_t i) { return m_look.selected[i] != 0; });
    return found == 0 ? 0 : std::size_t(found) == box.members.size() ? 2 : 1;
}

/// Further cards behind a fold.
void OneLinePainter::paintStack(const QRectF& rect)
{
    const double step = 2.6 * m_camera.scale;
    for (const int i : {2, 1}) {
        m_p.setPen(QPen(theme().borderStrong, 1));
        m_p.setBrush(theme().panel);
        m_p.drawRoundedRect(rect.translated(step * i, -step * i), 4 * m_camera.scale, 4 * m_camera.scale);
    }
}

void OneLinePainter::paintBox(std::uint32_t b)
{
    const OneLineBox& box = m_model.boxes[b];
    const QRectF rect = m_camera.rect(m_layout, b);
    const double s = m_camera.scale;
    const OneLineGroup& group = m_model.line->groups[box.group];
    const bool dead = box.dark == box.members.size(), wrong = box.dark > 0 || box.over() || !coolantFits(m_model, box);
    const int selected = marked(box);
    if (box.folded()) paintStack(rect);
    QPen frame(wrong ? theme().error : theme().borderStrong, wrong ? 1.6 : 1);
    if (dead) frame.setStyle(Qt::DashLine);
    if (lost(box)) frame = QPen(theme().error, 1.8);
    if (selected || b == m_look.hover || b == m_look.focus) frame = QPen(theme().accent, selected == 1 ? 1.5 : 2.2);
    m_p.setPen(frame);
    m_p.setBrush(selected ? theme().accentSoft : theme().raised);
    m_p.drawRoundedRect(rect, 4 * s, 4 * s);
    if (box.folded()) paintMark(m_camera.mark(m_layout, b));
    if (box.side) m_p.fillRect(QRectF(rect.left() + 3 * s, rect.top(), rect.width() - 6 * s, 3 * s), sideColor(box.side));
    if (rect.height() < 12) return;
    m_p.setPen(QPen(dead ? theme().error : theme().text, std::max(0.7, 1.25 * s)));
    const QRectF symbol(rect.left() + 7 * s, rect.top() + 7.5 * s, 19 * s, 19 * s);
    if (m_model.line->cooling())
        drawCoolingSymbol(m_p, group, symbol);
    else
        drawPowerSymbol(m_p, group, symbol);
    const double left = rect.left() + 6 * s, width = rect.width() - 12 * s;
    if (dead) {
        m_p.setPen(theme().error);
        const bool fed =
            !m_model.line->cooling() && std::ranges::any_of(box.members, [&](std::uint32_t i) { return !m_model.line->elements[i].feeds.empty(); });
        drawFitting({left + 24 * s, rect.top() + 7 * s, width - 24 * s, 20 * s}, fed ? tr("unpowered") : tr("no feed"), 12 * s, QFont::Bold,
                    Qt::AlignRight);
    } else if (m_model.line->cooling()) {
        m_p.setPen(wrong ? theme().error : theme().text);
        drawFitting({left + 24 * s, rect.top() + 7 * s, width - 24 * s, 20 * s}, redundancyText(m_model, box), 13 * s, QFont::DemiBold,
                    Qt::AlignRight);
    } else if (box.worst != OneLine::kNone) {
        m_p.setPen(theme().textDim);
        drawFitting({left + 24 * s, rect.top() + 9 * s, width - 66 * s, 18 * s}, tr("worst"), 9.5 * s, QFont::Normal, Qt::AlignRight);
        m_p.setPen(box.share > 0.9 ? loadColor(box.share) : theme().text);
        drawFitting({rect.right() - 48 * s, rect.top() + 7 * s, 42 * s, 20 * s}, percent(box.share, 0), 15 * s, QFont::DemiBold, Qt::AlignRight);
    }
    m_p.setPen(theme().text);
    if (const ValueField* field = measured()) {
        if (const float value = valueOf(box, *field); known(value)) paintValue(box, *field, value, rect);
    }
    m_p.setPen(theme().text);
    drawFitting({left, rect.top() + 27 * s, width, 15 * s}, text(m_model.title(box)), 11.5 * s, box.folded() ? QFont::DemiBold : QFont::Medium);
    m_p.setPen(theme().textDim);
    const std::string part = m_model.part(box);
    const QString what = m_model.line->cooling() ? coolantText(m_model, box) : part.empty() ? text(m_model.place(box)) : text(part);
    drawFitting({left, rect.top() + 41 * s, width, 13 * s}, what, 9.5 * s, QFont::Normal);
    if (!m_model.line->cooling() || box.load.count() > 0) // coolant only passes headers and valves
        drawFitting({left, rect.top() + 53.5 * s, width, 13 * s}, loadText(box.load, box.capacity), 10 * s, QFont::Normal);
    paintBar(box, {left, rect.bottom() - 7.5 * s, width, 4 * s});
    if (const Finding* finding = m_look.findings ? m_look.findings->worst(box.members) : nullptr)
        paintBadge(rect.topLeft() + QPointF(2, 2) * s, 7 * s, findingColor(*finding));
}

void OneLinePainter::paintBadge(QPointF at, double radius, const QColor& color)
{
    if (radius < 2) return;
    m_p.setPen(QPen(theme().canvas, 1));
    m_p.setBrush(color);
    m_p.drawEllipse(at, radius, radius);
    if (radius < 5) return;
    m_p.setPen(theme().canvas);
    m_p.setFont(pixelFont(radius * 1.5, QFont::Bold));
    m_p.drawText(QRectF(at.x() - radius, at.y() - radius, 2 * radius, 2 * radius), Qt::AlignCenter, "!");
}

/// Members of a fold may be in other states than the worst.
QString OneLinePainter::stateText(const OneLineBox& box, const ValueField& field, float value) const
{
    const QString state = text(valueText(field, value));
    if (field.scale != FieldScale::Category || !box.folded()) return state;
    std::size_t as = 0;
    for (const std::uint32_t i : box.members) {
        const EntityRef entity = m_model.line->elements[i].entity;
        const ValueField* of = m_look.values->of(entity.kind);
        as += of && of->at(entity.id) == value;
    }
    return as == box.members.size() ? state : tr("%1: %2 of %3").arg(state, count(std::int64_t(as)), count(std::int64_t(box.members.size())));
}

bool OneLinePainter::lost(const OneLineBox& box) const
{
    if (!m_look.values || m_look.values->name != kImpactOverlay) return false;
    return std::ranges::all_of(box.members, [&](std::uint32_t i) {
        const EntityRef entity = m_model.line->elements[i].entity;
        const ValueField* of = m_look.values->of(entity.kind);
        return of && of->at(entity.id) >= kImpactLost;
    });
}

const ValueField* OneLinePainter::measured() const { return m_look.values ? m_look.values->of(EntityKind::Device) : nullptr; }

/// Of several elements the sum of amounts that add up (kW), else the highest: the worst.
float OneLinePainter::valueOf(const OneLineBox& box, const ValueField& field) const
{
    const bool adds = field.scale == FieldScale::Amount && field.unit == "kW";
    float all = ValueField::kNone;
    for (const std::uint32_t i : box.members) {
        const EntityRef entity = m_model.line->elements[i].entity;
        const ValueField* of = entity.kind == field.entity ? &field : m_look.values->of(entity.kind);
        const float value = of ? of->at(entity.id) : ValueField::kNone;
        if (!known(value)) {
            if (adds) return ValueField::kNone; // a sum of which a part is missing says nothing
            continue;
        }
        all = !known(all) ? value : adds ? all + value : std::max(all, value);
    }
    return all;
}

/// What is measured, in its color, where else the planned share stands.
void OneLinePainter::paintValue(const OneLineBox& box, const ValueField& field, float value, const QRectF& rect)
{
    const double s = m_camera.scale;
    const QColor color = QColor::fromRgb(valueRgb(field, value, theme().dark()));
    const QRectF place(rect.left() + 28 * s, rect.top() + 6 * s, rect.width() - 33 * s, 20 * s);
    m_p.setPen(Qt::NoPen);
    m_p.setBrush(theme().raised);
    m_p.drawRect(place); // over what is planned
    if (noteText(field, value).empty()) return;
    m_p.setBrush(color);
    m_p.drawRoundedRect(QRectF(rect.left(), rect.top() + 4 * s, 4 * s, rect.height() - 8 * s), 2 * s, 2 * s);
    m_p.setBrush(withOpacity(color, 0.28));
    m_p.drawRoundedRect(place, 3 * s, 3 * s);
    m_p.setPen(theme().text);
    drawFitting(place.adjusted(4 * s, 0, -4 * s, 0), stateText(box, field, value), 12.5 * s, QFont::DemiBold, Qt::AlignRight);
}

/// A plus: there is more behind it.
void OneLinePainter::paintMark(const QRectF& rect)
{
    if (rect.width() < 6) return;
    m_p.setPen(QPen(theme().accent, 1));
    m_p.setBrush(theme().panel);
    m_p.drawEllipse(rect);
    const double half = rect.width() * 0.27;
    m_p.setPen(QPen(theme().accent, std::max(1.0, rect.width() * 0.11)));
    m_p.drawLine(rect.center() - QPointF(half, 0), rect.center() + QPointF(half, 0));
    m_p.drawLine(rect.center() - QPointF(0, half), rect.center() + QPointF(0, half));
}

/// The load of its capacity, and a mark where it goes at worst.
void OneLinePainter::paintBar(const OneLineBox& box, const QRectF& rect)
{
    if (box.capacity.count() == 0) return;
    m_p.fillRect(rect, theme().border);
    const double share = double(box.load.count()) / double(box.capacity.count());
    m_p.fillRect(QRectF(rect.left(), rect.top(), rect.width() * std::clamp(share, 0.0, 1.0), rect.height()), loadColor(box.share));
    const double at = rect.left() + rect.width() * std::clamp(box.share, 0.0, 1.0), thick = std::max(1.0, 1.6 * m_camera.scale);
    m_p.fillRect(QRectF(at - thick, rect.top() - 1.5 * m_camera.scale, thick, rect.height() + 3 * m_camera.scale), theme().text);
}

/// On one line: smaller where it is long, then cut in the middle, because names differ at their ends. Nothing that cannot be read.
void OneLinePainter::drawFitting(const QRectF& rect, const QString& text, double size, int weight, Qt::Alignment alignment)
{
    if (size < 4.5) return;
    QFont font = pixelFont(size, weight);
    QFontMetricsF metrics(font);
    if (const double wide = metrics.horizontalAdvance(text); wide > rect.width()) {
        font = pixelFont(std::max(size * 0.8, std::floor(size * rect.width() / wide)), weight);
        metrics = QFontMetricsF(font);
    }
    m_p.setFont(font);
    m_p.drawText(rect, int(alignment | Qt::AlignVCenter) | Qt::TextSingleLine, metrics.elidedText(text, Qt::ElideMiddle, rect.width()));
}

/// What the legend says, from left to right.
std::vector<OneLinePainter::LegendEntry> OneLinePainter::legend() const
{
    using enum LegendEntry::Mark;
    std::vector<LegendEntry> entries;
    if (m_model.line->cooling()) {
        entries = {{Field, loadColor(0.5), tr("loop capacity sufficient")},
                   {Field, loadColor(0.95), tr("above 90 % of capacity")},
                   {Field, loadColor(1.1), tr("loop undersized")},
                   {None, {}, tr("right: redundancy of the loop; below: flow, supply and return, heat")}};
        if (m_look.findings && !m_look.findings->of.empty()) entries.push_back({Badge, theme().warning, tr("finding")});
        return entries;
    }
    std::set<char> sides;
    bool reserve = false;
    for (const auto& box : m_model.boxes) sides.insert(box.side);
    for (const auto& edge : m_model.edges) reserve = reserve || edge.reserve;
    for (const char side : sides)
        if (side) entries.push_back({Line, sideColor(side), tr("feed %1").arg(side)});
    if (reserve) entries.push_back({Dashes, theme().textDim, tr("backup feed")});
    entries.push_back({Field, loadColor(0.5), tr("up to 90 % in the worst case")});
    entries.push_back({Field, loadColor(0.95), tr("above 90 %")});
    entries.push_back({Field, loadColor(1.1), tr("overloaded, or without power")});
    entries.push_back({Tick, theme().text, tr("worst case: any one other element is lost")});
    if (m_look.findings && !m_look.findings->of.empty()) entries.push_back({Badge, theme().warning, tr("finding")});
    return entries;
}

/// On one line, smaller where that is narrow.
void OneLinePainter::paintLegend()
{
    constexpr double kFont = 11, kLeast = 7.5, kBetween = 14;
    const double bottom = m_camera.whole.bottom(), height = kLegend - 6, left = m_camera.whole.left() + kDrawingMargin;
    m_p.fillRect(QRectF(m_camera.whole.left(), bottom - kLegend, m_camera.whole.width(), kLegend), theme().panel);
    if (const ValueField* field = measured()) return paintValueLegend(QRectF(left, bottom - kLegend + 2, 0, height), *field);
    const auto entries = legend();
    const double room = m_camera.whole.right() - 4 - left;
    const auto wide = [&](const QString& text, double pixels) { return QFontMetricsF(pixelFont(pixels)).horizontalAdvance(text) + 2; };
    const auto whole = [&](double pixels) {
        double sum = -kBetween;
        for (const LegendEntry& entry : entries) sum += entry.wide() + wide(entry.text, pixels) + kBetween;
        return sum;
    };
    double pixels = kFont;
    while (pixels > kLeast && whole(pixels) > room) pixels -= 0.5;
    QRectF at(left, bottom - kLegend + 2, 0, height);
    for (const LegendEntry& entry : entries) {
        paintMark(entry, at.topLeft(), height);
        at.moveLeft(at.left() + entry.wide());
        const QFont font = pixelFont(pixels);
        const double most = std::clamp(m_camera.whole.right() - 4 - at.left(), 0.0, wide(entry.text, pixels));
        m_p.setFont(font);
        m_p.setPen(theme().textDim);
        m_p.drawText(QRectF(at.left(), at.top(), most, height), Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetricsF(font).elidedText(entry.text, Qt::ElideRight, most));
        at.moveLeft(at.left() + most + kBetween);
    }
}

void OneLinePainter::paintMark(const LegendEntry& entry, QPointF at, double height)
{
    using enum LegendEntry::Mark;
    const double middle = at.y() + height / 2;
    if (entry.mark == Field) m_p.fillRect(QRectF(at.x(), middle - 4, 16, 8), entry.color);
    if (entry.mark == Badge) paintBadge({at.x() + 6, middle}, 6, entry.color);
    if (entry.mark == Tick) m_p.fillRect(QRectF(at.x() + 4, middle - 6, 2, 12), entry.color);
    if (entry.mark != Line && entry.mark != Dashes) return;
    m_p.setPen(QPen(entry.color, 2.5, entry.mark == Line ? Qt::SolidLine : Qt::DashLine));
    m_p.drawLine(QPointF(at.x(), middle), QPointF(at.x() + 22, middle));
}

/// The colors of what is measured: a bar with its ends, or the categories; then whose values they are.
void OneLinePainter::paintValueLegend(QRectF at, const ValueField& field)
{
    const bool dark = theme().dark();
    const QFont font = pixelFont(11);
    m_p.setFont(font);
    const auto word = [&](const QString& words, const QColor& color) {
        const double wide = std::min(std::max(0.0, m_camera.whole.right() - 4 - at.left()), QFontMetricsF(font).horizontalAdvance(words) + 2);
        m_p.setPen(color);
        m_p.drawText(QRectF(at.left(), at.top(), wide, at.height()), Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetricsF(font).elidedText(words, Qt::ElideRight, wide));
        at.moveLeft(at.left() + wide + 12);
    };
    word(text(field.title) + (field.unit.empty() ? QString() : ", " + text(field.unit)), theme().text);
    if (field.scale == FieldScale::Category) {
        for (std::size_t i = 0; i < field.categories.size(); ++i) {
            m_p.fillRect(QRectF(at.left(), at.center().y() - 4, 16, 8), QColor::fromRgb(valueRgb(field, float(i), dark)));
            at.moveLeft(at.left() + 21);
            word(text(field.categories[i].title), theme().textDim);
        }
    } else {
        constexpr int kWide = 120;
        word(text(tickText(field, field.low)), theme().textDim);
        for (int x = 0; x < kWide; x += 2) {
            const double value = field.low + (field.high - field.low) * (x + 1) / kWide;
            m_p.fillRect(QRectF(at.left() + x, at.center().y() - 5, 2, 10), QColor::fromRgb(valueRgb(field, float(value), dark)));
        }
        at.moveLeft(at.left() + kWide + 8);
        word(text(tickText(field, field.high)), theme().textDim);
    }
    word(text(field.source), theme().textFaint);
}

} // namespace hw::views
