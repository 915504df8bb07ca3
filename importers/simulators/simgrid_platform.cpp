// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/simulators/simgrid_platform.h"

#include "core/foundation/catalog/entity.h"
#include "core/foundation/files/csv.h"
#include "core/foundation/model/find_network.h"
#include "simulation/fabric/flow_router.h"

#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace hw::importers {

namespace {

std::string xmlEscaped(std::string_view text)
{
    std::string out;
    for (const char c : text) switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += c;
        }
    return out;
}

class SimgridWriter {
public:
    SimgridWriter(const SimFabric& f, std::vector<std::uint32_t> gpus, std::string zone)
        : m_f(f), m_graph(*f.fabric.graph), m_gpus(std::move(gpus)), m_zone(std::move(zone))
    {
        out.gpus = std::uint32_t(m_gpus.size());
        out.links = "link,from,to,gbps\n";
    }

    Result<void> write(const sim::RoutingOptions& routing, const Progress& progress)
    {
        out.routed = m_gpus.size() <= kMostRoutedGpus;
        if (auto done = out.routed ? routes(routing, progress) : graph(); !done) return done;
        std::string xml =
            "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"; // no text: of
                                                                                                                                     // another
                                                                                                                                     // program
        xml += fmt::format("  <zone id=\"{}\" routing=\"{}\">\n", xmlEscaped(m_zone), out.routed ? "Full" : "Dijkstra");
        for (const auto gpu : m_gpus) xml += fmt::format("    <host id=\"{}\" speed=\"{}\"/>\n", host(gpu), speed());
        xml += m_routers + m_links + m_routes + "  </zone>\n</platform>\n";
        out.xml = std::move(xml);
        return {};
    }
    SimgridPlatform out;

private:
    [[nodiscard]] std::string host(std::uint32_t gpu) const
    {
        return xmlEscaped(fmt::format("{}-gpu{}", m_f.hostName(gpu), gpu % m_f.fabric.gpusPerHost + 1));
    }
    /// Peak of bf16, else a figure that only keeps the file valid.
    [[nodiscard]] std::string speed() const
    {
        const double peak = m_f.accelerator.peakFlops[std::size_t(sim::Precision::Bf16)];
        return peak > 0 ? fmt::format("{:.1f}Tf", peak / 1e12) : "1Gf";
    }
    void link(const std::string& id, double gbps, double latencyNs, const std::string& from, const std::string& to)
    {
        m_links +=
            fmt::format("    <link id=\"{}\" bandwidth=\"{:.0f}Gbps\" latency=\"{:.0f}ns\" sharing_policy=\"SPLITDUPLEX\"/>\n", id, gbps, latencyNs);
        out.links += id + ",";
        appendCsv(out.links, from);
        out.links += ",";
        appendCsv(out.links, to);
        out.links += fmt::format(",{:.0f}\n", gbps);
    }
    [[nodiscard]] bool scaleUp(std::uint32_t gpu, std::uint32_t other) const
    {
        return m_f.accelerator.scaleUpGbps > 0 && m_f.domainOf(gpu) == m_f.domainOf(other);
    }
    void scaleUpLinks()
    {
        if (m_f.accelerator.scaleUpGbps <= 0) return;
        for (const auto gpu : m_gpus)
            link(fmt::format("s{}", gpu), m_f.accelerator.scaleUpGbps, kScaleUpLinkNs, host(gpu), fmt::format("scale-up {}", m_f.domainOf(gpu) + 1));
    }
    [[nodiscard]] std::string endName(sim::DirectedLink l, bool head) const
    {
        const auto parts = m_parts.get();
        const LinkId id{l / 2};
        const bool from = head == (l % 2 == 1);
        return portName(*m_f.design, *parts, from ? m_f.design->links.from[id] : m_f.design->links.to[id]);
    }

    /// From each GPU to each other, over the scale-up network or as our switches hash the first connection.
    Result<void> routes(const sim::RoutingOptions& routing, const Progress& progress)
    {
        const auto parts = ProjectParts::of(m_f.design->partTypes);
        if (!parts) return tl::unexpected(parts.error());
        m_parts = *parts;
        sim::FlowRouter router(m_graph, routing);
        std::set<std::uint32_t> used; // links
        std::set<std::uint32_t> vertices;
        std::vector<sim::DirectedLink> way;
        for (const auto to : m_gpus)
            for (const auto from : m_gpus) {
                if (from == to) continue;
                if (progress.stop.stop_requested()) return fail(ErrorCode::Canceled, "export", i18n("stopped"), i18n("no file was written"));
                std::string contents;
                if (scaleUp(from, to)) {
                    contents = fmt::format("<link_ctn id=\"s{}\" direction=\"UP\"/><link_ctn id=\"s{}\" direction=\"DOWN\"/>", from, to);
                } else {
                    sim::FlowSpec flow;
                    flow.source = m_f.fabric.hosts[from / m_f.fabric.gpusPerHost], flow.destination = m_f.fabric.hosts[to / m_f.fabric.gpusPerHost];
                    flow.sourceNic = std::int16_t(m_f.fabric.nicOf(from)), flow.destinationNic = std::int16_t(m_f.fabric.nicOf(to));
                    if (!router.route(flow, way))
                        return fail(ErrorCode::Refused, m_zone, i18n("no route from {} to {}", host(from), host(to)), i18n("connect them"));
                    for (const auto l : way) {
                        used.insert(l / 2);
                        contents += fmt::format("<link_ctn id=\"l{}\" direction=\"{}\"/>", l / 2, l % 2 == 0 ? "UP" : "DOWN");
                    }
                }
                m_routes += fmt::format("    <route src=\"{}\" dst=\"{}\" symmetrical=\"NO\">{}</route>\n", host(from), host(to), contents);
            }
        scaleUpLinks();
        for (const auto l : used) link(fmt::format("l{}", l), m_graph.capacityGbps()[2 * l], m_f.linkNs, endName(2 * l, false), endName(2 * l, true));
        return {};
    }

    /// Links as edges; SimGrid finds the shortest paths.
    Result<void> graph()
    {
        std::set<std::uint32_t> mine(m_gpus.begin(), m_gpus.end());
        for (const auto vertex : m_f.switches) m_routers += fmt::format("    <router id=\"{}\"/>\n", xmlEscaped(m_f.switchName(vertex)));
        const auto edge = [&](const std::string& id, const std::string& a, const std::string& b) {
            m_routes +=
                fmt::format("    <route src=\"{}\" dst=\"{}\" symmetrical=\"YES\"><link_ctn id=\"{}\" direction=\"UP\"/></route>\n", a, b, id);
        };
        std::size_t n = 0;
        if (m_f.accelerator.scaleUpGbps > 0 && m_f.domains() < m_f.gpus()) {
            std::set<std::uint32_t> domains;
            for (const auto gpu : m_gpus) domains.insert(m_f.domainOf(gpu));
            for (const auto domain : domains) m_routers += fmt::format("    <router id=\"scale-up-{}\"/>\n", domain + 1);
            scaleUpLinks();
            for (const auto gpu : m_gpus) edge(fmt::format("s{}", gpu), host(gpu), fmt::format("scale-up-{}", m_f.domainOf(gpu) + 1));
        }
        for (const auto& bundle : m_f.access) {
            if (!mine.contains(bundle.a)) continue;
            const std::string id = fmt::format("a{}", n++), to = xmlEscaped(m_f.switchName(bundle.b));
            link(id, double(bundle.gbps), m_f.linkNs, host(bundle.a), to);
            edge(id, host(bundle.a), to);
        }
        n = 0;
        for (const auto& bundle : m_f.trunks) {
            const std::string id = fmt::format("t{}", n++), from = xmlEscaped(m_f.switchName(bundle.a)), to = xmlEscaped(m_f.switchName(bundle.b));
            link(id, double(bundle.gbps), m_f.linkNs, from, to);
            edge(id, from, to);
        }
        return {};
    }

    const SimFabric& m_f;
    const sim::FabricGraph& m_graph;
    std::vector<std::uint32_t> m_gpus;
    std::string m_zone;
    std::shared_ptr<const ProjectParts> m_parts;
    std::string m_routers, m_links, m_routes;
};

/// "S" or "POD/SEGMENT", from 1.
std::optional<std::pair<int, int>> segmentOf(const std::string& given, bool onePod)
{
    const auto slash = given.find('/');
    if (slash == given.npos && !onePod) return std::nullopt;
    const auto number = [](std::string_view text) -> std::optional<int> {
        int value = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
        return code == std::errc{} && end == text.data() + text.size() && value > 0 ? std::optional(value - 1) : std::nullopt;
    };
    const auto pod = slash == given.npos ? std::optional(0) : number(std::string_view(given).substr(0, slash));
    const auto segment = number(slash == given.npos ? std::string_view(given) : std::string_view(given).substr(slash + 1));
    return pod && segment ? std::optional(std::pair(*pod, *segment)) : std::nullopt;
}

} // namespace

Result<SimgridPlatform> simgridPlatform(const SimFabric& f, const std::string& segment, const Progress& progress)
{
    std::vector<std::uint32_t> gpus;
    std::string zone = f.network;
    const auto wanted = segment.empty() ? std::nullopt : segmentOf(segment, f.fabric.pods <= 1);
    if (!segment.empty() && !wanted)
        return fail(ErrorCode::Refused, "--segment " + segment, i18n("not a segment"),
                    i18n("specify its number from 1, or POD/SEGMENT if there are several pods"));
    for (std::uint32_t gpu = 0; gpu < f.gpus(); ++gpu) {
        const auto& place = f.fabric.places[gpu / f.fabric.gpusPerHost];
        const int pod = std::max(place.pod, 0);
        if (!wanted || (pod == wanted->first && place.segment == wanted->second)) gpus.push_back(gpu);
    }
    if (gpus.empty())
        return fail(ErrorCode::Refused, "--segment " + segment, i18n("no active server is in this segment"), i18n("specify another segment"));
    if (wanted) zone += fmt::format("-pod{}-segment{}", wanted->first + 1, wanted->second + 1);
    const auto network = findNetwork(*f.design, f.network);
    if (!network) return fail(ErrorCode::Refused, f.network, i18n("no network with this name"), i18n("choose another network"));
    const auto routing = sim::routingOptions(*f.design, *network);
    if (!routing) return tl::unexpected(routing.error());
    SimgridWriter writer(f, std::move(gpus), zone);
    if (auto done = writer.write(*routing, progress); !done) return tl::unexpected(done.error());
    return std::move(writer.out);
}

} // namespace hw::importers
