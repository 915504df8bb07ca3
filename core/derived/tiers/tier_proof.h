// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/tiers/availability.h"
#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"
#include "core/foundation/catalog/entity.h"

/// Whether the plant of a design can be maintained (tier 3) and tolerates faults (tier 4), by taking out every element and every section of a path,
/// one at a time. Statements after the Uptime Institute's Topology standard of 2018 (2.3.1, 2.4.1), as secondary sources quote it.
namespace hw::tiers {

/// What one outage costs.
struct Outage {
    std::vector<EntityRef> out; ///< what is taken out: a device, a cable, a pair of pipes, or a room with all in it
    bool onGenerators = false;  ///< while no utility is there
    std::int64_t likeIt = 1;    ///< so many of the same kind cost alike; this is the worst
    std::int64_t devicesDark = 0, accelerators = 0;
    bool suppliesShort = false;   ///< all devices without power have a live feed, whose supplies alone do not carry them
    Milliwatts itLost;            ///< of devices without power
    double uncooledW = 0;         ///< heat of the most affected loop that is left in it
    Maybe<DeviceId> overloaded{}; ///< the most overloaded element, and how much it carries of its rating
    double overload = 0;
    Text remedy{};
    Money remedyCost; ///< price of the equipment, in USD as all of the catalog; 0: none of it helps
    [[nodiscard]] bool harmless() const { return devicesDark == 0 && uncooledW <= 0 && !overloaded; }
};

struct Statement {
    const char* id = ""; ///< "T3.1" …
    Text title{};
    std::optional<bool> holds{}; ///< none: the design does not say
    Text note{};
    std::int64_t tried = 0;       ///< outages
    std::vector<Outage> breaks{}; ///< single elements before rooms, then the costliest first
};

struct TierProof {
    int tier = 3;
    PowerBasis basis = PowerBasis::Design;
    std::vector<Statement> statements;
    std::vector<Availability> availability{}; ///< by hall
    [[nodiscard]] bool holds() const;         ///< no statement is false
};

/// `tier`: 3 or 4. Error: Canceled; Refused for a design without power or cooling plant.
[[nodiscard]] Result<TierProof> proveTier(const Figures& figures, PowerBasis basis, int tier, const Progress& progress = {});

/// `{"schema": "hallwright.tier/1", …}` and a newline.
[[nodiscard]] std::string tierJson(const TierProof& proof, const Figures& figures);
[[nodiscard]] std::string tierText(const TierProof& proof, const Figures& figures);

/// Parts of that text, each in one line.
[[nodiscard]] Text verdictText(const TierProof& proof);                             ///< "Tier 3: met"
[[nodiscard]] Text verdictText(const Statement& statement);                         ///< "met", "not met", "not evaluated"
[[nodiscard]] Text triedText(const Statement& statement);                           ///< "12 outages simulated"; empty where there were none
[[nodiscard]] Text remedyText(const Outage& outage);                                ///< with the price of the equipment; empty where none is known
[[nodiscard]] std::string outageText(const Outage& outage, const Figures& figures); ///< "pod1-ups1: 12 kW of IT load lost"
[[nodiscard]] Text availabilityText(const Availability& availability, const Figures& figures);

} // namespace hw::tiers
