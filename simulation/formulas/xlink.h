// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace hw::sim {
inline namespace formulas {

/// An expert-parallel all-to-all over a scale-up (x-link) domain and the scale-out network.
struct XlinkCase {
    int expertParallel = 128; ///< ranks of the all-to-all
    int tensorParallel = 1;   ///< each expert rank takes that many GPUs of the domain: D / TP expert ranks share one
    double bytesPerGpu = 1e9; ///< sent by each rank in one all-to-all
    double insideBytesPerS = 450e9, outsideBytesPerS = 50e9;
    bool overlapped = true; ///< both networks at once; else one after the other
};

struct XlinkPoint {
    int domainGpus = 0;
    double insideS = 0, outsideS = 0, timeS = 0;
    double insideShare = 0; ///< of the bytes a rank sends to others
};

/// Of E ranks the D / TP in the own domain are reached inside, the others outside, S / (E - 1) bytes for each:
/// T(D) = max((E - d) / (E - 1) · S / B_out, (d - 1) / (E - 1) · S / B_in), d = min(E, D / TP).
[[nodiscard]] XlinkPoint xlinkAllToAll(const XlinkCase& c, int domainGpus);
[[nodiscard]] std::vector<XlinkPoint> sweepDomain(const XlinkCase& c, std::span<const int> domains);

/// The smallest domain from which on a larger one changes nothing: EP · TP.
[[nodiscard]] int flatFromDomain(const XlinkCase& c);

} // namespace formulas
} // namespace hw::sim
