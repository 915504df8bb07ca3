// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/catalog_panel.h"

#include "core/design/edit/lookup.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include <algorithm>

namespace hw::views {

namespace {

constexpr int kKind = Qt::UserRole, kSlug = Qt::UserRole + 1;

/// The kind of thing that a part type is added as; PartType: it only joins the project's types.
EntityKind thingOf(PartKind kind)
{
    switch (kind) {
    case PartKind::Device: return EntityKind::Device;
    case PartKind::Rack: return EntityKind::Rack;
    case PartKind::Tray: return EntityKind::Tray;
    case PartKind::Cable:
    case PartKind::Transceiver: break;
    }
    return EntityKind::PartType;
}

/// The kinds that can hold a thing; empty: nothing does.
std::vector<EntityKind> holdersOf(EntityKind kind)
{
    if (kind == EntityKind::Building) return {EntityKind::Site};
    if (kind == EntityKind::Hall) return {EntityKind::Building};
    if (kind == EntityKind::Row || kind == EntityKind::Structure) return {EntityKind::Hall};
    if (kind == EntityKind::Rack) return {EntityKind::Row};
    if (kind == EntityKind::Tray) return {EntityKind::Row, EntityKind::Hall};
    if (kind == EntityKind::Device) return {EntityKind::Rack, EntityKind::Hall};
    if (kind == EntityKind::Tier) return {EntityKind::Network};
    return {};
}
bool standsAlone(EntityKind kind) { return holdersOf(kind).empty() || kind == EntityKind::Building || kind == EntityKind::Tier; }

QTreeWidgetItem* item(const QString& text, EntityKind kind, const QString& slug)
{
    auto* result = new QTreeWidgetItem({text});
    result->setData(0, kKind, int(kind));
    result->setData(0, kSlug, slug);
    result->setToolTip(0, slug);
    return result;
}

} // namespace

CatalogPanel::CatalogPanel(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_search(new QLineEdit), m_list(new QTreeWidget), m_tier(new QComboBox), m_where(new QLabel),
      m_add(new QPushButton(tr("Add")))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space(2), space(2), space(2), space(2));
    m_search->setPlaceholderText(tr("Search parts"));
    m_search->setAccessibleName(tr("Search parts"));
    m_search->setClearButtonEnabled(true);
    m_list->setHeaderHidden(true);
    m_list->setAccessibleName(tr("Items to add"));
    m_tier->setAccessibleName(tr("Device tier"));
    m_where->setWordWrap(true);
    m_where->setProperty("role", "dim");
    m_add->setObjectName("catalogAdd");
    layout->addWidget(m_search);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_tier);
    layout->addWidget(m_where);
    layout->addWidget(m_add);
    connect(m_search, &QLineEdit::textChanged, this, &CatalogPanel::filter);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &CatalogPanel::refresh);
    connect(m_list, &QTreeWidget::itemActivated, this, &CatalogPanel::addChosen);
    connect(m_add, &QPushButton::clicked, this, &CatalogPanel::addChosen);
    connect(&bridge, &DocumentBridge::selectionChanged, this, &CatalogPanel::refresh);
    connect(&bridge, &DocumentBridge::figuresChanged, this, &CatalogPanel::refresh);
    fill();
}

void CatalogPanel::setCatalog(std::shared_ptr<const Catalog> catalog)
{
    m_catalog = std::move(catalog);
    fill();
}

edit::PartSource CatalogPanel::source() const
{
    return [catalog = m_catalog](const std::string& slug) { return catalog ? catalog->find(slug) : nullptr; };
}

void CatalogPanel::fill()
{
    const auto* current = m_list->currentItem();
    const QVariant kindBefore = current ? current->data(0, kKind) : QVariant(), slugBefore = current ? current->data(0, kSlug) : QVariant();
    m_own = ownParts();
    m_list->clear();
    auto* places = new QTreeWidgetItem(m_list, {tr("Places and networks")});
    for (const auto& [text, kind] : {std::pair(tr("Site"), EntityKind::Site),
                                     {tr("Building"), EntityKind::Building},
                                     {tr("Hall"), EntityKind::Hall},
                                     {tr("Wall, column or door"), EntityKind::Structure},
                                     {tr("Row"), EntityKind::Row},
                                     {tr("Network"), EntityKind::Network},
                                     {tr("Tier"), EntityKind::Tier},
                                     {tr("Phase"), EntityKind::Phase}})
        places->addChild(item(text, kind, {}));
    const std::pair<PartKind, QString> kinds[] = {{PartKind::Device, tr("Devices")},
                                                  {PartKind::Rack, tr("Racks")},
                                                  {PartKind::Tray, tr("Trays")},
                                                  {PartKind::Transceiver, tr("Transceivers")},
                                                  {PartKind::Cable, tr("Cables")}};
    for (const auto& [kind, title] : kinds) {
        auto* group = new QTreeWidgetItem(m_list, {title});
        const auto put = [&, kind = kind](const Part& part) {
            if (kindOf(part) == kind) group->addChild(item(QString::fromStdString(part.model), thingOf(kind), QString::fromStdString(part.slug)));
        };
        for (const std::string& slug : m_own)
            if (thingOf(kind) != EntityKind::PartType) put((*m_bridge.figures()->parts)[*m_bridge.figures()->parts->find(slug)]);
        if (!m_catalog) continue;
        for (const auto& [slug, part] : m_catalog->parts(kind)) put(*part);
    }
    m_list->expandItem(places);
    for (QTreeWidgetItemIterator at(m_list); *at; ++at)
        if (kindBefore.isValid() && (*at)->parent() && (*at)->data(0, kKind) == kindBefore && (*at)->data(0, kSlug) == slugBefore)
            m_list->setCurrentItem(*at);
    filter();
    refresh();
}

/// Slugs of the project's part types that the catalog lacks.
std::vector<std::string> CatalogPanel::ownParts() const
{
    std::vector<std::string> own;
    if (!m_bridge.figures()) return own;
    const PartTypes& types = m_bridge.figures()->snapshot->partTypes;
    types.forEach([&](PartTypeId id) {
        if (!m_catalog || !m_catalog->find(types.slug[id])) own.push_back(types.slug[id]);
    });
    return own;
}

void CatalogPanel::filter()
{
    const QStringList words = m_search->text().split(' ', Qt::SkipEmptyParts);
    for (int g = 0; g < m_list->topLevelItemCount(); ++g) {
        auto* group = m_list->topLevelItem(g);
        bool any = false;
        for (int i = 0; i < group->childCount(); ++i) {
            auto* part = group->child(i);
            const QString all = group->text(0) + ' ' + part->text(0) + ' ' + part->data(0, kSlug).toString();
            const bool fits = std::all_of(words.begin(), words.end(), [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
            part->setHidden(!fits);
            any = any || fits;
        }
        group->setHidden(!any);
        if (!words.isEmpty()) group->setExpanded(any);
    }
}

std::optional<EntityRef> CatalogPanel::holderFor(EntityKind kind) const
{
    if (!m_bridge.figures() || !m_bridge.selected()) return std::nullopt;
    const auto wanted = holdersOf(kind);
    const auto chain = ancestry(*m_bridge.snapshot(), m_bridge.selected());
    for (auto at = chain.rbegin(); at != chain.rend(); ++at)
        if (std::ranges::find(wanted, at->kind) != wanted.end()) return *at;
    return std::nullopt;
}

edit::NewThing CatalogPanel::chosen() const
{
    edit::NewThing thing;
    const auto* current = m_list->currentItem();
    if (!current || !current->parent()) return thing;
    thing.kind = EntityKind(current->data(0, kKind).toInt());
    thing.type = current->data(0, kSlug).toString().toStdString();
    thing.into = holderFor(thing.kind);
    if (thing.kind == EntityKind::Device && m_tier->currentIndex() > 0) thing.tier = m_tier->currentText().toStdString();
    return thing;
}

void CatalogPanel::refresh()
{
    if (ownParts() != m_own) return fill();
    const edit::NewThing thing = chosen();
    const bool open = m_bridge.figures() != nullptr, placed = standsAlone(thing.kind) || thing.into;
    m_add->setEnabled(open && thing.kind != EntityKind::None && placed);
    m_tier->setVisible(thing.kind == EntityKind::Device);
    if (open && thing.kind == EntityKind::Device) {
        const QString chosenTier = m_tier->currentText();
        m_tier->clear();
        m_tier->addItem(tr("Tier: from device type"));
        const auto& tiers = m_bridge.snapshot()->tiers;
        tiers.forEach([&](TierId id) { m_tier->addItem(QString::fromStdString(tiers.name[id])); });
        m_tier->setCurrentIndex(std::max(0, m_tier->findText(chosenTier)));
    }
    if (thing.kind == EntityKind::None)
        m_where->setText(tr("Choose an item to add, then select a location"));
    else if (thing.into)
        m_where->setText(tr("into %1").arg(m_bridge.nameOf(*thing.into)));
    else
        m_where->setText(placed ? QString() : tr("Select a parent object"));
}

std::vector<std::array<QString, 3>> CatalogPanel::partTypes() const
{
    std::vector<std::array<QString, 3>> all;
    for (int g = 0; g < m_list->topLevelItemCount(); ++g)
        for (int i = 0; i < m_list->topLevelItem(g)->childCount(); ++i)
            if (const QString slug = m_list->topLevelItem(g)->child(i)->data(0, kSlug).toString(); !slug.isEmpty())
                all.push_back({slug, m_list->topLevelItem(g)->child(i)->text(0), m_list->topLevelItem(g)->text(0)});
    return all;
}

void CatalogPanel::showPart(const QString& slug)
{
    m_search->setText(slug);
    for (QTreeWidgetItemIterator at(m_list); *at; ++at)
        if ((*at)->data(0, kSlug).toString() == slug) m_list->setCurrentItem(*at);
    m_list->setFocus(Qt::OtherFocusReason);
}

void CatalogPanel::addChosen()
{
    if (!m_add->isEnabled()) return;
    const edit::NewThing thing = chosen();
    std::vector<EntityRef> made;
    const QString what = m_list->currentItem()->text(0);
    (void)m_bridge.edit(tr("Add %1").arg(what), [&](Transaction& t) -> Result<void> {
        edit::Lookup lookup(t.preview());
        if (thing.kind == EntityKind::PartType) {
            const auto type = edit::takePartType(t, lookup, source(), thing.type);
            return type ? Result<void>() : tl::unexpected(type.error());
        }
        const auto parts = ProjectParts::of(t->partTypes);
        if (!parts) return tl::unexpected(parts.error());
        auto added = edit::add(t, **parts, lookup, source(), thing);
        if (!added) return tl::unexpected(added.error());
        made = std::move(*added);
        return {};
    });
}

} // namespace hw::views
