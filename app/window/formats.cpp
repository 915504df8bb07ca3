// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/formats.h"

#include "app/formats/all_formats.h"
#include "views/fabric/render.h"

namespace hw::app {

namespace {

Result<void> drawNetwork(const exchange::ExportJob& job, const std::string& network, const Progress&)
{
    const auto figures = job.figures();
    if (!figures) return tl::unexpected(figures.error());
    const auto page = views::makeFabricPage(*figures, {network, {}, {}, nullptr});
    if (!page) return tl::unexpected(page.error());
    return views::writeFabricPage(*page, QString::fromStdString(job.output.string()));
}

} // namespace

const exchange::Formats& formats()
{
    static const exchange::Formats all = allFormats(drawNetwork);
    return all;
}

} // namespace hw::app
