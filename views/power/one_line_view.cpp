// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/power/one_line_view.h"

#include "core/derived/values/impact_fields.h"
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
    connect(&bridge, &DocumentBridge::findingsChanged, this, &OneLineView::showFindings);
    connect(&OverlaySource::of(bridge), &OverlaySource::changed, this, &OneLineView::showValues);
    connect(&bridge, &DocumentBridge::zoomRequested, this, &OneLineView::reveal);
    connect(m_canvas, &OneLineCanvas::picked, this, [this](const std::vector<EntityRef>& entities) { m_bridge.select(entities); });
    connect(m_canvas, &OneLineCanvas::menuRequested, this, [this](QPoint at) { m_bridge.openMenu({}, at); });
}

/// Colors of what is measured and of what a failure leaves show here too; those of the design have their own picture.
void OneLineView::showValues()
{
    if (!isVisible()) return;
    const OverlayPtr& values = OverlaySource::of(m_bridge).values();
    const Overlay* overlay = findOverlay(values->name);
    const bool impact = values->name == kImpactOverlay;
    m_canvas->setValues(impact || (overlay && overlay->in(OverlayView::OneLine)) ? values : nullptr);
    const bool other = std::exchange(m_impact, impact ? values : nullptr) != values;
    if (!impact || !other || !m_canvas->model()) return;
    constexpr std::size_t kMost = 3; // more are seen better as a whole
    std::vector<EntityRef> failed;
    for (const OneLineElement& element : m_canvas->model()->line->elements)
        if (const ValueField* of = values->of(element.entity.kind); of && of->at(element.entity.id) >= kImpactFailed)
            failed.push_back(element.entity);
    if (failed.size() <= kMost)
        for (const EntityRef entity : failed) m_canvas->reveal(entity);
}

/// Marks at the elements that rules of power or cooling complain about; what they say of the site stands above the diagram.
void OneLineView::showFindings()
{
    const auto& model = m_canvas->model();
    if (!isVisible() || !model) return;
    const auto findings = findingsOf(*model->line, m_bridge.findings());
    m_canvas->setFindings(findings);
    const OneLine& line = *model->line;
    const bool cooling = line.cooling();
    QStringList parts;
    if (!line.elements.empty()) parts << (cooling ? coolingSummary(line) : powerSummary(line));
    const QString problems = cooling ? coolingProblems(line) : powerProblems(line);
    if (!line.elements.empty() && !problems.isEmpty()) parts << problems;
    if (findings->check)
        for (const Finding& finding : findings->check->findings) {
            const bool site = !cooling && finding.rule == "P12"; // substations, utility feeds, contract
            if (site) parts << findingText(finding);
        }
    m_summary->setText(parts.join("   ·   "));
}

void OneLineView::fit() { m_canvas->fit(); }

void OneLineView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    showValues();
    if (m_stale) return refresh();
    showFindings();
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
    m_canvas->setFindings(nullptr); // they are by element of the line before
    m_canvas->setLine(std::move(line), !std::exchange(m_fresh, false), std::move(made.readable));
    m_canvas->setSelected(m_bridge.selection());
    showFindings();
    m_impact = nullptr;
    showValues();
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
