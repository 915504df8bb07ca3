// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/snapshot.h"

namespace hw {

Settings::Settings() : Table("settings") {}
PartTypes::PartTypes() : Table("part_types") {}
Networks::Networks() : Table("networks") {}
Buildings::Buildings() : Table("buildings") {}
Halls::Halls() : Table("halls") {}
Rows::Rows() : Table("rows") {}
Racks::Racks() : Table("racks") {}
Trays::Trays() : Table("trays") {}
Tiers::Tiers() : Table("tiers") {}
Devices::Devices() : Table("devices") {}
Cages::Cages() : Table("cages") {}
Ports::Ports() : Table("ports") {}
LinkRules::LinkRules() : Table("link_rules") {}
Links::Links() : Table("links") {}
Cables::Cables() : Table("cables") {}
Waivers::Waivers() : Table("waivers") {}

Settings::~Settings() = default;
PartTypes::~PartTypes() = default;
Networks::~Networks() = default;
Buildings::~Buildings() = default;
Halls::~Halls() = default;
Rows::~Rows() = default;
Racks::~Racks() = default;
Trays::~Trays() = default;
Tiers::~Tiers() = default;
Devices::~Devices() = default;
Cages::~Cages() = default;
Ports::~Ports() = default;
LinkRules::~LinkRules() = default;
Links::~Links() = default;
Cables::~Cables() = default;
Waivers::~Waivers() = default;

Snapshot::Snapshot() = default;
Snapshot::Snapshot(const Snapshot&) = default;
Snapshot& Snapshot::operator=(const Snapshot&) = default;
Snapshot::~Snapshot() = default;

} // namespace hw
