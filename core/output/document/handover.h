// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/study.h"
#include "core/derived/rules/check.h"
#include "core/operations/asbuilt/compare.h"
#include "core/operations/asbuilt/segment.h"
#include "core/output/document/report_document.h"

namespace hw::document {

/// What is signed when a segment changes hands: load-bank steps and failovers with the readings to expect, the proof of its network, how it was
/// built, what is still open. Errors: Refused for rules for names that are none; Canceled.
[[nodiscard]] Result<ReportDocument> makeHandover(const FiguresPtr& figures, const asbuilt::SegmentKey& key, const DesignStamp& stamp,
                                                  const Progress& progress = {});

/// What its sections are made from. Borrowed while the pack is made.
struct HandoverInput {
    const Figures& figures;
    const asbuilt::Segment& segment;
    const asbuilt::Comparison& comparison;
    const CheckResult& findings;
    const impact::ModelPtr& model;
    [[nodiscard]] const Snapshot& snapshot() const { return *figures.snapshot; }
    [[nodiscard]] bool isOwn(EntityRef entity) const; ///< devices, ports and links of the segment
};

/// Elements of the power chain that feed the segment, from the utility down, by tier, side and name.
[[nodiscard]] std::vector<DeviceId> feedsOf(const HandoverInput& in);
/// What the meters at `feedsOf` show when the segment alone draws `share` of its load, and cooling runs at that heat: W by place in the list.
[[nodiscard]] std::vector<double> loadBankReadings(const HandoverInput& in, std::span<const DeviceId> feeds, double share);
/// What takes the heat out of the coolant of the segment, and out of the air of its rooms.
[[nodiscard]] std::vector<DeviceId> coolersOf(const HandoverInput& in);

[[nodiscard]] Section loadBankSection(const HandoverInput& in);
void addFailovers(const HandoverInput& in, std::vector<Section>& sections);
[[nodiscard]] Result<Section> networkProofSection(const HandoverInput& in, const Progress& progress);
[[nodiscard]] Section asBuiltSection(const HandoverInput& in);
[[nodiscard]] Section punchSection(const HandoverInput& in);
[[nodiscard]] Section signSection(const HandoverInput& in);

} // namespace hw::document
