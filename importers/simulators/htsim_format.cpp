// SPDX-License-Identifier: GPL-3.0-or-later
// htsim (csg-htsim): a fat tree by numbers, and connections to begin with.
#include "core/foundation/files/atomic_file.h"
#include "core/foundation/files/csv.h"
#include "importers/simulators/htsim_topology.h"
#include "importers/simulators/simulators.h"

#include <charconv>
#include <limits>

#include <fmt/format.h>

namespace hw::importers {

namespace {

constexpr std::int64_t kFlowBytes = 2'000'000;

class HtsimExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"htsim", i18n("folder for htsim: a .topo and a .cm file for each subnetwork (the n-th port of every NIC)")};
    }
    bool takesNetwork() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override
    {
        return {linkLatencyOption(), {"flow-bytes", "N", i18n("size of every connection of the .cm files (default: 2000000)")}};
    }
    Result<void> write(const exchange::ExportJob& job, const Progress&) const override
    {
        std::int64_t bytes = kFlowBytes;
        if (const std::string given = job.option("flow-bytes"); !given.empty()) {
            const auto [end, code] = std::from_chars(given.data(), given.data() + given.size(), bytes);
            if (code != std::errc{} || end != given.data() + given.size() || bytes < 1 || bytes > std::numeric_limits<std::int32_t>::max())
                return fail(ErrorCode::Refused, "--flow-bytes " + given, i18n("not between 1 and {}", std::numeric_limits<std::int32_t>::max()),
                            i18n("specify a size that htsim supports"));
        }
        const auto fabric = simFabric(job);
        if (!fabric) return tl::unexpected(fabric.error());
        const auto topologies = htsimTopologies(*fabric);
        if (!topologies) return tl::unexpected(topologies.error());
        return exchange::writeFolderWhole(job.output, kNotesFile, [&](const std::filesystem::path& folder) -> Result<void> {
            for (const auto& topology : *topologies) {
                // To the NIC of the same GPU in the next server: the neighbor of a ring over servers.
                const std::size_t shift = topology.hosts.size() > topology.tiers[0].radixDown ? topology.tiers[0].radixDown : 1;
                const std::pair<std::string, std::string> files[] = {{".topo", htsimText(topology, fabric->linkNs)},
                                                                     {".cm", htsimConnections(topology.hosts.size(), shift, bytes)},
                                                                     {"-hosts.csv", hostTable(*fabric, topology)}};
                for (const auto& [ending, text] : files)
                    if (const auto written = writeFile(folder / (topology.name + ending), text); !written) return written;
            }
            return writeFile(folder / kNotesFile, notesText(*fabric, *topologies, bytes));
        });
    }

private:
    static std::string hostTable(const SimFabric& f, const HtsimTopology& topology)
    {
        std::string out = "host,server,gpu\n";
        for (std::size_t h = 0; h < topology.hosts.size(); ++h) {
            out += fmt::format("{},", h);
            appendCsv(out, f.hostName(topology.hosts[h]));
            out += fmt::format(",{}\n", topology.hosts[h] % f.fabric.gpusPerHost + 1);
        }
        return out;
    }
    static std::string notesText(const SimFabric& f, const std::vector<HtsimTopology>& topologies, std::int64_t bytes)
    {
        std::vector<Text> lines;
        for (const auto& t : topologies) lines.push_back(i18n("{}: {} hosts in {} tiers", t.name, t.hosts.size(), t.tiers.size()));
        lines.push_back(i18n("a host of htsim is one NIC port; -hosts.csv lists server and GPU"));
        if (f.fabric.graph->portsPerNic() > 1)
            lines.push_back(i18n("htsim hosts have one link: each port of a NIC is in a separate file, without traffic between files"));
        lines.push_back(i18n(".cm: every host sends {} bytes to its counterpart at the next access switch, all at time 0", bytes));
        lines.push_back(i18n("assumed: {:.0f} ns per link, 300 ns per switch, queues of 1,000,000 bytes", f.linkNs));
        lines.push_back(i18n("not represented: names, rails, scale-up network, cable lengths; htsim generates uniform cabling from these counts"));
        return notes(i18n("Files for htsim"), lines);
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> htsimExporter() { return std::make_unique<HtsimExporter>(); }

} // namespace hw::importers
