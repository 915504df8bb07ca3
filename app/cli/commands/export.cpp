// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/format_options.h"
#include "app/cli/formats.h"
#include "app/cli/output_file.h"
#include "core/foundation/model/find_network.h"
#include "core/output/exchange/remote_exporter.h"

namespace hw::cli {

namespace export_command {

struct Options {
    std::string format, file, output, network;
    std::optional<int> phase;
    exchange::FormatChoices choices;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FORMAT", o.format, formats().exportHelp())->required();
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_option("-o,--output", o.output, words(i18n("File or folder to write; replaced only on success")))->option_text("PATH");
    app.add_option("--network", o.network, words(i18n("Network to export (default: all; backend for drawings, AVD and NCCL)")))->option_text("NAME");
    addPhaseOption(app, o.phase);
    addFormatOptions(app, std::span(formats().exporters()), o.choices);
}

Result<SnapshotPtr> designOf(const Options& o, const Progress& progress)
{
    if (!o.phase) return readDesign(o.file, progress);
    const auto figures = readFigures(o.file, progress, o.phase);
    if (!figures) return tl::unexpected(figures.error());
    return (*figures)->snapshot;
}

Outcome run(const Options& o, const Progress& progress)
{
    const auto format = formats().exporter(o.format);
    if (!format) return tl::unexpected(format.error());
    if (!o.network.empty() && !(*format)->takesNetwork())
        return fail(ErrorCode::Usage, "--network", i18n("{} cannot be exported for a single network", o.format), i18n("omit it"));
    if (!o.network.empty()) {
        const auto design = readDesign(o.file, progress);
        if (!design) return tl::unexpected(design.error());
        if (!findNetwork(**design, o.network))
            return fail(ErrorCode::Usage, "--network " + o.network, i18n("no network with this name"),
                        i18n("choose from {}", listedNames(networkNames(**design))));
    }
    if (o.phase && !(*format)->takesPhase())
        return fail(ErrorCode::Usage, "--phase", i18n("{} is available for the whole design only", o.format), i18n("omit it"));
    if (const auto checked = exchange::checkChoices(o.format, (*format)->options(), o.choices); !checked) return tl::unexpected(checked.error());
    const auto* remote = dynamic_cast<const exchange::RemoteExporter*>(*format);
    const bool toServer = remote && o.choices.contains(exchange::RemoteExporter::kServerOption);
    if (toServer && !o.output.empty())
        return fail(ErrorCode::Usage, "-o " + o.output, i18n("cannot be combined with --{}", exchange::RemoteExporter::kServerOption),
                    i18n("omit one of the two"));
    if (!toServer && o.output.empty())
        return fail(ErrorCode::Usage, "-o", i18n("missing"),
                    remote ? i18n("specify the folder to write, or a server with --{}", exchange::RemoteExporter::kServerOption)
                           : i18n("specify the file or folder to write"));
    if (!toServer)
        if (const auto fine = refuseProject(o.output); !fine) return tl::unexpected(fine.error());
    exchange::ExportJob job{
        o.file, [&] { return designOf(o, progress); }, [&] { return readFigures(o.file, progress, o.phase); }, o.output, o.network, o.choices};
    if (toServer) {
        const auto sent = remote->send(job, progress);
        if (!sent) return tl::unexpected(sent.error());
        print(words(sent->report));
        return sent->done ? kDone : kAnswerIsNo;
    }
    const auto write = [&](const std::filesystem::path& path) {
        job.output = path;
        return (*format)->write(job, progress);
    };
    const auto written = (*format)->oneFile() ? writeWhole(o.output, write) : write(o.output);
    if (!written && written.error().what.empty()) return int(written.error().code); // said already by the program that draws
    if (!written) return tl::unexpected(written.error());
    return kDone;
}

} // namespace export_command

void addExport(Session& session)
{
    using namespace export_command;
    session.command<Options>("export", i18n("Export a project to another format"), declare, run);
}

} // namespace hw::cli
