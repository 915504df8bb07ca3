// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/asbuilt/evidence.h"
#include "core/operations/asbuilt/sighting.h"
#include "core/operations/configuration/expected.h"

#include <set>

namespace hw::configuration {

/// One setting as a file of a device has it.
struct Actual {
    std::string device, port; ///< port: as captured; "*": all; "gpu3": part of the device; "pci 0000:1a:00.0"; empty: the device
    std::string item, value;
    std::string source; ///< "host1.txt:12"
};
/// The item of the address that "pci …" refers to.
inline constexpr std::string_view kBusItem = "nic.bus";

struct ComparedItem {
    DeviceId device{};
    std::string deviceName, port, item, expected, actual, unit, set, profile, source;
    char confidence = 'C';
    bool ok = false;
};

struct Comparison {
    std::vector<ComparedItem> items; ///< that were captured, by device and port
    std::set<DeviceId> captured;     ///< devices of which there is at least one item
    std::size_t notCaptured = 0;     ///< expected items of these devices of which nothing is known
    std::vector<std::string> itemsNotCaptured;
    std::vector<asbuilt::CaptureIssue> unmatched;
    std::vector<asbuilt::CaptureIssue> notPlanned; ///< ports that the design does not have, of devices of which others were found
    [[nodiscard]] std::size_t differing() const;
    [[nodiscard]] bool clean() const { return differing() == 0 && unmatched.empty(); }
};

/// Names of devices and ports as in captures (docs/asbuilt.md). Errors: Refused, as `expectedOf` and the rules of names have them.
[[nodiscard]] Result<Comparison> compare(const Figures& figures, std::span<const Profile> profiles, std::span<const Actual> actual);

/// For the audit of gate 1: with what has to be set.
[[nodiscard]] std::vector<asbuilt::AuditCheck> auditOf(const Comparison& comparison);
/// For people, and for programs (hallwright.config-comparison/1).
[[nodiscard]] std::string comparisonText(const Comparison& comparison);
[[nodiscard]] std::string comparisonJson(const Comparison& comparison);

} // namespace hw::configuration
