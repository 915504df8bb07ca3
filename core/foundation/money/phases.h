// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/model/snapshot.h"

#include <optional>
#include <span>
#include <vector>

namespace hw {

/// The phase in which each thing is installed: its own, else that of what it stands in, else 1; never before what it
/// stands in. A cable comes with the later of its ends. Made from one snapshot, by row.
class PhaseIndex {
public:
    explicit PhaseIndex(const Snapshot& snapshot);
    [[nodiscard]] int of(BuildingId id) const { return m_buildings[id.value]; }
    [[nodiscard]] int of(HallId id) const { return m_halls[id.value]; }
    [[nodiscard]] int of(RowId id) const { return m_rows[id.value]; }
    [[nodiscard]] int of(RackId id) const { return m_racks[id.value]; }
    [[nodiscard]] int of(DeviceId id) const { return m_devices[id.value]; }
    [[nodiscard]] int of(TrayId id) const;
    /// Of a tray that is needed as soon as a link runs through it.
    [[nodiscard]] int of(TrayId id, std::span<const LinkId> through) const;
    [[nodiscard]] int of(LinkId id) const;
    /// Numbers that something has, and those of all phases of the design; ascending, 1 always.
    [[nodiscard]] const std::vector<int>& numbers() const { return m_numbers; }
    /// True where nothing comes later than phase 1, and no phase is declared.
    [[nodiscard]] bool single() const { return m_numbers.size() == 1; }

private:
    [[nodiscard]] int own(Maybe<PhaseId> phase) const;
    const Snapshot& m_snapshot;
    std::vector<std::int16_t> m_buildings, m_halls, m_rows, m_racks, m_devices;
    std::vector<int> m_numbers;
};

/// The phase of a number; of several the first row.
[[nodiscard]] std::optional<PhaseId> phaseOfNumber(const Snapshot& snapshot, int number);
/// "phase 2", or its name where it has one.
[[nodiscard]] Text phaseText(const Snapshot& snapshot, int number);
/// How many things have come at least so far, by stage.
struct StageCounts {
    std::array<std::int64_t, kWords<Stage>.size()> at{}; ///< exactly at this stage
    [[nodiscard]] std::int64_t total() const;
    [[nodiscard]] std::int64_t reached(Stage stage) const; ///< this one or a later one
    friend bool operator==(const StageCounts&, const StageCounts&) = default;
};
struct Stages {
    StageCounts racks, devices, cables;
    [[nodiscard]] static Stages of(const Snapshot& snapshot);
    [[nodiscard]] bool begun() const; ///< anything beyond planned
};
[[nodiscard]] Text stageText(Stage stage); ///< for people

} // namespace hw
