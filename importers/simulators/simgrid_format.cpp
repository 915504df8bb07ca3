// SPDX-License-Identifier: GPL-3.0-or-later
// SimGrid 3.3x: a platform file (DTD 4.1).
#include "core/foundation/files/atomic_file.h"
#include "importers/simulators/simgrid_platform.h"
#include "importers/simulators/simulators.h"

namespace hw::importers {

namespace {

class SimgridExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"simgrid", i18n("folder with a SimGrid platform: GPUs, links and routes of the design or a segment")};
    }
    bool takesNetwork() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override
    {
        return {linkLatencyOption(), {"segment", "[POD/]N", i18n("only the GPUs of this segment (from 1)")}};
    }
    Result<void> write(const exchange::ExportJob& job, const Progress& progress) const override
    {
        const auto fabric = simFabric(job);
        if (!fabric) return tl::unexpected(fabric.error());
        const auto platform = simgridPlatform(*fabric, job.option("segment"), progress);
        if (!platform) return tl::unexpected(platform.error());
        return exchange::writeFolderWhole(job.output, kNotesFile, [&](const std::filesystem::path& folder) -> Result<void> {
            if (const auto written = writeFile(folder / "platform.xml", platform->xml); !written) return written;
            if (const auto written = writeFile(folder / "links.csv", platform->links); !written) return written;
            return writeFile(folder / kNotesFile, notesText(*fabric, *platform));
        });
    }

private:
    static std::string notesText(const SimFabric& f, const SimgridPlatform& platform)
    {
        std::vector<Text> lines{
            i18n("{} GPUs as hosts; every cable is a split-duplex link, UP leads away from the servers; links.csv lists the ends", platform.gpus)};
        if (platform.routed)
            lines.push_back(i18n(
                "routes: the first connection of each pair, hashed as the switches of the project do; GPUs of one scale-up domain use its links"));
        else
            lines.push_back(i18n(
                "more than {} GPUs: links without routes; SimGrid takes one shortest path per pair, parallel links are one link of their total rate",
                kMostRoutedGpus));
        lines.push_back(
            i18n("for the rates of Hallwright: --cfg=network/model:CM02 --cfg=network/crosstraffic:0 --cfg=network/TCP-gamma:1e20, latencies 0 "
                 "(SimGrid shares by round-trip time, and its default model reduces bandwidth by 3 %)"));
        lines.push_back(i18n("assumed: {:.0f} ns per data link, {:.0f} ns per scale-up link", f.linkNs, kScaleUpLinkNs));
        lines.push_back(i18n("not represented: several connections per pair, adaptive routing, backup servers, positions"));
        return notes(i18n("Platform for SimGrid"), lines);
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> simgridExporter() { return std::make_unique<SimgridExporter>(); }

} // namespace hw::importers
