// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/store.h"

namespace hw::history {

std::filesystem::path Store::besides(const std::filesystem::path& project) { return std::filesystem::path(project).replace_extension(".telemetry"); }

/// Not there yet.
Result<std::unique_ptr<Store>> Store::open(const std::filesystem::path& file, const Retention&)
{
    return fail(ErrorCode::Refused, file.string(), i18n("history is not kept yet"));
}

} // namespace hw::history
