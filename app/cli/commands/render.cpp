// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/commands/drawing_program.h"
#include "app/cli/commands/render_picture.h"
#include "app/cli/output_file.h"
#include "app/cli/render_views.h"
#include "core/operations/overlays/overlays.h"

namespace hw::cli {

namespace render_command {

namespace fs = std::filesystem;

using Options = RenderOptions;

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_option("-o,--output", o.output,
                   words(i18n("Image file to write: .png, or a line drawing as .svg or .pdf (A3) for all views except the twin")))
        ->option_text("IMAGE.png|.svg|.pdf")
        ->required();
    app.add_option("--view", o.view,
                   words(i18n("twin, plan, plan:HALL, rack:NAME, fabric:NETWORK, power (one-line diagram), cooling (loops), trays "
                              "(tray fill) or trays:HALL; default: twin")))
        ->option_text("VIEW");
    app.add_option("--overlay", o.overlay,
                   words(i18n("Color overlay. Twin, plan, rack: {}. Fabric: {}. Link loads are from a ring all-reduce",
                              overlayNames(OverlayView::Plan), overlayNames(OverlayView::Fabric))))
        ->option_text("NAME");
    app.add_option("--size", o.size, words(i18n("Image size in pixels (default: 1600x900)")))->option_text("WIDTHxHEIGHT");
    app.add_option("--theme", o.theme, words(i18n("light or dark (default: light)")))->option_text("NAME")->check(CLI::IsMember({"light", "dark"}));
    app.add_option("--open", o.open,
                   words(i18n("Groups to expand, by name: devices in a fabric; equipment, racks, rows, buildings and tiers in the power chain")))
        ->option_text("NAME...");
    app.add_option("--fail", o.fail,
                   words(i18n("Elements that fail together, by name; twin, plan, power and cooling show the impact (as --overlay impact)")))
        ->option_text("ENTITY")
        ->allow_extra_args(false);
    app.add_option("--layer", o.layers,
                   words(i18n("Plan layers in addition to racks: power, network, trays, weights, heat, clearances (default: trays)")))
        ->option_text("NAME")
        ->allow_extra_args(false)
        ->check(CLI::IsMember({"power", "network", "trays", "weights", "heat", "clearances"}));
    app.footer(words(i18n("Without a display, a private Xvfb is started for the twin and stopped afterward.")));
}

std::vector<std::string> argumentsOf(const Options& o, const PictureSize& size, const fs::path& picture)
{
    std::vector<std::string> arguments{o.file, picture.string(), o.view, o.overlay, std::to_string(size.width), std::to_string(size.height), o.theme};
    for (const auto& [mark, list] : {std::pair("open:", &o.open), std::pair("fail:", &o.fail), std::pair("layer:", &o.layers)})
        for (const auto& name : *list) arguments.push_back(mark + name);
    return arguments;
}

constexpr std::string_view kImpact = "impact";

/// What fails is shown by the colors of plan and twin, and these need something that fails.
Result<void> checkFailing(const Options& o, const ViewChoice& view)
{
    if (o.fail.empty() && o.overlay == kImpact)
        return fail(ErrorCode::Usage, "--overlay impact", i18n("no failed element given"), i18n("specify it with --fail ENTITY")); // no text
    if (o.fail.empty()) return {};
    if (view.view != RenderView::Twin && view.view != RenderView::Plan && view.view != RenderView::Power && view.view != RenderView::Cooling)
        return fail(ErrorCode::Usage, "--fail", i18n("this view does not show failure impact"), i18n("choose view twin, plan, power or cooling"));
    if (!o.overlay.empty() && o.overlay != kImpact)
        return fail(ErrorCode::Usage, "--overlay " + o.overlay, i18n("--fail uses its own overlay"), i18n("omit it"));
    return {};
}

} // namespace render_command

Outcome renderPicture(const RenderOptions& o, const Progress& progress)
{
    using namespace render_command;
    const auto view = parseView(o.view);
    if (!view) return tl::unexpected(view.error());
    if (const auto failing = checkFailing(o, *view); !failing) return tl::unexpected(failing.error());
    if (const auto overlay = checkOverlay(*view, o.overlay == kImpact ? std::string() : o.overlay); !overlay) return tl::unexpected(overlay.error());
    if (!o.layers.empty() && view->view != RenderView::Plan)
        return fail(ErrorCode::Usage, "--layer", i18n("only the plan has layers"), i18n("omit it, or choose view plan"));
    const auto size = parseSize(o.size);
    if (!size) return tl::unexpected(size.error());
    const bool opens = view->view == RenderView::Fabric || view->view == RenderView::Power || view->view == RenderView::Cooling;
    if (!o.open.empty() && !opens)
        return fail(ErrorCode::Usage, "--open", i18n("only fabric, power and cooling views have groups to expand"),
                    i18n("omit it, or choose view fabric:NETWORK, power or cooling"));
    const auto format = outputFormat(o.output, {".png", ".svg", ".pdf"});
    if (!format) return tl::unexpected(format.error());
    if (*format != ".png" && view->view == RenderView::Twin)
        return fail(ErrorCode::Usage, "-o " + o.output, i18n("the twin cannot be exported as a line drawing"), // no text
                    i18n("use the extension .png, or choose another view"));
    if (*format != ".png") {
        const RenderOptions unset;
        for (const auto& [option, given] : {std::pair("--size", o.size != unset.size), std::pair("--theme", o.theme != unset.theme)})
            if (given) return fail(ErrorCode::Usage, option, i18n("a vector drawing is on white A3 paper"), i18n("omit it, or write a .png"));
    }
    return runDrawing(
        o.output, needsDisplay(*view) ? DrawsWith::Display : DrawsWith::Nothing,
        [&](const fs::path& picture) { return argumentsOf(o, *size, picture); }, progress);
}

void addRender(Session& session)
{
    using namespace render_command;
    session.command<Options>("render", i18n("Render an image of the design"), declare, renderPicture);
}

} // namespace hw::cli
