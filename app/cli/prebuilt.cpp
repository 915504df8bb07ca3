// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/prebuilt.h"

#include "app/cli/design_input.h"

#include <nlohmann/json.hpp>

namespace hw::cli {

std::string Prebuilt::text() const
{
    std::string out;
    for (const Text& line : prebuiltLines(row, currency)) out += (out.empty() ? "\n" : "") + words(line) + '\n';
    return out;
}

nlohmann::ordered_json Prebuilt::json() const { return {{"prebuilt", toCurrency(row.prebuilt)}, {"prebuilt_parts", prebuiltJson(row)}}; }

Result<Prebuilt> prebuiltAt(const std::filesystem::path& file, int phase, const Progress& progress)
{
    const auto whole = readFigures(file, progress);
    if (!whole) return tl::unexpected(whole.error());
    const Bom bom = makeBom(**whole);
    for (auto& row : phaseRows(**whole, bom))
        if (row.number == phase) return Prebuilt{std::move(row), bom.currency};
    return Prebuilt{};
}

} // namespace hw::cli
