// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fabric/fabric_canvas.h"

#include "core/foundation/model/label.h"

#include "views/style/format.h"
#include "views/style/theme.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace hw::views {
namespace {

constexpr int kAnimation_ms = 190;

FabricGeometry mix(const FabricGeometry& a, const FabricGeometry& b, double t)
{
    FabricGeometry g = b;
    g.origin = a.origin + (b.origin - a.origin) * t;
    g.scale = a.scale + (b.scale - a.scale) * t;
    g.lift = a.lift + (b.lift - a.lift) * t;
    g.stretch = a.stretch + (b.stretch - a.stretch) * t;
    return g;
}

} // namespace

FabricCanvas::FabricCanvas(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(220, 160);
    setAccessibleName(tr("Fabric"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setDuration(kAnimation_ms);
    m_animation.setEasingCurve(QEasingCurve::InOutCubic);
    connect(&m_animation, &QVariantAnimation::valueChanged, this, [this](const QVariant& t) { onStep(t.toDouble()); });
}

FabricCanvas::~FabricCanvas() { m_animation.stop(); }

void FabricCanvas::showSnapshot(const SnapshotPtr& snapshot, const std::string& network)
{
    std::optional<NetworkId> found;
    if (snapshot)
        snapshot->networks.forEach([&](NetworkId id) {
            if (!found && (network.empty() || snapshot->networks.name[id] == network)) found = id;
        });
    setIndex(found ? FabricIndex::make(snapshot, *found) : nullptr);
}

void FabricCanvas::setIndex(FabricIndexPtr index)
{
    m_animation.stop();
    m_hover = {};
    m_look.hoverBox = m_look.hoverBundle = -1;
    m_look.selected.clear();
    m_look.matches.clear();
    const bool same = m_model && index && m_model->index().network() == index->network();
    if (!index) {
        m_model.reset();
        refresh();
        return;
    }
    if (!same) {
        m_open = FabricOpen::readable(*index);
        m_look.hiddenLanes.clear();
        m_look.focus.reset();
        m_fitted = true;
    }
    m_model = FabricModel::make(index, m_open, FabricLoads::make(*index, m_flows));
    const auto modes = colorModes(*index, m_model->loads() != nullptr, m_look.values.get());
    if (std::ranges::find(modes, m_look.color) == modes.end()) m_look.color = modes.front();
    m_before.reset();
    rebuild(false);
    emit focusMoved();
}

void FabricCanvas::setLoads(std::shared_ptr<const sim::FlowResult> flows)
{
    if (flows == m_flows) return;
    m_flows = std::move(flows);
    if (!m_model) return;
    m_model = FabricModel::make(m_model->indexPtr(), m_open, FabricLoads::make(m_model->index(), m_flows));
    if (!m_flows && m_look.color == FabricColor::Load) m_look.color = colorModes(m_model->index(), false).front();
    refresh();
}

void FabricCanvas::setLoadsMark(const QString& whose, bool stale)
{
    if (m_look.loadsOf == whose && m_look.loadsStale == stale) return;
    m_look.loadsOf = whose;
    m_look.loadsStale = stale;
    if (m_look.color == FabricColor::Load) refresh();
}

void FabricCanvas::setValues(std::shared_ptr<const OverlayValues> values)
{
    m_look.values = std::move(values);
    if (!m_model || m_look.color != FabricColor::Values) return;
    const auto modes = colorModes(m_model->index(), m_flows != nullptr, m_look.values.get());
    if (std::ranges::find(modes, FabricColor::Values) == modes.end()) m_look.color = modes.front();
    refresh();
}

void FabricCanvas::setColor(FabricColor color)
{
    m_look.color = color;
    refresh();
}

void FabricCanvas::setLaneHidden(int lane, bool hide)
{
    if (hide)
        m_look.hiddenLanes.insert(lane);
    else
        m_look.hiddenLanes.erase(lane);
    refresh();
}

std::size_t FabricCanvas::setFilter(const QString& words)
{
    m_look.matches.clear();
    std::size_t found = 0;
    const QStringList parts = words.split(' ', Qt::SkipEmptyParts);
    if (m_model && !parts.empty()) {
        const FabricIndex& index = m_model->index();
        m_look.matches.resize(index.members());
        for (std::uint32_t m = 0; m < index.members(); ++m) {
            const QString name = text(index.snapshot().devices.name[index.device(m)]);
            m_look.matches[m] = std::ranges::all_of(parts, [&](const QString& part) { return name.contains(part, Qt::CaseInsensitive); });
            found += m_look.matches[m] != 0;
        }
    }
    refresh();
    return found;
}

void FabricCanvas::setSelected(std::vector<char> members)
{
    if (std::ranges::find(members, char(1)) == members.end()) members.clear();
    m_look.selected = std::move(members);
    refresh();
}

void FabricCanvas::refresh()
{
    m_dirty = true;
    update();
}

/// After the model or the size changed: lays out again and keeps the view where it was.
void FabricCanvas::rebuild(bool animate)
{
    if (!m_model) return refresh();
    m_layout = FabricLayout::make(*m_model);
    FabricPainter::place(m_geometry, QRectF(rect()), *m_model, m_layout);
    if (m_fitted) m_geometry.fit(m_layout);
    if (animate) return;
    m_shown = m_layout;
    m_routes = FabricRoutes(*m_model, m_shown, m_geometry);
    refresh();
}

void FabricCanvas::setOpen(FabricOpen open, const FabricKey* anchor)
{
    if (!m_model || open == m_open) return;
    m_animation.stop();
    const auto anchored = anchor ? spanOf(*anchor, m_shown) : std::nullopt;
    const double stays = anchored ? m_geometry.toScreen(anchored->x) : 0;
    m_open = std::move(open);
    m_before = m_model;
    m_layoutBefore = m_shown;
    m_from = m_geometry;
    m_model = FabricModel::make(m_before->indexPtr(), m_open, m_before->loads());
    setHover({});
    rebuild(true);
    FabricGeometry target = m_geometry;
    if (!m_fitted && anchored)
        if (const auto now = spanOf(*anchor, m_layout)) target.origin = now->x - (stays - target.area.left()) / target.scale;
    animateTo(target);
    emit focusMoved();
}

void FabricCanvas::animateTo(FabricGeometry target)
{
    m_to = target;
    if (!m_before) {
        m_before = m_model;
        m_layoutBefore = m_shown;
        m_from = m_geometry;
    }
    FabricPainter::place(m_from, QRectF(rect()), *m_model, m_layout);
    if (!m_animated || !isVisible()) return onStep(1.0);
    m_animation.start();
    onStep(0.0);
}

void FabricCanvas::onStep(double t)
{
    if (!m_model || !m_before) return;
    m_shown = FabricLayout::between(*m_before, m_layoutBefore, *m_model, m_layout, t);
    m_geometry = mix(m_from, m_to, t);
    if (t >= 1) m_fitting = false;
    if (m_fitted && !m_fitting) m_geometry.fit(m_shown);
    m_routes = FabricRoutes(*m_model, m_shown, m_geometry);
    if (t >= 1) m_before.reset();
    refresh();
}

std::optional<FabricLayout::Span> FabricCanvas::spanOf(const FabricKey& key, const FabricLayout& layout) const
{
    if (!m_model) return std::nullopt;
    if (key.tier == FabricKey::kNoId) {
        for (std::size_t i = 0; i < m_model->index().columns().size(); ++i)
            if (m_model->index().columnKey(int(i)) == key && layout.columns[i].width > 0) return layout.columns[i];
        return std::nullopt;
    }
    const int box = m_model->find(key);
    return box >= 0 && std::size_t(box) < layout.boxes.size() ? std::optional(layout.boxes[std::size_t(box)]) : std::nullopt;
}

void FabricCanvas::toggle(const FabricKey& key)
{
    if (!m_model) return;
    FabricOpen open = m_open;
    if (open.has(key))
        open.fold(m_model->index(), key);
    else
        open.keys.insert(key);
    m_look.focus = key;
    setOpen(std::move(open), &key);
}

void FabricCanvas::foldAll()
{
    if (!m_model) return;
    m_look.focus.reset();
    m_fitted = m_fitting = true;
    FabricOpen open = FabricOpen::readable(m_model->index());
    if (open == m_open)
        fit();
    else
        setOpen(std::move(open));
    emit focusMoved();
}

void FabricCanvas::fit()
{
    if (!m_model) return;
    m_fitted = m_fitting = true;
    FabricGeometry target = m_geometry;
    target.fit(m_layout);
    m_from = m_geometry;
    animateTo(target);
}

void FabricCanvas::reveal(std::uint32_t member)
{
    if (!m_model || member >= m_model->index().members()) return;
    FabricOpen open = m_open;
    open.reveal(m_model->index(), member);
    setOpen(std::move(open));
    const FabricBox& box = m_model->boxes()[std::size_t(m_model->leafOf(member))];
    m_look.focus = box.key;
    bringNear(box.key);
    emit focusMoved();
}

/// Wide enough to be read, and in view; otherwise nothing moves.
void FabricCanvas::bringNear(const FabricKey& key)
{
    const auto span = spanOf(key, m_layout);
    if (!span) return;
    FabricGeometry target = m_animation.state() == QAbstractAnimation::Running ? m_to : m_geometry;
    if (m_fitted) target.fit(m_layout);
    const bool readable = span->width * target.scale >= 22;
    const double left = target.toScreen(span->x), right = target.toScreen(span->right());
    if (readable && left >= target.area.left() && right <= target.area.right()) return refresh();
    if (!readable) target.scale = 34 / std::max(1.0, span->width);
    target.origin = span->middle() - target.area.width() / 2 / target.scale;
    target.pan({}, m_layout);
    m_fitted = false;
    if (!m_before) m_from = m_geometry;
    animateTo(target);
}

void FabricCanvas::zoomTo(const FabricKey& key)
{
    const auto span = spanOf(key, m_layout);
    if (!span || span->width <= 0) return;
    FabricGeometry target = m_geometry;
    const double air = span->width * 0.06;
    target.scale = std::min(target.area.width() / (span->width + 2 * air), 12.0 * std::max(1.0, target.area.width() / std::max(1.0, m_layout.width)));
    target.origin = span->middle() - target.area.width() / 2 / target.scale;
    m_fitted = false;
    m_look.focus = key;
    m_from = m_geometry;
    animateTo(target);
    emit focusMoved();
}

void FabricCanvas::stepZoom(double factor)
{
    if (!m_model) return;
    m_animation.stop();
    onStep(1.0);
    m_fitted = false;
    m_geometry.zoomAt(m_geometry.area.center().x(), factor, m_layout);
    m_routes = FabricRoutes(*m_model, m_shown, m_geometry);
    refresh();
}

void FabricCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!m_model || m_model->boxes().empty()) {
        painter.fillRect(rect(), theme().canvas);
        painter.setPen(theme().textFaint);
        painter.drawText(rect(), Qt::AlignCenter, m_model ? emptyText(m_model->index()) : tr("No network to show."));
        return;
    }
    if (m_dirty || m_still.size() != size() * devicePixelRatioF()) {
        m_still = QPixmap(size() * devicePixelRatioF());
        m_still.setDevicePixelRatio(devicePixelRatioF());
        QPainter still(&m_still);
        FabricPainter(still, *m_model, m_shown, m_geometry, m_routes, m_look).paint();
        m_dirty = false;
    }
    painter.drawPixmap(0, 0, m_still);
    FabricLook light = m_look; // the outlines follow the cursor, the rest is in the picture
    light.selected.clear();
    if (!hasFocus()) light.focus.reset();
    FabricPainter(painter, *m_model, m_shown, m_geometry, m_routes, light).paintHover();
    if (const FabricCard hovered = card(); !hovered.title.isEmpty() && !m_panning) paintFabricCard(painter, hovered, m_cursor, QRectF(rect()));
}

void FabricCanvas::resizeEvent(QResizeEvent*)
{
    m_animation.stop();
    m_before.reset();
    rebuild(false);
}

void FabricCanvas::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange) refresh();
    QWidget::changeEvent(event);
}

FabricCard FabricCanvas::card() const
{
    if (!m_model) return {};
    switch (m_hover.kind) {
    case Hit::Kind::Box:
    case Hit::Kind::Title: return boxCard(*m_model, m_hover.index);
    case Hit::Kind::Bundle: return bundleCard(*m_model, m_hover.index);
    case Hit::Kind::Column: return columnCard(*m_model, m_hover.index);
    case Hit::Kind::Port: return portCard(*m_model, m_hover.port);
    case Hit::Kind::Legend:
        return {m_look.hiddenLanes.contains(m_hover.index) ? tr("Click to show its links again") : tr("Click to hide its links"), {}};
    case Hit::Kind::None: return {};
    }
    return {};
}

std::vector<FabricCanvas::Crumb> FabricCanvas::crumbs() const
{
    std::vector<Crumb> result;
    if (!m_model) return result;
    const FabricIndex& index = m_model->index();
    const Snapshot& s = index.snapshot();
    result.push_back({text(labelText(s.networks, index.network())), index.columnKey(0)});
    if (!m_look.focus) return result;
    int column = 0, box = m_model->find(*m_look.focus);
    for (std::size_t i = 0; i < index.columns().size(); ++i)
        if (box >= 0 ? int(i) == m_model->boxes()[std::size_t(box)].column : index.columnKey(int(i)) == *m_look.focus) column = int(i);
    std::vector<Crumb> inner;
    for (; box >= 0; box = m_model->boxes()[std::size_t(box)].parent) {
        const FabricBox& b = m_model->boxes()[std::size_t(box)];
        QString title = b.kind == FabricBox::Kind::Device    ? boxPath(*m_model, b)
                        : b.part.first != FabricIndex::kNone ? partTitle(index, b.part)
                                                             : tierTitle(index, b.part.layer);
        if (b.kind != FabricBox::Kind::Device && b.part.first == FabricIndex::kNone && b.part.lane >= 0) title += " " + laneTitle(index, b.part.lane);
        inner.push_back({title, b.key});
    }
    for (; column > 0; column = index.columns()[std::size_t(column)].parent) inner.push_back({columnTitle(index, column), index.columnKey(column)});
    result.insert(result.end(), inner.rbegin(), inner.rend());
    return result;
}

} // namespace hw::views
