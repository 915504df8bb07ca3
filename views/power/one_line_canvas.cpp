// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/power/one_line_canvas.h"

#include "views/power/one_line_texts.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <set>

namespace hw::views {

constexpr std::uint32_t kNone = OneLine::kNone;

OneLineCanvas::OneLineCanvas(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(220, 160);
    setAccessibleName(tr("One-line diagram of the power chain"));
    setAttribute(Qt::WA_OpaquePaintEvent);
}

double OneLineCanvas::readableWidth() const
{
    OneLineCamera camera;
    camera.place(QRectF(rect()));
    return camera.area.width() / OneLineCamera::kLegible;
}

void OneLineCanvas::setLine(OneLinePtr line, bool keepOpen, std::optional<OneLineOpen> readable)
{
    m_line = std::move(line);
    if (m_line && !(keepOpen && m_model)) {
        m_open = readable ? std::move(*readable) : OneLineOpen::readable(*m_line, readableWidth());
        m_opened = m_open, m_openedFor = readableWidth();
        m_fitted = true, m_whole = false;
    }
    rebuild();
}

/// Where the camera follows the size.
void OneLineCanvas::aim()
{
    if (!m_fitted) return;
    if (m_whole)
        m_camera.fit(m_layout);
    else
        m_camera.read(m_layout);
}

/// After the design, or what is open, changed.
void OneLineCanvas::rebuild()
{
    m_look.hover = m_look.focus = kNone;
    m_model = m_line ? OneLineModel::make(m_line, m_open) : nullptr;
    m_camera.place(QRectF(rect()));
    if (m_model) m_layout = OneLineLayout::make(*m_model, m_camera.shape());
    aim();
    setSelected(m_picked);
    update();
}

/// Elements that are the entities, stand in them or are of their kind.
void OneLineCanvas::setSelected(const std::vector<EntityRef>& entities)
{
    m_picked = entities;
    m_look.selected.clear();
    if (!m_model || entities.empty()) return update();
    const std::set<EntityRef> wanted(entities.begin(), entities.end());
    const Snapshot& s = *m_line->snapshot;
    std::vector<char> selected(m_line->elements.size(), 0);
    bool any = false;
    for (const EntityRef e : entities)
        if (const auto own = m_line->elementOf(e); own != kNone) selected[own] = 1, any = true;
    for (std::size_t i = 0; i < selected.size(); ++i) {
        const OneLineElement& e = m_line->elements[i];
        const auto has = [&](auto id) { return id && wanted.contains(ref(*id)); };
        bool in = has(e.building) || has(e.row) || (e.row && wanted.contains(ref(s.rows.hall[*e.row])));
        if (e.entity.kind == EntityKind::Device) in = in || wanted.contains(ref(s.devices.tier[DeviceId(e.entity.id)]));
        if (in) selected[i] = 1, any = true;
    }
    if (any) m_look.selected = std::move(selected);
    update();
}

void OneLineCanvas::setValues(std::shared_ptr<const OverlayValues> values)
{
    if (values == m_look.values) return;
    m_look.values = std::move(values);
    update();
}

void OneLineCanvas::setFindings(std::shared_ptr<const OneLineFindings> findings)
{
    m_look.findings = std::move(findings);
    update();
}

void OneLineCanvas::setOpen(OneLineOpen open)
{
    m_open = std::move(open);
    rebuild();
}

void OneLineCanvas::toggle(std::uint32_t b)
{
    if (!m_model || b >= m_model->boxes.size()) return;
    const OneLineBox box = m_model->boxes[b];
    const double x = m_camera.rect(m_layout, b).center().x();
    if (box.folded())
        m_open.keys.insert(box.key);
    else if (box.around)
        m_open.fold(*box.around);
    else
        return;
    rebuild();
    if (m_fitted && m_whole) return;
    m_fitted = false;
    const std::uint32_t now = m_model->boxOf[box.members.front()]; // stays under the cursor
    m_camera.origin.rx() += (m_camera.rect(m_layout, now).center().x() - x) / m_camera.scale;
    update();
}

void OneLineCanvas::foldAll()
{
    if (!m_line) return;
    m_fitted = true, m_whole = false;
    m_opened = OneLineOpen::readable(*m_line, readableWidth()), m_openedFor = readableWidth();
    setOpen(m_opened);
}

void OneLineCanvas::fit()
{
    m_fitted = m_whole = true;
    aim();
    update();
}

void OneLineCanvas::reveal(EntityRef entity)
{
    if (!m_model) return;
    const std::uint32_t element = m_line->elementOf(entity);
    if (element == kNone) return;
    m_open.reveal(*m_line, element);
    rebuild();
    m_look.focus = m_model->boxOf[element];
    const QRectF rect = boxRect(m_look.focus);
    constexpr double kLegible = 60; // pixels of a box's width
    if (rect.width() >= kLegible && m_camera.area.contains(rect)) return update();
    m_fitted = false;
    m_camera.scale = std::max(m_camera.scale, kLegible * 1.3 / OneLineLayout::kBoxWidth);
    const auto& at = m_layout.boxes[m_look.focus];
    m_camera.origin =
        QPointF(at.middle(), at.y + OneLineLayout::kBoxHeight / 2) - QPointF(m_camera.area.width(), m_camera.area.height()) / (2 * m_camera.scale);
    update();
}

std::uint32_t OneLineCanvas::boxAt(QPointF position) const
{
    if (!m_model || position.x() < m_camera.area.left() - 4) return kNone;
    const QPointF at = m_camera.toLayout(position);
    for (std::uint32_t b = 0; b < m_layout.boxes.size(); ++b)
        if (QRectF(m_layout.boxes[b].x, m_layout.boxes[b].y, OneLineLayout::kBoxWidth, OneLineLayout::kBoxHeight).contains(at)) return b;
    return kNone;
}

std::uint32_t OneLineCanvas::markAt(QPointF position) const
{
    if (!m_model || !m_camera.area.adjusted(-4, 0, 4, 0).contains(position)) return kNone;
    for (std::uint32_t b = 0; b < m_layout.boxes.size(); ++b)
        if (m_model->boxes[b].folded() && m_camera.mark(m_layout, b).adjusted(-2, -2, 2, 2).contains(position)) return b;
    return kNone;
}

std::vector<EntityRef> OneLineCanvas::entitiesOf(std::uint32_t b) const
{
    std::vector<EntityRef> entities;
    for (const std::uint32_t i : m_model->boxes[b].members) entities.push_back(m_line->elements[i].entity);
    return entities;
}

void OneLineCanvas::pick(std::uint32_t box)
{
    m_look.focus = box;
    emit picked(box == kNone ? std::vector<EntityRef>() : entitiesOf(box));
    update();
}

void OneLineCanvas::setHover(std::uint32_t box)
{
    if (box == m_look.hover) return;
    m_look.hover = box;
    setCursor(box == kNone ? Qt::ArrowCursor : Qt::PointingHandCursor);
    update();
}

bool OneLineCanvas::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        if (const std::uint32_t box = boxAt(help->pos()); box != kNone)
            QToolTip::showText(help->globalPos(), boxTip(*m_model, m_model->boxes[box], m_look.findings.get()), this, boxRect(box).toAlignedRect());
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) update();
    return QWidget::event(event);
}

void OneLineCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!m_model || m_model->boxes.empty()) {
        painter.fillRect(rect(), theme().canvas);
        painter.setPen(theme().textFaint);
        painter.drawText(rect(), Qt::AlignCenter,
                         m_model ? tr("The design has no power equipment and no loads.") : tr("Calculating the power chain …"));
        return;
    }
    OneLineLook look = m_look;
    if (!hasFocus()) look.focus = kNone;
    OneLinePainter(painter, *m_model, m_layout, m_camera, look).paint();
}

/// Nobody has opened or folded anything since, and there is room for much more, or for much less.
bool OneLineCanvas::opensAnew() const
{
    constexpr double kMuch = 0.1;
    constexpr std::size_t kMost = 20'000; // elements; more take longer than a frame
    if (!m_line || m_whole || !(m_open == m_opened) || m_line->elements.size() > kMost) return false;
    return std::abs(readableWidth() - m_openedFor) > kMuch * m_openedFor;
}

void OneLineCanvas::resizeEvent(QResizeEvent*)
{
    m_camera.place(QRectF(rect()));
    if (!m_fitted) return;
    if (opensAnew()) return foldAll();
    if (m_model) m_layout = OneLineLayout::make(*m_model, m_camera.shape());
    aim();
}

void OneLineCanvas::mousePressEvent(QMouseEvent* event)
{
    m_pressedAt = m_lastAt = event->position();
    m_pressed = true;
}

void OneLineCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (m_pressed && (event->position() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance()) {
        m_pressed = false;
        m_panning = true;
        setCursor(Qt::ClosedHandCursor);
    }
    if (m_panning) {
        m_fitted = false;
        m_camera.origin -= (event->position() - m_lastAt) / m_camera.scale;
        m_lastAt = event->position();
        return update();
    }
    setHover(boxAt(event->position()));
}

void OneLineCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    const bool click = std::exchange(m_pressed, false);
    if (std::exchange(m_panning, false)) return unsetCursor();
    if (!click || !m_model) return;
    m_markPressed = event->button() == Qt::LeftButton && markAt(event->position()) != kNone;
    if (m_markPressed) return toggle(markAt(event->position()));
    pick(boxAt(event->position()));
    if (event->button() == Qt::RightButton) emit menuRequested(event->globalPosition().toPoint());
}

void OneLineCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    m_pressed = false;
    if (event->button() == Qt::LeftButton && !std::exchange(m_markPressed, false)) toggle(boxAt(event->position()));
}

void OneLineCanvas::zoom(QPointF at, double factor)
{
    m_fitted = false;
    m_camera.zoomAt(at, factor);
    setHover(boxAt(at));
    update();
}

void OneLineCanvas::wheelEvent(QWheelEvent* event)
{
    event->accept();
    zoom(event->position(), std::pow(1.2, event->angleDelta().y() / 120.0));
}

/// To the nearest box in the direction of an arrow.
void OneLineCanvas::moveFocus(int key)
{
    if (m_model->boxes.empty()) return;
    if (m_look.focus == kNone) return pick(0);
    const auto& from = m_layout.boxes[m_look.focus];
    const std::int32_t level = m_model->boxes[m_look.focus].level;
    const bool sideways = key == Qt::Key_Left || key == Qt::Key_Right;
    std::uint32_t best = kNone;
    double nearest = 1e300;
    for (std::uint32_t b = 0; b < m_layout.boxes.size(); ++b) {
        const std::int32_t up = m_model->boxes[b].level - level;
        const double way = m_layout.boxes[b].x - from.x;
        if (b == m_look.focus || (sideways && (up != 0 || (way > 0) != (key == Qt::Key_Right)))) continue;
        if (!sideways && (up == 0 || (up > 0) != (key == Qt::Key_Up))) continue;
        const double distance = std::abs(way) + 1e4 * std::abs(up);
        if (distance < nearest) nearest = distance, best = b;
    }
    if (best != kNone) pick(best);
}

void OneLineCanvas::keyPressEvent(QKeyEvent* event)
{
    if (!m_model) return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down: moveFocus(event->key()); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: toggle(m_look.focus); return;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(m_camera.area.center(), 1.3); return;
    case Qt::Key_Minus: zoom(m_camera.area.center(), 1 / 1.3); return;
    case Qt::Key_Home: fit(); return;
    case Qt::Key_Escape: pick(kNone); return;
    default: QWidget::keyPressEvent(event);
    }
}

void OneLineCanvas::leaveEvent(QEvent*) { setHover(kNone); }

} // namespace hw::views
