// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/lifecycle/life_cycle.h"

#include "core/foundation/base/resources.h"
#include "core/foundation/base/yaml_keys.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>

namespace hw {

namespace {

std::vector<CostRange> rangesOf(YamlKeys& all)
{
    std::vector<CostRange> out;
    all.entries("per_kw", [&](const std::string& slug, YamlKeys& keys) {
        if (slug != "facility" && !fromWord<CostSystem>(slug)) keys.refuse("", i18n("must be a cost system or facility"));
        CostRange range{.slug = slug, .currency = keys.text("currency"), .source = keys.text("source"), .confidence = keys.confidence()};
        std::tie(range.least, range.most) = keys.range("range");
        if (range.least < 0) keys.refuse("range", i18n("must not be negative"));
        out.push_back(std::move(range));
    });
    return out;
}

} // namespace

Result<std::vector<CostRange>> readCostRanges(const std::string& yaml, const std::string& file)
{
    std::vector<CostRange> out;
    if (const auto read = readYaml(yaml, file, [&](YamlKeys& all) { out = rangesOf(all); }); !read) return tl::unexpected(read.error());
    if (out.empty()) return fail(ErrorCode::Unreadable, file, i18n("no ranges"), i18n("list them under the key per_kw"));
    return out;
}

const Result<std::vector<CostRange>>& shippedCostRanges()
{
    static const Result<std::vector<CostRange>> all = []() -> Result<std::vector<CostRange>> {
        std::vector<CostRange> out;
        const auto read = readYamlFile(resourceFolder() / "plant" / "cost-ranges.yaml", i18n("reinstall the program"),
                                       [&](YamlKeys& keys) { out = rangesOf(keys); });
        if (!read) return tl::unexpected(read.error());
        return out;
    }();
    return all;
}

std::vector<CostPosition> costPositions(const Snapshot& s, const LifeCycle& life, double powerShare)
{
    if (!life.billKnown) return {};
    SystemCosts costs{life.currency, life.itW, {}};
    for (const LifeCycle::System& system : life.systems)
        costs.capital.emplace_back(system.system, system.capital * (system.system == CostSystem::Power ? powerShare : 1));
    return costPositions(s, costs);
}

std::vector<CostPosition> costPositions(const Snapshot& s, const SystemCosts& costs)
{
    std::vector<CostPosition> out;
    const auto& ranges = shippedCostRanges();
    if (!ranges || costs.itW <= 0) return out;
    for (const CostRange& range : *ranges) {
        const double rate = range.currency == costs.currency ? 1 : numberSetting(s, "currency." + range.currency + ".rate", 0);
        if (rate <= 0) continue;
        double sum = 0;
        for (const auto& [system, capital] : costs.capital) {
            const bool ofFacility = system == CostSystem::Power || system == CostSystem::Cooling || system == CostSystem::Building;
            if (range.slug == "facility" ? ofFacility : range.slug == wordOf(system)) sum += capital;
        }
        if (sum <= 0) continue;
        CostPosition position{range, sum / (costs.itW / 1000)};
        position.range.least *= rate, position.range.most *= rate, position.range.currency = costs.currency;
        out.push_back(std::move(position));
    }
    return out;
}

} // namespace hw
