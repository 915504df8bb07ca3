// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/values/overlay_source.h"

#include "views/style/format.h"
#include "views/style/units.h"

#include <utility>

namespace hw::views {

LinkLoads linkLoadsOf(const DocumentBridge& bridge)
{
    const FlowPtr& flows = bridge.flows();
    if (!flows) return {};
    const FlowsMark& mark = bridge.flowsMark();
    return {flows->loadGbps, flows->capacityGbps, (mark.peak ? QObject::tr("%1 (peak)").arg(mark.whose) : mark.whose).toStdString(), mark.stale};
}

OverlaySource& OverlaySource::of(DocumentBridge& bridge)
{
    if (auto* found = bridge.findChild<OverlaySource*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
    return *new OverlaySource(bridge);
}

OverlaySource::OverlaySource(DocumentBridge& bridge)
    : QObject(&bridge), m_bridge(bridge), m_values(std::make_shared<const OverlayValues>(OverlayValues{"kind", {}}))
{
    connect(&bridge, &DocumentBridge::figuresChanged, this, [this](const FiguresPtr&, const ChangesPtr& changes) { onFigures(changes); });
    connect(&bridge, &DocumentBridge::findingsChanged, this, [this] {
        if (needs(OverlayNeeds::Findings)) refresh();
    });
    for (const auto signal : {&DocumentBridge::simulationChanged, &DocumentBridge::simulationMarked})
        connect(&bridge, signal, this, [this] {
            if (needs(OverlayNeeds::Loads)) refresh();
        });
    refresh();
}

bool OverlaySource::needs(OverlayNeeds what) const
{
    const Overlay* overlay = findOverlay(name());
    return overlay && overlay->needs == what;
}

void OverlaySource::onFigures(const ChangesPtr& changes)
{
    auto index = m_bridge.figures()->share<IndexNode>();
    const bool rewired = std::exchange(m_index, index) != index || !changes;
    if (rewired) m_places.reset();
    if (!findOverlay(name())) { // it was of the design before
        if (!m_values->lasting) refresh();
        return;
    }
    // Moving things changes what they draw, by their cables' optics; not what they are, nor what was found or simulated.
    if (rewired || needs(OverlayNeeds::Live) || (needs(OverlayNeeds::Nothing) && !plain())) refresh();
}

void OverlaySource::choose(const std::string& name)
{
    const Overlay* overlay = findOverlay(name);
    if (!overlay || !overlay->make || name == this->name()) return;
    if (overlay->needs == OverlayNeeds::Live && !needs(OverlayNeeds::Live)) m_beforeLive = findOverlay(this->name()) ? this->name() : m_before;
    m_values = std::make_shared<const OverlayValues>(OverlayValues{name, {}});
    refresh();
}

void OverlaySource::show(OverlayPtr values)
{
    if (findOverlay(name())) m_before = name();
    auto shown = std::make_shared<OverlayValues>(*values);
    for (ValueField& field : shown->fields) inPreferredUnit(field);
    m_values = std::move(shown);
    emit changed();
}

void OverlaySource::hide()
{
    if (!findOverlay(name())) refresh();
}

void OverlaySource::setLive(LiveValuesPtr values)
{
    m_live = std::move(values);
    if (!needs(OverlayNeeds::Live)) return;
    if (m_live)
        refresh();
    else
        choose(m_beforeLive);
}

void OverlaySource::refresh()
{
    if (!findOverlay(name())) m_values = std::make_shared<const OverlayValues>(OverlayValues{m_before, {}});
    const Overlay* overlay = findOverlay(name());
    OverlayValues values{name(), {}};
    if (const auto& figures = m_bridge.figures(); figures && overlay) {
        const bool links = (overlay->needs == OverlayNeeds::Loads && m_bridge.flows()) || (overlay->needs == OverlayNeeds::Live && m_live);
        if (!m_places && links) m_places = LinkPlaces::of(*figures->snapshot);
        values = makeOverlay(*overlay, {*figures, m_bridge.findings().get(), linkLoadsOf(m_bridge), m_places.get(), m_live.get()});
        for (ValueField& field : values.fields) inPreferredUnit(field);
    }
    m_values = std::make_shared<const OverlayValues>(std::move(values));
    emit changed();
}

QString OverlaySource::textOf(EntityRef entity) const
{
    const ValueField* field = m_values->of(entity.kind);
    return field ? text(valueText(*field, field->at(entity.id))) : QString();
}

} // namespace hw::views
