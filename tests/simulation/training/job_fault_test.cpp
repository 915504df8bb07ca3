// SPDX-License-Identifier: GPL-3.0-or-later
#include "designs.h"
#include "tests/simulation/near.h"

#include "simulation/training/job_fault.h"

#include <cmath>

using namespace hw::sim;
using hw::DeviceId;
using hw::DeviceRole;

namespace {

/// 16 hosts of one segment, one ring of gradients a rail; all of it stays under the rails' ToRs.
TrainingJob ring() { return gptJob(8, 1, 16); }

/// The same over the segments in turn: every edge of a ring climbs.
TrainingJob climbing()
{
    TrainingJob job = ring();
    job.placement = Placement::AlternatingSegments;
    return job;
}

JobFault fault(FaultPlace place)
{
    JobFault f;
    f.place = place;
    return f;
}

/// The fabric with a backup host of its segment, which the fault may use.
std::pair<WorkloadFabric, JobRunOptions> withBackup(const WorkloadFabric& f, JobFault& what)
{
    const auto s = design("hpn", {{"pods", 1}, {"segments", 1}});
    std::pair<WorkloadFabric, JobRunOptions> out{f, {}};
    s->devices.forEach([&](DeviceId d) {
        if (what.backupHost < 0 && s->devices.role[d] == DeviceRole::Backup) what.backupHost = addBackupHost(*s, d, out.first, out.second);
    });
    return out;
}

double slowDown(const JobFaultResult& r, const char* phase) { return r.during.phase(phase)->result.fluidS / r.before.phase(phase)->result.fluidS; }

std::string stateAt(const JobFaultResult& r, double t)
{
    for (const auto& s : r.spans)
        if (s.fromS <= t && t < s.toS) return s.state;
    return "";
}

} // namespace

/// Faults under a training job. HPN: NICs of 2 × 200G on two planes; own ports know after 1 ms, neighbors after 0.1 s, everybody after 1 s.
class JobFaultTest : public QObject {
    Q_OBJECT
private slots:
    /// One port of a NIC: its rail's ring has half of one NIC left, so the gradients take exactly twice as long; nothing else does.
    void accessLink()
    {
        const auto f = hpn(1, 1);
        const auto r = runJobFault(f, ring(), fault(FaultPlace::AccessLink));
        QRUN(r);
        QCOMPARE(slowDown(*r, "gradient"), 2.0);
        QCOMPARE(slowDown(*r, "tensor"), 1.0);
        QVERIFY(r->during.iteration.iterationS > r->before.iteration.iterationS);
        QNEAR(r->during.iteration.iterationS - r->before.iteration.iterationS,
              r->during.iteration.exposedGradientS - r->before.iteration.exposedGradientS, 1e-9);
        QVERIFY(r->hit == 2);                                       // the port's own connection, and the one that arrives there
        QVERIFY(near(r->standsS, 0.1) && near(r->blackHoleS, 0.1)); // until the neighbors know
        QCOMPARE(stateAt(*r, 9.9), std::string("full"));
        QCOMPARE(stateAt(*r, 10.05), std::string("black hole"));
        QCOMPARE(stateAt(*r, 40), std::string("degraded"));
        QCOMPARE(stateAt(*r, 70.1), std::string("full"));
        QVERIFY(!r->lost && r->workLostS == 0);
        QNEAR(r->afterS, r->before.iteration.iterationS, 1e-12);
        // Time by state makes up the iterations.
        const double degraded = 60 - 0.1, full = r->untilS - 60;
        QNEAR(r->iterations, std::floor(full / r->before.iteration.iterationS + degraded / r->during.iteration.iterationS + 1e-9), 1e-12);
        auto longer = fault(FaultPlace::AccessLink); // whole iterations pass while it is down
        longer.downS = 10 * r->during.iteration.iterationS;
        const auto slowest = runJobFault(f, ring(), longer);
        QRUN(slowest);
        QVERIFY(slowest->slowestIterationS <= r->during.iteration.iterationS + 0.1 + 1e-9 &&
                slowest->slowestIterationS >= r->during.iteration.iterationS - 1e-9);
    }

    /// A ToR or a whole plane takes one port of every NIC there: the same factor of exactly two.
    void torAndPlane()
    {
        const auto f = hpn(1, 1);
        for (const FaultPlace place : {FaultPlace::ToR, FaultPlace::Plane}) {
            const auto r = runJobFault(f, ring(), fault(place));
            QRUN(r);
            QCOMPARE(slowDown(*r, "gradient"), 2.0);
            QVERIFY(r->runsDuring && !r->lost);
            // Both ends of every connection lose their own ports, so nobody waits for word from others.
            QVERIFY2(near(r->standsS, 0.001), qPrintable(QString::number(r->standsS)));
        }
        QCOMPARE(runJobFault(*workloadFabric(*design("dcn-plus", {{"pods", 1}})), ring(), fault(FaultPlace::Plane)).error().where,
                 std::string("fault"));
    }

    /// Both ports of a NIC, or the only one: the job stands until the repair, and is lost after two minutes.
    void cutOff()
    {
        for (const auto& [place, variant] :
             {std::pair(FaultPlace::Nic, FabricVariant::AsDesigned), std::pair(FaultPlace::AccessLink, FabricVariant::SingleToR),
              std::pair(FaultPlace::ToR, FabricVariant::SingleToR)}) {
            const auto f = *workloadFabric(*design("hpn", {{"segments", std::int64_t(1)}}), "backend", variant);
            auto what = fault(place);
            const auto repaired = runJobFault(f, ring(), what);
            QRUN(repaired);
            QVERIFY(!repaired->runsDuring && !repaired->lost);
            QNEAR(repaired->standsS, 60, 1e-9);
            QVERIFY(repaired->blackHoleS <= 0.1 + 1e-9 && repaired->blackHoleS > 0);
            QNEAR(repaired->afterS, repaired->before.iteration.iterationS, 1e-12);
            what.downS = 121;
            what.saveEveryS = 4;
            const auto late = runJobFault(f, ring(), what);
            QVERIFY(late->lost);
            QNEAR(late->lostAtS, 130, 1e-9);
            QNEAR(late->workLostS, 2, 1e-9);                    // it had saved at 8 s
            QCOMPARE(late->replaced, place != FaultPlace::ToR); // a free host stands beside the one that is cut off
            QCOMPARE(stateAt(*late, 130.5), std::string(late->replaced ? "restarting" : "lost"));
            QCOMPARE(stateAt(*late, 200), std::string("restarting"));
            QCOMPARE(stateAt(*late, (late->replaced ? 130 : 131) + 599.5), std::string("restarting"));
            QCOMPARE(stateAt(*late, 131 + 600.5), std::string("full"));
        }
    }

    /// What the job does not use does not touch it; what it uses costs it no more than the ways that are gone.
    void aggregation()
    {
        const auto f = hpn(1, 2);
        const auto idle = runJobFault(f, ring(), fault(FaultPlace::Aggregation));
        QRUN(idle);
        QCOMPARE(idle->hit, std::uint64_t(0));
        QCOMPARE(idle->standsS, 0.0);
        QCOMPARE(slowDown(*idle, "gradient"), 1.0);
        JobFault busiest;
        for (int uplink = 0; uplink < 60; ++uplink) { // some connection goes over one of them
            busiest = fault(FaultPlace::Aggregation);
            busiest.uplink = uplink;
            const auto r = runJobFault(f, climbing(), busiest);
            QRUN(r);
            QVERIFY(r->runsDuring && slowDown(*r, "gradient") >= 0.5);
            if (r->hit == 0) continue;
            QVERIFY(r->standsS > 0 && r->standsS <= 1.0 + 1e-9); // at most until everybody knows
            return;
        }
        QFAIL("no connection climbs");
    }

    /// A host takes the job with it; a free one, or a backup host, stands in for it.
    void host()
    {
        const auto f = hpn(1, 1);
        auto what = fault(FaultPlace::Host);
        what.saveEveryS = 3;
        const auto r = runJobFault(f, ring(), what);
        QRUN(r);
        QVERIFY(r->lost && r->replaced && !r->onBackup);
        QVERIFY(near(r->lostAtS, 70) || near(r->lostAtS, 130)); // at the time-out, or when the host is back
        QNEAR(r->workLostS, 1, 1e-9);
        QVERIFY(r->during.hosts.front() != r->before.hosts.front());
        QNEAR(r->during.iteration.iterationS, r->before.iteration.iterationS, 1e-12); // in the same segment
        TrainingJob all = gptJob(8, 1, 128);                                          // the whole segment: nobody is free
        what.downS = 0;
        const auto stands = runJobFault(f, all, what);
        QRUN(stands);
        QVERIFY(!stands->replaced && stands->lost && std::isinf(stands->afterS));
        const auto [spare, options] = withBackup(f, what);
        const auto backup = runJobFault(spare, all, what, options);
        QVERIFY(backup->onBackup && !std::isinf(backup->afterS));
        QNEAR(backup->lostAtS, 130, 1e-9);
        QCOMPARE(backup->during.hosts.front(), std::uint32_t(f.hosts.size())); // its ranks, and with them its links
        QVERIFY(std::equal(backup->during.hosts.begin() + 1, backup->during.hosts.end(), backup->before.hosts.begin() + 1));
        const auto bytes = [&](const JobRun& run, DeviceId host) {
            std::uint64_t sum = 0;
            for (const auto& phase : run.phases)
                for (const auto& port : f.graph->hostPorts(host))
                    if (2 * port.link.value < phase.result.linkBytes.size()) sum += std::uint64_t(phase.result.linkBytes[2 * port.link.value]);
            return sum;
        };
        const DeviceId failed = f.hosts[backup->before.hosts.front()], stand = spare.hosts.back();
        QVERIFY(bytes(backup->before, failed) > 0 && bytes(backup->before, stand) == 0);
        QVERIFY(bytes(backup->during, failed) == 0 && bytes(backup->during, stand) > 0);
    }

    /// A NIC that is not repaired costs the job its host, not the job: a free host or the backup host takes its place on whichever rail.
    void nicReplaced()
    {
        const auto f = hpn(1, 1);
        auto what = fault(FaultPlace::Nic);
        what.downS = 0;
        for (const int nic : {0, 5}) {
            what.nic = nic;
            const auto r = runJobFault(f, ring(), what);
            QRUN(r);
            QVERIFY(r->lost && r->replaced && !r->onBackup && !r->runsDuring);
            QNEAR(r->lostAtS, 130, 1e-9);
            QVERIFY(r->moved.hosts.front() != r->before.hosts.front());
            QCOMPARE(std::vector(r->moved.hosts.begin() + 1, r->moved.hosts.end()), std::vector(r->before.hosts.begin() + 1, r->before.hosts.end()));
            QCOMPARE(stateAt(*r, 100), std::string("stopped"));
            QCOMPARE(stateAt(*r, 729), std::string("restarting"));
            QCOMPARE(stateAt(*r, 731), std::string("full"));
            QNEAR(r->afterS, r->before.iteration.iterationS, 1e-12);
        }
        TrainingJob all = gptJob(8, 1, 128); // the whole segment: nobody is free
        const auto stands = runJobFault(f, all, what);
        QRUN(stands);
        QVERIFY(stands->lost && !stands->replaced && !stands->runsDuring && std::isinf(stands->afterS));
        const auto [spare, options] = withBackup(f, what);
        const auto backup = runJobFault(spare, all, what, options);
        QRUN(backup);
        QVERIFY(backup->lost && backup->onBackup && !std::isinf(backup->afterS));
        QCOMPARE(backup->moved.hosts.front(), std::uint32_t(f.hosts.size()));
        QVERIFY(backup->spans.back().moved);
        what.downS = 60; // repaired in time: nobody leaves
        const auto waits = runJobFault(spare, all, what, options);
        QRUN(waits);
        QVERIFY(!waits->lost && !waits->replaced && !waits->runsDuring);
        what.downS = 0, what.untilS = 100; // nobody has given up yet
        const auto early = runJobFault(spare, all, what, options);
        QRUN(early);
        QVERIFY(!early->lost && !early->replaced);
    }

    /// A GPU takes its host from the job, and no link with it.
    void gpu()
    {
        const auto f = hpn(1, 1);
        auto what = fault(FaultPlace::Gpu);
        what.downS = 0;
        const auto r = runJobFault(f, ring(), what);
        QRUN(r);
        QVERIFY(r->lost && r->replaced && r->links.empty() && r->switches.empty() && r->hit == 0);
        QNEAR(r->lostAtS, 130, 1e-9);
        QVERIFY(r->during.hosts.front() != r->before.hosts.front());
        const auto [spare, options] = withBackup(f, what);
        QVERIFY(runJobFault(spare, gptJob(8, 1, 128), what, options)->onBackup);
    }

    /// A link that flaps stands the job for as long as word takes each time, or as it is down, whichever is shorter.
    void flapping()
    {
        const auto f = hpn(1, 1);
        auto what = fault(FaultPlace::AccessLink);
        what.times = 3, what.downS = 5, what.upS = 5;
        const auto slow = runJobFault(f, ring(), what);
        QRUN(slow);
        QNEAR(slow->standsS, 0.3, 1e-6);
        what.downS = 0.05;
        const auto quick = runJobFault(f, ring(), what);
        QNEAR(quick->standsS, 0.15, 1e-6);
        what.convergence.arpS = 0.02; // known sooner than repaired
        QNEAR(runJobFault(f, ring(), what)->standsS, 0.06, 1e-6);
    }

    void refusals()
    {
        const auto f = hpn(1, 1);
        auto what = fault(FaultPlace::AccessLink);
        what.host = 16;
        QCOMPARE(runJobFault(f, ring(), what).error().where, std::string("host"));
        what.host = 0, what.nic = 8;
        QCOMPARE(runJobFault(f, ring(), what).error().where, std::string("nic"));
        what.nic = 0, what.port = 2;
        QCOMPARE(runJobFault(f, ring(), what).error().where, std::string("port"));
        what = fault(FaultPlace::Uplink);
        what.uplink = 60;
        QCOMPARE(runJobFault(f, ring(), what).error().where, std::string("uplink"));
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(runJobFault(f, ring(), fault(FaultPlace::Nic), {}, {stop.get_token(), {}}).error().code, hw::ErrorCode::Canceled);
    }
};

QTEST_APPLESS_MAIN(JobFaultTest)
#include "job_fault_test.moc"
