// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/cabling_formats.h"

#include "core/output/exchange/label_format.h"

#include <array>

namespace hw::exchange {

namespace {

class PaperExporter final : public Exporter {
public:
    explicit PaperExporter(const CablingPaper& paper) : m_paper(paper) {}
    FormatInfo info() const override { return {m_paper.name, m_paper.summary}; }
    bool oneFile() const override { return true; }
    bool takesPhase() const override { return true; }
    Result<void> write(const ExportJob& job, const Progress& progress) const override
    {
        const auto figures = job.figures();
        if (!figures) return tl::unexpected(figures.error());
        if (const auto made = (*figures)->prepare<CablingNode>(progress); !made) return made;
        return writeTable(m_paper.table(**figures), job.output, progress);
    }

private:
    const CablingPaper& m_paper;
};

} // namespace

std::span<const CablingPaper> cablingPapers()
{
    static const std::array<CablingPaper, 3> papers{{
        {"labels", TextId("labels for both ends of every cable; .csv or .xlsx"), labelTable},
        {"pull-schedule", TextId("cables to pull, by bundle, with their tray routes; .csv or .xlsx"), pullTable},
        {"work-order", TextId("equipment to mount, plug in and connect, by rack; .csv or .xlsx"), workTable},
    }};
    return papers;
}

void addCablingFormats(Formats& formats)
{
    for (const CablingPaper& paper : cablingPapers()) {
        if (paper.table == labelTable)
            formats.add(labelExporter()); // also for printers
        else
            formats.add(std::make_unique<PaperExporter>(paper));
    }
}

} // namespace hw::exchange
