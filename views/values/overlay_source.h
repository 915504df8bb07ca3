// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject> // before core's headers: moc cannot read <compare> as the very first one

#include "core/operations/overlays/live_fields.h"
#include "core/operations/overlays/overlays.h"
#include "views/bridge/document_bridge.h"

namespace hw::views {

using OverlayPtr = std::shared_ptr<const OverlayValues>;
using LiveValuesPtr = std::shared_ptr<const LiveValues>;

/// Which overlay all views show, and its values: one choice of colors, one meaning. Follows figures, findings and
/// loads, as far as the overlay reads them. Belongs to the bridge; GUI thread.
class OverlaySource : public QObject {
    Q_OBJECT
public:
    /// The one of a bridge, made when it is first asked for.
    [[nodiscard]] static OverlaySource& of(DocumentBridge& bridge);

    /// By its name in the list of overlays; others change nothing.
    void choose(const std::string& name);
    /// Values that somebody worked out, such as what a failure leaves: until another overlay is chosen or the design changes; lasting ones until
    /// hide().
    void show(OverlayPtr values);
    /// Takes such values back: what was chosen before shows again. Nothing where they are not shown.
    void hide();
    /// What is measured at the moment that is shown; null: nothing is followed any more, and what was chosen before shows again.
    void setLive(LiveValuesPtr values);
    [[nodiscard]] const LiveValuesPtr& live() const { return m_live; }
    [[nodiscard]] const std::string& name() const { return m_values->name; }
    [[nodiscard]] const OverlayPtr& values() const { return m_values; } ///< never null; without fields where something is missing
    /// The plain colors of things, which say what they are for.
    [[nodiscard]] bool plain() const { return name() == "kind"; }
    /// For lists, which say what things are without colors: the values, null where they are plain.
    [[nodiscard]] OverlayPtr listed() const { return plain() ? nullptr : m_values; }
    /// "83 %": what the overlay says of an entity; empty where it says nothing.
    [[nodiscard]] QString textOf(EntityRef entity) const;

signals:
    void changed(); ///< the choice, or a value

private:
    explicit OverlaySource(DocumentBridge& bridge);
    void onFigures(const ChangesPtr& changes);
    void refresh();
    [[nodiscard]] bool needs(OverlayNeeds what) const;

    DocumentBridge& m_bridge;
    OverlayPtr m_values;
    LiveValuesPtr m_live;
    std::string m_before = "kind";              ///< what was chosen before values were shown
    std::string m_beforeLive = "kind";          ///< what was chosen before colors of what is measured
    std::shared_ptr<const DesignIndex> m_index; ///< that the values were made with
    std::shared_ptr<const LinkPlaces> m_places; ///< of the figures' wiring; null until loads are asked for
};

/// The loads that a bridge shows, for makers of values.
[[nodiscard]] LinkLoads linkLoadsOf(const DocumentBridge& bridge);

} // namespace hw::views
