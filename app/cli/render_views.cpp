// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/render_views.h"

#include "core/foundation/model/text_values.h"
#include "core/operations/overlays/overlays.h"

#include <fmt/format.h>

namespace hw::cli {

namespace {

constexpr const char* kViews = "twin, plan, plan:HALL, rack:NAME, fabric:NETWORK, power, cooling, trays, trays:HALL"; // no text
constexpr int kSmallest = 64, kLargest = 16384;

Text unknownIn(OverlayView view)
{
    switch (view) {
    case OverlayView::Plan: return i18n("not available in the plan");
    case OverlayView::Twin: return i18n("not available in the twin");
    case OverlayView::Rack: return i18n("not available in the rack elevation");
    case OverlayView::Fabric: return i18n("not available in the fabric view");
    case OverlayView::OneLine: break; // only what is measured
    }
    return {};
}

std::optional<OverlayView> overlayViewOf(RenderView view)
{
    switch (view) {
    case RenderView::Twin: return OverlayView::Twin;
    case RenderView::Plan: return OverlayView::Plan;
    case RenderView::Rack: return OverlayView::Rack;
    case RenderView::Fabric: return OverlayView::Fabric;
    case RenderView::Power:
    case RenderView::Cooling:
    case RenderView::Trays: return std::nullopt;
    }
    return std::nullopt;
}

} // namespace

Result<ViewChoice> parseView(const std::string& text)
{
    if (text == "twin") return ViewChoice{RenderView::Twin, {}};
    if (text == "plan") return ViewChoice{RenderView::Plan, {}};
    if (text.starts_with("rack:") && text.size() > 5) return ViewChoice{RenderView::Rack, text.substr(5)};
    if (text.starts_with("fabric:") && text.size() > 7) return ViewChoice{RenderView::Fabric, text.substr(7)};
    if (text.starts_with("plan:") && text.size() > 5) return ViewChoice{RenderView::Plan, text.substr(5)};
    if (text.starts_with("trays:") && text.size() > 6) return ViewChoice{RenderView::Trays, text.substr(6)};
    if (text == "power") return ViewChoice{RenderView::Power, {}};
    if (text == "cooling") return ViewChoice{RenderView::Cooling, {}};
    if (text == "trays") return ViewChoice{RenderView::Trays, {}};
    return fail(ErrorCode::Usage, "--view " + text, i18n("unknown view"), i18n("choose from {}", kViews));
}

Result<void> checkOverlay(const ViewChoice& choice, const std::string& overlay)
{
    if (overlay.empty()) return {};
    const std::string where = "--overlay " + overlay;
    const auto view = overlayViewOf(choice.view);
    if (!view)
        return fail(ErrorCode::Usage, where, i18n("this view has no overlays"),
                    i18n("omit it, or choose view plan, twin, rack:NAME or fabric:NETWORK"));
    const Overlay* found = findOverlay(overlay);
    if (found && found->drawnIn(*view)) return {};
    return fail(ErrorCode::Usage, where, unknownIn(*view), i18n("choose from {}", overlayNames(*view)));
}

Result<PictureSize> parseSize(const std::string& text)
{
    PictureSize size;
    const auto x = text.find('x');
    if (x == std::string::npos || !text::fromText(std::string_view(text).substr(0, x), size.width) ||
        !text::fromText(std::string_view(text).substr(x + 1), size.height))
        return fail(ErrorCode::Usage, "--size " + text, i18n("not in the form WIDTHxHEIGHT"), i18n("for example: 1600x900"));
    for (const int side : {size.width, size.height})
        if (side < kSmallest || side > kLargest)
            return fail(ErrorCode::Refused, "--size " + text, i18n("out of range"), i18n("choose {} to {} pixels per side", kSmallest, kLargest));
    return size;
}

} // namespace hw::cli
