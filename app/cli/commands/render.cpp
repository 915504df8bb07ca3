// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/commands/render_picture.h"
#include "app/cli/display.h"
#include "app/cli/output_file.h"
#include "app/cli/render_views.h"
#include "core/values/overlays.h"

#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

namespace hw::cli {

namespace {

namespace fs = std::filesystem;

using Options = RenderOptions;

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("The project")))->option_text("FILE.hall")->required();
    app.add_option("-o,--output", o.output, words(i18n("The picture to write: a .png, and but for the twin a drawing of lines as .svg or .pdf, A3")))
        ->option_text("IMAGE.png|.svg|.pdf")
        ->required();
    app.add_option(
           "--view", o.view,
           words(
               i18n("twin, plan, rack:NAME, fabric:NETWORK, power (one-line diagram), cooling (its loops) or trays (and their fill); default twin")))
        ->option_text("VIEW");
    app.add_option("--overlay", o.overlay,
                   words(i18n("Colours. Twin, plan, rack: {}. Fabric: {}. Loads are those of a ring all-reduce", overlayNames(OverlayView::Plan),
                              overlayNames(OverlayView::Fabric))))
        ->option_text("NAME");
    app.add_option("--size", o.size, words(i18n("Pixels (default 1600x900)")))->option_text("WIDTHxHEIGHT");
    app.add_option("--theme", o.theme, words(i18n("light or dark (default light)")))->option_text("NAME")->check(CLI::IsMember({"light", "dark"}));
    app.add_option(
           "--open", o.open,
           words(i18n("What is shown on its own, by name: devices of a fabric; in the power chain equipment, racks, rows, buildings and tiers")))
        ->option_text("NAME...");
    app.add_option("--fail", o.fail, words(i18n("What fails together, by name: twin and plan show what is lost (as --overlay impact)")))
        ->option_text("ENTITY")
        ->allow_extra_args(false);
    app.add_option("--layer", o.layers,
                   words(i18n("What a plan draws besides racks: power, network, trays, weights, heat, clearances (default trays)")))
        ->option_text("NAME")
        ->allow_extra_args(false)
        ->check(CLI::IsMember({"power", "network", "trays", "weights", "heat", "clearances"}));
    app.footer(words(i18n("Without a display a private Xvfb is started for the twin and ended afterwards.")));
}

/// The drawing half of this program, which is the one that needs Qt and VTK, stands beside it.
Result<fs::path> painter()
{
    std::error_code error;
    const fs::path own = fs::read_symlink("/proc/self/exe", error);
    const fs::path path = own.parent_path() / "hallwright-render";
    if (!error && access(path.c_str(), X_OK) == 0) return path;
    return fail(ErrorCode::Fault, "render", i18n("{} is missing", path.string()), i18n("build with HW_GUI=ON or install the whole package"));
}

/// A private folder where Qt expects the user's run-time folder, when there is none. Removed with its contents.
class RuntimeFolder {
public:
    RuntimeFolder()
    {
        std::error_code error;
        std::string name = (fs::temp_directory_path(error) / "hallwright-XXXXXX").string();
        if (!std::getenv("XDG_RUNTIME_DIR") && !error && mkdtemp(name.data())) m_path = name;
    }
    RuntimeFolder(const RuntimeFolder&) = delete;
    RuntimeFolder& operator=(const RuntimeFolder&) = delete;
    ~RuntimeFolder()
    {
        std::error_code ignored;
        if (!m_path.empty()) fs::remove_all(m_path, ignored);
    }
    [[nodiscard]] const fs::path& path() const { return m_path; } ///< empty: the user has one

private:
    fs::path m_path;
};

/// Runs the painter; it prints its own errors. Gives its exit code.
Outcome paint(const Options& o, const PictureSize& size, const fs::path& program, const fs::path& picture, const Progress& progress)
{
    const auto view = parseView(o.view);
    Result<Display> display{Display()};
    if (needsDisplay(*view)) display = Display::get(progress);
    if (!display) return tl::unexpected(display.error());
    std::vector<std::string> environment{"QT_QPA_PLATFORM=offscreen"};
    if (needsDisplay(*view)) environment = {"QT_QPA_PLATFORM=xcb", "DISPLAY=" + display->name()};
    const RuntimeFolder folder;
    if (!folder.path().empty()) environment.push_back("XDG_RUNTIME_DIR=" + folder.path().string());
    std::vector<std::string> command{
        program.string(), o.file, picture.string(), o.view, o.overlay, std::to_string(size.width), std::to_string(size.height), o.theme};
    for (const auto& [mark, list] : {std::pair("open:", &o.open), std::pair("fail:", &o.fail), std::pair("layer:", &o.layers)})
        for (const auto& name : *list) command.push_back(mark + name);
    const auto pid = startProgram(command, environment);
    if (!pid) return tl::unexpected(pid.error());
    return interrupt::Child(*pid).wait();
}

constexpr std::string_view kImpact = "impact";

/// What fails is shown by the colours of plan and twin, and these need something that fails.
Result<void> checkFailing(const Options& o, const ViewChoice& view)
{
    if (o.fail.empty() && o.overlay == kImpact)
        return fail(ErrorCode::Usage, "--overlay impact", i18n("nothing fails"), i18n("name it with --fail ENTITY")); // no text
    if (o.fail.empty()) return {};
    if (view.view != RenderView::Twin && view.view != RenderView::Plan)
        return fail(ErrorCode::Usage, "--fail", i18n("this view does not show what fails"), i18n("choose the view twin or plan"));
    if (!o.overlay.empty() && o.overlay != kImpact)
        return fail(ErrorCode::Usage, "--overlay " + o.overlay, i18n("what fails has colours of its own"), i18n("leave it out"));
    return {};
}

} // namespace

Outcome renderPicture(const RenderOptions& o, const Progress& progress)
{
    const auto view = parseView(o.view);
    if (!view) return tl::unexpected(view.error());
    if (const auto failing = checkFailing(o, *view); !failing) return tl::unexpected(failing.error());
    if (const auto overlay = checkOverlay(*view, o.overlay == kImpact ? std::string() : o.overlay); !overlay) return tl::unexpected(overlay.error());
    if (!o.layers.empty() && view->view != RenderView::Plan)
        return fail(ErrorCode::Usage, "--layer", i18n("only the plan has layers"), i18n("leave it out, or choose the view plan"));
    const auto size = parseSize(o.size);
    if (!size) return tl::unexpected(size.error());
    const bool opens = view->view == RenderView::Fabric || view->view == RenderView::Power || view->view == RenderView::Cooling;
    if (!o.open.empty() && !opens)
        return fail(ErrorCode::Usage, "--open", i18n("only fabrics, the power chain and cooling have something to open"),
                    i18n("leave it out, or choose a view fabric:NETWORK, power or cooling"));
    const auto format = outputFormat(o.output, {".png", ".svg", ".pdf"});
    if (!format) return tl::unexpected(format.error());
    if (*format != ".png" && view->view == RenderView::Twin)
        return fail(ErrorCode::Usage, "-o " + o.output, i18n("the twin is a picture, not a drawing of lines"), // no text
                    i18n("end it with .png, or choose another view"));
    if (const auto fine = refuseProject(o.output); !fine) return tl::unexpected(fine.error());
    const auto program = painter();
    if (!program) return tl::unexpected(program.error());
    int code = kDone;
    const auto written = writeWhole(o.output, [&](const fs::path& picture) -> Result<void> {
        const Outcome painted = paint(o, *size, *program, picture, progress);
        if (!painted) return tl::unexpected(painted.error());
        code = *painted;
        if (progress.stopRequested()) return fail(ErrorCode::Cancelled, o.output, i18n("stopped"), i18n("no picture was written"));
        if (code > int(ErrorCode::Unreadable))
            return fail(ErrorCode::Fault, "hallwright-render", i18n("ended with {}", code), i18n("please report it"));
        if (code != kDone) return fail(ErrorCode(code), {}, {}); // said already
        return {};
    });
    if (!written && code != kDone && code <= int(ErrorCode::Unreadable)) return code;
    if (!written) return tl::unexpected(written.error());
    return kDone;
}

void addRender(Session& session) { session.command<Options>("render", i18n("Draw a picture of the design"), declare, renderPicture); }

} // namespace hw::cli
