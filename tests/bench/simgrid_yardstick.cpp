// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled only where SimGrid is installed.
#include "simgrid_yardstick.h"

#include <cmath>
#include <cstdio>
#include <functional>
#include <string>

#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <sys/wait.h>
#include <unistd.h>
#include <xbt/log.h>

#include "simulation/fairshare/cpu_clock.h"

// SimGrid exports its solver from the library but keeps the class out of its headers; one member function is all we need.
namespace simgrid::kernel::lmm {
class System {
public:
    void solve();
};
} // namespace simgrid::kernel::lmm

namespace hw::bench {

namespace {

using hw::sim::FlowProblem;
namespace s4u = simgrid::s4u;
namespace routing = simgrid::kernel::routing;

// SimGrid compares with absolute tolerances (1e-9 s, 1e-5 byte): units that make both of them small.
constexpr double kCapacityScale = 1e9;
constexpr double kSizeScale = 1e3;
constexpr double kSampleSize = 4e12; ///< of every flow whose rate is asked for; the rate follows from what is left after kSampleS
constexpr double kSampleS = 1;

/// A zone in which the next flow to start crosses exactly its links, whoever sends it.
class FlowZone : public routing::NetZoneImpl {
public:
    explicit FlowZone(const FlowProblem& problem) : NetZoneImpl("flows"), m_problem(problem)
    {
        for (size_t l = 0; l < problem.linkCount(); ++l)
            m_links.push_back(create_link("l" + std::to_string(l), {problem.capacity[l] * kCapacityScale})->set_latency(0)->seal()->get_impl());
    }
    void get_local_route(const routing::NetPoint*, const routing::NetPoint*, routing::Route* into, double*) override
    {
        for (const uint32_t l : m_problem.linksOf(m_next)) into->link_list_.push_back(m_links[l]);
    }
    void setNext(uint32_t flow) { m_next = flow; }

private:
    const FlowProblem& m_problem;
    std::vector<simgrid::kernel::resource::StandardLinkImpl*> m_links;
    uint32_t m_next = 0;
};

/// One problem in SimGrid: a zone of links and two hosts between which all flows run.
class Simulation {
public:
    explicit Simulation(const FlowProblem& problem) : m_problem(problem), m_engine("yardstick")
    {
        xbt_log_control_set("root.thresh:critical");
        s4u::Engine::set_config("network/model:CM02"); // plain fluid sharing: no protocol overhead, no window, no cross traffic
        s4u::Engine::set_config("network/crosstraffic:0");
        m_zone = new FlowZone(problem); // the engine takes it
        m_from = m_zone->create_host("from", {1e9})->seal();
        m_to = m_zone->create_host("to", {1e9})->seal();
        m_zone->get_iface()->seal();
    }

    template <class Body>
    void run(Body body)
    {
        s4u::Actor::create("source", m_from, [this, body] { body(*this); });
        m_engine.run();
    }

    template <class Size>
    std::vector<s4u::CommPtr> startFlows(Size size)
    {
        std::vector<s4u::CommPtr> flows;
        flows.reserve(m_problem.flowCount());
        for (uint32_t f = 0; f < m_problem.flowCount(); ++f) {
            m_zone->setNext(f);
            flows.push_back(s4u::Comm::sendto_init(m_from, m_to)->set_payload_size(static_cast<uint64_t>(size(f))));
            flows.back()->start();
        }
        return flows;
    }

    void solve()
    {
        for (auto* model : m_engine.get_all_models())
            if (auto* system = model->get_maxmin_system()) system->solve();
    }

private:
    const FlowProblem& m_problem;
    s4u::Engine m_engine;
    FlowZone* m_zone = nullptr;
    s4u::Host* m_from = nullptr;
    s4u::Host* m_to = nullptr;
};

/// Ends the process with an answer, before SimGrid can complain about flows that still run.
using Answer = std::function<void(double cpuMs, const std::vector<double>& value)>;

void sampleRates(Simulation& simulation, const Answer& answer)
{
    const auto flows = simulation.startFlows([](uint32_t) { return kSampleSize; });
    const double start = hw::sim::cpuSeconds();
    simulation.solve();
    const double cpuMs = (hw::sim::cpuSeconds() - start) * 1e3;
    s4u::this_actor::sleep_for(kSampleS);
    std::vector<double> rates;
    for (const auto& flow : flows) rates.push_back((kSampleSize - flow->get_remaining()) / kSampleS / kCapacityScale);
    answer(cpuMs, rates);
}

void finishAll(Simulation& simulation, const FlowProblem& problem, const Answer& answer)
{
    const double start = hw::sim::cpuSeconds();
    const auto flows = simulation.startFlows([&](uint32_t f) { return std::round(problem.size[f] * kSizeScale); });
    for (const auto& flow : flows) flow->wait();
    const double cpuMs = (hw::sim::cpuSeconds() - start) * 1e3;
    std::vector<double> finish;
    for (const auto& flow : flows) finish.push_back(flow->get_finish_time() * kCapacityScale / kSizeScale);
    answer(cpuMs, finish);
}

void send(int pipe, const void* data, size_t bytes)
{
    for (const char* at = static_cast<const char*>(data); bytes > 0;) {
        const ssize_t sent = write(pipe, at, bytes);
        if (sent <= 0) _exit(1);
        at += sent;
        bytes -= static_cast<size_t>(sent);
    }
}

bool receive(int pipe, void* data, size_t bytes)
{
    for (char* at = static_cast<char*>(data); bytes > 0;) {
        const ssize_t got = read(pipe, at, bytes);
        if (got <= 0) return false;
        at += got;
        bytes -= static_cast<size_t>(got);
    }
    return true;
}

/// Runs `body` in a child process, which ends with its answer, without tearing the simulation down, or when its time is up.
template <class Body>
SimgridRun inChild(const FlowProblem& problem, unsigned limitS, Body body)
{
    int ends[2];
    std::fflush(nullptr);
    if (::pipe(ends) != 0) return {};
    const pid_t child = fork();
    if (child == 0) {
        alarm(limitS); // a limit of CPU time would make the CPU clock as coarse as the kernel's tick
        Simulation simulation(problem);
        const Answer answer = [&](double cpuMs, const std::vector<double>& value) {
            send(ends[1], &cpuMs, sizeof cpuMs);
            send(ends[1], value.data(), value.size() * sizeof(double));
            _exit(0);
        };
        simulation.run([&](Simulation& running) { body(running, answer); });
        _exit(1);
    }
    close(ends[1]);
    SimgridRun result;
    result.value.resize(problem.flowCount());
    result.done = child > 0 && receive(ends[0], &result.cpuMs, sizeof result.cpuMs) &&
                  receive(ends[0], result.value.data(), result.value.size() * sizeof(double));
    close(ends[0]);
    if (child > 0) waitpid(child, nullptr, 0);
    return result;
}

} // namespace

SimgridRun simgridRates(const FlowProblem& problem, unsigned limitS) { return inChild(problem, limitS, sampleRates); }

SimgridRun simgridCompletion(const FlowProblem& problem, unsigned limitS)
{
    return inChild(problem, limitS, [&](Simulation& running, const Answer& answer) { finishAll(running, problem, answer); });
}

} // namespace hw::bench
