// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/script_arrange.h"

#include <algorithm>
#include <array>

namespace hw::edit {
namespace {

constexpr std::array<std::string_view, 5> kArranging{"align", "distribute", "mirror", "rotate-about", "reshape"};

std::optional<std::int64_t> given(const nlohmann::json& edit, const char* key)
{
    return edit.contains(key) ? std::optional(edit[key].get<std::int64_t>()) : std::nullopt;
}

Result<PlanAxis> axisGiven(const nlohmann::json& edit)
{
    const auto word = edit.value("axis", std::string());
    if (const auto axis = axisOf(word)) return *axis;
    return fail(ErrorCode::Refused, "axis", i18n("{}: unknown axis", word), i18n("specify x or y"));
}

Result<void> alignThem(ArrangeScript& script, const std::vector<EntityRef>& things)
{
    const auto word = script.edit.value("to", std::string());
    const auto to = alignOf(word);
    if (!to) return fail(ErrorCode::Refused, "to", i18n("{}: unknown side", word), i18n("specify left, center-x, right, bottom, center-y or top"));
    script.title = i18np(things.size(), "Align {} object", "Align {} objects");
    return align(script.transaction, script.parts, things, *to);
}

Result<void> turnThem(ArrangeScript& script, const std::vector<EntityRef>& things)
{
    const auto x = given(script.edit, "x_mm"), y = given(script.edit, "y_mm");
    if (x.has_value() != y.has_value()) return fail(ErrorCode::Refused, x ? "y_mm" : "x_mm", i18n("missing"), i18n("specify both, or neither"));
    const auto by = script.edit["by_deg"].get<std::int64_t>();
    script.title = i18np(things.size(), "Rotate {} object by {}°", "Rotate {} objects by {}°", by);
    return rotateAbout(script.transaction, script.parts, things, by, x ? std::optional(PlanPoint{*x, *y}) : std::nullopt);
}

Result<void> reshapeOne(ArrangeScript& script)
{
    const auto name = script.edit.value("entity", std::string());
    const auto found = script.find(name);
    if (!found) return tl::unexpected(found.error());
    script.title = i18n("Reshape {}", name);
    const auto at = [&](const char* key) { return script.edit[key].get<std::int64_t>(); };
    return reshape(script.transaction, *found,
                   {at("x1_mm"), at("y1_mm"), at("x2_mm"), at("y2_mm"), given(script.edit, "z1_mm"), given(script.edit, "z2_mm")});
}

} // namespace

bool arranges(std::string_view action) { return std::ranges::find(kArranging, action) != kArranging.end(); }

Result<void> arrange(ArrangeScript& script, std::string_view action)
{
    if (action == "reshape") return reshapeOne(script);
    std::vector<EntityRef> things;
    for (const auto& name : script.edit["entities"]) {
        const auto found = script.find(name.get<std::string>());
        if (!found) return tl::unexpected(found.error());
        things.push_back(*found);
    }
    if (action == "align") return alignThem(script, things);
    if (action == "rotate-about") return turnThem(script, things);
    const auto axis = axisGiven(script.edit);
    if (!axis) return tl::unexpected(axis.error());
    if (action == "mirror") {
        script.title = i18np(things.size(), "Mirror {} object", "Mirror {} objects");
        return mirror(script.transaction, script.parts, things, *axis, given(script.edit, "at_mm"));
    }
    script.title = i18np(things.size(), "Distribute {} object", "Distribute {} objects");
    return distribute(script.transaction, script.parts, things, *axis, given(script.edit, "gap_mm"));
}

} // namespace hw::edit
