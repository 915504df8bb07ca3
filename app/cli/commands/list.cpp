// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/design/edit/kinds.h"
#include "core/design/edit/lookup.h"
#include "core/design/listing/entity_list.h"

#include <algorithm>
#include <numeric>

namespace hw::cli {

namespace list_command {

struct Options {
    std::string file, kind, columns, filter, sort, by, output;
    bool all = false, descending = false, json = false;
    std::optional<int> phase;
};

std::vector<std::string> kindWords()
{
    std::vector<std::string> words;
    for (const EntityKind kind : EntityList::kinds()) words.push_back(edit::kindWord(kind));
    return words;
}

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_option("KIND", o.kind, words(i18n("Objects to list: {}", listedNames(kindWords()))))->option_text("KIND")->required();
    auto* columns = app.add_option("--columns", o.columns, words(i18n("Columns, separated by commas (default: the most useful ones)")));
    columns->option_text("NAME,...");
    app.add_flag("--all-columns", o.all, words(i18n("All columns")))->excludes(columns);
    app.add_option("--filter", o.filter, words(i18n("Rows to list: words, or conditions such as \"type=hgx-h100;load>30 kW\"")))
        ->option_text("CONDITION;...");
    auto* sort = app.add_option("--sort", o.sort, words(i18n("Sort by this column")))->option_text("NAME");
    app.add_flag("--descending", o.descending, words(i18n("Largest first")))->needs(sort);
    auto* by = app.add_option("--by", o.by, words(i18n("One line for each value of this column, with count and totals")))->option_text("NAME");
    by->excludes(sort)->excludes(columns);
    auto* output = app.add_option("-o,--output", o.output, words(i18n("Write a file instead of text")))->option_text("OUT.csv|.xlsx");
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")))->excludes(output)->excludes(by);
    output->excludes(by);
    addPhaseOption(app, o.phase);
    app.footer(
        words(i18n("Conditions: COLUMN=TEXT, COLUMN!=TEXT, COLUMN:TEXT (contains), COLUMN>NUMBER UNIT, also <, <= and >=. All of them apply.")));
}

Result<std::size_t> findColumn(const EntityList& list, std::string_view option, std::string_view name)
{
    if (const auto found = list.column(name)) return *found;
    std::vector<std::string> keys;
    for (const ListColumn& column : list.columns()) keys.push_back(column.key);
    return fail(ErrorCode::Usage, std::string(option), i18n("'{}' is not a column", name), i18n("choose from {}", listedNames(keys)));
}

Result<std::vector<std::size_t>> chosenColumns(const EntityList& list, const Options& o)
{
    std::vector<std::size_t> chosen;
    for (std::string_view rest = o.columns; !rest.empty();) {
        const auto name = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
        const auto found = findColumn(list, "--columns", name);
        if (!found) return tl::unexpected(found.error());
        chosen.push_back(*found);
    }
    if (chosen.empty())
        for (std::size_t i = 0; i < list.columns().size(); ++i)
            if (o.all || list.columns()[i].shown) chosen.push_back(i);
    return chosen;
}

/// Aligned columns; numbers to the right.
void printTable(const EntityList& list, const std::vector<std::uint32_t>& rows, const std::vector<std::size_t>& columns)
{
    constexpr std::size_t kMeasured = 1000, kWidest = 48; // rows that decide the widths; characters
    std::vector<std::size_t> widths;
    const auto lengthOf = [](std::string_view text) { return edit::charactersOf(text); };
    for (const std::size_t at : columns) {
        std::size_t width = lengthOf(words(list.columns()[at].title));
        for (std::size_t i = 0; i < std::min(rows.size(), kMeasured); ++i) width = std::max(width, lengthOf(list.text(rows[i], at)));
        widths.push_back(std::min(width, kWidest));
    }
    const auto line = [&](auto&& textOf) {
        std::string out;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const std::string text = textOf(columns[i]);
            const std::string pad(widths[i] - std::min(widths[i], lengthOf(text)), ' ');
            out += list.columns()[columns[i]].number ? pad + text : text + pad;
            if (i + 1 < columns.size()) out += "  ";
        }
        out.erase(out.find_last_not_of(' ') + 1);
        print(out + '\n');
    };
    line([&](std::size_t at) { return words(list.columns()[at].title); });
    for (const std::uint32_t row : rows) line([&](std::size_t at) { return list.text(row, at); });
}

/// A line for each value of a column.
void printGroups(const EntityList& list, const std::vector<std::uint32_t>& rows, std::size_t column)
{
    print(fmt::format("{:<40} {:>8}", words(list.columns()[column].title), words(i18n("Count"))));
    const auto all = list.totals(rows);
    for (std::size_t at = 0; at < all.size(); ++at)
        if (all[at]) print(fmt::format(" {:>20}", words(list.columns()[at].title)));
    print("\n");
    const auto line = [&](const std::string& name, const std::vector<std::uint32_t>& members) {
        print(fmt::format("{:<40} {:>8}", name.empty() ? "-" : name, members.size()));
        const auto sums = list.totals(members);
        for (std::size_t at = 0; at < sums.size(); ++at)
            if (sums[at]) print(fmt::format(" {:>20}", list.amount(*sums[at], at)));
        print("\n");
    };
    for (const auto& group : list.groups(rows, column)) line(group.text, group.rows);
    line(words(i18n("Total")), rows);
}

Outcome run(const Options& o, const Progress& progress)
{
    const auto kind = edit::kindOfWord(o.kind);
    if (!kind || std::ranges::find(EntityList::kinds(), *kind) == EntityList::kinds().end())
        return fail(ErrorCode::Usage, o.kind, i18n("unknown type of object"), i18n("choose from {}", listedNames(kindWords())));
    if (!o.output.empty())
        if (const auto format = outputFormat(o.output, {".csv", ".xlsx"}); !format) return tl::unexpected(format.error());
    const auto figures = readFigures(o.file, progress, o.phase);
    if (!figures) return tl::unexpected(figures.error());
    const EntityList list(*figures, *kind);
    const auto columns = chosenColumns(list, o);
    if (!columns) return tl::unexpected(columns.error());
    ListQuery query{.descending = o.descending};
    if (auto filters = readFilters(list, o.filter); filters)
        query.filters = std::move(*filters);
    else
        return fail(ErrorCode::Usage, "--filter " + filters.error().where, filters.error().what, filters.error().todo);
    if (!o.sort.empty()) {
        const auto by = findColumn(list, "--sort", o.sort);
        if (!by) return tl::unexpected(by.error());
        query.sortBy = *by;
    }
    const auto rows = list.rows(query, progress);
    if (!rows) return tl::unexpected(rows.error());
    if (!o.by.empty()) {
        const auto by = findColumn(list, "--by", o.by);
        if (!by) return tl::unexpected(by.error());
        printGroups(list, *rows, *by);
    } else if (!o.output.empty()) {
        const auto written =
            writeWhole(o.output, [&](const std::filesystem::path& path) { return writeList(list, *rows, *columns, path, progress); });
        if (!written) return tl::unexpected(written.error());
    } else if (o.json) {
        print(listJson(list, *rows, *columns));
    } else {
        printTable(list, *rows, *columns);
    }
    return kDone;
}

} // namespace list_command

void addList(Session& session)
{
    using namespace list_command;
    session.command<Options>("list", i18n("List objects of one kind as a table"), declare, run);
}

} // namespace hw::cli
