// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"
#include "core/foundation/model/document.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hw::exchange {

/// What a format is for people.
struct FormatInfo {
    std::string name; ///< on the command line: "text"
    Text summary;     ///< one line
};

/// A choice that a format offers: `--name VALUE` on the command line.
struct FormatOption {
    std::string name, value; ///< value: its placeholder in help; empty: a flag, which has the value "yes" when it is set
    Text help;
    bool repeats = false; ///< may be given several times; the values are joined by line ends
};

/// What was chosen for a format, by name of the option.
using FormatChoices = std::map<std::string, std::string>;
/// Empty: not given.
[[nodiscard]] inline std::string choice(const FormatChoices& choices, const std::string& name)
{
    const auto found = choices.find(name);
    return found == choices.end() ? std::string() : found->second;
}
/// Refuses a choice that the format does not offer, or that is empty. Error: Usage.
[[nodiscard]] Result<void> checkChoices(const std::string& format, std::span<const FormatOption> offered, const FormatChoices& choices);

/// A file to read, whole (`readTextFile`), and what was chosen for it.
struct ImportSource {
    std::filesystem::path path;
    std::string content;
    FormatChoices options{};
    [[nodiscard]] std::string option(const std::string& name) const { return choice(options, name); }
};
[[nodiscard]] Result<ImportSource> readSource(const std::filesystem::path& path);

/// Something about a file that its reader has to say; what stops the reading is an Error instead.
struct ImportIssue {
    std::string where; ///< file, line, key
    Text what;
};

/// What an import would do. Nothing has changed yet.
struct ImportPlan {
    Text name;                       ///< of the undo step
    std::vector<Text> facts;         ///< what was read, a line each
    std::vector<ImportIssue> issues; ///< doubts, with their place
    std::size_t read = 0, left = 0;  ///< of a list: rows that were read, and those that were left out, each with an issue
    SnapshotPtr base;                ///< the design that it was made for; an empty one for a new project
    SnapshotPtr after;               ///< the design with it; null: a file that a question reads, and nothing for a design
};

/// Rows of one kind that a plan adds, changes or takes away.
struct PlannedRows {
    std::string table;
    std::size_t added = 0, changed = 0, removed = 0;
    std::vector<std::string> names; ///< of the first of them: "+ NAME", "~ NAME", "- NAME"
};
/// By table, in their order; tables without a change are left out.
[[nodiscard]] std::vector<PlannedRows> plannedRows(const ImportPlan& plan, std::size_t mostNames = 10);
/// Makes the design what the plan says: one transaction is one undo step. Refused when the plan was made for another state of it, or is for
/// no design.
[[nodiscard]] Result<void> applyPlan(Transaction& transaction, const ImportPlan& plan);
/// The plan for programs (hallwright.import-plan/1) and for people.
[[nodiscard]] std::string planJson(const ImportPlan& plan);
/// `whole`: with the names of the first rows of each table and the doubts, else their numbers alone.
[[nodiscard]] std::string planText(const ImportPlan& plan, bool whole = true);

/// Reads one foreign format. Without state; any thread.
class Importer {
public:
    virtual ~Importer() = default;
    [[nodiscard]] virtual FormatInfo info() const = 0;
    /// Whether it makes a new project, rather than adding to one that is there.
    [[nodiscard]] virtual bool makesProject() const { return false; }
    [[nodiscard]] virtual std::vector<FormatOption> options() const { return {}; }
    /// Whether a file looks like one of this format.
    [[nodiscard]] virtual bool probe(const ImportSource& source) const = 0;
    /// Errors: Unreadable with the place in the file.
    [[nodiscard]] virtual Result<ImportPlan> plan(const ImportSource& source, const SnapshotPtr& base, const Progress& progress) const = 0;
    /// Whether it brings what was seen in the built hall, which can be compared with the design instead of being kept. Then folders stand for
    /// the files in them, and files are read together.
    [[nodiscard]] virtual bool observes() const { return false; }
    /// All files as one plan, of a format that observes.
    [[nodiscard]] virtual Result<ImportPlan> planTogether(std::span<const ImportSource> sources, const SnapshotPtr& base,
                                                          const Progress& progress) const
    {
        return plan(sources.front(), base, progress);
    }
};

/// What is exported, and where to.
struct ExportJob {
    std::filesystem::path project;
    std::function<Result<SnapshotPtr>()> design; ///< reads the project; for those formats that want it
    std::function<Result<FiguresPtr>()> figures; ///< the same with what follows from it
    std::filesystem::path output;
    std::string network; ///< of a drawing; empty: the format's own
    FormatChoices options{};
    [[nodiscard]] std::string option(const std::string& name) const { return choice(options, name); }
};

/// Writes one foreign format.
class Exporter {
public:
    virtual ~Exporter() = default;
    [[nodiscard]] virtual FormatInfo info() const = 0;
    /// Whether `output` is always one file; else the format looks after folders and endings itself.
    [[nodiscard]] virtual bool oneFile() const { return false; }
    [[nodiscard]] virtual bool takesNetwork() const { return false; }
    [[nodiscard]] virtual bool takesPhase() const { return false; } ///< a design may be written as it is when a phase is installed
    [[nodiscard]] virtual std::vector<FormatOption> options() const { return {}; }
    /// Whole or not at all; a folder by `writeFolderWhole`.
    [[nodiscard]] virtual Result<void> write(const ExportJob& job, const Progress& progress) const = 0;
};

/// Writes a folder whole or not at all: `write` fills a new folder, which then takes the place of `folder`. One that exists is replaced only
/// when it is empty or contains `marker`, a file that every export of this format writes. Errors: Unreadable.
[[nodiscard]] Result<void> writeFolderWhole(const std::filesystem::path& folder, std::string_view marker,
                                            const std::function<Result<void>(const std::filesystem::path&)>& write);

/// All formats of a program, by name, in the order in which they were added.
class Formats {
public:
    void add(std::unique_ptr<Importer> importer) { m_importers.push_back(std::move(importer)); }
    void add(std::unique_ptr<Exporter> exporter) { m_exporters.push_back(std::move(exporter)); }
    [[nodiscard]] std::span<const std::unique_ptr<Importer>> importers() const { return m_importers; }
    [[nodiscard]] std::span<const std::unique_ptr<Exporter>> exporters() const { return m_exporters; }
    /// Errors: Usage, naming the formats that there are.
    [[nodiscard]] Result<const Importer*> importer(std::string_view name) const;
    [[nodiscard]] Result<const Exporter*> exporter(std::string_view name) const;
    /// The first that takes the file; null: none.
    [[nodiscard]] const Importer* importerOf(const ImportSource& source) const;
    /// "text: …" a line each, for help.
    [[nodiscard]] std::string importHelp() const;
    [[nodiscard]] std::string exportHelp() const;

private:
    std::vector<std::unique_ptr<Importer>> m_importers;
    std::vector<std::unique_ptr<Exporter>> m_exporters;
};

} // namespace hw::exchange
