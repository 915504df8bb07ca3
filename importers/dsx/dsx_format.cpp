// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/files/atomic_file.h"
#include "importers/dsx/metadata.h"
#include "importers/formats.h"

namespace hw::importers {

namespace {

class DsxExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"dsx-metadata", i18n("metadata that a BMS on DSX Exchange publishes and retains, including feed relations; .json, or one "
                                     "message per line: .jsonl")};
    }
    bool oneFile() const override { return true; }
    bool takesPhase() const override { return true; }
    Result<void> write(const exchange::ExportJob& job, const Progress&) const override
    {
        const auto figures = job.figures();
        if (!figures) return tl::unexpected(figures.error());
        return writeFile(job.output, dsxText(dsxMetadata(**figures), isLines(job)));
    }

private:
    static bool isLines(const exchange::ExportJob& job) { return job.output.extension() == ".jsonl"; }
};

} // namespace

std::unique_ptr<exchange::Exporter> dsxExporter() { return std::make_unique<DsxExporter>(); }

} // namespace hw::importers
