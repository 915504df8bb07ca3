// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/formats.h"

#include "app/cli/commands/render_picture.h"
#include "app/formats/all_formats.h"

namespace hw::cli {

namespace {

/// The picture that `render --view fabric:NAME` makes.
Result<void> drawNetwork(const exchange::ExportJob& job, const std::string& network, const Progress& progress)
{
    RenderOptions picture;
    picture.file = job.project.string();
    picture.output = job.output.string();
    picture.view = "fabric:" + network;
    const auto drawn = renderPicture(picture, progress);
    if (!drawn) return tl::unexpected(drawn.error());
    if (*drawn != kDone) return fail(ErrorCode(*drawn), {}, {}); // said already
    return {};
}

} // namespace

const exchange::Formats& formats()
{
    static const exchange::Formats all = app::allFormats(drawNetwork);
    return all;
}

} // namespace hw::cli
