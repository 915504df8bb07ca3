// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/physics/hydraulics/solver.h"

#include <QtGlobal>

#include <cmath>
#include <string>

namespace hw::hydraulics {

/// Networks by hand. Flows in L/s, lengths in m, diameters in mm.
struct Made {
    Network net;

    Made()
    {
        net.viscosityM2s = 1e-6;
        net.densityKgM3 = 1000;
    }
    Index fixed(const std::string& id, double head)
    {
        net.nodes.push_back({id, true, 0, head, 0});
        return Index(net.nodes.size() - 1);
    }
    Index junction(const std::string& id, double demandLps = 0)
    {
        net.nodes.push_back({id, false, 0, 0, demandLps * kLiter});
        return Index(net.nodes.size() - 1);
    }
    Link& link(const std::string& id, LinkKind kind, Index from, Index to)
    {
        Link l;
        l.id = id, l.kind = kind, l.from = from, l.to = to;
        net.links.push_back(l);
        return net.links.back();
    }
    Link& pipe(const std::string& id, Index from, Index to, double length = 10, double mm = 50, double k = 0)
    {
        Link& l = link(id, LinkKind::Pipe, from, to);
        l.lengthM = length, l.diameterM = mm / 1000, l.roughnessM = 1.5e-6, l.minorK = k;
        return l;
    }
    /// Loses `head` m at 1 L/s and grows with the square: answers by hand.
    Link& square(const std::string& id, Index from, Index to, double head)
    {
        Link& l = link(id, LinkKind::Plate, from, to);
        l.atM3s = kLiter, l.lossPa = head * kGravity * net.densityKgM3, l.exponent = 2;
        return l;
    }
    Link& pump(const std::string& id, Index from, Index to, std::vector<CurvePoint> lpsM)
    {
        Link& l = link(id, LinkKind::Pump, from, to);
        for (auto& p : lpsM) p.flowM3s *= kLiter;
        l.curve = std::move(lpsM);
        return l;
    }
    [[nodiscard]] Solution solved() const
    {
        auto s = solve(net);
        if (!s) qFatal("%s", s.error().text().c_str());
        return std::move(*s);
    }
};

/// Flow of a link in L/s.
inline double lps(const Solution& s, std::size_t link) { return s.flowM3s[link] / kLiter; }

inline bool isNear(double value, double wanted, double tolerance = 1e-6)
{
    if (std::abs(value - wanted) <= tolerance) return true;
    qWarning("%.10g instead of %.10g", value, wanted);
    return false;
}

} // namespace hw::hydraulics
