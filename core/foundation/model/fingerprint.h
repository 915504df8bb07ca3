// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

namespace hw {

/// What a design is, as one number: two snapshots with the same living rows under the same ids have the same fingerprint, whatever their
/// revision, history or file; any other content has another one (XXH64: an accident in 2^60, no defense against malice). Names that people
/// give (project, rows, racks, devices, labels, colors), marks of local edits and waivers are left out, so that a rename alone changes nothing.
/// Reads everything: some 20 ms for 122,880 GPUs. Any thread.
[[nodiscard]] std::uint64_t designFingerprint(const Snapshot& snapshot);

/// The same for one snapshot after the other of a document that changes: what they share is read once. Keeps the last one alive.
/// One thread at a time.
class FingerprintCache {
public:
    [[nodiscard]] std::uint64_t of(const SnapshotPtr& snapshot);

private:
    friend std::uint64_t designFingerprint(const Snapshot& snapshot);
    using Hashes = std::vector<std::uint64_t>; ///< by column and chunk, in the order in which tables and columns stand
    static std::uint64_t compute(const Snapshot& snapshot, const Snapshot* before, const std::vector<Hashes>& known, std::vector<Hashes>& found);

    SnapshotPtr m_last;
    std::uint64_t m_lastValue = 0;
    std::vector<Hashes> m_known; ///< by column of all tables
};

/// As 16 hexadecimal digits, as files and answers hold it.
[[nodiscard]] std::string fingerprintText(std::uint64_t fingerprint);

} // namespace hw
