// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/formats.h"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::exchange {

namespace {

/// What a row is called: its name, key or slug, else its number.
template <class T, class I>
std::string rowName(const T& table, I id)
{
    if constexpr (requires { table.name; })
        if (!table.name[id].empty()) return table.name[id];
    if constexpr (requires { std::string(table.key[id]); }) return table.key[id];
    if constexpr (requires { std::string(table.slug[id]); }) return table.slug[id];
    return std::to_string(id.value + 1);
}

template <class T>
PlannedRows rowsOf(const ChangeSet& changes, const Snapshot& before, const Snapshot& after, std::size_t mostNames)
{
    const RowChanges rows = changes.rows<T>();
    const TableBase& base = after.of<T>();
    PlannedRows out{std::string(base.name()), rows.inserted.size(), rows.updated.size(), rows.erased.size(), {}};
    const auto show = [&](const char* mark, const Snapshot& s, std::uint32_t row) {
        if (out.names.size() < mostNames) out.names.push_back(std::string(mark) + " " + rowName(s.of<T>(), typename T::IdType(row)));
    };
    for (const auto row : rows.inserted) show("+", after, row);
    for (const auto& update : rows.updated) show("~", after, update.row);
    for (const auto row : rows.erased) show("-", before, row);
    return out;
}

} // namespace

std::vector<PlannedRows> plannedRows(const ImportPlan& plan, std::size_t mostNames)
{
    std::vector<PlannedRows> all;
    if (!plan.after) return all;
    const ChangeSet changes = difference(*plan.base, *plan.after, words(plan.name));
    plan.after->eachTable([&](const auto& table) {
        using T = std::remove_cvref_t<decltype(table)>;
        auto rows = rowsOf<T>(changes, *plan.base, *plan.after, mostNames);
        if (rows.added + rows.changed + rows.removed > 0) all.push_back(std::move(rows));
    });
    return all;
}

std::string planJson(const ImportPlan& plan)
{
    using Json = nlohmann::ordered_json;
    Json root = {{"schema", "hallwright.import-plan/1"}, {"name", plan.name}, {"for_design", plan.after != nullptr}, {"facts", plan.facts}};
    root["read"] = plan.read, root["left_out"] = plan.left, root["doubts"] = plan.issues.size();
    root["rows"] = Json::array();
    for (const auto& rows : plannedRows(plan))
        root["rows"].push_back(
            {{"table", rows.table}, {"added", rows.added}, {"changed", rows.changed}, {"removed", rows.removed}, {"first", rows.names}});
    root["issues"] = Json::array();
    for (const auto& issue : plan.issues) root["issues"].push_back({{"where", issue.where}, {"what", issue.what}});
    return root.dump(1) + '\n';
}

std::string planText(const ImportPlan& plan, bool whole)
{
    std::string out = words(plan.name) + '\n';
    for (const auto& fact : plan.facts) out += "  " + words(fact) + '\n';
    const auto all = plannedRows(plan, whole ? 10 : 0);
    for (const auto& rows : all) {
        out += "  " + words(i18n("{}: {} added, {} changed, {} removed", rows.table, rows.added, rows.changed, rows.removed)) + '\n';
        for (const auto& name : rows.names) out += "    " + name + '\n';
        if (!whole) continue;
        if (const auto total = rows.added + rows.changed + rows.removed; total > rows.names.size())
            out += "    " + words(i18n("and {} more", total - rows.names.size())) + '\n';
    }
    if (all.empty()) out += "  " + words(plan.after ? i18n("no changes") : i18n("no design data: this file is used by simulations")) + '\n';
    if (plan.read + plan.left > 0) out += "  " + words(i18n("{:L} read, {:L} skipped", plan.read, plan.left)) + '\n';
    if (!plan.issues.empty()) out += "  " + words(i18np(plan.issues.size(), "{:L} issue", "{:L} issues")) + '\n';
    if (!whole) return out;
    for (const auto& issue : plan.issues) out += "  " + words(i18n("warning")) + ": " + issue.where + ": " + words(issue.what) + '\n';
    return out;
}

} // namespace hw::exchange
