// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/configuration/comparison.h"

#include "core/foundation/catalog/entity.h"
#include "core/operations/asbuilt/names.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::configuration {

namespace {

std::optional<double> numberOf(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// Without blanks and capitals: "PCP, DSCP" is "pcp,dscp".
std::string plainOf(std::string_view text)
{
    std::string out;
    for (const char c : text)
        if (c != ' ' && c != '\t') out += char(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

bool holds(Match match, const std::string& expected, const std::string& actual)
{
    const auto a = numberOf(expected), b = numberOf(actual);
    switch (match) {
    case Match::AtLeast: return a && b && *b >= *a;
    case Match::AtMost: return a && b && *b <= *a;
    case Match::Contains: {
        std::istringstream list(plainOf(actual));
        for (std::string one; std::getline(list, one, ',');)
            if (one == plainOf(expected)) return true;
        return false;
    }
    case Match::Equal:
    case Match::Same: break;
    }
    return a && b ? *a == *b : plainOf(expected) == plainOf(actual);
}

std::string shownValue(const Expected& e)
{
    const std::string unit = e.unit.empty() ? std::string() : " " + e.unit;
    switch (e.match) {
    case Match::AtLeast: return "≥ " + e.value + unit;
    case Match::AtMost: return "≤ " + e.value + unit;
    case Match::Contains: return words(i18n("including {}", e.value));
    case Match::Equal:
    case Match::Same: break;
    }
    return e.value + unit;
}

class Comparing {
public:
    Comparing(const Figures& f, std::vector<Expected> expected, asbuilt::NameRules rules)
        : m_s(*f.snapshot), m_expected(std::move(expected)), m_devices(m_s, rules.devices), m_ports(m_s, *f.parts, rules.ports),
          m_actual(m_expected.size())
    {
        for (std::size_t i = 0; i < m_expected.size(); ++i) m_of[m_expected[i].device].push_back(i);
    }

    Comparison run(std::span<const Actual> all)
    {
        for (const Actual& one : all)
            if (const auto id = m_devices.find(one.device)) m_ports.hear(*id, one.port);
        for (const Actual& one : all)
            if (one.item == kBusItem) noteBus(one);
        for (const Actual& one : all)
            if (one.item != kBusItem && one.port != "*") take(one);
        for (const Actual& one : all)
            if (one.port == "*") takeAll(one);
        findSame();
        nameUnknownPorts();
        for (std::size_t i = 0; i < m_expected.size(); ++i) put(m_expected[i], m_actual[i]);
        std::set<std::string> missing;
        for (std::size_t i = 0; i < m_expected.size(); ++i)
            if (m_actual[i].empty() && m_out.captured.contains(m_expected[i].device)) ++m_out.notCaptured, missing.insert(m_expected[i].item);
        m_out.itemsNotCaptured.assign(missing.begin(), missing.end());
        return std::move(m_out);
    }

private:
    struct Found {
        std::string value, source, element; ///< element: a part of the device, or the address of a port
        std::string port{};                 ///< as captured: the name that the device's own commands take; empty: not by name
    };

    std::optional<DeviceId> deviceOf(const Actual& one)
    {
        const auto id = m_devices.find(one.device);
        if (id && m_of.contains(*id)) return id;
        if (m_unknown.insert(one.device).second)
            m_out.unmatched.push_back(
                {one.source, id ? i18n("{}: no profile applies to this device", one.device) : i18n("{} is not in the design", one.device)});
        return std::nullopt;
    }
    void noteBus(const Actual& one)
    {
        const auto id = m_devices.find(one.device);
        Text why;
        if (!id) return;
        if (const auto port = m_ports.find(*id, one.port, why)) m_bus[{*id, one.value}] = *port;
    }
    /// Several ports of a card may be at one address: the first.
    std::optional<std::size_t> find(DeviceId device, Maybe<PortId> port, const std::string& item) const
    {
        for (const std::size_t i : m_of.at(device))
            if (m_expected[i].port == port && m_expected[i].item == item) return i;
        return std::nullopt;
    }
    bool expectsAnywhere(DeviceId device, const std::string& item) const
    {
        return std::ranges::any_of(m_of.at(device), [&](std::size_t i) { return m_expected[i].item == item; });
    }

    void take(const Actual& one)
    {
        const auto id = deviceOf(one);
        if (!id) return;
        m_out.captured.insert(*id);
        if (!expectsAnywhere(*id, one.item)) return; // said, and nobody asks
        if (one.port.empty() || one.port.starts_with("gpu")) {
            if (const auto at = find(*id, {}, one.item)) m_actual[*at].push_back({one.value, one.source, one.port});
            return;
        }
        if (one.port.starts_with("pci ")) {
            const std::string bus = one.port.substr(4);
            if (const auto port = m_bus.find({*id, bus}); port != m_bus.end()) {
                if (const auto at = find(*id, port->second, one.item)) m_actual[*at].push_back({one.value, one.source, {}});
            } else if (m_noPort.insert(one.device + " " + bus).second) {
                m_out.unmatched.push_back(
                    {one.source, i18n("{}: no port is known for PCI address {}; also capture ethtool -i of its port", one.device, bus)});
            }
            return;
        }
        Text why;
        const auto port = m_ports.isSetAside(one.port) ? std::nullopt : m_ports.find(*id, one.port, why);
        if (!port) {
            if (!why.empty() && m_noPort.insert(one.device + " " + one.port).second) {
                auto& ports = m_notFound[*id];
                if (ports.names.empty()) ports.source = one.source, ports.why = why;
                ports.names.push_back(one.port);
            }
            return;
        }
        m_portsFound.insert(*id);
        if (const auto at = find(*id, *port, one.item)) m_actual[*at].push_back({one.value, one.source, {}, one.port});
    }
    /// Sockets that are not used are in the configuration of a switch, too; where no name at all is known it is the names.
    void nameUnknownPorts()
    {
        constexpr std::size_t kMost = 4;
        for (auto& [id, ports] : m_notFound) {
            const auto all = std::int64_t(ports.names.size());
            if (ports.names.size() > kMost) ports.names.resize(kMost);
            const Text names = all > std::int64_t(kMost) ? i18n("{}, …", listedNames(ports.names)) : listedNames(ports.names);
            const std::string& device = m_s.devices.name[id];
            if (m_portsFound.contains(id))
                m_out.notPlanned.push_back({ports.source, i18np(all, "{1}: {0} port not in use in the design: {2}",
                                                                "{1}: {0} ports not in use in the design: {2}", device, names)});
            else
                m_out.unmatched.push_back({ports.source, i18n("{}: {}: {}", device, names, ports.why)});
        }
    }
    void takeAll(const Actual& one)
    {
        const auto id = deviceOf(one);
        if (!id) return;
        m_out.captured.insert(*id);
        for (const std::size_t i : m_of.at(*id))
            if (m_expected[i].port && m_expected[i].item == one.item && m_actual[i].empty()) m_actual[i].push_back({one.value, one.source, {}});
    }

    /// What most devices of a type have is what all should.
    void findSame()
    {
        std::map<std::pair<PartTypeId, std::string>, std::map<std::string, std::size_t>> count;
        for (std::size_t i = 0; i < m_expected.size(); ++i)
            if (m_expected[i].match == Match::Same)
                for (const Found& found : m_actual[i]) ++count[{m_s.devices.type[m_expected[i].device], m_expected[i].item}][found.value];
        for (std::size_t i = 0; i < m_expected.size(); ++i) {
            if (m_expected[i].match != Match::Same) continue;
            const auto& values = count[{m_s.devices.type[m_expected[i].device], m_expected[i].item}];
            std::size_t most = 0;
            for (const auto& [value, n] : values)
                if (n >= most) most = n, m_expected[i].value = value; // of two that are as frequent the later in order
        }
    }

    static std::string setOf(const Expected& e, const Found& found)
    {
        std::string out = e.set;
        if (e.portName.empty() || found.port.empty()) return out;
        for (auto at = out.find(e.portName); at != out.npos; at = out.find(e.portName, at + found.port.size()))
            out.replace(at, e.portName.size(), found.port);
        return out;
    }
    void put(const Expected& e, const std::vector<Found>& all)
    {
        for (const Found& found : all)
            m_out.items.push_back({e.device, m_s.devices.name[e.device], e.portName.empty() ? found.element : e.portName, e.item, shownValue(e),
                                   found.value, e.unit, setOf(e, found), e.profile, found.source, e.confidence,
                                   holds(e.match, e.value, found.value)});
    }

    const Snapshot& m_s;
    std::vector<Expected> m_expected;
    asbuilt::DeviceNames m_devices;
    asbuilt::PortNames m_ports;
    std::vector<std::vector<Found>> m_actual; ///< by expected
    std::map<DeviceId, std::vector<std::size_t>> m_of;
    std::map<std::pair<DeviceId, std::string>, PortId> m_bus;
    struct UnknownPorts {
        std::vector<std::string> names;
        std::string source;
        Text why;
    };
    std::map<DeviceId, UnknownPorts> m_notFound;
    std::set<DeviceId> m_portsFound;
    std::set<std::string> m_unknown, m_noPort;
    Comparison m_out;
};

std::string placeOf(const ComparedItem& one) { return one.port.empty() ? one.deviceName : one.deviceName + ":" + one.port; }

} // namespace

std::size_t Comparison::differing() const { return std::size_t(std::ranges::count(items, false, &ComparedItem::ok)); }

Result<Comparison> compare(const Figures& figures, std::span<const Profile> profiles, std::span<const Actual> actual)
{
    auto expected = expectedOf(figures, profiles);
    if (!expected) return tl::unexpected(expected.error());
    auto rules = asbuilt::NameRules::of(*figures.snapshot);
    if (!rules) return tl::unexpected(rules.error());
    return Comparing(figures, std::move(*expected), std::move(*rules)).run(actual);
}

std::vector<asbuilt::AuditCheck> auditOf(const Comparison& comparison)
{
    std::vector<asbuilt::AuditCheck> all;
    for (const ComparedItem& one : comparison.items)
        all.push_back({one.deviceName, one.port.empty() ? one.item : one.port + " " + one.item, one.expected, one.actual, one.ok, one.set});
    return all;
}

std::string comparisonText(const Comparison& c)
{
    std::string out = words(i18n("{} compared on {}, {:L} different, {:L} not captured", i18np(c.items.size(), "{:L} item", "{:L} items"),
                                 i18np(c.captured.size(), "{:L} device", "{:L} devices"), std::int64_t(c.differing()), std::int64_t(c.notCaptured))) +
                      "\n";
    if (!c.itemsNotCaptured.empty()) out += words(i18n("Not captured: {}", listedNames(c.itemsNotCaptured))) + "\n";
    for (const ComparedItem& one : c.items)
        if (!one.ok) out += words(i18n("{}: {} is {}, expected {}; {}", placeOf(one), one.item, one.actual, one.expected, one.set)) + "\n";
    for (const auto& note : c.notPlanned) out += words(note.what) + "\n";
    for (const auto& issue : c.unmatched) out += words(i18n("{}: {}", issue.where, issue.what)) + "\n";
    return out;
}

std::string comparisonJson(const Comparison& c)
{
    nlohmann::ordered_json json{{"schema", "hallwright.config-comparison/1"},
                                {"devices", c.captured.size()},
                                {"compared", c.items.size()},
                                {"different", c.differing()},
                                {"not_captured", c.notCaptured},
                                {"items_not_captured", c.itemsNotCaptured},
                                {"differences", nlohmann::ordered_json::array()},
                                {"unmatched", nlohmann::ordered_json::array()}};
    for (const ComparedItem& one : c.items)
        if (!one.ok)
            json["differences"].push_back({{"device", one.deviceName},
                                           {"port", one.port},
                                           {"item", one.item},
                                           {"expected", one.expected},
                                           {"actual", one.actual},
                                           {"set", one.set},
                                           {"profile", one.profile},
                                           {"confidence", std::string(1, one.confidence)},
                                           {"source", one.source}});
    json["not_planned"] = nlohmann::ordered_json::array();
    for (const auto& note : c.notPlanned) json["not_planned"].push_back(words(note.what));
    for (const auto& issue : c.unmatched) json["unmatched"].push_back({{"where", issue.where}, {"what", words(issue.what)}});
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace hw::configuration
