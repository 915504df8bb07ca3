// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/tickets/tickets.h"

#include "core/derived/topology/holding.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace hw::tickets {

namespace {

using monitoring::AlarmKind;
using monitoring::DeviationKind;

constexpr std::size_t kMostEvidence = 6;
constexpr Trade kTrades[] = {Trade::Compute, Trade::Network, Trade::Storage, Trade::Power, Trade::Cooling, Trade::Configuration};
constexpr Dimension kNetworkDimensions[] = {Dimension::LowPerformance, Dimension::PacketLoss, Dimension::Configuration, Dimension::NoConnection};

std::string trimmed(std::string text)
{
    const auto from = text.find_first_not_of(" \t"), to = text.find_last_not_of(" \t");
    return from == std::string::npos ? std::string() : text.substr(from, to - from + 1);
}

Text remedyOf(Dimension dimension, Trade trade)
{
    switch (dimension) {
    case Dimension::LowPerformance:
        return trade == Trade::Network ? i18n("check PCIe width and speed, lanes, optics and the load of parallel links")
                                       : i18n("check clock, power cap and temperature of the GPUs, and the PCIe link of the NICs");
    case Dimension::PacketLoss: return i18n("clean or replace optics and cable; check buffers, PFC and ECN of both ports");
    case Dimension::Configuration: return i18n("correct the setting (export config-expected lists the expected values)");
    case Dimension::NoConnection:
        return trade == Trade::Compute ? i18n("check power, BMC and operating system of the host; replace it with a backup host")
                                       : i18n("check cable, optics and port at both ends; replace the failed part");
    case Dimension::Facility:
        return trade == Trade::Cooling ? i18n("check pumps, valves, fans and set points of the cooling equipment")
                                       : i18n("check breakers, feeds and load of the power equipment");
    }
    return {};
}

class Writing {
public:
    Writing(const Figures& f, std::map<Trade, std::string> teams) : m_f(f), m_s(*f.snapshot), m_teams(std::move(teams)) {}

    void take(const monitoring::Alarm& alarm)
    {
        Ticket out;
        out.id = alarm.id, out.openedMs = alarm.sinceMs, out.entity = alarm.cause, out.what = alarm.what;
        if (out.entity.kind == EntityKind::None && !alarm.symptoms.empty()) out.entity = alarm.symptoms.front();
        out.trade = tradeOf(out.entity);
        const bool lost = alarm.kind == AlarmKind::Cause || alarm.kind == AlarmKind::Flapping || alarm.kind == AlarmKind::MissingData;
        out.dimension = isFacility(out.trade)           ? Dimension::Facility
                        : lost && alarm.element.empty() ? Dimension::NoConnection
                                                        : Dimension::LowPerformance;
        out.gpusLost = alarm.gpusLost, out.gpusDegraded = alarm.gpusDegraded;
        if (!alarm.element.empty()) out.evidence.push_back(alarm.element);
        for (const auto& one : alarm.compared)
            if (out.evidence.size() < kMostEvidence)
                out.evidence.push_back(fmt::format("{} {}: {:.4g}, planned {:.4g}", entityName(m_s, *m_f.parts, one.entity), wordOf(one.measure),
                                                   one.measured, one.planned));
        for (const EntityRef symptom : alarm.symptoms)
            if (out.evidence.size() < kMostEvidence) out.evidence.push_back(entityName(m_s, *m_f.parts, symptom));
        finish(std::move(out));
    }

    void take(const monitoring::Deviation& one)
    {
        Ticket out;
        out.openedMs = one.sinceMs, out.entity = one.entity, out.trade = tradeOf(one.entity);
        out.id = fmt::format("{}@{}@{}", wordOf(one.kind), entityName(m_s, *m_f.parts, one.entity), one.sinceMs);
        switch (one.kind) {
        case DeviationKind::PacketLoss: out.dimension = Dimension::PacketLoss; break;
        case DeviationKind::WrongSetting: out.dimension = Dimension::Configuration, out.trade = Trade::Configuration; break;
        case DeviationKind::NoConnection: out.dimension = Dimension::NoConnection; break;
        case DeviationKind::LowLinkLoad:
        case DeviationKind::LowPerformance:
        case DeviationKind::Idle: out.dimension = Dimension::LowPerformance; break;
        default: out.dimension = Dimension::Facility; break;
        }
        out.what = i18n("{} {}", entityName(m_s, *m_f.parts, one.entity), one.what);
        if (!one.element.empty()) out.evidence.push_back(one.element);
        out.evidence.push_back(fmt::format("{}: {:.4g}, expected {:.4g}", wordOf(one.measure), one.measured, one.expected));
        finish(std::move(out));
    }

    std::vector<Ticket> end()
    {
        for (Ticket& ticket : m_out) { // what nothing is reported of
            if (ticket.dimension == Dimension::Facility) continue;
            for (const Dimension other : kNetworkDimensions)
                if (!m_seen.contains({hostOf(ticket.entity), other})) ticket.ruledOut.emplace_back(wordOf(other));
        }
        std::ranges::stable_sort(m_out, [](const Ticket& a, const Ticket& b) {
            return std::tuple(-std::int64_t(a.gpusLost), -std::int64_t(a.gpusDegraded), a.openedMs) <
                   std::tuple(-std::int64_t(b.gpusLost), -std::int64_t(b.gpusDegraded), b.openedMs);
        });
        return std::move(m_out);
    }

private:
    static bool isFacility(Trade trade) { return trade == Trade::Power || trade == Trade::Cooling; }
    [[nodiscard]] std::uint32_t hostOf(EntityRef entity) const
    {
        const auto device = deviceOf(m_s, entity);
        return device ? (*device).value : ~0u;
    }
    [[nodiscard]] Trade tradeOf(EntityRef entity) const
    {
        if (entity.kind == EntityKind::Port || entity.kind == EntityKind::Link || entity.kind == EntityKind::Cable) return Trade::Network;
        const auto device = deviceOf(m_s, entity);
        if (!device) return Trade::Power; // rooms, rows, racks: their load
        const TierId tier = m_s.devices.tier[*device];
        switch (m_s.tiers.kind[tier]) {
        case TierKind::Server: return Trade::Compute;
        case TierKind::Switch: return Trade::Network;
        case TierKind::Power: return Trade::Power;
        case TierKind::Cooling: return Trade::Cooling;
        case TierKind::Other: break;
        }
        const auto network = m_s.tiers.network[tier];
        return network && m_s.networks.kind[*network] == NetworkKind::Storage ? Trade::Storage : Trade::Compute;
    }
    void finish(Ticket ticket)
    {
        ticket.name = entityName(m_s, *m_f.parts, ticket.entity);
        for (const EntityKind kind : {EntityKind::Hall, EntityKind::Row, EntityKind::Rack})
            if (const EntityRef place = heldBy(m_s, ticket.entity, kind); place.kind != EntityKind::None && place != ticket.entity)
                ticket.location += (ticket.location.empty() ? "" : " / ") + entityName(m_s, *m_f.parts, place);
        ticket.remedy = remedyOf(ticket.dimension, ticket.trade);
        if (const auto team = m_teams.find(ticket.trade); team != m_teams.end()) ticket.team = team->second;
        m_seen.insert({hostOf(ticket.entity), ticket.dimension});
        m_out.push_back(std::move(ticket));
    }

    const Figures& m_f;
    const Snapshot& m_s;
    std::map<Trade, std::string> m_teams;
    std::set<std::pair<std::uint32_t, Dimension>> m_seen; ///< by device
    std::vector<Ticket> m_out;
};

} // namespace

Result<std::map<Trade, std::string>> teamsOf(const std::string& setting)
{
    std::map<Trade, std::string> out;
    for (std::size_t from = 0; from <= setting.size();) {
        const auto end = std::min(setting.find(';', from), setting.size());
        const std::string entry = trimmed(setting.substr(from, end - from));
        from = end + 1;
        if (entry.empty()) continue;
        const auto equals = entry.find('=');
        const std::string word = trimmed(entry.substr(0, equals)),
                          team = equals == std::string::npos ? std::string() : trimmed(entry.substr(equals + 1));
        const auto trade = std::ranges::find(kTrades, word, [](Trade one) { return std::string(wordOf(one)); });
        if (trade == std::end(kTrades) || team.empty()) {
            std::vector<std::string> words;
            for (const Trade one : kTrades) words.emplace_back(wordOf(one));
            return fail(ErrorCode::Refused, "operations.teams", i18n("'{}' is not of the form TRADE=TEAM", entry),
                        i18n("use {}", listedNames(words)));
        }
        out[*trade] = team;
    }
    return out;
}

Result<std::vector<Ticket>> ticketsOf(const Figures& design, const monitoring::Frame& frame)
{
    auto teams = teamsOf(settingOf(*design.snapshot, "operations.teams"));
    if (!teams) return tl::unexpected(teams.error());
    Writing writing(design, std::move(*teams));
    for (const auto& alarm : frame.alarms)
        if (alarm.clearedMs == 0) writing.take(alarm);
    for (const auto& one : frame.deviations)
        if (one.kind != DeviationKind::BadSensor) writing.take(one);
    return writing.end();
}

} // namespace hw::tickets
