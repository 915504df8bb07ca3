// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/acceptance/segment_bandwidth.h"

#include "core/operations/asbuilt/name_rules.h"
#include "simulation/questions/model_fields.h"
#include "simulation/training/curves.h"
#include "simulation/training/presets.h"

#include <algorithm>
#include <array>
#include <set>

namespace hw::app {

namespace {

Result<sim::Collective> collectiveNamed(const asbuilt::CollectiveRun& run)
{
    static const std::vector<std::pair<std::string, sim::Collective>> all = {{"all-reduce", sim::Collective::AllReduce},
                                                                             {"reduce-scatter", sim::Collective::ReduceScatter},
                                                                             {"all-gather", sim::Collective::AllGather},
                                                                             {"all-to-all", sim::Collective::AllToAll}};
    for (const auto& [name, collective] : all)
        if (run.collective == name) return collective;
    return fail(ErrorCode::Refused, run.source, i18n("collective operation not identified"),
                i18n("name the file after the operation: all_reduce, reduce_scatter, all_gather or alltoall"));
}

/// Hosts of the fabric that took part, by place in its list.
std::vector<std::uint8_t> partOf(const Figures& figures, const sim::WorkloadFabric& fabric, const asbuilt::Segment& segment,
                                 const asbuilt::CollectiveRun& run)
{
    const auto rules = asbuilt::NameRules::of(*figures.snapshot);
    const asbuilt::DeviceNames names(*figures.snapshot, rules ? rules->devices : std::vector<asbuilt::NameRule>());
    std::set<DeviceId> named;
    for (const auto& host : run.hosts)
        if (const auto id = names.find(host)) named.insert(*id);
    std::vector<std::uint8_t> part;
    for (const DeviceId id : fabric.hosts) part.push_back(std::ranges::binary_search(segment.hosts, id) && (named.empty() || named.contains(id)));
    // Backup hosts are under the same switches: in the simulation, active hosts that were not tested take their place.
    auto backups = std::ranges::count_if(segment.backup, [&](DeviceId id) { return named.contains(id); });
    for (std::size_t i = 0; i < part.size() && backups > 0; ++i)
        if (part[i] == 0 && std::ranges::binary_search(segment.hosts, fabric.hosts[i])) part[i] = 1, --backups;
    return part;
}

} // namespace

Result<asbuilt::CollectiveLimit> simulatedLimit(const Figures& figures, const asbuilt::Segment& segment, const asbuilt::CollectiveRun& run,
                                                const Progress& progress)
{
    const auto collective = collectiveNamed(run);
    if (!collective) return tl::unexpected(collective.error());
    const auto fabric = sim::workloadFabric(*figures.snapshot, figures.snapshot->networks.name[segment.key.network]);
    if (!fabric) return tl::unexpected(fabric.error());
    const auto& library = sim::workloadLibrary();
    if (!library) return tl::unexpected(library.error());
    sim::TrainingJob job;
    const auto accelerator = sim::designScaleUp(*library, *fabric);
    if (!accelerator) return tl::unexpected(accelerator.error());
    job.accelerator = *accelerator;
    sim::JobRunOptions options;
    options.free = partOf(figures, *fabric, segment, run);
    options.keepLinkBytes = false;
    const auto hosts = std::uint32_t(std::ranges::count(options.free, std::uint8_t(1)));
    if (hosts == 0)
        return fail(ErrorCode::Refused, run.source, i18n("none of the tested hosts is in the segment"), i18n("test the hosts of the segment"));
    sim::Operation operation;
    operation.collective = *collective;
    operation.allReduce = job.algorithms.gradient;
    operation.allToAll = job.algorithms.expert;
    const double bytes = std::ranges::max_element(run.sizes, {}, &asbuilt::CollectiveRun::Size::bytes)->bytes;
    const auto curve = sim::bandwidthCurve(*fabric, operation, std::array{hosts}, std::array{bytes}, job, options, progress);
    if (!curve) return tl::unexpected(curve.error());
    return asbuilt::CollectiveLimit{run.collective, bytes, curve->front().busBytesPerS / 1e9, int(fabric->nicsPerHost)};
}

} // namespace hw::app
