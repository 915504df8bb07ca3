// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/render_views.h"

#include <charconv>

#include <fmt/format.h>

namespace hw::cli {

namespace {

constexpr const char* kViews = "twin, plan, rack:NAME, fabric:NETWORK, power, cooling";
constexpr int kSmallest = 64, kLargest = 16384;

bool number(std::string_view text, int& value)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

} // namespace

Result<ViewChoice> parseView(const std::string& text)
{
    if (text == "twin") return ViewChoice{RenderView::Twin, {}};
    if (text == "plan") return ViewChoice{RenderView::Plan, {}};
    if (text.starts_with("rack:") && text.size() > 5) return ViewChoice{RenderView::Rack, text.substr(5)};
    if (text.starts_with("fabric:") && text.size() > 7) return ViewChoice{RenderView::Fabric, text.substr(7)};
    if (text == "power") return ViewChoice{RenderView::Power, {}};
    if (text == "cooling") return ViewChoice{RenderView::Cooling, {}};
    return fail(ErrorCode::Usage, "--view " + text, "there is no such view", fmt::format("choose from {}", kViews));
}

Result<void> checkOverlay(const ViewChoice& choice, const std::string& overlay)
{
    if (overlay.empty()) return {};
    const std::string where = "--overlay " + overlay;
    if (choice.view == RenderView::Plan) {
        if (overlay == "kind" || overlay == "power" || overlay == "findings") return {};
        return fail(ErrorCode::Usage, where, "is unknown in the plan", "choose from kind, power, findings");
    }
    if (choice.view == RenderView::Fabric) {
        for (const char* known : {"plane", "rail", "network", "oversubscription", "load"})
            if (overlay == known) return {};
        return fail(ErrorCode::Usage, where, "is unknown in a fabric", "choose from plane, rail, network, oversubscription, load");
    }
    if (choice.view != RenderView::Twin)
        return fail(ErrorCode::Usage, where, "this view has no overlays", "leave it out, or choose the view plan or twin");
    if (overlay == "load") return {};
    return fail(ErrorCode::Usage, where, "is unknown in the twin", "choose from load");
}

Result<PictureSize> parseSize(const std::string& text)
{
    PictureSize size;
    const auto x = text.find('x');
    if (x == std::string::npos || !number(std::string_view(text).substr(0, x), size.width) ||
        !number(std::string_view(text).substr(x + 1), size.height))
        return fail(ErrorCode::Usage, "--size " + text, "is not WIDTHxHEIGHT", "write for example 1600x900");
    for (const int side : {size.width, size.height})
        if (side < kSmallest || side > kLargest)
            return fail(ErrorCode::Refused, "--size " + text, "is out of range", fmt::format("choose {} to {} pixels a side", kSmallest, kLargest));
    return size;
}

} // namespace hw::cli
