// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/reliability/design_goodput.h"

#include "simulation/reliability/checkpoint.h"

#include <algorithm>
#include <cmath>

namespace hw::sim {
inline namespace reliability {

namespace {

DesignFaults faultsOf(const Snapshot& s, const ProjectParts& parts, const DesignJob& job)
{
    DesignFaults f;
    double all = 0;
    s.devices.forEach([&](DeviceId d) {
        if (s.tiers.kind[s.devices.tier[d]] != TierKind::Server) return;
        if (s.devices.role[d] == DeviceRole::Backup)
            ++f.backupHosts;
        else
            all += parts.device(s.devices.type[d]).accelerators;
    });
    double hostLinks = 0, nics = 0;
    s.links.forEach([&](LinkId l) {
        const auto network = s.ports.network[s.links.from[l]];
        if (!network || s.networks.kind[*network] != NetworkKind::Backend || s.links.role[l] != LinkRole::Active) return;
        const DeviceId a = s.ports.device[s.links.from[l]];
        hostLinks += s.tiers.kind[s.devices.tier[a]] == TierKind::Server;
        nics = all;
    });
    f.links = all > 0 ? hostLinks * job.gpus / all : 0;
    f.dualHomed = nics > 0 && hostLinks >= 2 * nics;
    f.linkPerMonth = linkFailuresPerMonth(f.links, job.linkFailuresShare);
    f.perMonth = faultsPerMonth(job.log, job.gpus);
    return f;
}

RecoveryTimes recoveryOf(const DesignJob& job, double hosts, double bytes, double readBytes, double hostBytesPerS, double pathBytesPerS)
{
    RecoveryTimes r;
    r.detectS = job.detectS;
    r.restartS = job.restartS;
    r.initS = groupInitS(job.groupInit, job.gpus);
    if (!job.readers) {
        r.restoreS = drainS(readBytes, std::max(1.0, hosts), hostBytesPerS, pathBytesPerS);
        return r;
    }
    const int readers = job.readers;
    const double readerBytesPerS = std::min(hostBytesPerS, pathBytesPerS / readers);
    r.restoreS = restoreS(bytes, readers, readerBytesPerS, int(std::max(1.0, std::floor(hosts / readers))), bytes / readers, {10e-6, hostBytesPerS});
    return r;
}

} // namespace

Result<DesignGoodputCase> designGoodput(const Snapshot& s, const ProjectParts& parts, const DesignJob& job)
{
    DesignGoodputCase out;
    out.path = storagePath(s, job.storageTier);
    const StoragePath& path = out.path;
    if (!job.storageTier.empty() && path.storageTier.empty()) {
        const auto tiers = storageTiers(s);
        return fail(ErrorCode::Refused, "storage_tier", i18n("the design has no storage tier '{}'", job.storageTier),
                    tiers.empty() ? i18n("choose a design with a storage network") : i18n("choose from {}", listedNames(tiers)));
    }
    if (path.gbps <= 0)
        return fail(ErrorCode::Refused, "storage_tier", i18n("active servers have no path to storage nodes in this design"),
                    i18n("choose a design with a storage network"));
    if (job.replicas > job.gpus)
        return fail(ErrorCode::Refused, "replicas", i18n("exceed the {:g} GPUs of the job", job.gpus), i18n("request fewer"));
    out.hosts = std::ceil(job.gpus / job.gpusPerHost);
    out.pathShare = path.hosts ? out.hosts / double(path.hosts) : 1;
    const double hostBytesPerS = path.hosts ? path.hostGbps / double(path.hosts) / 8 * 1e9 : 0;
    const double dump = job.dumpGBytesPerGpu * 1e9;
    out.bytes = dump > 0 ? dumpBytes(job.gpus, dump) : stateBytes(job.parameters, job.bytesPerParameter);
    const double mediaBytesPerS = path.bytesPerS(job.storageEfficiency);
    const double pathBytesPerS = job.storageGBytesPerS > 0 ? std::min(mediaBytesPerS, job.storageGBytesPerS * 1e9) : mediaBytesPerS;
    if (job.dataGBytesPerS > 0) {
        out.dataBytesPerS = job.dataGBytesPerS * 1e9 * job.dataCopies;
        out.dataFromStorage = std::min(pathBytesPerS, out.hosts * hostBytesPerS);
        out.dataWait = std::max(0.0, 1 - out.dataFromStorage / out.dataBytesPerS);
    }
    out.readBytes = out.bytes * (dump > 0 || job.readers ? 1 : job.replicas);
    out.drainS = drainS(out.bytes, out.hosts, hostBytesPerS, pathBytesPerS);
    out.faults = faultsOf(s, parts, job);

    const DesignFaults& f = out.faults;
    GoodputCase& c = out.goodput;
    const double stopping = f.perMonth + (f.dualHomed ? 0 : f.linkPerMonth), tolerated = f.dualHomed ? f.linkPerMonth : 0;
    c.mtbfS = 30 * 86400.0 / (stopping + tolerated);
    c.toleratedShare = tolerated / (stopping + tolerated);
    c.toleratedStallS = job.toleratedStallS;
    c.twoStage = job.twoStage;
    c.saveS = c.twoStage ? out.bytes / job.gpus / (job.hostMemoryGBytesPerS * 1e9) : out.drainS;
    c.drainS = c.twoStage ? out.drainS : 0;
    c.intervalS = job.intervalS;
    c.recovery = recoveryOf(job, out.hosts, out.bytes, out.readBytes, hostBytesPerS, pathBytesPerS);
    c.recall = job.recall;
    c.precision = job.precision;
    c.backupHosts = f.backupHosts ? f.backupHosts : -1;
    return out;
}

} // namespace reliability
} // namespace hw::sim
