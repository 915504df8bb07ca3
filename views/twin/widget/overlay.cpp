// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/widget/overlay.h"
#include "views/style/format.h"

#include "views/style/format.h"
#include "views/style/legend.h"
#include "views/style/units.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace hw::views::twin {

namespace {

QColor color(Rgba c) { return QColor(c.r, c.g, c.b, c.a); }

constexpr double kMargin = 14, kPad = 10;
constexpr double kRowPixels = 26;  ///< width of a row from which it has a name of its own
constexpr double kRowShare = 0.29; ///< of a row in its cell with the hot aisle, about

QFont sized(QFont font, double factor, bool bold = false)
{
    font.setPointSizeF(std::max(6.0, font.pointSizeF() > 0 ? font.pointSizeF() * factor : 9 * factor));
    font.setBold(bold);
    return font;
}

QImage blank(QSizeF size, double ratio)
{
    QImage image((size * ratio).toSize() + QSize(1, 1), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    return image;
}

void paintPanel(QPainter& p, QRectF r, const Palette& palette)
{
    p.setPen(QPen(color(palette.panelLine), 1));
    p.setBrush(color(palette.panel));
    p.drawRoundedRect(r.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

/// The picture of a legend in a room, drawn once for all frames that show it.
QImage legendImage(const Legend& legend, const Theme& theme, const QFont& font, QSizeF room, double ratio)
{
    const LegendLayout layout(legend, font, room);
    if (layout.size().isEmpty()) return {};
    QImage image = blank(layout.size(), ratio);
    QPainter p(&image);
    layout.paint(p, {}, theme);
    return image;
}

/// What the colors of bundles and cables mean; `racksToo` where racks have those of their links.
Legend loadsLegend(const TwinScene& scene, const Theme& theme, bool racksToo)
{
    const SceneLoads& loads = scene.loads();
    Legend legend = legendOf(loads.scale, loads.histogram, theme);
    if (racksToo) legend.notes << tr("racks: the busiest link");
    legend.notes << tr("bundles: mean of the busier direction");
    if (!loads.whose.empty()) legend.notes.prepend(QString::fromStdString(loads.whose));
    if (loads.stale) legend.warning = tr("outdated");
    legend.entries.push_back({color(Palette::of(scene.dark()).hot), tr("hottest links"), {}});
    return legend;
}

/// The kinds of racks that the design has, in the colors that they have here.
Legend kindsLegend(const TwinScene& scene)
{
    const Palette& palette = Palette::of(scene.dark());
    std::array<std::uint32_t, kRackKinds> racks{};
    for (const auto& rack : scene.facts()->racks()) racks[std::size_t(rack.kind)] += rack.alive;
    Legend legend;
    for (std::size_t i = 0; i < kRackKinds; ++i) {
        const bool standsAlone = RackKind(i) == RackKind::Facility && !scene.facts()->freeDevices().empty();
        if (racks[i] || standsAlone) legend.entries.push_back({color(palette.rackTop[i]), text(rackKindText(RackKind(i))), {}});
    }
    return legend;
}

void paintHaloText(QPainter& p, QPointF at, const QString& text, const Palette& palette)
{
    p.setPen(color(palette.textHalo));
    for (const QPointF d : {QPointF(1, 0), QPointF(-1, 0), QPointF(0, 1), QPointF(0, -1)}) p.drawText(at + d, text);
    p.setPen(color(palette.text));
    p.drawText(at, text);
}

/// A name painted once: drawing it is then one textured rectangle.
QImage nameImage(const QString& text, const QFont& font, const Palette& palette, double ratio)
{
    const QFontMetricsF m(font);
    QImage image = blank({m.horizontalAdvance(text) + 8, m.height() + 2}, ratio);
    QPainter p(&image);
    p.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    p.setFont(font);
    paintHaloText(p, {4, 1 + m.ascent()}, text, palette);
    return image;
}

/// A needle to the north that turns with the camera, seen as flat as the floor is.
void paintCompass(QPainter& p, QPointF center, const CameraFrame& frame, const Palette& palette, const QFont& font)
{
    const auto flat = [&](Vec3 v) { return QPointF(double(dot(v, frame.right)), -double(dot(v, frame.up))) * 22.0; };
    const QPointF north = flat({0, 1, 0}), east = flat({0.30f, 0, 0});
    p.setPen(Qt::NoPen);
    p.setBrush(color(palette.panel));
    p.drawEllipse(center, 27, 27);
    p.setBrush(QColor(0xD9483B));
    p.drawPolygon(QPolygonF{center + north, center + east, center - east});
    p.setBrush(color(palette.panelMuted));
    p.drawPolygon(QPolygonF{center - north, center + east, center - east});
    p.setFont(sized(font, 0.8, true));
    const QFontMetricsF m(p.font());
    p.setPen(color(palette.panelText));
    const double l = std::max(1.0, std::hypot(north.x(), north.y()));
    const QPointF tip = center + north / l * std::min(l + 9, 36.0);
    p.drawText(tip + QPointF(-m.horizontalAdvance(tr("N")) / 2, m.ascent() / 2 - 1), tr("N"));
}

/// A length that is round in meters or feet, as wide as it is at the focus.
void paintScaleBar(QPainter& p, QPointF rightBottom, const CameraFrame& frame, const TwinCamera& camera, const Palette& palette, const QFont& font)
{
    const double perUnit = double(frame.scale) / camera.distance / inLengthUnit(1000);
    double round = 0.1;
    for (const double m : {0.1, 0.2, 0.5, 1., 2., 5., 10., 20., 50., 100., 200., 500.})
        if (m * perUnit < 130) round = m;
    const double w = round * perUnit;
    p.setPen(QPen(color(palette.text), 1.5));
    p.drawPolyline(QPolygonF{rightBottom + QPointF(-w, -5), rightBottom + QPointF(-w, 0), rightBottom, rightBottom + QPointF(0, -5)});
    p.setFont(sized(font, 0.85));
    const QString text = QLocale().toString(round) + ' ' + lengthUnit();
    paintHaloText(p, rightBottom + QPointF(-w / 2 - QFontMetricsF(p.font()).horizontalAdvance(text) / 2, -6), text, palette);
}

} // namespace

namespace {

/// The outline of a box in the picture: the hull of its corners.
QPolygonF outline(const Aabb& box, const CameraFrame& frame)
{
    std::vector<QPointF> points;
    for (int i = 0; i < 8; ++i) {
        const auto at = frame.project({i & 1 ? box.high[0] : box.low[0], i & 2 ? box.high[1] : box.low[1], i & 4 ? box.high[2] : box.low[2]});
        if (!at) return {};
        points.emplace_back(double(at->x), double(at->y));
    }
    std::sort(points.begin(), points.end(), [](QPointF a, QPointF b) { return std::pair(a.x(), a.y()) < std::pair(b.x(), b.y()); });
    const auto turn = [](QPointF o, QPointF a, QPointF b) { return (a.x() - o.x()) * (b.y() - o.y()) - (a.y() - o.y()) * (b.x() - o.x()); };
    QPolygonF hull;
    for (int pass = 0; pass < 2; ++pass) { // Andrew's monotone chain
        const auto start = hull.size();
        for (const QPointF& point : points) {
            while (hull.size() >= start + 2 && turn(hull[hull.size() - 2], hull.back(), point) <= 0) hull.removeLast();
            hull.append(point);
        }
        hull.removeLast();
        std::reverse(points.begin(), points.end());
    }
    return hull;
}

/// What the cursor is on, outlined, with its name.
void paintHover(QPainter& p, QSize size, const TwinScene& scene, const CameraFrame& frame, const QFont& font)
{
    const EntityRef entity = scene.hover();
    if (!entity) return;
    const Palette& palette = Palette::of(scene.dark());
    QPolygonF shape;
    const bool line = entity.kind == EntityKind::Cable;
    if (line) {
        for (const Vec3& point : cablePath(*scene.figures(), *scene.facts(), CableId(entity.id)))
            if (const auto at = frame.project(point)) shape.append(QPointF(double(at->x), double(at->y)));
    } else {
        shape = outline(scene.placeOf(entity).grown(0.01f), frame);
    }
    if (shape.size() < 2) return;
    p.setPen(QPen(color(palette.hover), 2));
    Rgba tint = palette.hover;
    tint.a = 34;
    p.setBrush(line ? QBrush(Qt::NoBrush) : QBrush(color(tint)));
    if (line)
        p.drawPolyline(shape);
    else
        p.drawPolygon(shape);

    const QString name = QString::fromStdString(entityName(*scene.figures()->snapshot, *scene.figures()->parts, entity));
    p.setFont(sized(font, 0.95, true));
    const QFontMetricsF m(p.font());
    const QRectF box = shape.boundingRect();
    QRectF tag(0, 0, m.horizontalAdvance(name) + 16, m.height() + 8);
    tag.moveCenter({box.center().x(), box.top() - tag.height() / 2 - 4});
    tag.moveLeft(std::clamp(tag.left(), 4.0, std::max(4.0, size.width() - tag.width() - 4)));
    tag.moveTop(std::clamp(tag.top(), 4.0, std::max(4.0, size.height() - tag.height() - 4)));
    paintPanel(p, tag, palette);
    p.setPen(color(palette.panelText));
    p.drawText(tag, Qt::AlignCenter, name);
}

/// By what the slice is dragged: a knob with two arrows along its axis.
void paintHandle(QPainter& p, Vec3 at, int axis, const CameraFrame& frame, const Palette& palette)
{
    Vec3 further = at;
    further[std::size_t(axis)] += 1;
    const auto from = frame.project(at), to = frame.project(further);
    if (!from || !to) return;
    const QPointF center(double(from->x), double(from->y));
    QPointF along(double(to->x - from->x), double(to->y - from->y));
    const double size = std::hypot(along.x(), along.y());
    if (size < 1) return; // seen along its axis
    along /= size;
    const QPointF side(-along.y(), along.x());
    p.setPen(QPen(color(palette.panelLine), 1));
    p.setBrush(color(palette.panel));
    p.drawEllipse(center, 12, 12);
    p.setPen(Qt::NoPen);
    p.setBrush(color(palette.selection));
    for (const double way : {1.0, -1.0})
        p.drawPolygon(QPolygonF{center + along * 9 * way, center + along * 3 * way + side * 4, center + along * 3 * way - side * 4});
}

constexpr double kCompassRoom = 80; ///< at the upper right

} // namespace

QStringList captionLines(const QString& caption, const QFontMetricsF& metrics, double room)
{
    QStringList lines;
    QString line;
    for (const QString& part : caption.split(QStringLiteral(" · "))) {
        const QString longer = line.isEmpty() ? part : line + QStringLiteral(" · ") + part;
        if (!line.isEmpty() && metrics.horizontalAdvance(longer) > room) {
            lines << line;
            line = part;
        } else {
            line = longer;
        }
    }
    lines << line;
    for (QString& one : lines) one = metrics.elidedText(one, Qt::ElideRight, std::max(0.0, room));
    return lines;
}

QString sizeText(const TwinScene& scene)
{
    if (!scene.facts()) return {};
    const QLocale locale;
    const auto& buildings = scene.facts()->buildings();
    const Aabb* hall = nullptr;
    std::size_t halls = 0;
    for (const auto& b : buildings)
        for (std::size_t i = 0; i < b.halls.size(); ++i) {
            if (!b.ofRacks[i]) continue;
            const Aabb& h = b.halls[i];
            ++halls;
            if (!hall || h.size()[0] * h.size()[1] > hall->size()[0] * hall->size()[1]) hall = &h;
        }
    const QString racks = text(i18np(std::uint64_t(scene.counts().racks), "{:L} rack", "{:L} racks"));
    if (!hall) return racks;
    const QString size = QStringLiteral("%1 × %2 ")
                             .arg(locale.toString(inLengthUnit(1000 * double(hall->size()[0])), 'g', 4),
                                  locale.toString(inLengthUnit(1000 * double(hall->size()[1])), 'g', 4)) +
                         lengthUnit();
    return halls == 1 ? tr("Hall %1 · %2").arg(size, racks) : tr("%1 halls, largest %2 · %3").arg(halls).arg(size, racks);
}

void Overlay::refreshPanels(const TwinScene& scene, const QFont& font, double ratio, QSize size)
{
    const QString state = QStringLiteral("%1 %2 %3 %4 %5")
                              .arg(scene.dark())
                              .arg(ratio)
                              .arg(size.width())
                              .arg(size.height())
                              .arg(font.toString() + lengthUnit() + (scene.loads().stale ? "!" : "") + QString::fromStdString(scene.loads().whose));
    if (state == m_panelState && !std::exchange(m_panelsStale, false) && m_sizeFacts == scene.facts() && m_legendOf == scene.loads().result) return;
    if (state != m_panelState || m_names.size() > 4000) m_names.clear();
    m_panelState = state;
    m_sizeFacts = scene.facts();
    m_legendOf = scene.loads().result;
    m_sizeText = sizeText(scene);
    const Theme theme = makeTheme(scene.dark() ? ThemeKind::Dark : ThemeKind::Light);
    const QFont small = sized(font, 0.85);
    // Below the title, left of the scale bar; where both legends are shown, the loads get what the racks leave.
    const QSizeF room(std::max(0.0, size.width() - kMargin - 150.0), std::max(0.0, size.height() - 2 * kMargin - 34.0));
    const bool same = m_values && m_values->name == "load" && m_legendOf;
    m_rackKey = m_airKey = {};
    const ValueField* racks = m_values ? m_values->of(EntityKind::Rack) : nullptr;
    const bool oneScale =
        racks && m_airScale && racks->unit == m_airScale->unit && racks->bands == m_airScale->bands && racks->low == m_airScale->low;
    if (m_airScale && !oneScale) m_airKey = legendImage(legendOf(*m_airScale, {}, theme), theme, small, {room.width(), room.height() * 0.5}, ratio);
    if (!m_values)
        m_rackKey = legendImage(kindsLegend(scene), theme, small, room, ratio);
    else if (!same)
        m_rackKey = legendImage(overlayLegend(*m_values, legendEntity(*m_values), theme), theme, small,
                                {room.width(), room.height() * (m_legendOf || m_airScale ? 0.5 : 1)}, ratio);
    double left = room.height();
    for (const QImage* image : {&m_rackKey, &m_airKey})
        if (!image->isNull()) left -= image->deviceIndependentSize().height() + 8;
    m_legend = m_legendOf ? legendImage(loadsLegend(scene, theme, same), theme, small, {room.width(), left}, ratio) : QImage();
}

void Overlay::paintLabels(QPainter& p, const TwinScene& scene, const CameraFrame& frame, const QFont& font, std::vector<QRectF> taken) const
{
    const Palette& palette = Palette::of(scene.dark());
    struct Placed {
        const Label* label;
        CameraFrame::Projected at;
        double pixels;
    };
    std::vector<Placed> placed;
    const auto labels = scene.labels(frame);
    for (const Label& label : labels) {
        auto at = frame.project(label.at);
        const auto other = frame.project(label.other);
        if (other && (!at || other->depth < at->depth)) at = other;
        if (!at || at->x < 0 || at->y < 0 || at->x > frame.width || at->y > frame.height) continue;
        const double pixels = double(label.size * frame.scale / at->depth);
        if (label.kind == Label::Kind::Row && pixels < kRowPixels) continue;
        if (label.kind == Label::Kind::Cell && (pixels < 16 || pixels * kRowShare > kRowPixels)) continue;
        if (label.kind == Label::Kind::Rack && pixels < 60) continue;
        if (label.kind == Label::Kind::Building && (pixels < 40 || pixels > 900)) continue;
        placed.push_back({&label, *at, pixels});
    }
    std::stable_sort(placed.begin(), placed.end(),
                     [](const Placed& a, const Placed& b) { return std::pair(a.label->kind, a.at.depth) < std::pair(b.label->kind, b.at.depth); });
    std::size_t drawn = 0;
    for (const Placed& one : placed) {
        const bool building = one.label->kind == Label::Kind::Building;
        const QString text = QString::fromStdString(one.label->text);
        QImage& image = m_names[building ? QLatin1Char('*') + text : text];
        if (image.isNull()) image = nameImage(text, sized(font, building ? 1.1 : 0.85, building), palette, p.device()->devicePixelRatioF());
        const QSizeF s = image.deviceIndependentSize();
        const QRectF r(QPointF(std::round(double(one.at.x) - s.width() / 2), std::round(double(one.at.y) - s.height())), s);
        if (std::any_of(taken.begin(), taken.end(), [&](const QRectF& t) { return t.intersects(r); })) continue;
        taken.push_back(r);
        p.drawImage(r.topLeft(), image);
        if (++drawn == 60) break;
    }
}

void Overlay::paint(QPainter& p, QSize size, const TwinScene& scene, const TwinCamera& camera, const QFont& font)
{
    if (!scene.facts()) return;
    refreshPanels(scene, font, p.device()->devicePixelRatioF(), size);
    const Palette& palette = Palette::of(scene.dark());
    const CameraFrame frame = CameraFrame::of(camera, float(size.width()), float(size.height()));
    p.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);

    std::vector<QRectF> taken;
    const auto place = [&](const QImage& image, QPointF at) {
        if (image.isNull()) return;
        p.drawImage(at, image);
        taken.emplace_back(at, image.deviceIndependentSize());
    };
    double bottom = size.height() - kMargin;
    for (const QImage* image : {&m_rackKey, &m_airKey, &m_legend}) {
        const double tall = image->isNull() ? 0 : image->deviceIndependentSize().height();
        place(*image, {kMargin, bottom - tall});
        if (tall > 0) bottom -= tall + 8;
    }
    taken.emplace_back(size.width() - kCompassRoom, 0, kCompassRoom, kCompassRoom);
    p.setFont(sized(font, 0.95, true));
    const QFontMetricsF metrics(p.font());
    const QStringList caption = captionLines(m_sizeText, metrics, size.width() - kCompassRoom - kMargin);
    for (qsizetype i = 0; i < caption.size(); ++i)
        taken.emplace_back(0, double(i) * metrics.height(), metrics.horizontalAdvance(caption[i]) + 2 * kMargin, 34);

    paintLabels(p, scene, frame, font, taken);
    paintHover(p, size, scene, frame, font);
    if (m_handle) paintHandle(p, *m_handle, m_handleAxis, frame, palette);
    p.setFont(sized(font, 0.95, true));
    for (qsizetype i = 0; i < caption.size(); ++i)
        paintHaloText(p, {kMargin, kMargin + metrics.ascent() + double(i) * metrics.height()}, caption[i], palette);
    paintCompass(p, {double(size.width()) - 44, 44}, frame, palette, font);
    paintScaleBar(p, {double(size.width()) - kMargin - 4, double(size.height()) - kMargin}, frame, camera, palette, font);
}

} // namespace hw::views::twin
