// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/formats/all_formats.h"

#include "importers/formats.h"

namespace hw::app {

namespace {

/// A network as a vector drawing.
class DrawingExporter final : public exchange::Exporter {
public:
    DrawingExporter(std::string ending, DrawNetwork draw) : m_ending(std::move(ending)), m_draw(std::move(draw)) {}
    exchange::FormatInfo info() const override { return {"fabric-" + m_ending, i18n("network drawing, A3")}; }
    bool takesNetwork() const override { return true; }
    Result<void> write(const exchange::ExportJob& job, const Progress& progress) const override
    {
        if (job.output.extension() != "." + m_ending)
            return fail(ErrorCode::Usage, "-o " + job.output.string(), i18n("file type not recognized from the name"),
                        i18n("use the extension {}", "." + m_ending));
        return m_draw(job, job.network.empty() ? "backend" : job.network, progress);
    }

private:
    std::string m_ending;
    DrawNetwork m_draw;
};

} // namespace

exchange::Formats allFormats(DrawNetwork draw)
{
    exchange::Formats all;
    importers::registerFormats(all);
    for (const char* ending : {"svg", "pdf"}) all.add(std::make_unique<DrawingExporter>(ending, draw));
    return all;
}

} // namespace hw::app
