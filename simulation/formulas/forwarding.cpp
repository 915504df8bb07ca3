// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/forwarding.h"

namespace hw::sim {
inline namespace formulas {

double directAllToAllS(const AllToAllCase& c) { return double(c.group.gpusPerHost) * (c.group.hosts - 1) * c.group.outside.messageS(c.bytesPerPair); }

double forwardedAllToAllS(const AllToAllCase& c, bool overlapped)
{
    const double others = c.group.hosts - 1;
    const double sent = others * c.group.outside.messageS(c.group.gpusPerHost * c.bytesPerPair);
    const double collected = (c.group.gpusPerHost - 1) * others * c.bytesPerPair / c.group.inside.bytesPerS;
    return overlapped ? sent : sent + collected;
}

std::int64_t directFlows(const HostGroup& g) { return forwardedFlows(g) * g.gpusPerHost; }
std::int64_t forwardedFlows(const HostGroup& g) { return std::int64_t(g.gpusPerHost) * g.hosts * (g.hosts - 1); }

double crossRailShare(const HostGroup& g, bool forwarded) { return forwarded ? 0.0 : double(g.gpusPerHost - 1) / g.gpusPerHost; }

} // namespace formulas
} // namespace hw::sim
