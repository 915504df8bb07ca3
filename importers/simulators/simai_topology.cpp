// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/simulators/simai_topology.h"

#include "core/design/build/design_builder.h"
#include "core/foundation/base/trim.h"
#include "core/foundation/model/find_network.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace hw::importers {

namespace {

constexpr std::uint64_t kMostTopologyNodes = 4'000'000, kMostLinks = 16'000'000;
constexpr std::size_t kMostPorts = 4096; ///< of a device

std::vector<std::string_view> simaiWords(std::string_view line)
{
    constexpr std::string_view kBlank = " \t\r";
    std::vector<std::string_view> out;
    for (std::size_t at = line.find_first_not_of(kBlank); at != line.npos; at = line.find_first_not_of(kBlank, at)) {
        const std::size_t end = std::min(line.find_first_of(kBlank, at), line.size());
        out.push_back(line.substr(at, end - at));
        at = end;
    }
    return out;
}

template <class T>
std::optional<T> simaiNumber(std::string_view word)
{
    T value{};
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    return code == std::errc{} && end == word.data() + word.size() ? std::optional(value) : std::nullopt;
}

/// "400Gbps", "2880Gbps", "400000Mbps", "1.6Tbps".
std::optional<std::int64_t> gbpsOf(std::string_view word)
{
    for (const auto& [unit, factor] : {std::pair("Gbps", 1.0), std::pair("Mbps", 1e-3), std::pair("Tbps", 1e3)})
        if (word.ends_with(unit)) {
            const auto value = simaiNumber<double>(word.substr(0, word.size() - 4));
            if (!value || !(*value > 0) || *value * factor > 1e6) return std::nullopt;
            const double gbps = *value * factor;
            return gbps >= 1 && std::abs(gbps - std::round(gbps)) < 1e-6 ? std::optional(std::int64_t(std::round(gbps))) : std::nullopt;
        }
    return std::nullopt;
}

/// NetBox type of a port of a rate; empty where there is none.
std::string_view portType(std::int64_t gbps)
{
    switch (gbps) {
    case 100: return "100gbase-x-qsfp28";
    case 200: return "200gbase-x-qsfp56";
    case 400: return "400gbase-x-osfp";
    case 800: return "800gbase-x-osfp";
    case 1600: return "1.6tbase-x-osfp1600";
    default: return {};
    }
}

/// Links of a rate that no port has as several of the largest rate that divides it: generators sum parallel links up. Returns how many they were.
std::int64_t divideLinks(SimaiTopology& topology)
{
    std::vector<SimaiTopology::Link> out;
    std::int64_t divided = 0;
    for (const auto& link : topology.links) {
        std::int64_t rate = link.gbps;
        if (!topology.isNvswitch(link.a) && !topology.isNvswitch(link.b) && portType(rate).empty())
            for (const std::int64_t known : {1600, 800, 400, 200, 100})
                if (rate % known == 0 && rate / known <= 64) {
                    rate = known, ++divided;
                    break;
                }
        out.insert(out.end(), std::size_t(link.gbps / rate), {link.a, link.b, rate, link.line});
    }
    topology.links = std::move(out);
    return divided;
}

tl::unexpected<Error> atLine(const std::string& file, int line, Text what, Text todo, ErrorCode code = ErrorCode::Unreadable)
{
    return fail(code, fmt::format("{}:{}", file, line), std::move(what), std::move(todo));
}

/// The ports of every node toward switches, in the order of the file.
struct SimaiPort {
    std::uint32_t link = 0;
    std::int64_t gbps = 0;
};

class SimaiDesign {
public:
    SimaiDesign(const SimaiTopology& topology, const std::string& file, Snapshot& design) : m_t(topology), m_file(file), m_build(design) {}

    Result<void> make()
    {
        if (auto ok = sortLinks(); !ok) return ok;
        if (auto ok = findLevels(); !ok) return ok;
        m_network = m_build.network({.key = {}, .name = "backend", .label = "Backend", .kind = NetworkKind::Backend});
        if (auto ok = makeServers(); !ok) return ok;
        if (auto ok = makeSwitches(); !ok) return ok;
        for (const auto& link : m_t.links)
            if (!m_t.isNvswitch(link.a) && !m_t.isNvswitch(link.b)) connect(link);
        return {};
    }
    [[nodiscard]] int levels() const { return m_levels; }
    [[nodiscard]] std::int64_t scaleUp() const { return m_scaleUp; }
    [[nodiscard]] std::int64_t repeated() const { return m_repeated; }

private:
    Result<void> sortLinks()
    {
        m_ports.resize(m_t.gpus + m_t.nvswitches + m_t.switches);
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> seen;
        std::vector<std::int64_t> inside(m_t.gpus, 0);
        for (std::uint32_t l = 0; l < m_t.links.size(); ++l) {
            const auto& link = m_t.links[l];
            if (m_t.isNvswitch(link.b) && m_t.isGpu(link.a)) {
                inside[link.a] += link.gbps;
                continue;
            }
            if (m_t.isNvswitch(link.a) || m_t.isNvswitch(link.b))
                return atLine(m_file, link.line, i18n("an NVSwitch is connected to something other than a GPU"), i18n("remove the link"),
                              ErrorCode::Refused);
            if (m_t.isGpu(link.b))
                return atLine(m_file, link.line, i18n("two GPUs are connected directly"), i18n("connect them through a switch"), ErrorCode::Refused);
            if (portType(link.gbps).empty())
                return atLine(m_file, link.line, i18n("no port type has {} Gb/s", link.gbps), i18n("use 100, 200, 400, 800 or 1600 Gb/s"),
                              ErrorCode::Refused);
            m_repeated += ++seen[{link.a, link.b}] > 1;
            m_ports[link.a].push_back({l, link.gbps}), m_ports[link.b].push_back({l, link.gbps});
            if (m_ports[link.a].size() > kMostPorts || m_ports[link.b].size() > kMostPorts)
                return atLine(m_file, link.line, i18n("a device has more than {} ports", kMostPorts), i18n("correct the links"), ErrorCode::Refused);
        }
        for (const auto rate : inside) m_scaleUp = std::max(m_scaleUp, rate);
        for (std::uint32_t gpu = 1; gpu < m_t.gpus; ++gpu)
            if (m_ports[gpu].size() != m_ports[0].size())
                return fail(ErrorCode::Refused, m_file,
                            i18n("GPUs 0 and {} have {} and {} links to switches", gpu, m_ports[0].size(), m_ports[gpu].size()),
                            i18n("give all GPUs the same number of links"));
        if (m_t.gpus > 0 && m_ports[0].size() * m_t.gpusPerServer > kMostPorts)
            return fail(ErrorCode::Refused, m_file, i18n("a device has more than {} ports", kMostPorts), i18n("correct the links"));
        if (m_t.gpus == 0 || m_ports[0].empty())
            return fail(ErrorCode::Refused, m_file, i18n("no GPU is connected to a switch"), i18n("add the links"));
        return {};
    }

    /// Access switches are 1; each other switch is one more than the nearest below it.
    Result<void> findLevels()
    {
        m_level.assign(m_ports.size(), 0);
        std::vector<std::uint32_t> front;
        for (std::uint32_t gpu = 0; gpu < m_t.gpus; ++gpu) front.push_back(gpu);
        for (int level = 1; !front.empty(); ++level) {
            std::vector<std::uint32_t> next;
            for (const auto node : front)
                for (const auto& port : m_ports[node]) {
                    const auto& link = m_t.links[port.link];
                    const auto other = link.a == node ? link.b : link.a;
                    if (m_t.isGpu(other) || m_level[other] > 0) continue;
                    m_level[other] = level, m_levels = level;
                    next.push_back(other);
                }
            front = std::move(next);
        }
        for (const auto& link : m_t.links)
            if (!m_t.isGpu(link.a) && !m_t.isNvswitch(link.a) && m_level[link.a] == m_level[link.b])
                return atLine(m_file, link.line, i18n("two switches of one tier are connected"), i18n("remove the link"), ErrorCode::Refused);
        return {};
    }

    /// Interfaces by the rates of ports, a part type for each sequence.
    Result<PartTypeId> partType(const std::string& slug, const std::string& model, int height, const std::vector<std::int64_t>& rates,
                                const char* prefix, const std::string& sidecar)
    {
        if (const auto known = m_build.findPartType(slug)) return *known;
        std::string yaml =
            fmt::format("manufacturer: SimAI\nmodel: {}\nslug: {}\nu_height: {}\nis_full_depth: true\ninterfaces:\n", model, slug, // no text: YAML
                        height);                                                                                                   // no text: YAML
        for (std::size_t i = 0; i < rates.size(); ++i) yaml += fmt::format("  - {{name: {}{}, type: {}}}\n", prefix, i + 1, portType(rates[i]));
        yaml += fmt::format("---\nkind: device\nslug: {}\n{}", slug, sidecar); // no text: YAML
        const auto part = Catalog::parse(yaml, m_file);
        if (!part) return tl::unexpected(part.error());
        return m_build.partType(*part);
    }

    static std::string sequence(const std::vector<std::int64_t>& rates)
    {
        std::string out;
        for (std::size_t i = 0; i < rates.size();) {
            std::size_t n = i;
            while (n < rates.size() && rates[n] == rates[i]) ++n;
            out += fmt::format("{}{}x{}g", out.empty() ? "" : "-", n - i, rates[i]);
            i = n;
        }
        return out;
    }

    Result<void> makeServers()
    {
        const TierId tier = m_build.tier({.key = {}, .name = "server", .label = "Servers", .kind = TierKind::Server});
        m_portOf.resize(m_t.links.size());
        std::map<std::uint32_t, std::int16_t> segments; // by the access switch of the first GPU
        const std::uint32_t servers = m_t.gpus / m_t.gpusPerServer;
        for (std::uint32_t s = 0; s < servers; ++s) {
            std::vector<std::int64_t> rates;
            for (std::uint32_t g = 0; g < m_t.gpusPerServer; ++g)
                for (const auto& port : m_ports[s * m_t.gpusPerServer + g]) rates.push_back(port.gbps);
            std::string sidecar = fmt::format("accelerators: {}\n", m_t.gpusPerServer);
            if (m_t.gpusPerServer > 1 && m_scaleUp > 0)
                sidecar +=
                    fmt::format("scale_up: {{domain: {}, rate: {{value: {}, unit: Gb/s, source: SimAI topology, confidence: B}}}}\n", // no text: YAML
                                m_t.gpusPerServer, m_scaleUp);
            const auto type = partType(fmt::format("simai-server-{}gpu-{}", m_t.gpusPerServer, sequence(rates)),
                                       fmt::format("Server with {} {}", m_t.gpusPerServer, m_t.gpuType), 8, rates, "nic", sidecar); // no text: YAML
            if (!type) return tl::unexpected(type.error());
            const auto& first = m_t.links[m_ports[s * m_t.gpusPerServer].front().link];
            const auto segment = segments.emplace(first.b, std::int16_t(std::min<std::size_t>(segments.size(), 32767))).first->second;
            const DeviceId device = m_build.device({.key = {},
                                                    .name = fmt::format("server-{:05}", s + 1),
                                                    .tier = tier,
                                                    .type = *type,
                                                    .pod = 0,
                                                    .segment = segment,
                                                    .index = std::int32_t(s)});
            std::uint16_t number = 0;
            for (std::uint32_t g = 0; g < m_t.gpusPerServer; ++g)
                for (const auto& port : m_ports[s * m_t.gpusPerServer + g]) {
                    m_portOf[port.link].first =
                        m_build.ports(device, number, 1,
                                      {.firstNumber = number, .rate = Gbps(std::int32_t(port.gbps)), .role = PortRole::Host, .network = m_network});
                    ++number;
                }
        }
        return {};
    }

    Result<void> makeSwitches()
    {
        std::vector<TierId> tiers;
        for (int level = 1; level <= m_levels; ++level)
            tiers.push_back(m_build.tier({.key = {},
                                          .name = level == 1   ? std::string("tor")
                                                  : level == 2 ? "agg"
                                                  : level == 3 ? "core"
                                                               : fmt::format("tier{}", level),
                                          .label = {},
                                          .kind = TierKind::Switch,
                                          .network = m_network,
                                          .level = std::int16_t(level)}));
        std::vector<std::int32_t> index(std::size_t(m_levels) + 1, 0);
        for (std::uint32_t id = m_t.gpus + m_t.nvswitches; id < m_ports.size(); ++id) {
            const int level = m_level[id];
            if (level == 0) continue; // connected to nothing
            std::vector<std::int64_t> rates;
            for (const auto& port : m_ports[id]) rates.push_back(port.gbps);
            const auto type = partType("simai-switch-" + sequence(rates), "Switch " + sequence(rates), 2, rates, "swp", {});
            if (!type) return tl::unexpected(type.error());
            const DeviceId device = m_build.device({.key = {},
                                                    .name = fmt::format("switch-{:05}", id),
                                                    .tier = tiers[std::size_t(level - 1)],
                                                    .type = *type,
                                                    .index = index[std::size_t(level)]++});
            std::uint16_t cage = 0, down = 0, up = 0;
            for (const auto& port : m_ports[id]) {
                const auto& link = m_t.links[port.link];
                const auto other = link.a == id ? link.b : link.a;
                const bool lower = m_t.isGpu(other) || m_level[other] < level;
                const PortId made = m_build.ports(device, cage++, 1,
                                                  {.firstNumber = lower ? down++ : up++,
                                                   .rate = Gbps(std::int32_t(port.gbps)),
                                                   .role = lower ? PortRole::Down : PortRole::Up,
                                                   .network = m_network});
                (lower ? m_portOf[port.link].second : m_portOf[port.link].first) = made;
            }
        }
        return {};
    }

    void connect(const SimaiTopology::Link& link)
    {
        const auto& [from, to] = m_portOf[std::size_t(&link - m_t.links.data())];
        m_build.cabledLink({.from = from, .to = to});
    }

    const SimaiTopology& m_t;
    const std::string& m_file;
    DesignBuilder m_build;
    NetworkId m_network{};
    std::vector<std::vector<SimaiPort>> m_ports;     ///< by node
    std::vector<int> m_level;                        ///< by node
    std::vector<std::pair<PortId, PortId>> m_portOf; ///< by link: lower and higher end
    int m_levels = 0;
    std::int64_t m_scaleUp = 0, m_repeated = 0;
};

} // namespace

bool looksLikeSimaiTopology(std::string_view content)
{
    const auto list = simaiWords(content.substr(0, std::min({content.find('\n'), content.size(), std::size_t(200)})));
    if (list.size() != 6 || simaiNumber<std::uint64_t>(list[5])) return false;
    return std::ranges::all_of(list.begin(), list.begin() + 5, [](std::string_view word) { return simaiNumber<std::uint64_t>(word).has_value(); });
}

Result<SimaiTopology> readSimaiTopology(std::string_view text, const std::string& file)
{
    SimaiTopology out;
    int line = 0;
    const auto next = [&]() -> std::optional<std::vector<std::string_view>> {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            auto list = simaiWords(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
            ++line;
            if (!list.empty()) return list;
        }
        return std::nullopt;
    };
    const auto header = next();
    if (!header || header->size() != 6)
        return atLine(file, std::max(line, 1), i18n("does not begin with: nodes GPUs-per-server NVSwitches switches links GPU-type"),
                      i18n("specify a SimAI topology"));
    std::array<std::uint64_t, 5> counts{};
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto value = simaiNumber<std::uint64_t>((*header)[i]);
        if (!value || *value > (i == 4 ? kMostLinks : kMostTopologyNodes))
            return atLine(file, line, i18n("\"{}\" is not a count", (*header)[i]), i18n("correct the first line"));
        counts[i] = *value;
    }
    const auto [nodes, perServer, nvswitches, switches, links] = counts;
    if (nvswitches + switches >= nodes || perServer == 0 || (nodes - nvswitches - switches) % perServer != 0)
        return atLine(
            file, line,
            i18n("counts are inconsistent: {} nodes with {} NVSwitches and {} switches, {} GPUs per server", nodes, nvswitches, switches, perServer),
            i18n("correct the first line"));
    out.gpus = std::uint32_t(nodes - nvswitches - switches), out.gpusPerServer = std::uint32_t(perServer);
    out.nvswitches = std::uint32_t(nvswitches), out.switches = std::uint32_t(switches);
    out.gpuType = std::string((*header)[5]);
    if (out.gpuType.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.") != out.gpuType.npos)
        return atLine(file, line, i18n("\"{}\" is not a GPU type", out.gpuType), i18n("correct the first line"));
    std::uint64_t ids = 0;
    while (ids < nvswitches + switches) {
        const auto list = next();
        if (!list) return atLine(file, line, i18n("file ends after {} of {} switch ids", ids, nvswitches + switches), i18n("add the missing ids"));
        for (const auto word : *list) {
            const auto id = simaiNumber<std::uint64_t>(word);
            if (!id || *id != out.gpus + ids)
                return atLine(file, line, i18n("switch id \"{}\", expected {}", word, out.gpus + ids),
                              i18n("number NVSwitches and switches after the GPUs"));
            ++ids;
        }
    }
    for (std::uint64_t l = 0; l < links; ++l) {
        const auto list = next();
        if (!list)
            return atLine(file, line, i18n("file ends after {} of {} links", l, links), i18n("add the missing links, or correct the first line"));
        const auto a = simaiNumber<std::uint64_t>((*list)[0]);
        const auto b = list->size() == 5 ? simaiNumber<std::uint64_t>((*list)[1]) : std::nullopt;
        const auto gbps = list->size() == 5 ? gbpsOf((*list)[2]) : std::nullopt;
        const auto rate = list->size() == 5 ? simaiNumber<double>((*list)[4]) : std::nullopt;
        if (!a || !b || !gbps || !rate || *a >= nodes || *b >= nodes || *a == *b)
            return atLine(file, line, i18n("is not a link: source destination bandwidth latency error-rate"),
                          i18n("for example: 0 9 400Gbps 0.0005ms 0"));
        out.errors = out.errors || *rate > 0;
        out.links.push_back({std::uint32_t(std::min(*a, *b)), std::uint32_t(std::max(*a, *b)), *gbps, line});
    }
    if (next()) return atLine(file, line, i18n("exceeds the link count of the file"), i18n("correct the first line"));
    return out;
}

Result<exchange::ImportPlan> planTopology(std::string_view text, const std::string& file, const SnapshotPtr& base)
{
    auto topology = readSimaiTopology(text, file);
    if (!topology) return tl::unexpected(topology.error());
    if (base->devices.size() > 0)
        return fail(ErrorCode::Refused, file, i18n("a topology can be added only to a project without equipment"),
                    i18n("create one: new empty -o FILE.hall"));
    const std::int64_t divided = divideLinks(*topology);
    auto after = std::make_shared<Snapshot>(*base);
    SimaiDesign design(*topology, file, *after);
    if (const auto made = design.make(); !made) return tl::unexpected(made.error());
    exchange::ImportPlan plan;
    plan.name = i18n("SimAI topology {}", std::filesystem::path(file).filename().string());
    plan.facts.push_back(i18n("{} with {} {} each, {} in {}, {}", i18np(topology->gpus / topology->gpusPerServer, "{:L} server", "{:L} servers"),
                              topology->gpusPerServer, topology->gpuType, i18np(topology->switches, "{:L} switch", "{:L} switches"),
                              i18np(design.levels(), "{} tier", "{} tiers"), i18np(topology->links.size(), "{:L} link", "{:L} links")));
    if (design.scaleUp() > 0) plan.facts.push_back(i18n("scale-up: {} Gb/s per GPU over NVSwitches", design.scaleUp()));
    plan.issues.push_back(
        {file, i18n("heights of servers (8 U) and switches (2 U) are assumed; power, cooling and prices are not in the file: retype the devices")});
    if (divided > 0)
        plan.issues.push_back({file, i18np(divided, "{:L} link has the rate of several ports: parallel links of the largest rate that divides it",
                                           "{:L} links have the rate of several ports: parallel links of the largest rate that divides it")});
    else if (design.repeated() > 0)
        plan.issues.push_back({file, i18np(design.repeated(), "{:L} parallel link: SimAI simulates only the last between two nodes",
                                           "{:L} parallel links: SimAI simulates only the last between two nodes")});
    if (topology->errors) plan.issues.push_back({file, i18n("error rates have no effect")});
    plan.read = topology->links.size();
    plan.base = base, plan.after = std::move(after);
    return plan;
}

} // namespace hw::importers
