// SPDX-License-Identifier: GPL-3.0-or-later
// The store's own text form as a format among others; core/foundation/storage reads and writes it.
#include "core/foundation/storage/text_form.h"
#include "importers/formats.h"

namespace hw::importers {

namespace {

class TextImporter final : public exchange::Importer {
public:
    exchange::FormatInfo info() const override { return {"text", i18n("output of 'export text'; creates a project")}; }
    bool makesProject() const override { return true; }
    bool probe(const exchange::ImportSource& source) const override { return source.content.starts_with("hallwright text"); } // no text
    Result<exchange::ImportPlan> plan(const exchange::ImportSource& source, const SnapshotPtr& base, const Progress& progress) const override
    {
        const auto read = importText(source.path, progress);
        if (!read) return tl::unexpected(read.error());
        exchange::ImportPlan plan;
        plan.name = i18n("Import {}", source.path.filename().string());
        plan.base = base;
        plan.after = *read;
        plan.facts.push_back(i18n("revision {} of \"{}\"", (*read)->revision, (*read)->setting("project.name")));
        return plan;
    }
};

class TextExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override { return {"text", i18n("all stored tables, diffable; can be read back with 'import text'")}; }
    bool oneFile() const override { return true; }
    Result<void> write(const exchange::ExportJob& job, const Progress& progress) const override
    {
        const auto design = job.design();
        if (!design) return tl::unexpected(design.error());
        return exportText(**design, job.output, progress);
    }
};

} // namespace

std::unique_ptr<exchange::Importer> textImporter() { return std::make_unique<TextImporter>(); }
std::unique_ptr<exchange::Exporter> textExporter() { return std::make_unique<TextExporter>(); }

} // namespace hw::importers
