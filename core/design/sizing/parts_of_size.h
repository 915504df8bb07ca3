// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/sizing/estimate.h"
#include "core/design/sizing/growth.h"
#include "core/design/sizing/sizing.h"

namespace hw::sizing {

/// The network that sizing is about: `network` under `sizing:`, else the first one of kind backend that
/// servers are linked to, else the first that they are linked to. Empty: none.
[[nodiscard]] std::string sizedNetwork(const Template& design, const TemplateCount& count);

/// Loss of one access switch, read off the wiring of the first server. `counter` must have made `count` last.
[[nodiscard]] FailureImpact failureImpact(TemplateCounter& counter, const TemplateCount& count, const std::string& network);

/// Limits of cluster sizes that so many servers (a node each) pass, smallest first.
[[nodiscard]] std::vector<SchedulerNote> passedSchedulerLimits(std::int64_t servers);

/// Everything about one design but its growth and its rank. `counter` must have made `count` last. `room`: the one hall
/// that an automatic layout may use. Error: Refused, where the design cannot be laid out.
[[nodiscard]] Result<SizedDesign> describe(const Template& design, TemplateCounter& counter, const TemplateCount& count, const Catalog& catalog,
                                           const CableParts& parts, const std::optional<HallRoom>& room = {});

/// The limits that were asked for, with what the design takes of them.
[[nodiscard]] std::vector<LimitUse> limitUses(const SizeLimits& limits, const SizedDesign& design);
[[nodiscard]] std::optional<HallRoom> roomOf(const SizeLimits& limits);

/// Marks the Pareto-optimal designs and explains the others.
void rank(std::vector<SizedDesign>& designs);
/// True where `a` is nowhere worse and somewhere better.
[[nodiscard]] bool dominates(const SizedDesign& a, const SizedDesign& b);

/// 15360 → "15,360".
[[nodiscard]] Text grouped(std::int64_t value);
/// "18.2 MW", "850 kW".
[[nodiscard]] Text powerText(double watts);
/// "512.3 M", "1.25 bn" of a currency.
[[nodiscard]] Text moneyText(double amount);

} // namespace hw::sizing
