// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/asbuilt/evidence.h"
#include "core/output/exchange/formats.h"

namespace hw::importers {

// Results of acceptance tests. Errors: Unreadable with file and line or key.

/// {"checks": [{"device", "check", "expected", "actual", "ok"}]}; without ok, expected and actual are compared as texts.
[[nodiscard]] Result<std::vector<asbuilt::AuditCheck>> readAudit(const exchange::ImportSource& source);
/// What ib_write_bw and its kin (perftest) print, or write with --out_json; one or several runs in a file. The largest average over the sizes
/// counts. MB/s are 2^20 bytes a second, as perftest means them.
[[nodiscard]] Result<std::vector<asbuilt::CardMeasure>> readPerftest(const exchange::ImportSource& source);
/// What nccl-tests print. The file's name may say the collective ("all_reduce", "alltoall" …) and a rail ("rail3").
[[nodiscard]] Result<asbuilt::CollectiveRun> readNccl(const exchange::ImportSource& source);
/// {"model": {"name", "measured", "expected", "ok", "note"}, "faults": [{"what", "ok", "note"}]}.
[[nodiscard]] Result<asbuilt::ModelTest> readModelTest(const exchange::ImportSource& source);

} // namespace hw::importers
