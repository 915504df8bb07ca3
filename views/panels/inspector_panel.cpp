// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/inspector_panel.h"

#include "core/derived/impact/failing.h"
#include "core/derived/topology/holding.h"
#include "core/design/edit/edits.h"
#include "views/panels/entity_form.h"
#include "views/panels/properties.h"
#include "views/panels/property_list.h"
#include "views/plan/plan_drag.h"
#include "views/style/icons.h"
#include "views/style/theme.h"
#include "views/style/units.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace hw::views {
namespace {

QLabel* label(const char* role)
{
    auto* result = new QLabel;
    result->setProperty("role", role);
    result->setTextInteractionFlags(Qt::NoTextInteraction);
    return result;
}

} // namespace

InspectorPanel::InspectorPanel(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_kind(label("section")), m_path(label("faint")), m_placeLabel(label("dim")), m_more(label("dim")),
      m_name(new QLineEdit), m_x(new QLineEdit), m_y(new QLineEdit), m_list(new PropertyList), m_fields(new EntityForm(bridge)),
      m_fails(new QToolButton), m_body(new QWidget)
{
    buildHeader();
    connect(&bridge, &DocumentBridge::selectionChanged, this, &InspectorPanel::refresh);
    connect(&bridge, &DocumentBridge::figuresChanged, this, &InspectorPanel::refresh);
    connect(&bridge, &DocumentBridge::simulationChanged, this, &InspectorPanel::refresh);
    connect(&bridge, &DocumentBridge::simulationMarked, this, &InspectorPanel::refresh);
    connect(m_name, &QLineEdit::editingFinished, this, &InspectorPanel::commitName);
    connect(m_x, &QLineEdit::editingFinished, this, &InspectorPanel::commitPlace);
    connect(m_y, &QLineEdit::editingFinished, this, &InspectorPanel::commitPlace);
    connect(m_list, &PropertyList::linkActivated, &bridge, [this](EntityRef entity) { m_bridge.select(entity); });
    refresh();
}

void InspectorPanel::buildHeader()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space(2), 0, 0);
    layout->setSpacing(space(1));
    auto* head = new QVBoxLayout;
    head->setContentsMargins(space(3), 0, space(3), 0);
    head->setSpacing(space(1));
    m_name->setObjectName("inspectorName");
    m_name->setAccessibleName(tr("Name"));
    m_name->setFont(scaledFont(1.15, QFont::DemiBold));
    m_path->setWordWrap(true);
    m_path->setTextFormat(Qt::PlainText);
    auto* top = new QHBoxLayout;
    top->addWidget(m_kind, 1);
    m_fails->setObjectName("inspectorFails");
    m_fails->setAutoRaise(true);
    m_fails->setIcon(icon("warning"));
    m_fails->setToolTip(tr("Failure impact"));
    m_fails->setAccessibleName(m_fails->toolTip());
    top->addWidget(m_fails);
    head->addLayout(top);
    connect(m_fails, &QToolButton::clicked, this, &InspectorPanel::impactRequested);
    head->addWidget(m_name);
    head->addWidget(m_path);
    head->addWidget(m_more);
    auto* place = new QHBoxLayout;
    place->addWidget(m_placeLabel);
    for (QLineEdit* field : {m_x, m_y}) {
        field->setAlignment(Qt::AlignRight);
        field->setToolTip(tr("In meters; mm and ft are also accepted"));
        place->addWidget(field, 1);
    }
    m_x->setObjectName("inspectorX");
    m_y->setObjectName("inspectorY");
    head->addLayout(place);
    layout->addLayout(head);
    auto* body = new QVBoxLayout(m_body);
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(0);
    body->addWidget(m_list, 1);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_body);
    scroll->setFocusPolicy(Qt::NoFocus);
    layout->addWidget(scroll, 2);
    auto* form = new QScrollArea;
    form->setObjectName("inspectorFields");
    form->setWidgetResizable(true);
    form->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    form->setWidget(m_fields);
    form->setFocusPolicy(Qt::NoFocus);
    form->hide(); // until somebody edits
    layout->addWidget(form, 3);
}

std::optional<QPointF> InspectorPanel::placeOf(EntityRef e) const
{
    const Snapshot& s = *m_bridge.figures()->snapshot;
    const bool inRow = e.kind != EntityKind::Row && heldBy(s, e, EntityKind::Row); // its place is said along the row
    if (inRow || (e.kind == EntityKind::Device && !holderOf(s, e))) return std::nullopt;
    std::optional<QPointF> place;
    visitEntity(s, e, [&](const auto& table, auto id) {
        if constexpr (requires { place.emplace(table.x[id].count(), table.y[id].count()); }) place.emplace(table.x[id].count(), table.y[id].count());
    });
    return place;
}

void InspectorPanel::refresh()
{
    m_entity = m_bridge.figures() ? m_bridge.selected() : EntityRef{};
    const bool any = bool(m_entity);
    const auto chosen = m_bridge.selection().size();
    for (QWidget* w : {static_cast<QWidget*>(m_name), static_cast<QWidget*>(m_path)}) w->setVisible(any);
    m_more->setVisible(chosen > 1);
    m_fails->setVisible(any && std::ranges::all_of(m_bridge.selection(), [](EntityRef e) { return impact::canFail(e.kind); }));
    m_more->setText(tr("and %1 more selected; name and place are those of this object").arg(int(chosen) - 1));
    m_more->setWordWrap(true);
    const auto place = any ? placeOf(m_entity) : std::nullopt;
    for (QWidget* w : {static_cast<QWidget*>(m_placeLabel), static_cast<QWidget*>(m_x), static_cast<QWidget*>(m_y)}) w->setVisible(place.has_value());
    m_fields->setEntity(m_entity, m_bridge.selection());
    if (!any) {
        m_kind->setText(m_bridge.figures() ? tr("Design (nothing selected)") : QString());
        m_list->setSections(m_bridge.figures() ? designSections(m_bridge) : std::vector<PropertySection>{});
        return;
    }
    const Figures& f = *m_bridge.figures();
    m_kind->setText(kindName(*f.snapshot, m_entity));
    if (!m_name->isModified() || !m_name->hasFocus()) m_name->setText(m_bridge.nameOf(m_entity));
    m_name->setReadOnly(!edit::canRename(m_entity.kind));
    m_name->setCursorPosition(0);
    QStringList path;
    for (const EntityRef e : ancestry(*f.snapshot, m_entity))
        if (e != m_entity) path << m_bridge.nameOf(e);
    m_path->setText(path.join("  ›  "));
    if (place) {
        m_placeLabel->setText(tr("Location, %1").arg(lengthUnit()));
        m_x->setAccessibleName(tr("Position x, %1").arg(lengthUnit()));
        m_y->setAccessibleName(tr("Position y, %1").arg(lengthUnit()));
        m_x->setText(QString::number(inLengthUnit(place->x()), 'f', 3));
        m_y->setText(QString::number(inLengthUnit(place->y()), 'f', 3));
    }
    m_list->setSections(propertiesOf(m_bridge, m_entity));
}

void InspectorPanel::addAbove(QWidget* widget) { static_cast<QVBoxLayout*>(m_body->layout())->insertWidget(0, widget); }

void InspectorPanel::beginRename()
{
    if (m_name->isReadOnly() || !m_entity) return;
    m_name->setFocus(Qt::ShortcutFocusReason);
    m_name->selectAll();
}

void InspectorPanel::editValues()
{
    auto* form = findChild<QScrollArea*>("inspectorFields");
    form->setVisible(form->isHidden());
    if (!form->isHidden()) m_fields->setFocus(Qt::ShortcutFocusReason);
}

void InspectorPanel::commitName()
{
    const QString name = m_name->text().trimmed();
    if (!m_entity || name == m_bridge.nameOf(m_entity) || m_name->isReadOnly()) return;
    m_name->setModified(false);
    const auto done = m_bridge.edit(tr("Rename %1 to %2").arg(m_bridge.nameOf(m_entity), name),
                                    [&](Transaction& t) { return edit::renameEntity(t, m_entity, name.toStdString()); });
    if (!done) refresh();
}

void InspectorPanel::commitPlace()
{
    if (!m_entity) return;
    const auto now = placeOf(m_entity);
    const auto x = readLength(m_x->text()), y = readLength(m_y->text());
    if (!now || !x || !y) return refresh();
    const std::int64_t dx = *x - std::llround(now->x()), dy = *y - std::llround(now->y());
    if (dx == 0 && dy == 0) return;
    const auto done = m_bridge.edit(moveName(tr("Move %1").arg(m_bridge.nameOf(m_entity)), {int(dx), int(dy)}),
                                    [&](Transaction& t) { return edit::moveEntity(t, m_entity, dx, dy); });
    if (!done) refresh();
}

} // namespace hw::views
