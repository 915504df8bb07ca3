// SPDX-License-Identifier: GPL-3.0-or-later
// SimAI: a topology goes out; topologies and workloads come in.
#include "core/foundation/files/atomic_file.h"
#include "importers/simulators/sim_fabric.h"
#include "importers/simulators/simai_topology.h"
#include "importers/simulators/simulators.h"
#include "importers/simulators/workload_facts.h"

#include <fmt/format.h>

namespace hw::importers {

namespace {

constexpr std::array kSimaiGpus{"A100", "A800", "H100", "H800"}; ///< that SimAI knows

Result<std::string> simaiGpu(const SimFabric& f, const std::string& given)
{
    const std::vector<std::string> known(kSimaiGpus.begin(), kSimaiGpus.end());
    if (!given.empty()) {
        if (std::ranges::find(known, given) != known.end()) return given;
        return fail(ErrorCode::Refused, "--gpu-type " + given, i18n("not a GPU type of SimAI"), i18n("choose from {}", listedNames(known)));
    }
    for (const auto& name : known)
        if (f.accelerator.name.find(name) != std::string::npos) return name;
    return fail(ErrorCode::Refused, f.fabric.serverType, i18n("accelerator {} is not a GPU type of SimAI", f.accelerator.name),
                i18n("specify --gpu-type: {}", listedNames(known)));
}

/// As written by its own generator: NVSwitches first, then switches from the servers up.
std::string simaiText(const SimFabric& f, std::uint32_t perDomain, const std::string& gpuType)
{
    const std::uint32_t gpus = f.gpus(), domains = perDomain > 1 ? f.domains() : 0;
    std::vector<std::uint32_t> id(f.fabric.graph->switchCount(), 0);
    std::string ids, links;
    std::size_t count = 0;
    for (std::uint32_t d = 0; d < domains; ++d) ids += fmt::format("{} ", gpus + d);
    std::uint32_t next = gpus + domains;
    for (const auto vertex : f.switches) ids += fmt::format("{} ", id[vertex] = next++);
    if (!ids.empty()) ids.pop_back();
    const auto link = [&](std::uint32_t a, std::uint32_t b, double gbps, double latencyNs) {
        links += fmt::format("{} {} {:.0f}Gbps {} 0\n", a, b, gbps, milliseconds(latencyNs)), ++count;
    };
    for (std::uint32_t gpu = 0; domains > 0 && gpu < gpus; ++gpu) link(gpu, gpus + f.domainOf(gpu), f.accelerator.scaleUpGbps, kScaleUpLinkNs);
    for (const auto& bundle : f.access) link(bundle.a, id[bundle.b], double(bundle.gbps), f.linkNs);
    for (const auto& bundle : f.trunks) link(id[bundle.a], id[bundle.b], double(bundle.gbps), f.linkNs);
    return fmt::format("{} {} {} {} {} {}\n{}\n", next, perDomain, domains, f.switches.size(), count, gpuType, ids) + links;
}

class SimaiExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override { return {"simai", i18n("folder for SimAI (ns-3): topology of GPUs, NVSwitches and switches")}; }
    bool takesNetwork() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override
    {
        return {linkLatencyOption(), {"gpu-type", "TYPE", i18n("A100, A800, H100 or H800 (default: that of the servers)")}};
    }
    Result<void> write(const exchange::ExportJob& job, const Progress&) const override
    {
        const auto fabric = simFabric(job);
        if (!fabric) return tl::unexpected(fabric.error());
        if (fabric->fabric.nicsPerHost == 1 && fabric->fabric.gpusPerHost > 1)
            return fail(ErrorCode::Refused, fabric->network,
                        i18n("servers have one NIC for {} GPUs; SimAI connects every GPU individually", fabric->fabric.gpusPerHost),
                        i18n("choose the backend network"));
        const auto perDomain = gpusPerDomain(*fabric, "SimAI");
        if (!perDomain) return tl::unexpected(perDomain.error());
        const auto gpuType = simaiGpu(*fabric, job.option("gpu-type"));
        if (!gpuType) return tl::unexpected(gpuType.error());
        return exchange::writeFolderWhole(job.output, kNotesFile, [&](const std::filesystem::path& folder) -> Result<void> {
            const std::pair<const char*, std::string> files[] = {
                {"topology", simaiText(*fabric, *perDomain, *gpuType)}, {"gpus.csv", gpuTable(*fabric, "gpu_id")}, {kNotesFile, notesText(*fabric)}};
            for (const auto& [name, text] : files)
                if (const auto written = writeFile(folder / name, text); !written) return written;
            return {};
        });
    }

private:
    static std::string notesText(const SimFabric& f)
    {
        std::vector<Text> lines{
            i18n("{} GPUs of the active servers, listed in gpus.csv", f.gpus()),
            i18n("{} GPUs per NVSwitch, {} Gb/s per GPU into it", f.gpus() / std::max(1u, f.domains()), f.accelerator.scaleUpGbps),
            i18n("assumed: {:.0f} ns per data link, {:.0f} ns per scale-up link, no errors", f.linkNs, kScaleUpLinkNs)};
        if (f.parallel())
            lines.push_back(i18n("parallel links are one link of their total rate: SimAI keeps only the last of several links between two nodes"));
        lines.push_back(i18n("not represented: rails, planes, names, positions, cable lengths, backup servers"));
        return notes(i18n("Files for SimAI"), lines);
    }
};

class SimaiImporter final : public exchange::Importer {
public:
    exchange::FormatInfo info() const override
    {
        return {"simai", i18n("SimAI topology: servers, switches and links for a project; SimAI workload: --dry-run shows its contents")};
    }
    bool probe(const exchange::ImportSource& source) const override { return looksLikeSimaiTopology(source.content); }
    Result<exchange::ImportPlan> plan(const exchange::ImportSource& source, const SnapshotPtr& base, const Progress&) const override
    {
        const std::string file = source.path.string();
        return looksLikeSimaiTopology(source.content) ? planTopology(source.content, file, base) : workloadPlan(source, base);
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> simaiExporter() { return std::make_unique<SimaiExporter>(); }
std::unique_ptr<exchange::Importer> simaiImporter() { return std::make_unique<SimaiImporter>(); }

} // namespace hw::importers
