// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"

namespace hw::views {

/// One line of the inspector. `trust` is 0 for what the design itself says, else the letter of the
/// catalog value's confidence; `source` tells where that value was read.
struct Property {
    QString label, value, source;
    char trust = 0;
    EntityRef link; ///< a click selects it
};
struct PropertySection {
    QString title;
    std::vector<Property> rows;
};

/// What there is to say about an entity, most important first.
[[nodiscard]] std::vector<PropertySection> propertiesOf(const DocumentBridge& bridge, EntityRef entity);

/// For people: "Rack", "Server" …
[[nodiscard]] QString kindName(const Snapshot& snapshot, EntityRef entity);
[[nodiscard]] QString mediumName(const std::string& slug); ///< "OM4", "OS2", "DAC"
[[nodiscard]] QString rateText(Gbps rate);

/// What there is to say of the whole design.
[[nodiscard]] std::vector<PropertySection> designSections(const DocumentBridge& bridge);

// The sections that several kinds share.
[[nodiscard]] PropertySection partSection(const ProjectParts& parts, PartTypeId type);
[[nodiscard]] PropertySection loadSection(const Figures& figures, const Load& load, Milliwatts limit);
/// How far a thing has come, when it is installed, and its serial number; rows that say nothing are left out.
void addStage(PropertySection& section, const Snapshot& snapshot, RackId rack);
void addStage(PropertySection& section, const Snapshot& snapshot, DeviceId device);
[[nodiscard]] std::vector<PropertySection> deviceSections(const DocumentBridge& bridge, DeviceId device);
[[nodiscard]] std::vector<PropertySection> linkSections(const DocumentBridge& bridge, LinkId link);
[[nodiscard]] std::vector<PropertySection> fabricSections(const DocumentBridge& bridge, EntityRef networkOrTier);

[[nodiscard]] QString lengthText(Millimeters length); ///< "12.00 m", "39.37 ft"

} // namespace hw::views
