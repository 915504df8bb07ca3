// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/fitting/fitting.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::fitting {

std::string_view limitWord(Limit::Kind kind)
{
    switch (kind) {
    case Limit::Kind::Space: return "space";
    case Limit::Kind::Power: return "power";
    case Limit::Kind::Air: return "air";
    case Limit::Kind::Liquid: return "liquid";
    case Limit::Kind::Reach: return "reach";
    case Limit::Kind::Floor: return "floor-load";
    case Limit::Kind::Height: return "height";
    case Limit::Kind::Rule: break;
    }
    return "rule";
}

nlohmann::ordered_json fitJson(const Fit& fit)
{
    using Json = nlohmann::ordered_json;
    Json limits = Json::array();
    for (const Limit& limit : fit.limits) {
        Json one{{"kind", limitWord(limit.kind)}, {"binds", limit.binds}, {"accelerators", limit.accelerators}};
        if (!limit.unit.empty()) one["needed"] = limit.needed, one["available"] = limit.available, one["unit"] = limit.unit;
        one["text"] = words(limit.text);
        limits.push_back(std::move(one));
    }
    Json out{{"schema", "hallwright.layout/1"},
             {"hall", fit.hall},
             {"fits", fit.fits},
             {"accelerators", {{"asked", fit.accelerators}, {"fit", fit.most}, {"laid_out", fit.laidOut}}},
             {"racks", fit.racks},
             {"limits", std::move(limits)}};
    if ((fit.fits && fit.racks > 0) || fit.laidOut > 0) {
        out["rows"] = fit.rows, out["fan_walls"] = fit.fanWalls, out["cdus"] = fit.cdus;
        if (fit.turned) out["turned"] = {{"clockwise_deg", std::round(fit.turned->clockwise * 100) / 100}, {"plan_north_deg", fit.turned->planNorth}};
        out["objective"] = {
            {"minimized", Json::array({"cable_cost", "longest_run"})}, {"currency", fit.currency},  {"value", double(fit.cost.count()) / 1e4},
            {"lower_bound", double(fit.bound.count()) / 1e4},          {"longest_m", fit.longestM}, {"arrangements", fit.arrangements}};
    }
    return out;
}

static Text rackCount(std::int64_t racks) { return i18np(racks, "{:L} rack", "{:L} racks"); }

Text fitText(const Fit& fit)
{
    if (fit.fits && fit.racks == 0) return i18n("all equipment is placed; no layout required in {}", fit.hall);
    if (fit.fits) {
        const Text placed = i18n("{:L} accelerators in {} placed in {}", fit.accelerators, rackCount(fit.racks), fit.hall);
        return fit.turned ? i18n("{}; {}", placed, fit.turned->text) : placed;
    }
    Text limits;
    for (const Limit& limit : fit.limits)
        if (limit.binds) limits = limits.empty() ? limit.text : i18n("{}; {}", limits, limit.text);
    return i18n("{:L} accelerators do not fit in {}: maximum {:L}; limits: {}", fit.accelerators, fit.hall, fit.most, limits);
}

std::string fitReport(const Fit& fit)
{
    std::string out;
    const auto line = [&](const Text& text) { out += words(text) + '\n'; };
    if (fit.fits && fit.racks == 0) {
        line(fitText(fit));
        return out;
    }
    if (!fit.fits) line(i18n("{:L} accelerators do not fit in {}: maximum {:L}", fit.accelerators, fit.hall, fit.most));
    if (fit.fits || fit.laidOut > 0) {
        line(i18n("{:L} accelerators in {} laid out in {}: {}, {}, {}", fit.fits ? fit.accelerators : fit.laidOut, rackCount(fit.racks), fit.hall,
                  i18np(fit.rows, "{:L} row", "{:L} rows"), i18np(fit.fanWalls, "{:L} fan wall", "{:L} fan walls"),
                  i18np(fit.cdus, "{:L} coolant distribution unit", "{:L} coolant distribution units")));
        if (fit.turned) line(fit.turned->text);
        line(i18n("lowest data-cable cost including modules: {:L} {}; lower bound for these racks and positions: {:L} {}", fit.cost.count() / 10'000,
                  fit.currency, fit.bound.count() / 10'000, fit.currency));
        line(i18n("longest cable: {:.1f} m; {:L} layouts compared", fit.longestM, fit.arrangements));
    }
    for (const Limit& limit : fit.limits)
        line(limit.binds ? i18n("  {}; maximum {:L}", limit.text, limit.accelerators) : i18n("  {}; not limiting", limit.text));
    return out;
}

} // namespace hw::fitting
