// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/files/csv.h"
#include "core/operations/monitoring/incident/event_output.h"
#include "core/operations/tickets/tickets.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::tickets {

namespace {

std::string joined(const std::vector<std::string>& all)
{
    std::string out;
    for (const auto& one : all) out += (out.empty() ? "" : "; ") + one;
    return out;
}
std::string openedAt(const Ticket& ticket) { return ticket.openedMs > 0 ? monitoring::timeText(ticket.openedMs) : std::string(); }

} // namespace

std::string ticketsJson(const std::vector<Ticket>& tickets)
{
    using Json = nlohmann::ordered_json;
    Json out{{"schema", "hallwright.tickets/1"}, {"tickets", Json::array()}};
    for (const Ticket& one : tickets)
        out["tickets"].push_back({{"id", one.id},
                                  {"opened", openedAt(one)},
                                  {"dimension", wordOf(one.dimension)},
                                  {"trade", wordOf(one.trade)},
                                  {"team", one.team},
                                  {"entity", one.name},
                                  {"location", one.location},
                                  {"what", words(one.what)},
                                  {"remedy", words(one.remedy)},
                                  {"evidence", one.evidence},
                                  {"ruled_out", one.ruledOut},
                                  {"gpus_lost", one.gpusLost},
                                  {"gpus_degraded", one.gpusDegraded}});
    return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string ticketsCsv(const std::vector<Ticket>& tickets)
{
    std::string out = "id,opened,dimension,team,entity,location,what,remedy,evidence,ruled_out,gpus_lost,gpus_degraded\n";
    for (const Ticket& one : tickets) {
        for (const std::string& cell : {one.id, openedAt(one), std::string(wordOf(one.dimension)), one.team, one.name, one.location, words(one.what),
                                        words(one.remedy), joined(one.evidence), joined(one.ruledOut)}) {
            appendCsv(out, cell);
            out += ',';
        }
        out += fmt::format("{},{}\n", one.gpusLost, one.gpusDegraded);
    }
    return out;
}

std::string ticketsText(const std::vector<Ticket>& tickets)
{
    std::string out;
    for (const Ticket& one : tickets) {
        out += words(i18n("{}: {} ({}); {}", one.team, one.what, wordOf(one.dimension), one.remedy)) + '\n';
        if (!one.location.empty()) out += "  " + words(i18n("location: {}", one.location)) + '\n';
        for (const auto& line : one.evidence) out += "  " + words(i18n("evidence: {}", line)) + '\n';
        if (!one.ruledOut.empty()) out += "  " + words(i18n("not reported: {}", joined(one.ruledOut))) + '\n';
    }
    if (tickets.empty()) out = words(i18n("no active alarms")) + '\n';
    return out;
}

} // namespace hw::tickets
