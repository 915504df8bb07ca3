// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/configuration/expected.h"

#include "core/derived/topology/nic_ports.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <sstream>

#include <fmt/format.h>

namespace hw::configuration {

namespace {

constexpr int kDscp = 26;             ///< of RoCE traffic (the usual configuration, assumed)
constexpr int kSwitchMtu = 9216;      ///< bytes
constexpr double kNsPerMeter = 5;     ///< light in fiber and copper
constexpr int kPauseResponse = 3840;  ///< bytes: IEEE 802.1Qbb allows 60 quanta of 512 bits for a MAC to stop
constexpr double kLine = 128.0 / 130; ///< PCIe 3 to 5
constexpr int kNumaNodes = 2;         ///< of a host (assumed)

using Variables = std::map<std::string, std::string>;

std::string filled(const std::string& text, const Variables& variables)
{
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto open = text.find('{', at), close = open == text.npos ? open : text.find('}', open);
        out += text.substr(at, open == text.npos || close == text.npos ? text.npos : open - at);
        if (open == text.npos || close == text.npos) break;
        const auto known = variables.find(text.substr(open + 1, close - open - 1));
        out += known == variables.end() ? text.substr(open, close + 1 - open) : known->second;
        at = close + 1;
    }
    return out;
}

/// "mtu=9000; nic.firmware=28.39.1002"
Result<std::map<std::string, std::string>> overridesOf(const Snapshot& s)
{
    std::map<std::string, std::string> out;
    std::string all = settingOf(s, "config.values");
    std::ranges::replace(all, '\n', ';');
    std::istringstream in(all);
    const auto trimmed = [](const std::string& text) {
        const auto from = text.find_first_not_of(" \t"), to = text.find_last_not_of(" \t");
        return from == text.npos ? std::string() : text.substr(from, to + 1 - from);
    };
    for (std::string one; std::getline(in, one, ';');) {
        one = trimmed(one);
        if (one.empty()) continue;
        const auto equals = one.find('=');
        const std::string item = trimmed(one.substr(0, equals)), value = equals == one.npos ? std::string() : trimmed(one.substr(equals + 1));
        if (item.empty() || value.empty())
            return fail(ErrorCode::Refused, "config.values: " + one, i18n("not of the form ITEM=VALUE"), i18n("correct the setting"));
        out[item] = value;
    }
    return out;
}

bool speaksInfiniband(const Part& part)
{
    const auto* spec = std::get_if<DeviceSpec>(&part.spec);
    if (spec && std::ranges::any_of(spec->interfaces, [](const Interface& i) { return i.slug.starts_with("infiniband-"); })) return true;
    std::string text = part.description + " " + part.model;
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text.find("infiniband") != text.npos;
}

class Expecting {
public:
    Expecting(const Figures& f, std::span<const Profile> profiles, std::map<std::string, std::string> overrides)
        : m_f(f), m_s(*f.snapshot), m_parts(*f.parts), m_profiles(profiles), m_overrides(std::move(overrides)), m_cards(m_parts), m_nics(m_parts),
          m_business(settingOf(m_s, "config.business")), m_library(settingOf(m_s, "config.library"))
    {
    }

    std::vector<Expected> run()
    {
        const auto& index = m_f.get<IndexNode>();
        m_s.devices.forEach([&](DeviceId id) {
            const TierKind kind = m_s.tiers.kind[m_s.devices.tier[id]];
            const bool host = kind == TierKind::Server && m_parts.device(m_s.devices.type[id]).accelerators > 0;
            if (host || kind == TierKind::Switch) device(id, host, index);
        });
        return std::move(m_out);
    }

private:
    [[nodiscard]] NetworkKind networkOf(PortId port) const
    {
        const auto network = m_s.ports.network[port];
        return network ? m_s.networks.kind[*network] : NetworkKind::Management;
    }
    [[nodiscard]] std::string nicOfLink(PortId port, const IndexNode::Value& index) const
    {
        bool infiniband = speaksInfiniband(m_parts[m_s.devices.type[m_s.ports.device[port]]]);
        if (const auto peer = index.peerOf(m_s, port))
            infiniband = infiniband || speaksInfiniband(m_parts[m_s.devices.type[m_s.ports.device[*peer]]]);
        return infiniband ? "infiniband" : "roce";
    }

    void device(DeviceId id, bool host, const IndexNode::Value& index)
    {
        std::vector<PortId> ports; // that are linked, by socket
        for (const PortId port : index.portsOfDevice[id.value])
            if (m_s.ports.medium[port] == Medium::Data && index.linkOf(port) && networkOf(port) != NetworkKind::ScaleUp) ports.push_back(port);
        if (ports.empty()) return;
        std::ranges::sort(ports, {}, [&](PortId p) { return std::pair(m_s.cages.number[m_s.ports.cage[p]], m_s.ports.lane[p]); });
        const DeviceSpec& spec = m_parts.device(m_s.devices.type[id]);
        std::map<std::string, std::set<std::string>> holds;
        holds["business"].insert(m_business);
        holds["library"].insert(m_library);
        if (host) holds["architecture"].insert(spec.scaleUpDomain > spec.accelerators ? "rack-scale" : "gpu-server");
        if (!host) holds["architecture"].insert("switch");
        std::string hcas;
        std::map<std::uint16_t, int> cardAt; ///< backend cards in order
        std::map<std::uint16_t, double> cardGbps;
        int hca = 0;
        for (const PortId port : ports) {
            holds["network"].insert(std::string(wordOf(networkOf(port))));
            if (networkOf(port) != NetworkKind::Backend) continue;
            holds["nic"].insert(nicOfLink(port, index));
            const auto network = *m_s.ports.network[port];
            if (m_s.networks.rails[network] > 1) holds["architecture"].insert("rail-optimized");
            if (m_s.networks.planes[network] > 1) holds["architecture"].insert("multi-plane");
            hcas += fmt::format("{}mlx5_{}", hcas.empty() ? "" : ",", hca++);
            const std::uint16_t card = m_cards.orOwn(m_s, port);
            cardAt.try_emplace(card, int(cardAt.size()));
            cardGbps[card] += double(m_s.ports.rate[port].count());
        }
        Variables variables{{"gpus", std::to_string(spec.accelerators)},
                            {"hcas", hcas},
                            {"scale_up_gbytes", fmt::format("{:g}", double(spec.scaleUpRate.value.count()) / 8)},
                            {"dscp", std::to_string(kDscp)},
                            {"traffic_class", std::to_string(4 * kDscp)}};
        put(id, {}, host ? Target::Host : Target::Switch, holds, variables);
        for (const PortId port : ports) {
            auto own = holds;
            own["network"] = {std::string(wordOf(networkOf(port)))};
            own["nic"] = {nicOfLink(port, index)};
            const double gbps = double(m_s.ports.rate[port].count());
            variables["port"] = portName(m_s, m_parts, port);
            variables["rate_gbps"] = fmt::format("{:g}", gbps);
            const std::uint16_t card = m_cards.orOwn(m_s, port);
            if (const auto at = cardAt.find(card); at != cardAt.end()) {
                variables["pcie_gts"] = std::to_string(pcieGts(cardGbps[card]));
                variables["numa"] = std::to_string(at->second * kNumaNodes / int(cardAt.size()));
            }
            variables["headroom_bytes"] = std::to_string(headroomBytes(gbps, metersOf(port, index), kSwitchMtu));
            put(id, port, host ? Target::HostPort : Target::SwitchPort, own, variables);
        }
    }

    [[nodiscard]] double metersOf(PortId port, const IndexNode::Value& index) const
    {
        const auto link = index.linkOf(port);
        const auto cable = link ? m_s.links.cable[*link] : Maybe<CableId>();
        return cable ? double((*m_f.cabling)[*cable].lengthMm) / 1000 : 0;
    }

    void put(DeviceId id, Maybe<PortId> port, Target target, const std::map<std::string, std::set<std::string>>& holds, const Variables& variables)
    {
        const std::size_t from = m_out.size();
        for (const Profile& profile : m_profiles) {
            if (profile.target != target) continue;
            const bool applies = std::ranges::all_of(profile.when, [&](const auto& condition) {
                const auto own = holds.find(condition.first);
                return own != holds.end() &&
                       std::ranges::any_of(condition.second, [&](const std::string& word) { return own->second.contains(word); });
            });
            if (!applies) continue;
            for (const ProfileItem& item : profile.items) {
                Expected one{id,
                             port,
                             port ? portName(m_s, m_parts, *port) : std::string(),
                             item.item,
                             filled(item.value, variables),
                             item.unit,
                             filled(item.set, variables),
                             profile.name,
                             item.source,
                             item.confidence,
                             item.match};
                if (const auto given = m_overrides.find(item.item); given != m_overrides.end())
                    one.value = filled(given->second, variables), one.match = Match::Equal, one.profile = "config.values", one.confidence = 'B',
                    one.source = "config.values";
                const auto known =
                    std::find_if(m_out.begin() + std::ptrdiff_t(from), m_out.end(), [&](const Expected& e) { return e.item == one.item; });
                if (known != m_out.end())
                    *known = std::move(one);
                else
                    m_out.push_back(std::move(one));
            }
        }
    }

    const Figures& m_f;
    const Snapshot& m_s;
    const ProjectParts& m_parts;
    std::span<const Profile> m_profiles;
    std::map<std::string, std::string> m_overrides;
    CardsOfTypes m_cards;
    NicPorts m_nics;
    std::string m_business, m_library;
    std::vector<Expected> m_out;
};

} // namespace

std::int64_t headroomBytes(double gbps, double meters, int mtu)
{
    const double bytesPerNs = gbps / 8;
    return std::llround(std::ceil(2 * meters * kNsPerMeter * bytesPerNs)) + 2 * std::int64_t(mtu) + kPauseResponse;
}

int pcieGts(double gbps)
{
    for (const int gts : {8, 16, 32})
        if (gts * 16 * kLine >= gbps) return gts;
    return 64;
}

Result<std::vector<Expected>> expectedOf(const Figures& figures, std::span<const Profile> profiles)
{
    auto overrides = overridesOf(*figures.snapshot);
    if (!overrides) return tl::unexpected(overrides.error());
    for (const auto& [item, value] : *overrides) {
        const auto has = [&](const Profile& p) { return std::ranges::any_of(p.items, [&](const ProfileItem& i) { return i.item == item; }); };
        if (std::ranges::none_of(profiles, has))
            return fail(ErrorCode::Refused, "config.values: " + item, i18n("no profile has this item"), i18n("see export config-expected"));
    }
    return Expecting(figures, profiles, std::move(*overrides)).run();
}

} // namespace hw::configuration
