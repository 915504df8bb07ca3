// SPDX-License-Identifier: GPL-3.0-or-later
// The part of FabricPainter that draws groups, frames, devices and ports.
#include "views/fabric/fabric_painter.h"

#include "views/style/format.h"
#include "views/style/theme.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hw::views {
namespace {

QColor tinted(QColor color, float alpha)
{
    color.setAlphaF(alpha);
    return color;
}

float fillAlpha() { return theme().dark() ? 0.26f : 0.17f; }

} // namespace

std::int64_t FabricPainter::countIn(const FabricBox& box, const std::vector<char>& flags) const
{
    std::int64_t found = 0;
    for (const auto run : box.runs)
        for (std::uint32_t m = run.first; m < run.last; ++m) found += flags[m] != 0;
    return found;
}

void FabricPainter::paintBoxes()
{
    std::vector<int> lastPixel(std::size_t(std::max(1, m_index.rows())) * 4, -1000); // by row and nesting: narrow boxes on one pixel are drawn once
    for (std::size_t i = 0; i < m_model.boxes().size(); ++i) {
        const FabricBox& box = m_model.boxes()[i];
        const auto span = m_layout.boxes[i];
        const double left = m_geometry.toScreen(span.x), right = m_geometry.toScreen(span.right());
        if (right < m_geometry.area.left() - 4 || left > m_geometry.area.right() + 16) continue;
        if (right - left < 1.5) {
            int& last = lastPixel[std::size_t(box.row) * 4 + (box.parent >= 0 ? 1 : 0)];
            if (int(left) == last) continue;
            last = int(left);
        }
        paintBox(int(i));
    }
}

void FabricPainter::paintBox(int place)
{
    const FabricBox& box = m_model.boxes()[std::size_t(place)];
    const QRectF rect = rectOf(place);
    const std::int64_t found = m_look.matches.empty() ? 1 : countIn(box, m_look.matches);
    const bool faint = found == 0 || hidden(m_look, box.part.lane);
    m_p.setOpacity(faint ? 0.22 : 1.0);
    if (box.kind == FabricBox::Kind::Frame)
        paintFrame(box, rect);
    else
        paintBody(box, rect, !m_look.matches.empty() && found > 0);
    m_p.setOpacity(1.0);
    if (!m_boxSelected.empty() && m_boxSelected[std::size_t(place)]) paintMarks(box, rect);
}

void FabricPainter::paintFrame(const FabricBox& box, const QRectF& rect)
{
    const QColor color = boxColor(m_model, box, m_look);
    if (rect.width() < 6) return m_p.fillRect(rect, tinted(color, 0.2f));
    m_p.setPen(QPen(tinted(color, 0.75f), 1));
    m_p.setBrush(theme().panel);
    m_p.drawRoundedRect(rect, 5, 5);
    m_p.setBrush(tinted(color, 0.07f));
    m_p.drawRoundedRect(rect, 5, 5);
    const QRectF title =
        frameTitle(rect).intersected(QRectF(m_geometry.area.left(), rect.top(), m_geometry.area.width() + 12, rect.height())).adjusted(5, 0, -5, 0);
    m_p.setFont(fabricFont(0.8, QFont::DemiBold));
    m_p.setPen(theme().textDim);
    const QString name = boxTitle(m_model, box), number = count(box.devices());
    for (const QString& text : {name.isEmpty() ? QStringLiteral("− ") + devicesText(m_index, box.part.layer, box.sums.devices, box.sums.backup)
                                               : QString("− %1 · %2").arg(name, number),
                                name.isEmpty() ? QString() : QStringLiteral("− ") + name, QStringLiteral("− ") + number, QStringLiteral("−")}) {
        if (text.isEmpty() || fabricTextWidth(m_p.fontMetrics(), text) > title.width()) continue;
        m_p.drawText(title, Qt::AlignCenter, text);
        return;
    }
}

void FabricPainter::paintBody(const FabricBox& box, const QRectF& rect, bool match)
{
    const QColor color = boxColor(m_model, box, m_look);
    if (rect.width() < 6) {
        const bool device = box.kind == FabricBox::Kind::Device;
        m_p.setRenderHint(QPainter::Antialiasing, rect.width() >= 3);
        m_p.fillRect(rect.adjusted(0, 0, rect.width() < 2 ? 0 : -0.8, 0), match ? theme().accent : tinted(color, device ? 0.8f : 0.55f));
        m_p.setRenderHint(QPainter::Antialiasing);
        return;
    }
    const double radius = std::min(5.0, rect.width() / 5);
    m_p.setPen(QPen(match ? theme().accent : color, match ? 1.8 : 1.1));
    m_p.setBrush(theme().panel);
    m_p.drawRoundedRect(rect, radius, radius);
    m_p.setBrush(tinted(color, m_look.color == FabricColor::Values                                                  ? 0.5f
                               : m_look.color == FabricColor::Load || m_look.color == FabricColor::Oversubscription ? 0.34f
                                                                                                                    : fillAlpha()));
    m_p.drawRoundedRect(rect, radius, radius);
    if (rect.width() >= 14) paintPortBars(box, rect, color);
    if (box.open) {
        paintPorts(box, rect);
        return;
    }
    paintWords(box, rect);
    if (box.kind == FabricBox::Kind::Group) paintSquares(box, rect, color);
}

/// Its name above, what is in it below; less as room runs out.
void FabricPainter::paintWords(const FabricBox& box, const QRectF& rect)
{
    if (rect.width() < 12 || rect.height() < 16) return;
    const QString title = boxTitle(m_model, box);
    m_p.setFont(fabricFont(0.85, QFont::DemiBold));
    m_p.setPen(theme().text);
    const bool device = box.kind == FabricBox::Kind::Device;
    const QRectF top = device ? rect : rect.adjusted(2, 5, -2, 0);
    QStringList choices{title};
    if (device && title.startsWith('R')) choices << title.mid(1);
    if (!device && box.part.lane >= 0) choices << title.section(' ', -1);
    if (!device && top.width() > 34) choices << m_p.fontMetrics().elidedText(title, Qt::ElideRight, int(top.width()));
    for (const QString& text : choices) {
        if (text.isEmpty() || fabricTextWidth(m_p.fontMetrics(), text) > top.width()) continue;
        m_p.drawText(top, device ? Qt::AlignCenter : Qt::AlignHCenter | Qt::AlignTop, text);
        break;
    }
    if (device || rect.height() < 40) return;
    m_p.setFont(fabricFont(0.8));
    m_p.setPen(theme().textDim);
    const QString full = devicesText(m_index, box.part.layer, box.sums.devices, box.sums.backup),
                  both = box.sums.backup ? QString("%1 + %2").arg(count(box.sums.devices), count(box.sums.backup)) : QString();
    for (const QString& text : {full, both, count(box.devices())}) {
        if (text.isEmpty() || fabricTextWidth(m_p.fontMetrics(), text) > rect.width() - 4) continue;
        m_p.drawText(rect.adjusted(2, 0, -2, -6), Qt::AlignHCenter | Qt::AlignBottom, text);
        return;
    }
}

/// Where squares would be too small: the number, large.
void FabricPainter::paintNumber(const FabricBox& box, const QRectF& area)
{
    const QString number = count(box.devices());
    for (const double factor : {2.0, 1.5, 1.1}) {
        m_p.setFont(fabricFont(factor, QFont::DemiBold));
        if (fabricTextWidth(m_p.fontMetrics(), number) > area.width() || m_p.fontMetrics().height() > area.height()) continue;
        m_p.setPen(tinted(theme().text, 0.75f));
        m_p.drawText(area, Qt::AlignCenter, number);
        return;
    }
}

/// One square a device, as long as squares can be seen.
void FabricPainter::paintSquares(const FabricBox& box, const QRectF& rect, const QColor& color)
{
    const QRectF area = rect.adjusted(5, 23, -5, -24);
    const auto total = double(box.devices());
    if (area.width() <= 0 || area.height() <= 0 || total == 0) return;
    double side = std::min(14.0, std::ceil(std::sqrt(area.width() * area.height() / total)));
    const auto across = [&] { return std::max(1.0, std::floor(area.width() / side)); };
    while (side >= 3 && (std::ceil(total / across()) * side > area.height() || side > area.width())) --side;
    if (side < 3) return paintNumber(box, area);
    const int columns = int(across()), rows = int(std::ceil(total / columns));
    const double x0 = area.center().x() - std::min<double>(columns, total) * side / 2, y0 = area.center().y() - rows * side / 2;
    const bool byRail = m_look.color == FabricColor::Rail && box.rail < 0 && box.row > 0;
    std::map<std::pair<int, bool>, std::vector<QRectF>> squares; // by rail where it tells the color, and whether it is a spare
    int i = 0;
    for (const auto run : box.runs)
        for (std::uint32_t m = run.first; m < run.last; ++m, ++i) {
            const bool spare = m_index.snapshot().devices.role[m_index.device(m)] == DeviceRole::Backup;
            const int rail = byRail ? m_index.snapshot().devices.rail[m_index.device(m)] : -1;
            squares[{rail, spare}].emplace_back(std::round(x0 + (i % columns) * side), std::round(y0 + double(i / columns) * side), side - 1,
                                                side - 1);
        }
    m_p.setPen(Qt::NoPen);
    m_p.setRenderHint(QPainter::Antialiasing, false); // they stand on whole pixels
    for (const auto& [kind, rects] : squares) {
        m_p.setBrush(tinted(kind.first >= 0 ? laneColor(kind.first, m_index.snapshot().networks.rails[m_index.network()]) : color,
                            kind.second ? 0.35f : 0.9f));
        m_p.drawRects(rects.data(), int(rects.size()));
    }
    m_p.setRenderHint(QPainter::Antialiasing);
}

/// Along the upper edge the ports toward above, along the lower one those toward below: plugged and free.
void FabricPainter::paintPortBars(const FabricBox& box, const QRectF& rect, const QColor& color)
{
    FabricIndex::PortUse up, down;
    const bool host = m_index.layers()[std::size_t(box.part.layer)].attached && box.row == 0;
    for (std::size_t c = 0; c < box.sums.ports.size(); ++c) {
        const PortRole role = m_index.portClasses()[c].role;
        if (role == PortRole::Peer) continue;
        FabricIndex::PortUse& use = host || role == PortRole::Up ? up : down;
        use.total += box.sums.ports[c].total;
        use.used += box.sums.ports[c].used;
    }
    const auto bar = [&](const FabricIndex::PortUse& use, double y) {
        if (use.total == 0) return;
        const QRectF track(rect.left() + 4, y, rect.width() - 8, 2.4);
        m_p.fillRect(track, tinted(theme().textDim, 0.25f));
        m_p.fillRect(QRectF(track.topLeft(), QSizeF(track.width() * double(use.used) / double(use.total), track.height())), tinted(color, 0.95f));
    };
    bar(up, rect.top() + 1.6);
    bar(down, rect.bottom() - 4.0);
}

std::vector<FabricPainter::PortCell> FabricPainter::portCells(const FabricModel& model, const FabricBox& box, const QRectF& rect)
{
    const Snapshot& s = model.index().snapshot();
    const bool host = model.index().layers()[std::size_t(box.part.layer)].attached && box.row == 0;
    std::vector<PortId> up, down;
    for (const PortId id : box.ports) (host || s.ports.role[id] == PortRole::Up || s.ports.role[id] == PortRole::Peer ? up : down).push_back(id);
    const QRectF area = rect.adjusted(5, 22, -5, -8);
    std::vector<PortCell> cells;
    if (area.width() < 8 || area.height() < 6 || box.ports.empty()) return cells;
    double side = 12;
    const auto lines = [&](std::size_t n) { return std::ceil(double(n) / std::max(1.0, std::floor(area.width() / side))); };
    while (side > 2 && (lines(up.size()) + lines(down.size()) + 0.7) * side > area.height()) side -= 0.5;
    const int columns = std::max(1, int(area.width() / side));
    const auto put = [&](const std::vector<PortId>& ports, double top) {
        for (std::size_t i = 0; i < ports.size(); ++i)
            cells.push_back(
                {ports[i], QRectF(area.center().x() - std::min<double>(columns, double(ports.size())) * side / 2 + double(int(i) % columns) * side,
                                  top + double(int(i) / columns) * side, side - 1, side - 1)});
    };
    put(up, area.top());
    put(down, area.bottom() - lines(down.size()) * side);
    return cells;
}

void FabricPainter::paintPorts(const FabricBox& box, const QRectF& rect)
{
    m_p.setFont(fabricFont(0.8, QFont::DemiBold));
    m_p.setPen(theme().text);
    const QString name = text(m_index.snapshot().devices.name[m_index.device(box.part.first)]);
    m_p.drawText(rect.adjusted(6, 5, -6, 0), Qt::AlignHCenter | Qt::AlignTop,
                 m_p.fontMetrics().elidedText(name, Qt::ElideLeft, int(rect.width() - 12)));
    const QColor color = boxColor(m_model, box, m_look);
    for (const PortCell& cell : portCells(m_model, box, rect)) {
        const auto link = m_index.linkOfPort(cell.port);
        const bool used = link.has_value();
        QColor fill = color;
        if (used && m_look.color == FabricColor::Load && m_model.loads()) {
            const FabricLoad load = m_model.loads()->of({0, 0, *link, false, false, 0, 0});
            fill = utilizationColor(double(load.busiest));
        }
        m_p.setPen(QPen(tinted(fill, used ? 0.9f : 0.6f), 0.8));
        m_p.setBrush(used ? QBrush(tinted(fill, 0.85f)) : QBrush(Qt::NoBrush));
        m_p.drawRect(cell.rect);
    }
}

void FabricPainter::paintMarks(const FabricBox& box, const QRectF& rect)
{
    const std::int64_t found = countIn(box, m_look.selected);
    m_p.setBrush(Qt::NoBrush);
    if (found == box.devices()) {
        m_p.setPen(QPen(tinted(theme().accent, 0.28f), 6));
        m_p.drawRoundedRect(rect, 5, 5);
        m_p.setPen(QPen(theme().accent, 2));
        m_p.drawRoundedRect(rect, 5, 5);
        return;
    }
    if (!box.leaf()) return;
    m_p.setPen(QPen(theme().panel, 1.2)); // something in it is selected
    m_p.setBrush(theme().accent);
    m_p.drawEllipse(QPointF(rect.right() - std::min(7.0, rect.width() / 2), rect.top() + 8), 4, 4);
}

} // namespace hw::views
