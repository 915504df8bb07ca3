// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/xlink.h"

#include <algorithm>

namespace hw::sim {
inline namespace formulas {

XlinkPoint xlinkAllToAll(const XlinkCase& c, int domainGpus)
{
    XlinkPoint p;
    p.domainGpus = domainGpus;
    const int others = c.expertParallel - 1;
    if (others <= 0) return p;
    const int inDomain = std::clamp(domainGpus / c.tensorParallel, 1, c.expertParallel);
    p.insideShare = double(inDomain - 1) / others;
    p.insideS = p.insideShare * c.bytesPerGpu / c.insideBytesPerS;
    p.outsideS = double(c.expertParallel - inDomain) / others * c.bytesPerGpu / c.outsideBytesPerS;
    p.timeS = c.overlapped ? std::max(p.insideS, p.outsideS) : p.insideS + p.outsideS;
    return p;
}

std::vector<XlinkPoint> sweepDomain(const XlinkCase& c, std::span<const int> domains)
{
    std::vector<XlinkPoint> points;
    points.reserve(domains.size());
    for (const int d : domains) points.push_back(xlinkAllToAll(c, d));
    return points;
}

int flatFromDomain(const XlinkCase& c) { return c.expertParallel * c.tensorParallel; }

} // namespace formulas
} // namespace hw::sim
