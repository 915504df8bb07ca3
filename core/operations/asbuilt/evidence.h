// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

/// What tests of acceptance measured, as they say it; importers/asbuilt reads it.
namespace hw::asbuilt {

/// One thing that an audit looked at on a device: firmware, a setting.
struct AuditCheck {
    std::string device, check, expected, actual;
    bool ok = false;
    std::string set{}; ///< what corrects it; empty: not stated
};

/// Bandwidth of a network card against another, in one direction.
struct CardMeasure {
    std::string host;   ///< the file's name without ending; its longest beginning that is a device counts
    std::string device; ///< "mlx5_0"
    double gbps = 0;
    std::string source;
    Text failed{}; ///< why its file says nothing; empty: it does
};

/// One run of nccl-tests.
struct CollectiveRun {
    struct Size {
        double bytes = 0, algorithmGBps = 0, busGBps = 0; ///< the better of out of place and in place
        long long wrong = 0;
    };
    std::string collective; ///< "all-reduce"; empty: not told
    std::vector<std::string> hosts;
    int ranks = 0, rail = 0; ///< rail from 1, 0 = over all of them
    std::vector<Size> sizes;
    std::string source;
    Text failed{}; ///< why its file says nothing; empty: it does
};

/// Faults that are put in: at a host, inside the network, by a wrong configuration of a switch.
inline constexpr std::array<std::string_view, 3> kFaultKinds{"host", "network", "switch-config"};

/// A model that ran, and faults that were put in while it did.
struct ModelTest {
    struct Fault {
        std::string what, note;
        bool ok = false;
        std::string kind{}; ///< one of kFaultKinds; empty: not stated
        Text report{};      ///< of telemetry: how it is reported, or that it is not; empty: what `note` says
    };
    std::string model, note;
    double measured = 0, expected = 0; ///< in whatever unit both are; 0 = not stated
    bool ok = false;
    std::vector<Fault> faults;
    std::string source;
};

} // namespace hw::asbuilt
