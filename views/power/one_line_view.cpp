// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/power/one_line_view.h"

#include "views/power/cooling_texts.h"
#include "views/power/one_line_canvas.h"
#include "views/power/one_line_texts.h"
#include "views/style/fit.h"
#include "views/style/icons.h"
#include "views/style/theme.h"
#include "views/values/overlay_source.h"

#include <QBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <utility>

namespace hw::views {

OneLineView::OneLineView(DocumentBridge& bridge, Medium medium, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_medium(medium), m_canvas(new OneLineCanvas), m_summary(new ElidedLabel)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(space(2), space(1), space(1), space(1));
    bar->setSpacing(space(2));
    bar->addWidget(m_summary, 1);
    const auto tool = [&](const QString& name, const QString& tip, auto&& call) {
        auto* button = new QToolButton;
        button->setIcon(icon(name));
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        connect(button, &QToolButton::clicked, this, call);
        bar->addWidget(button);
    };
    tool("layers", tr("Collapse all"), [this] { m_canvas->foldAll(); });
    tool("fit", tr("Zoom to all"), [this] { m_canvas->fit(); });
    layout->addLayout(bar);
    layout->addWidget(m_canvas, 1);
    m_canvas->setObjectName(medium == Medium::Coolant ? "coolingCanvas" : "oneLineCanvas");
    setFocusProxy(m_canvas);
    connect(&bridge, &DocumentBridge::figuresChanged, this, [this] {
        m_stale = true;
        refresh();
    });
    connect(&bridge, &DocumentBridge::documentChanged, this,
            [this](const ChangeEvent& event) { m_fresh = m_fresh || event.origin == ChangeOrigin::Load; });
    connect(&bridge, &DocumentBridge::selectionChanged, this, [this] {
        if (isVisible()) m_canvas->setSelected(m_bridge.selection());
    });
    connect(&OverlaySource::of(bridge), &OverlaySource::changed, this, &OneLineView::showValues);
    connect(&bridge, &DocumentBridge::zoomRequested, this, &OneLineView::reveal);
    connect(m_canvas, &OneLineCanvas::picked, this, [this](const std::vector<EntityRef>& entities) { m_bridge.select(entities); });
    connect(m_canvas, &OneLineCanvas::menuRequested, this, [this](QPoint at) { m_bridge.openMenu({}, at); });
}

/// Colors of what is measured show here too; those of the design have their own picture.
void OneLineView::showValues()
{
    if (!isVisible()) return;
    const OverlayPtr& values = OverlaySource::of(m_bridge).values();
    const Overlay* overlay = findOverlay(values->name);
    m_canvas->setValues(overlay && overlay->in(OverlayView::OneLine) ? values : nullptr);
}

void OneLineView::fit() { m_canvas->fit(); }

void OneLineView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    showValues();
    if (m_stale)
        refresh();
    else
        m_canvas->setSelected(m_bridge.selection());
}

void OneLineView::whenReady(std::function<void()> call)
{
    if (!m_stale && m_canvas->model() && !m_bridge.jobs().busy(slot())) return call();
    m_waiting.push_back(std::move(call));
    m_stale = true;
    refresh();
}

/// On a worker: what every single loss leaves of eight pods takes more than a frame.
void OneLineView::refresh()
{
    if ((!isVisible() && m_waiting.empty()) || !m_stale || !m_bridge.figures()) return;
    m_stale = false;
    const bool keep = m_canvas->model() && !m_fresh;
    m_bridge.jobs().start<Made>(
        slot(), {},
        [figures = m_bridge.figures(), keep, cooling = m_medium == Medium::Coolant, width = m_canvas->readableWidth()](const Progress&) {
            Made made{cooling ? OneLine::makeCooling(*figures) : OneLine::make(*figures, powerBasisOf(*figures->snapshot)), std::nullopt};
            if (!keep) made.readable = OneLineOpen::readable(*made.line, width);
            return made;
        },
        [this](Made made) { adopt(std::move(made)); });
}

void OneLineView::adopt(Made made)
{
    OneLinePtr line = std::move(made.line);
    const bool cooling = line->cooling();
    const QString problems = cooling ? coolingProblems(*line) : powerProblems(*line);
    m_summary->setText(line->elements.empty()
                           ? QString()
                           : (cooling ? coolingSummary(*line) : powerSummary(*line)) + (problems.isEmpty() ? problems : "   ·   " + problems));
    m_canvas->setLine(std::move(line), !std::exchange(m_fresh, false), std::move(made.readable));
    m_canvas->setSelected(m_bridge.selection());
    if (m_pending) reveal(std::exchange(m_pending, EntityRef{}));
    for (const auto& call : std::exchange(m_waiting, {})) call();
}

void OneLineView::reveal(EntityRef entity)
{
    if (!isVisible() || m_stale || !m_canvas->model()) {
        m_pending = entity;
        return;
    }
    m_canvas->reveal(entity);
}

} // namespace hw::views
