// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/catalog.h"

namespace hw {

/// Where the sidecar of a NetBox document would be: NAME.hw.yaml beside NAME.yaml; empty for a sidecar.
[[nodiscard]] std::filesystem::path sidecarOf(const std::filesystem::path& file);
/// `Catalog::parse` of the text of a file with the sidecar that lies beside it, or of a sidecar that stands alone.
[[nodiscard]] Result<Part> parseWithSidecar(std::string yaml, const std::filesystem::path& file, std::vector<LintIssue>* lint = nullptr);

} // namespace hw
