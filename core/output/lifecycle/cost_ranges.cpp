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
    if (out.empty()) return fail(ErrorCode::Unreadable, file, i18n("no ranges"), i18n("state them under the key per_kw"));
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

std::vector<CostPosition> costPositions(const Snapshot& s, const LifeCycle& life)
{
    std::vector<CostPosition> out;
    const auto& ranges = shippedCostRanges();
    if (!ranges || life.itW <= 0 || !life.billKnown) return out;
    for (const CostRange& range : *ranges) {
        const double rate = range.currency == life.currency ? 1 : numberSetting(s, "currency." + range.currency + ".rate", 0);
        if (rate <= 0) continue;
        double sum = 0;
        for (const LifeCycle::System& system : life.systems) {
            const bool ofFacility =
                system.system == CostSystem::Power || system.system == CostSystem::Cooling || system.system == CostSystem::Building;
            if (range.slug == "facility" ? ofFacility : range.slug == wordOf(system.system)) sum += system.capital;
        }
        if (sum <= 0) continue;
        CostPosition position{range, sum / (life.itW / 1000)};
        position.range.least *= rate, position.range.most *= rate, position.range.currency = life.currency;
        out.push_back(std::move(position));
    }
    return out;
}

} // namespace hw
