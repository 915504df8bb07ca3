// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/isolation/isolation.h"

#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/text_values.h"
#include "core/operations/asbuilt/names.h"
#include "core/operations/asbuilt/segment.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

namespace hw::isolation {

namespace {

using monitoring::Alarm;
using monitoring::AlarmKind;
using monitoring::Deviation;
using monitoring::DeviationKind;

constexpr std::size_t kMostEvidence = 6;

/// Of a deviation: those that a job on the host would feel.
bool isFelt(DeviationKind kind)
{
    return kind == DeviationKind::LowPerformance || kind == DeviationKind::PacketLoss || kind == DeviationKind::WrongSetting ||
           kind == DeviationKind::NoConnection;
}

void sortReasons(std::vector<Reason>& reasons) { std::ranges::stable_sort(reasons, {}, &Reason::sinceMs); }

/// Of a date "2026-11-28", in UTC; 0: none.
std::int64_t startOfDay(std::string_view date)
{
    int year = 0;
    unsigned month = 0, day = 0;
    if (date.size() < 10 || !text::fromText(date.substr(0, 4), year) || !text::fromText(date.substr(5, 2), month) ||
        !text::fromText(date.substr(8, 2), day))
        return 0;
    const std::chrono::year_month_day at{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
    return at.ok() ? std::chrono::milliseconds(std::chrono::sys_days(at).time_since_epoch()).count() : 0;
}

class Collecting {
public:
    explicit Collecting(const Figures& f) : m_f(f), m_s(*f.snapshot) {}

    void take(const monitoring::Frame& frame)
    {
        for (const Alarm& alarm : frame.alarms) {
            if (alarm.kind == AlarmKind::Threshold || alarm.kind == AlarmKind::RateOfChange || alarm.kind == AlarmKind::MissingData) continue;
            std::set<DeviceId> hosts = hostsAt(alarm.cause);
            if (hosts.empty() && alarm.gpusLost > 0)
                for (const EntityRef symptom : alarm.symptoms)
                    if (symptom.kind == EntityKind::Device) hosts.merge(hostsAt(symptom));
            if (hosts.empty()) continue;
            Reason reason{words(alarm.what), std::string(wordOf(alarm.kind)), {}, alarm.sinceMs};
            if (!alarm.element.empty()) reason.evidence.push_back(alarm.element);
            for (const auto& one : alarm.compared)
                if (reason.evidence.size() < kMostEvidence)
                    reason.evidence.push_back(fmt::format("{} {}: {:g}, planned {:g}", entityName(m_s, *m_f.parts, one.entity), wordOf(one.measure),
                                                          rounded(one.measured), rounded(one.planned)));
            for (const EntityRef symptom : alarm.symptoms)
                if (reason.evidence.size() < kMostEvidence) reason.evidence.push_back(entityName(m_s, *m_f.parts, symptom));
            for (const DeviceId host : hosts) m_reasons[host].push_back(reason);
        }
        for (const Deviation& one : frame.deviations) {
            if (!isFelt(one.kind)) continue;
            Reason reason{words(i18n("{} {}", entityName(m_s, *m_f.parts, one.entity), one.what)), std::string(wordOf(one.kind)), {}, one.sinceMs};
            if (!one.element.empty()) reason.evidence.push_back(one.element);
            reason.evidence.push_back(fmt::format("{}: {:g}, expected {:g}", wordOf(one.measure), rounded(one.measured), rounded(one.expected)));
            for (const DeviceId host : hostsAt(one.entity)) m_reasons[host].push_back(reason);
        }
    }

    void takeGates()
    {
        std::map<std::string, DeviceId> hosts;
        m_s.devices.forEach([&](DeviceId id) {
            if (isHost(id)) hosts.emplace(m_s.devices.name[id], id);
        });
        m_s.networks.forEach([&](NetworkId network) {
            if (m_s.networks.kind[network] != NetworkKind::Backend) return;
            for (const auto& key : asbuilt::segmentsOf(m_s, network)) {
                const auto gates = asbuilt::gatesOf(m_s, key);
                for (std::size_t i = 0; i < gates.size(); ++i) {
                    if (gates[i].result != GateResult::Failed) continue;
                    for (const DeviceId host : named(gates[i].evidence, hosts))
                        m_reasons[host].push_back({words(i18n("acceptance gate {} ({}) failed", std::int64_t(i + 1), asbuilt::gateTitle(int(i + 1)))),
                                                   fmt::format("gate-{}", i + 1),
                                                   {gates[i].evidence, gates[i].date},
                                                   startOfDay(gates[i].date)});
                }
            }
        });
    }

    std::vector<Node> nodes()
    {
        std::vector<Node> out;
        for (auto& [host, reasons] : m_reasons) {
            sortReasons(reasons);
            out.push_back({host, m_s.devices.name[host], std::move(reasons)});
        }
        return out;
    }

private:
    /// Without the digits that noise has.
    static double rounded(double value) { return std::round(value * 100) / 100; }

    [[nodiscard]] bool isHost(DeviceId id) const
    {
        return m_s.tiers.kind[m_s.devices.tier[id]] == TierKind::Server && m_f.parts->device(m_s.devices.type[id]).accelerators > 0;
    }
    std::set<DeviceId> hostsAt(EntityRef entity) const
    {
        std::set<DeviceId> hosts;
        const auto put = [&](DeviceId id) {
            if (m_s.devices.contains(id) && isHost(id)) hosts.insert(id);
        };
        const auto putLink = [&](LinkId id) { put(m_s.ports.device[m_s.links.from[id]]), put(m_s.ports.device[m_s.links.to[id]]); };
        if (entity.kind == EntityKind::Device) put(DeviceId(entity.id));
        if (entity.kind == EntityKind::Port && m_s.ports.contains(PortId(entity.id))) put(m_s.ports.device[PortId(entity.id)]);
        if (entity.kind == EntityKind::Link && m_s.links.contains(LinkId(entity.id))) putLink(LinkId(entity.id));
        if (entity.kind == EntityKind::Cable && m_s.cables.contains(CableId(entity.id)))
            for (const LinkId link : m_f.cabling->linksOf(CableId(entity.id))) putLink(link);
        return hosts;
    }
    /// Hosts whose names stand in a text, as whole words.
    static std::set<DeviceId> named(const std::string& text, const std::map<std::string, DeviceId>& hosts)
    {
        std::set<DeviceId> out;
        const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.'; };
        for (std::size_t at = 0; at < text.size();) {
            if (!isPart(text[at])) {
                ++at;
                continue;
            }
            std::size_t end = at;
            while (end < text.size() && isPart(text[end])) ++end;
            std::string word = text.substr(at, end - at);
            while (!word.empty() && word.back() == '.') word.pop_back();
            if (const auto found = hosts.find(word); found != hosts.end()) out.insert(found->second);
            at = end;
        }
        return out;
    }

    const Figures& m_f;
    const Snapshot& m_s;
    std::map<DeviceId, std::vector<Reason>> m_reasons;
};

} // namespace

std::int64_t Node::sinceMs() const
{
    std::int64_t first = 0;
    for (const Reason& one : reasons)
        if (one.sinceMs > 0 && (first == 0 || one.sinceMs < first)) first = one.sinceMs;
    return first;
}

const Cordoned* List::cordoned(const std::string& host) const
{
    const auto at = std::ranges::find(both, host, &std::pair<std::string, Cordoned>::first);
    return at == both.end() ? nullptr : &at->second;
}

List nodesToIsolate(const Figures& design, const monitoring::Frame* frame, std::int64_t atMs)
{
    Collecting collecting(design);
    if (frame) collecting.take(*frame);
    collecting.takeGates();
    List list;
    list.atMs = atMs;
    list.nodes = collecting.nodes();
    return list;
}

void addReason(List& list, const Figures& design, DeviceId host, Reason reason)
{
    auto at = std::ranges::lower_bound(list.nodes, host, {}, &Node::host);
    if (at == list.nodes.end() || at->host != host) at = list.nodes.insert(at, {host, design.snapshot->devices.name[host], {}});
    at->reasons.push_back(std::move(reason));
    sortReasons(at->reasons);
}

void compareWith(List& list, const Figures& design, const std::vector<Cordoned>& cordoned)
{
    const auto rules = asbuilt::NameRules::of(*design.snapshot);
    const asbuilt::DeviceNames names(*design.snapshot, rules ? rules->devices : std::vector<asbuilt::NameRule>());
    for (const Cordoned& one : cordoned) {
        const auto id = names.find(one.node);
        if (!id) {
            list.unknown.push_back(one);
            continue;
        }
        const std::string& host = design.snapshot->devices.name[*id];
        if (std::ranges::find(list.nodes, host, &Node::name) == list.nodes.end())
            list.onlyCordoned.push_back(one);
        else if (!list.cordoned(host))
            list.both.emplace_back(host, one);
    }
}

} // namespace hw::isolation
