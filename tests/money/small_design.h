// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/design/template/template.h"

namespace hw {

/// A design of a shipped template, made once for each set of parameters.
inline SnapshotPtr designOf(const char* name, const ParameterValues& values)
{
    static const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
    const auto design = Template::load(std::string(HW_RESOURCES "/templates/") + name + ".yaml");
    if (!design) qFatal("%s", design.error().text().c_str());
    const auto made = instantiate(*design, values, *catalog);
    if (!made) qFatal("%s", made.error().text().c_str());
    return *made;
}

inline FiguresPtr figuresFor(const SnapshotPtr& snapshot)
{
    const auto figures = computeFigures(snapshot);
    if (!figures) qFatal("%s", figures.error().text().c_str());
    return *figures;
}

/// One segment of the HPN: 128 servers and their switches.
inline SnapshotPtr oneSegment() { return designOf("hpn", {{"segments", 1}, {"backup_hosts", 0}}); }

} // namespace hw
