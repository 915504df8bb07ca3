// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/sizing/lengths.h"
#include "core/design/sizing/panels_of_size.h"
#include "core/design/sizing/sizing.h"

namespace hw::sizing {

/// All transceivers and cables of a catalog, parsed once.
struct CableLibrary {
    PartTypes table;
    std::shared_ptr<const ProjectParts> parts;
    std::shared_ptr<const ProjectParts> racks; ///< kept, so that site plans find their racks parsed
    std::map<std::string, PartTypeId> ids;     ///< by slug
};
/// Errors: Unreadable.
[[nodiscard]] Result<std::shared_ptr<const CableLibrary>> readCableLibrary(const Catalog& catalog);

/// The part types that the cabling of a template may choose from; all of them where it names none.
class CableParts {
public:
    CableParts(std::shared_ptr<const CableLibrary> library, const std::vector<std::string>& slugs);
    [[nodiscard]] const PartTypes& table() const { return m_table; }
    [[nodiscard]] const ProjectParts& parts() const { return *m_library->parts; }
    /// A cable of the whole library, whatever the template chooses from.
    [[nodiscard]] const CableSpec& cable(const std::string& slug) const { return m_library->parts->cable(m_library->ids.at(slug)); }

private:
    std::shared_ptr<const CableLibrary> m_library;
    PartTypes m_table;
};

/// Cables of some rules and what plugs into them: for each rule a sample of lengths, the cheapest parts for
/// each (CableChoice, as in a whole design), and the rule's exact number of cables shared out over the
/// outcomes by largest remainders.
struct Cost {
    Price cables;
    std::array<Milliwatts, kPowerBases> optics{};
};
/// Adds the cables of `rule` to `cabling` and their price and the draw of the optics to `cost`. Optics of
/// devices whose figures include them draw nothing more (`countFrom`, `countTo`). `panels`: what they take besides; trunks are then as long as
/// the way, cords as long as is usual within a row.
void estimateRule(const TemplateCount& count, std::size_t rule, const LengthModel& lengths, const CableParts& parts, double slackPercent,
                  bool countFrom, bool countTo, const std::optional<PanelsOfRule>& panels, CableEstimate& cabling, Cost& cost);

} // namespace hw::sizing
