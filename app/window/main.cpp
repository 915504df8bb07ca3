// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"
#include "app/window/screenshots.h"
#include "app/window/self_test.h"
#include "views/live/live_request.h"
#include "views/style/catalogue_translator.h"
#include "views/style/icons.h"
#include "views/twin/twin_view.h"

#include "version.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>

#include <spdlog/spdlog.h>

#include <cstdio>
#include <cstring>
#include <optional>

namespace {

/// Settings go where $HALLWRIGHT_SETTINGS says, so that tests and packages leave no traces.
void chooseSettings()
{
    QCoreApplication::setOrganizationName("Hallwright");
    QCoreApplication::setApplicationName("Hallwright");
    QCoreApplication::setApplicationVersion(HW_VERSION);
    QSettings::setDefaultFormat(QSettings::IniFormat);
    if (const QString folder = qEnvironmentVariable("HALLWRIGHT_SETTINGS"); !folder.isEmpty())
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder);
}

int runWindow(QApplication& application, const QString& file, const QString& pictures, std::optional<hw::views::LiveRequest> live)
{
    using namespace hw;
    const bool light = QSettings().value("theme", "dark").toString() == "light" && pictures.isEmpty();
    views::applyTheme(application, light ? views::ThemeKind::Light : views::ThemeKind::Dark);
    QApplication::setWindowIcon(views::icon("hallwright"));
    app::MainWindow window;
    if (!pictures.isEmpty()) {
        window.resize(1920, 1080);
        window.resetLayout();
        new app::Screenshots(window, pictures);
    }
    window.show();
    window.start(file, std::move(live));
    return QApplication::exec();
}

int usage(const QString& text)
{
    std::fprintf(stderr, "%s\n", qPrintable(text));
    return 2;
}

} // namespace

int main(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i)
        if (std::strcmp(argv[i], "--self-test") == 0) return hw::app::selfTest(); // needs no display
    hw::views::TwinView::prepareApplication();
    chooseSettings();
    QApplication application(argc, argv);
    hw::views::installLanguage();
    QCommandLineParser parser;
    parser.setApplicationDescription(QCoreApplication::translate("main", "Designs GPU datacenters and is their digital twin."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument("FILE.hall", QCoreApplication::translate("main", "Project to open; without it, the sample pod."), "[FILE.hall]");
    const QCommandLineOption pictures("screenshot", QCoreApplication::translate("main", "Take the pictures of the documentation and quit."), "DIR");
    const QCommandLineOption test("self-test", QCoreApplication::translate("main", "Check that the program can work here and quit."));
    const QCommandLineOption liveOption(
        "live", QCoreApplication::translate("main", "Follow the hall through this source: mqtt(s)://… or http(s)://… (Prometheus)."), "URL");
    const QCommandLineOption replay("replay", QCoreApplication::translate("main", "Follow a recording of the hall."), "RECORDING");
    const QCommandLineOption scenario("scenario", QCoreApplication::translate("main", "What its links should carry: those that carry less are told."),
                                      "SCENARIO");
    parser.addOptions({pictures, test, liveOption, replay, scenario});
    parser.process(application);
    spdlog::info("[window] Hallwright {} on Qt {}", HW_VERSION, qVersion());
    const QStringList files = parser.positionalArguments();
    std::optional<hw::views::LiveRequest> live;
    if (parser.isSet(liveOption) && parser.isSet(replay))
        return usage(QCoreApplication::translate("main", "error: --replay: --live follows something else already; leave one of them out"));
    if (parser.isSet(liveOption) || parser.isSet(replay)) {
        live.emplace();
        live->url = parser.value(parser.isSet(replay) ? replay : liveOption).toStdString();
        live->kind = parser.isSet(replay) ? hw::views::LiveRequest::Kind::Recording : hw::views::kindOfUrl(live->url);
        live->scenario = parser.value(scenario).toStdString();
        if (files.isEmpty()) return usage(QCoreApplication::translate("main", "error: FILE.hall: is missing; say of which design the hall is"));
        if (const auto ok = hw::views::checked(*live); !ok)
            return usage(QCoreApplication::translate("main", "error: %1").arg(QString::fromStdString(ok.error().text())));
    }
    if (parser.isSet(scenario) && !live)
        return usage(QCoreApplication::translate("main", "error: --scenario: nothing is followed; name what with --live or --replay"));
    return runWindow(application, files.isEmpty() ? QString() : files.front(), parser.value(pictures), std::move(live));
}
