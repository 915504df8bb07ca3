// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/formats.h"

#include "core/foundation/base/file_kind.h"
#include "core/foundation/base/log.h"
#include "core/foundation/files/workbook_reader.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

#include <unistd.h>

#include <fmt/format.h>

namespace hw::exchange {

namespace {

template <class Format>
Result<const Format*> named(std::span<const std::unique_ptr<Format>> all, std::string_view name, Text unknown)
{
    std::vector<std::string> known;
    for (const auto& format : all) {
        const std::string own = format->info().name;
        if (own == name) return format.get();
        known.push_back(own);
    }
    return fail(ErrorCode::Usage, fmt::format("FORMAT {}", name), std::move(unknown), i18n("choose from {}", listedNames(known)));
}

template <class Format>
std::string help(std::span<const std::unique_ptr<Format>> all)
{
    std::string text;
    for (const auto& format : all) {
        const FormatInfo info = format->info();
        text += (text.empty() ? "" : "\n") + info.name + ": " + words(info.summary);
    }
    return text;
}

} // namespace

Result<void> checkChoices(const std::string& format, std::span<const FormatOption> offered, const FormatChoices& choices)
{
    for (const auto& [name, value] : choices) {
        const std::string where = "--" + name;
        if (std::ranges::find(offered, name, &FormatOption::name) == offered.end())
            return fail(ErrorCode::Usage, where, i18n("not supported by format {}", format), i18n("omit it"));
        if (value.empty()) return fail(ErrorCode::Usage, where, i18n("empty"), i18n("specify a value, or omit it"));
    }
    return {};
}

Result<void> writeFolderWhole(const std::filesystem::path& folder, std::string_view marker,
                              const std::function<Result<void>(const std::filesystem::path&)>& write)
{
    namespace fs = std::filesystem;
    const fs::path target = folder.has_filename() ? folder : folder.parent_path(); // "DIR/"
    std::error_code error;
    const bool exists = fs::exists(target, error);
    if (exists && !fs::is_directory(target, error))
        return fail(ErrorCode::Unreadable, "-o " + target.string(), i18n("not a folder"), i18n("specify a folder"));
    if (exists && !fs::is_empty(target, error) && !fs::exists(target / marker, error))
        return fail(ErrorCode::Unreadable, "-o " + target.string(), i18n("folder contains other files"), i18n("specify a new folder"));
    const std::string mark = std::to_string(::getpid());
    const fs::path fresh = target.string() + ".new-" + mark, old = target.string() + ".old-" + mark;
    fs::create_directories(fresh, error);
    auto done = error ? Result<void>{} : write(fresh);
    if (done && exists && !error) fs::rename(target, old, error);
    if (done && !error) fs::rename(fresh, target, error);
    if (done && error)
        done =
            fail(ErrorCode::Unreadable, target.string(), i18n("cannot be written: {}", error.message()), i18n("check the path and its permissions"));
    std::error_code ignored;
    fs::remove_all(done ? old : fresh, ignored);
    return done;
}

Result<ImportSource> readSource(const std::filesystem::path& path)
{
    auto content = readTextFile(path);
    if (!content) { // a workbook is for the reader that knows sheets
        std::error_code error;
        const auto ending = path.extension();
        if ((ending == ".xlsx" || ending == ".xlsm" || ending == ".XLSX") && std::filesystem::is_regular_file(path, error)) {
            std::ifstream in(path, std::ios::binary);
            std::string bytes(std::istreambuf_iterator<char>(in), {});
            if (isWorkbook(bytes)) return ImportSource{path, std::move(bytes), {}};
        }
        return tl::unexpected(content.error());
    }
    return ImportSource{path, std::move(*content), {}};
}

Result<void> applyPlan(Transaction& transaction, const ImportPlan& plan)
{
    if (!plan.after)
        return fail(ErrorCode::Refused, words(plan.name), i18n("contains no design data"),
                    i18n("use it for a simulation: see 'hallwright-cli simulate'"));
    if (transaction.base().revision != plan.base->revision || !sameContent(transaction.base(), *plan.base))
        return fail(ErrorCode::Refused, words(plan.name), i18n("the design has changed since the import was planned"), i18n("plan the import again"));
    const auto revision = transaction->revision;
    const auto given = transaction.base().tables();
    *transaction = *plan.after;
    transaction->revision = revision;
    const auto tables = transaction->tables();
    for (std::size_t t = 0; t < tables.size(); ++t) // ids that were given out stay so
        tables[t]->restoreCounters(std::max(tables[t]->nextId(), given[t]->nextId()), tables[t]->size());
    if (logging::writes(logging::Level::Info)) {
        std::string rows;
        for (const PlannedRows& kind : plannedRows(plan, 0))
            rows += fmt::format("; {}: {} added, {} changed, {} removed", kind.table, kind.added, kind.changed, kind.removed);
        logging::info(logging::Id::Imported, "{}{}; {} issues", plan.name, rows, plan.issues.size());
        for (const ImportIssue& issue : plan.issues) logging::debug(logging::Id::Imported, "{}: {}", issue.where, issue.what);
    }
    return {};
}

Result<const Importer*> Formats::importer(std::string_view name) const { return named(importers(), name, i18n("unknown import format")); }
Result<const Exporter*> Formats::exporter(std::string_view name) const { return named(exporters(), name, i18n("unknown export format")); }
std::string Formats::importHelp() const { return help(importers()); }
std::string Formats::exportHelp() const { return help(exporters()); }

const Importer* Formats::importerOf(const ImportSource& source) const
{
    const auto it = std::ranges::find_if(m_importers, [&](const auto& importer) { return importer->probe(source); });
    return it == m_importers.end() ? nullptr : it->get();
}

} // namespace hw::exchange
