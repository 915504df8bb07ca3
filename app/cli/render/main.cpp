// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/render/drawing.h"
#include "core/derived/values/impact_fields.h"
#include "core/foundation/base/language.h"
#include "core/foundation/base/memory.h"
#include "views/twin/twin_view.h"

#include <QApplication>
#include <QHashSeed>

#include <cstdio>
#include <cstdlib>

#include <sys/stat.h>

namespace {

using namespace hw;

/// Qt's remarks about the platform (no run-time folder, …) are no business of the person who asked for a picture.
void onlyFaults(QtMsgType type, const QMessageLogContext&, const QString& text)
{
    if (type == QtCriticalMsg || type == QtFatalMsg) std::fprintf(stderr, "%s\n", qPrintable(text));
}

/// Further arguments, each with what it is: "open:", "fail:", "layer:".
void readMore(app::Request& request, const std::vector<std::string>& more)
{
    bool layers = false;
    for (const std::string& argument : more) {
        const auto cut = argument.find(':') + 1;
        const std::string name = argument.substr(cut);
        if (argument.starts_with("open:")) request.open.push_back(name);
        if (argument.starts_with("fail:")) request.fail.push_back(name);
        if (!argument.starts_with("layer:")) continue;
        if (!std::exchange(layers, true)) request.layers.bits = 0;
        if (const auto layer = views::planLayerOf(name)) request.layers.set(*layer, true);
    }
}

app::Request requestOf(const std::vector<std::string>& a, const cli::ViewChoice& view)
{
    app::Request request{a[0], a[1], a[3], view, QSize(std::atoi(a[4].c_str()), std::atoi(a[5].c_str())), a[6] == "dark", {}, {}, {}};
    if (request.overlay == kImpactOverlay) request.overlay.clear(); // said by what fails
    readMore(request, {a.begin() + 7, a.end()});
    return request;
}

/// hallwright-cli reads the other end of descriptor 3; without it that may be anything.
bool callerListens()
{
    struct stat state {};
    return fstat(app::kProgressFd, &state) == 0 && S_ISFIFO(state.st_mode);
}

} // namespace

/// The drawing half of `hallwright-cli`, which starts it with checked arguments: of `render`
/// FILE PICTURE VIEW OVERLAY WIDTH HEIGHT THEME [open:NAME | fail:NAME | layer:NAME]...
/// of `report` --report FILE OUTPUT PAPER BASIS PHASE CELLS
/// of `handover` --handover FILE OUTPUT PAPER SEGMENT NETWORK
/// and of `live` and `replay` --incident FILE OUTPUT PAPER DOSSIER ""
int main(int argc, char** argv)
{
    keepFreedMemory();
    const bool listened = callerListens(); // before anything is opened
    setLanguage(languageOfEnvironment());
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const bool report = arguments.size() == 7 && arguments.front() == "--report";
    const bool handover = arguments.size() == 6 && arguments.front() == "--handover";
    const bool incident = arguments.size() == 6 && arguments.front() == "--incident";
    const bool document = report || handover || incident;
    if (!document && arguments.size() < 7)
        return cli::printError({ErrorCode::Usage, "hallwright-render", i18n("is part of hallwright-cli"), i18n("use 'hallwright-cli render'")});
    const auto view = cli::parseView(document ? "twin" : arguments[2]);
    if (!view) return cli::printError(view.error());
    qInstallMessageHandler(onlyFaults);
    QHashSeed::setDeterministicGlobalSeed(); // the same drawing, the same bytes
    views::TwinView::prepareApplication();
    QApplication application(argc, argv);
    const std::vector<std::string> rest(arguments.begin() + document, arguments.end());
    const auto done = report     ? app::drawReport(rest, listened)
                      : handover ? app::drawHandover(rest, listened)
                      : incident ? app::drawIncident(rest, listened)
                                 : app::drawPicture(requestOf(arguments, *view));
    return done ? 0 : cli::printError(done.error());
}
