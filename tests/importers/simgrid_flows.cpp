// SPDX-License-Identifier: GPL-3.0-or-later
// Runs flows in SimGrid on a platform file: PLATFORM FLOWS, a flow a line "SOURCE DESTINATION". Prints the rate of each in Gb/s while all are
// under way. Built only where Debian's libsimgrid-dev is installed.
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <simgrid/s4u.hpp>

namespace s4u = simgrid::s4u;

int main(int argc, char** argv)
{
    constexpr double kBytes = 4e12, kSeconds = 1;
    s4u::Engine engine(&argc, argv);
    if (argc < 3) return 2;
    // Plain max-min sharing: no protocol overhead, no window, no cross traffic.
    s4u::Engine::set_config("network/model:CM02");
    s4u::Engine::set_config("network/crosstraffic:0");
    s4u::Engine::set_config("network/TCP-gamma:1e20");
    engine.load_platform(argv[1]);
    for (auto* link : engine.get_all_links()) link->set_latency(0); // else rates follow round-trip times
    std::vector<std::pair<std::string, std::string>> flows;
    std::ifstream in(argv[2]);
    for (std::string from, to; in >> from >> to;) flows.emplace_back(from, to);
    std::vector<double> left(flows.size(), kBytes);
    s4u::Actor::create("flows", engine.get_all_hosts().front(), [&] {
        std::vector<s4u::CommPtr> comms;
        for (const auto& [from, to] : flows)
            comms.push_back(s4u::Comm::sendto_async(s4u::Host::by_name(from), s4u::Host::by_name(to), std::uint64_t(kBytes)));
        s4u::this_actor::sleep_for(kSeconds);
        for (std::size_t f = 0; f < comms.size(); ++f) left[f] = comms[f]->get_remaining();
        for (auto& comm : comms) comm->cancel();
    });
    engine.run();
    for (const double bytes : left) std::printf("%.9g\n", (kBytes - bytes) / kSeconds * 8e-9);
    return 0;
}
