// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"
#include "core/derived/figures/failure_domains.h"
#include "core/derived/figures/tray_load.h"
#include "core/derived/proof/reach.h"
#include "core/derived/rules/rule.h"
#include "core/foundation/base/result.h"

namespace hw {

/// The findings of every rule on the project's basis, before waivers.
struct RuleFindings {
    std::vector<std::shared_ptr<const std::vector<Finding>>> byRule; ///< by place in `allRules()`; shared while a rule's inputs stand
    friend bool operator==(const RuleFindings& a, const RuleFindings& b)
    {
        return std::ranges::equal(a.byRule, b.byRule, [](const auto& x, const auto& y) { return *x == *y; });
    }
};

/// After a change only those rules run again that read what changed.
struct FindingsNode {
    using Value = RuleFindings;
    static constexpr TextId kName = TextId("findings");
    using Inputs = Reads<Nodes<PartsNode, PlacementNode, RoutingNode, CablingNode, PowerNode, FabricNode, UncabledNode, PowerFeedsNode,
                               MediumNode<Medium::Coolant>, CoolingChainNode, SupplyNode, TrayLoadNode, FailureDomainsNode, NicLinksNode, ReachNode>,
                         Whole<Settings, Networks, Tiers, Sites, Buildings, Halls, Corners, Structures, Rows, Racks, Trays, Devices, Cages, Ports,
                               LinkRules, Links, Cables, Runs, Waypoints, HardwareIds, Observations>>;
    static std::shared_ptr<const Value> compute(const Now<FindingsNode>&);
    static std::shared_ptr<const Value> update(const Was<FindingsNode>&, const Now<FindingsNode>&, const ChangeSet&);
};

struct CheckOptions {
    std::vector<std::string> rules;  ///< ids; empty = every rule
    std::optional<PowerBasis> basis; ///< none = the project's
};

/// The findings of one check, stamped with the revision they belong to. Immutable once made.
struct CheckResult {
    std::uint64_t revision = 0;
    PowerBasis basis = PowerBasis::Design;
    std::vector<Finding> findings;                               ///< in the order of rules, then gravest first, then by id
    std::size_t errors = 0, warnings = 0, infos = 0, waived = 0; ///< waived ones are not in the first three
};

/// Runs the rules over a design; without options those of `FindingsNode`, which keeps what a change does not reach. Fails with
/// Usage for an unknown rule id, with Canceled when stopped.
[[nodiscard]] Result<CheckResult> check(const Figures& figures, const CheckOptions& options = {}, const Progress& progress = {});

/// `{"schema": "hallwright.check/1", …}` as JSON text with a newline at the end.
[[nodiscard]] std::string checkJson(const CheckResult& result, const Figures& figures);
/// For people: a block per rule, at most `perRule` findings each, then the totals.
[[nodiscard]] std::string checkText(const CheckResult& result, const Figures& figures, std::size_t perRule = 10);

/// `{"schema": "hallwright.rules/1", "rules": [{id, severity, title, thresholds: [{setting, value, unit, source}]}]}` and a newline.
[[nodiscard]] std::string rulesJson();
/// For people: a line per rule, its thresholds below it.
[[nodiscard]] std::string rulesText();

} // namespace hw
