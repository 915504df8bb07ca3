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

constexpr std::size_t kMostCuts = 20;

void writeAvailability(std::string& out, const TierProof& proof, const Figures& figures)
{
    if (proof.availability.empty()) return;
    const auto name = [&](EntityRef e) { return entityName(*figures.snapshot, *figures.parts, e); };
    out += fmt::format("{}\n", i18n("Availability (failure rates and repair times of the parts; {:g} % of failures with a common cause)",
                                    100 * proof.availability.front().beta));
    for (const Availability& one : proof.availability) {
        out += fmt::format("  {}\n", availabilityText(one, figures));
        for (std::size_t i = 0; i < std::min<std::size_t>(one.cuts.size(), 3); ++i) {
            std::string elements;
            for (std::size_t e = 0; e < one.cuts[i].elements.size(); ++e) {
                elements += (elements.empty() ? "" : " + ") + name(ref(one.cuts[i].elements[e]));
                if (const auto n = one.cuts[i].together[e]; n > 1)
                    elements += fmt::format(
                        " {}", i18np(n - 1, "and the other unit of its type (common cause)", "and the other {:L} units of its type (common cause)"));
            }
            const double hours = kHoursPerYear * one.cuts[i].share;
            out += fmt::format("    {}\n", one.cuts[i].likeIt == 1 ? i18n("{}: {:.2g} h per year", elements, hours)
                                                                   : i18n("{}: {:.2g} h per year ({:L} combinations of these types)", elements, hours,
                                                                          one.cuts[i].likeIt));
        }
    }
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

Text verdictText(const TierProof& proof) { return proof.holds() ? i18n("Tier {}: met", proof.tier) : i18n("Tier {}: not met", proof.tier); }

Text verdictText(const Statement& statement) { return !statement.holds ? i18n("not evaluated") : *statement.holds ? i18n("met") : i18n("not met"); }

Text triedText(const Statement& statement)
{
    return statement.tried > 0 ? i18np(statement.tried, "{:L} outage simulated", "{:L} outages simulated") : Text();
}

Text remedyText(const Outage& outage)
{
    if (outage.remedy.empty()) return {};
    return outage.remedyCost.count() > 0 ? i18n("remedy: {} (equipment price {:L} USD)", outage.remedy, std::llround(toCurrency(outage.remedyCost)))
                                         : i18n("remedy: {}", outage.remedy);
}

std::string outageText(const Outage& outage, const Figures& figures)
{
    std::string out = namesOf(outage, figures);
    if (outage.likeIt > 1) out += fmt::format(" {}", i18np(outage.likeIt - 1, "and {:L} more of this type", "and {:L} more of this type"));
    std::string told;
    for (const auto& text : consequences(outage, figures)) told += (told.empty() ? ": " : ", ") + text;
    return out + told;
}

Text availabilityText(const Availability& one, const Figures& figures)
{
    const auto name = [&](EntityRef e) { return entityName(*figures.snapshot, *figures.parts, e); };
    return i18n("{}, {}: without power {:.2g} h per year ({:.5f} %; larger cuts add at most {:.2g} h), without cooling {:.2g} h per year ({:.5f} %)",
                one.hall ? name(ref(*one.hall)) : std::string("-"), name(ref(one.load)), kHoursPerYear * one.power, 100 * (1 - one.power),
                kHoursPerYear * one.beyond, kHoursPerYear * one.cooling, 100 * (1 - one.cooling));
}

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
    Json availability = Json::array();
    const auto name = [&](EntityRef e) { return entityName(*figures.snapshot, *figures.parts, e); };
    for (const Availability& one : proof.availability) {
        Json cuts = Json::array();
        for (std::size_t i = 0; i < std::min(one.cuts.size(), kMostCuts); ++i) {
            Json elements = Json::array();
            for (const DeviceId id : one.cuts[i].elements) elements.push_back(name(ref(id)));
            cuts.push_back({{"elements", std::move(elements)},
                            {"units_at_once", one.cuts[i].together},
                            {"alike", one.cuts[i].likeIt},
                            {"hours_per_year", kHoursPerYear * one.cuts[i].share}});
        }
        availability.push_back({{"hall", one.hall ? Json(name(ref(*one.hall))) : Json()},
                                {"load", name(ref(one.load))},
                                {"elements", one.elements},
                                {"elements_without_data", one.withoutData},
                                {"cut_order", one.order},
                                {"common_cause", one.beta},
                                {"power", 1 - one.power},
                                {"power_hours_per_year", kHoursPerYear * one.power},
                                {"power_hours_per_year_beyond", kHoursPerYear * one.beyond},
                                {"cooling", 1 - one.cooling},
                                {"cooling_hours_per_year", kHoursPerYear * one.cooling},
                                {"cuts", std::move(cuts)}});
    }
    const Json all{{"schema", "hallwright.tier/1"},          {"tier", proof.tier},     {"revision", figures.snapshot->revision},
                   {"basis", powerBasisName(proof.basis)},   {"holds", proof.holds()}, {"statements", std::move(statements)},
                   {"availability", std::move(availability)}};
    return all.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string tierText(const TierProof& proof, const Figures& figures)
{
    constexpr std::size_t kMost = 10;
    std::string out = fmt::format("{}\n", classesText(proof.tier));
    for (const Statement& one : proof.statements) {
        out += fmt::format("{} {}: {}\n", one.id, one.title, verdictText(one));
        if (const Text tried = triedText(one); !tried.empty()) out += fmt::format("  {}\n", tried);
        if (!one.note.empty()) out += fmt::format("  {}\n", one.note);
        for (std::size_t i = 0; i < std::min(one.breaks.size(), kMost); ++i) {
            out += "  " + outageText(one.breaks[i], figures) + '\n';
            if (const Text remedy = remedyText(one.breaks[i]); !remedy.empty()) out += fmt::format("    {}\n", remedy);
        }
        if (one.breaks.size() > kMost) out += fmt::format("  {}\n", i18n("and {} more", one.breaks.size() - kMost));
    }
    writeAvailability(out, proof, figures);
    return out + fmt::format("{}\n", verdictText(proof));
}

} // namespace hw::tiers
