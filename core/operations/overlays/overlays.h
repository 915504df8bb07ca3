// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/values/design_fields.h"
#include "core/derived/values/link_load.h"

#include <span>

namespace hw {

struct LiveValues;

/// What the values of an overlay can be made from. Borrowed for the time of the call.
struct OverlayInputs {
    const Figures& figures;
    const CheckResult* findings = nullptr; ///< null: not checked yet
    LinkLoads loads{};
    const LinkPlaces* places = nullptr; ///< of the figures' snapshot, where somebody keeps them; null: made for the call
    const LiveValues* live = nullptr;   ///< null: nothing is measured
};

/// The values that an overlay lays over the design: at most one field for each kind of entity.
struct OverlayValues {
    std::string name;
    std::vector<ValueField> fields;
    bool lasting = false;                                        ///< shown values stay after an edit; who shows them marks them as outdated
    [[nodiscard]] const ValueField* of(EntityKind entity) const; ///< null: it says nothing about these
    [[nodiscard]] const ValueField* of(EntityRef entity) const;  ///< null: it says nothing about this one
};

/// What has to be worked out before an overlay can say anything.
enum class OverlayNeeds : std::uint8_t { Nothing, Findings, Loads, Live };

/// Where an overlay can be shown; bits of Overlay::views.
enum class OverlayView : std::uint8_t { Plan = 1, Twin = 2, Rack = 4, Fabric = 8, OneLine = 16 };

/// A choice of what colors mean. One list for the command line, the menus of the window and every legend: whoever
/// has another value per entity (an impact, a meter) writes a maker and adds a line to the list in overlays.cpp.
struct Overlay {
    using Maker = std::vector<ValueField> (*)(const OverlayInputs&);
    std::string_view name; ///< `--overlay`, and "overlay.NAME" as an action
    TextId title;          ///< "Color by …"
    TextId help;           ///< one line
    OverlayNeeds needs = OverlayNeeds::Nothing;
    std::uint8_t views = 0;
    Maker make = nullptr; ///< null: the fabric view takes it from its own shape
    [[nodiscard]] bool in(OverlayView view) const { return views & std::uint8_t(view); }
    /// As `in`, for who has a design and nothing measured.
    [[nodiscard]] bool drawnIn(OverlayView view) const { return in(view) && needs != OverlayNeeds::Live; }
};

/// Every overlay that follows from a design, in the order of menus.
[[nodiscard]] std::span<const Overlay> allOverlays();
/// Those of what is measured: there while the window follows a hall.
[[nodiscard]] std::span<const Overlay> liveOverlays();
/// Of either list.
[[nodiscard]] const Overlay* findOverlay(std::string_view name);
/// "kind, power, …": those of a view that follow from a design.
[[nodiscard]] std::string overlayNames(OverlayView view);
/// The values of an overlay with a maker; no fields where what it needs is missing.
[[nodiscard]] OverlayValues makeOverlay(const Overlay& overlay, const OverlayInputs& inputs);

} // namespace hw
