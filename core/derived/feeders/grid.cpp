// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/feeders/grid.h"

#include "core/foundation/base/resources.h"
#include "core/foundation/base/yaml_keys.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <charconv>

namespace hw {

namespace {

std::vector<GridRule> rulesOf(YamlKeys& all)
{
    std::vector<GridRule> out;
    all.entries("grids", [&](const std::string& slug, YamlKeys& keys) {
        GridRule rule{.slug = slug, .title = keys.text("title"), .status = keys.text("status"), .recovery = keys.text("recovery", "")};
        rule.source = keys.text("source"), rule.confidence = keys.confidence();
        if (keys.has("from_mw")) rule.fromMw = keys.number("from_mw", 0, 1e5);
        if (keys.has("ramp_mw_per_min")) rule.rampMwPerMin = keys.number("ramp_mw_per_min", 0, 1e6);
        if (keys.has("step_mw") != keys.has("step_s")) keys.refuse("step_mw", i18n("requires step_s, and vice versa"));
        if (keys.has("step_mw")) rule.stepMw = keys.number("step_mw", 0, 1e6), rule.stepS = keys.number("step_s", 0.001, 3600);
        out.push_back(std::move(rule));
    });
    return out;
}

} // namespace

Result<std::vector<GridRule>> readGridRules(const std::string& yaml, const std::string& file)
{
    std::vector<GridRule> out;
    if (const auto read = readYaml(yaml, file, [&](YamlKeys& all) { out = rulesOf(all); }); !read) return tl::unexpected(read.error());
    if (out.empty()) return fail(ErrorCode::Unreadable, file, i18n("no grids"), i18n("list them under the key grids"));
    return out;
}

const Result<std::vector<GridRule>>& shippedGridRules()
{
    static const Result<std::vector<GridRule>> all = []() -> Result<std::vector<GridRule>> {
        std::vector<GridRule> out;
        const auto read =
            readYamlFile(resourceFolder() / "plant" / "grids.yaml", i18n("reinstall the program"), [&](YamlKeys& keys) { out = rulesOf(keys); });
        if (!read) return tl::unexpected(read.error());
        return out;
    }();
    return all;
}

Result<std::optional<GridRule>> gridOf(const Snapshot& s)
{
    const std::string name = settingOf(s, "site.grid");
    if (name.empty()) return std::optional<GridRule>();
    const auto& all = shippedGridRules();
    if (!all) return tl::unexpected(all.error());
    std::string known;
    for (const GridRule& rule : *all) {
        if (rule.slug == name) return std::optional(rule);
        known += (known.empty() ? "" : ", ") + rule.slug;
    }
    return fail(ErrorCode::Refused, "site.grid " + name, i18n("no grid of this name"), i18n("choose from {}", known));
}

Result<std::vector<std::pair<int, double>>> contractSteps(const Snapshot& s)
{
    std::vector<std::pair<int, double>> out;
    const std::string text = settingOf(s, "site.contract_steps");
    const auto refuse = [&] {
        return fail(ErrorCode::Refused, "site.contract_steps", i18n("cannot be read: {}", text),
                    i18n("write PHASE=MW, separated by ;, phases ascending"));
    };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(';', at), text.size());
        std::string step = text.substr(at, end - at);
        std::erase(step, ' ');
        at = end + 1;
        if (step.empty()) continue;
        int phase = 0;
        double mw = 0;
        const char *first = step.data(), *last = first + step.size();
        const auto [afterPhase, phaseError] = std::from_chars(first, last, phase);
        if (phaseError != std::errc() || afterPhase == last || *afterPhase != '=') return refuse();
        const auto [afterMw, mwError] = std::from_chars(afterPhase + 1, last, mw);
        if (mwError != std::errc() || afterMw != last || phase < 1 || !(mw > 0 && mw < 1e6)) return refuse();
        if (!out.empty() && out.back().first >= phase) return refuse();
        out.emplace_back(phase, mw);
    }
    return out;
}

double contractAt(const Snapshot& s, std::span<const std::pair<int, double>> steps, int phase)
{
    double mw = 0;
    for (const auto& [from, step] : steps)
        if (from <= phase) mw = step;
    if (mw > 0) return mw * 1e6;
    double sum = 0;
    s.sites.forEach([&](SiteId id) { sum += toWatts(s.sites.contract[id]); });
    return sum;
}

LoadSwing loadSwing(const Figures& figures, PowerBasis basis)
{
    const Snapshot& s = *figures.snapshot;
    Milliwatts most;
    s.buildings.forEach([&](BuildingId id) {
        if (s.buildings.kind[id] == BuildingKind::Pod) most = std::max(most, figures.power->building(id).at(basis));
    });
    const double low = numberSetting(s, "rule.p11.low_percent", 20) / 100, high = numberSetting(s, "rule.p11.high_percent", 95) / 100;
    return {std::max(0.0, high - low) * toWatts(most), std::max(0.001, numberSetting(s, "rule.p11.step_s", 2))};
}

} // namespace hw
