// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/tiers/tier_proof.h"

#include "core/derived/rules/functions.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace hw::tiers {

namespace {

std::string namesOf(const Outage& outage, const Figures& figures)
{
    std::string names;
    for (const EntityRef e : outage.out) names += (names.empty() ? "" : ", ") + entityName(*figures.snapshot, *figures.parts, e);
    return names;
}

Text classesText(int tier)
{
    return tier >= 4 ? i18n("Tier IV (Uptime Institute Topology 2018, 2.4.1); comparable: TIA-942-C Rated-4, EN 50600 class 4")
                     : i18n("Tier III (Uptime Institute Topology 2018, 2.3.1); comparable: TIA-942-C Rated-3, EN 50600 class 3");
}

std::vector<std::string> consequences(const Outage& o, const Figures& figures)
{
    std::vector<std::string> out;
    if (o.itLost.count() > 0)
        out.push_back(fmt::format("{}", o.accelerators > 0
                                            ? i18n("{} of IT load lost ({:L} accelerators)", rules::powerText(o.itLost), o.accelerators)
                                            : i18n("{} of IT load lost", rules::powerText(o.itLost))));
    if (o.uncooledW > 0) out.push_back(fmt::format("{}", i18n("{} uncooled", rules::powerText(Milliwatts(std::llround(1e3 * o.uncooledW))))));
    if (o.overloaded)
        out.push_back(fmt::format(
            "{}", i18n("{} at {:.0f} % of its rating", entityName(*figures.snapshot, *figures.parts, ref(*o.overloaded)), 100 * o.overload)));
    return out;
}

} // namespace

std::string tierJson(const TierProof& proof, const Figures& figures)
{
    using Json = nlohmann::ordered_json;
    Json statements = Json::array();
    for (const Statement& one : proof.statements) {
        Json breaks = Json::array();
        for (const Outage& o : one.breaks) {
            Json row{{"out", Json::array()},
                     {"alike", o.likeIt},
                     {"it_lost_w", toWatts(o.itLost)},
                     {"accelerators", o.accelerators},
                     {"uncooled_w", std::round(o.uncooledW)},
                     {"overloaded", o.overloaded ? Json(entityName(*figures.snapshot, *figures.parts, ref(*o.overloaded))) : Json()},
                     {"overload", std::round(o.overload * 1000) / 1000},
                     {"remedy", o.remedy}};
            row["remedy_cost"] = o.remedyCost.count() > 0 ? Json(toCurrency(o.remedyCost)) : Json();
            for (const EntityRef e : o.out) row["out"].push_back(entityName(*figures.snapshot, *figures.parts, e));
            breaks.push_back(std::move(row));
        }
        statements.push_back({{"id", one.id},
                              {"title", one.title},
                              {"holds", one.holds ? Json(*one.holds) : Json()},
                              {"note", one.note},
                              {"tried", one.tried},
                              {"breaks", std::move(breaks)}});
    }
    const Json all{{"schema", "hallwright.tier/1"},        {"tier", proof.tier},     {"revision", figures.snapshot->revision},
                   {"basis", powerBasisName(proof.basis)}, {"holds", proof.holds()}, {"statements", std::move(statements)}};
    return all.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string tierText(const TierProof& proof, const Figures& figures)
{
    constexpr std::size_t kMost = 10;
    std::string out = fmt::format("{}\n", classesText(proof.tier));
    for (const Statement& one : proof.statements) {
        const Text verdict = !one.holds ? i18n("not evaluated") : *one.holds ? i18n("met") : i18n("not met");
        out += fmt::format("{} {}: {}\n", one.id, one.title, verdict);
        if (one.tried > 0) out += fmt::format("  {}\n", i18np(one.tried, "{:L} outage simulated", "{:L} outages simulated"));
        if (!one.note.empty()) out += fmt::format("  {}\n", one.note);
        for (std::size_t i = 0; i < std::min(one.breaks.size(), kMost); ++i) {
            const Outage& o = one.breaks[i];
            out += fmt::format("  {}", namesOf(o, figures));
            if (o.likeIt > 1) out += fmt::format(" {}", i18np(o.likeIt - 1, "and {:L} more of this type", "and {:L} more of this type"));
            std::string told;
            for (const auto& text : consequences(o, figures)) told += (told.empty() ? ": " : ", ") + text;
            out += told + '\n';
            if (!o.remedy.empty()) {
                const Text line = o.remedyCost.count() > 0
                                      ? i18n("remedy: {} (equipment price {:L} USD)", o.remedy, std::llround(toCurrency(o.remedyCost)))
                                      : i18n("remedy: {}", o.remedy);
                out += fmt::format("    {}\n", line);
            }
        }
        if (one.breaks.size() > kMost) out += fmt::format("  {}\n", i18n("and {} more", one.breaks.size() - kMost));
    }
    out += fmt::format("{}\n", proof.holds() ? i18n("Tier {}: met", proof.tier) : i18n("Tier {}: not met", proof.tier));
    return out;
}

} // namespace hw::tiers
