// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/build/panels.h"
#include "tests/figures/small_hall.h"

namespace hw::test {

/// Two racks of one row, 40 m apart along their tray, with a switch at unit 1 of either and `cords` cables of 400G between them.
///
/// A switch of 4 U at unit 1 has its middle 188 mm above the floor, a panel of 1 U at unit 48 (the highest) 2,211 mm; the tray hangs at
/// 3,300 mm. Over panels a cord within a rack so needs 2,023 + 800 mm and is bought with 3 m, a trunk 40,000 + 2 x 1,089 mm: 50 m.
struct PanelHall : SmallHall {
    explicit PanelHall(int cords = 3, std::int32_t distance = 40'000)
    {
        row = addRow(0, 1000);
        tray = addRowTray(row, 600 + distance, 3300);
        a = addRack(row, 0);
        b = addRack(row, distance);
        s.rows.name.set(row, "row");
        s.racks.name.set(a, "rack-a"), s.racks.name.set(b, "rack-b");
        s.trays.name.set(tray, "tray");
        lower = addSwitch(torTier, a, 1), upper = addSwitch(aggTier, b, 1);
        s.devices.name.set(lower, "tor"), s.devices.name.set(upper, "agg");
        for (int i = 0; i < cords; ++i) cables.push_back(join(lower, upper));
    }
    /// All links over panels; without a trunk over one at the upper end.
    RoutedOverPanels lead(const std::string& panel = "panel-mpo12-24", const std::string& trunk = "trunk-mpo12-os2-24")
    {
        PanelRouting what;
        s.links.forEach([&](LinkId link) { what.links.push_back(link); });
        what.panel = part(panel);
        if (!trunk.empty()) what.trunk = part(trunk);
        return leadOverPanels(s, *ProjectParts::of(s.partTypes).value(), what).value();
    }
    [[nodiscard]] LinkId link(int i) const
    {
        LinkId found;
        s.links.forEach([&](LinkId id) {
            if (s.links.cable[id] == cables[std::size_t(i)]) found = id;
        });
        return found;
    }
    /// The cables of a link from its lower end up.
    [[nodiscard]] std::vector<CableId> cablesOf(LinkId id) const
    {
        std::vector<CableId> all{*s.links.cable[id]};
        std::map<std::int32_t, CableId> more;
        s.runs.forEach([&](RunId run) {
            if (s.runs.link[run] == id) more[s.runs.number[run]] = s.runs.cable[run];
        });
        for (const auto& [number, cable] : more) all.push_back(cable);
        return all;
    }
    RowId row;
    TrayId tray;
    RackId a, b;
    DeviceId lower, upper;
    std::vector<CableId> cables;
};

} // namespace hw::test
