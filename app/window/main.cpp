// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/guide.h"
#include "app/window/drafts.h"
#include "app/window/main_window.h"
#include "app/window/screenshots.h"
#include "app/window/self_test.h"
#include "core/foundation/base/fence.h"
#include "core/foundation/base/log.h"
#include "core/foundation/base/memory.h"
#include "views/live/live_request.h"
#include "views/style/catalog_translator.h"
#include "views/style/icons.h"
#include "views/twin/twin_view.h"

#include "version.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QSettings>

#include <cstdio>
#include <cstring>
#include <functional>
#include <optional>
#include <string_view>

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

/// An exception in what the window does on an event ends neither the window nor what it follows: it is logged and told.
class Application final : public QApplication {
public:
    using QApplication::QApplication;
    std::function<void(const hw::Error&)> tell;

    bool notify(QObject* receiver, QEvent* event) override
    {
        using namespace hw;
        const char* const of = receiver->metaObject()->className(); // it may be gone afterward
        bool done = false;
        const auto fault = faultIn([&] { done = QApplication::notify(receiver, event); });
        if (!fault) return done;
        logging::error(logging::Id::WindowFault, "{}: {}", of, *fault);
        if (!std::exchange(m_telling, true)) {
            (void)faultIn([&] {
                if (tell) tell({ErrorCode::Fault, of, i18n("internal error: {}", *fault), i18n("please report it with the log")});
            });
            m_telling = false;
        }
        return done;
    }

private:
    bool m_telling = false;
};

/// The log of the window: where $HALLWRIGHT_LOG says, else in the folder of the program's own data; old ones go.
void openLog()
{
    using namespace hw;
    logging::Target target{logging::fileOfEnvironment(), logging::Level::Info, 5U << 20, 3};
    if (target.file.empty()) target.file = QDir::cleanPath(app::draftFolder() + "/../hallwright.log").toStdString();
    if (const auto opened = logging::open(target); !opened) std::fprintf(stderr, "%s\n", opened.error().text().c_str());
    logging::info(logging::Id::ProgramStarted, "Hallwright {} on Qt {}", HW_VERSION, qVersion());
}

int runWindow(Application& application, const QString& file, const QString& pictures, std::optional<hw::views::LiveRequest> live)
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
    application.tell = [&window](const Error& error) { window.session().bridge().report(error); };
    window.show();
    if (pictures.isEmpty())
        window.start(file, std::move(live));
    else
        window.startSample();
    const int code = QApplication::exec();
    application.tell = nullptr;
    logging::info(logging::Id::ProgramEnded, "exit code {}", code);
    return code;
}

int usage(const QString& text)
{
    std::fprintf(stderr, "%s\n", qPrintable(text));
    return 2;
}

/// What the command line asks for; `code` set: it is answered, and the program ends with that.
struct Arguments {
    std::optional<int> code;
    QString file, pictures, guide;
    std::optional<hw::views::LiveRequest> live;
};

int said(const QString& text)
{
    std::fprintf(stdout, "%s\n", qPrintable(text.trimmed()));
    return 0;
}

/// Needs an application for its words, of whatever kind.
Arguments readArguments(const QStringList& given)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QCoreApplication::translate("main", "Design GPU data centers and run their digital twin."));
    const QCommandLineOption help = parser.addHelpOption(), version = parser.addVersionOption();
    parser.addPositionalArgument("FILE.hall", QCoreApplication::translate("main", "Project to open (default: start page)."), "[FILE.hall]");
    const QCommandLineOption pictures("screenshot", QCoreApplication::translate("main", "Create the documentation screenshots and quit."), "DIR");
    const QCommandLineOption guide("guide", QCoreApplication::translate("main", "Write the users’ guide as HTML and quit."), "DIR");
    const QCommandLineOption test("self-test", QCoreApplication::translate("main", "Run the self-test and quit."));
    const QCommandLineOption liveOption(
        "live", QCoreApplication::translate("main", "Connect to this telemetry source: mqtt(s)://… or http(s)://… (Prometheus)."), "URL");
    const QCommandLineOption replay("replay", QCoreApplication::translate("main", "Play a telemetry recording."), "RECORDING");
    const QCommandLineOption scenario(
        "scenario", QCoreApplication::translate("main", "Scenario with the expected traffic; links that carry less are reported."), "SCENARIO");
    parser.addOptions({pictures, guide, test, liveOption, replay, scenario});
    Arguments out;
    const bool parsed = parser.parse(given);
    if (parsed && (parser.isSet(help) || parser.isSet("help-all"))) {
        out.code = said(parser.helpText());
        return out;
    }
    if (parsed && parser.isSet(version)) {
        out.code = said(QCoreApplication::applicationName() + ' ' + QCoreApplication::applicationVersion());
        return out;
    }
    if (!parsed) {
        const QStringList unknown = parser.unknownOptionNames();
        QString what = parser.errorText();
        if (what.endsWith('.')) what.chop(1);
        out.code = usage(unknown.isEmpty()
                             ? QCoreApplication::translate("main", "error: %1; see 'hallwright --help'").arg(what)
                             : QCoreApplication::translate("main", "error: --%1: unknown option; see 'hallwright --help'").arg(unknown.front()));
        return out;
    }
    const QStringList files = parser.positionalArguments();
    if (files.size() > 1)
        out.code = usage(QCoreApplication::translate("main", "error: %1: unexpected argument; see 'hallwright --help'").arg(files[1]));
    else if (parser.isSet(liveOption) && parser.isSet(replay))
        out.code = usage(QCoreApplication::translate("main", "error: --replay: cannot be combined with --live; omit one of them"));
    if (out.code) return out;
    out.file = files.isEmpty() ? QString() : files.front(), out.pictures = parser.value(pictures), out.guide = parser.value(guide);
    if (parser.isSet(liveOption) || parser.isSet(replay)) {
        auto& live = out.live.emplace();
        live.url = parser.value(parser.isSet(replay) ? replay : liveOption).toStdString();
        live.kind = parser.isSet(replay) ? hw::views::LiveRequest::Kind::Recording : hw::views::kindOfUrl(live.url);
        live.scenario = parser.value(scenario).toStdString();
        if (files.isEmpty())
            out.code = usage(QCoreApplication::translate("main", "error: FILE.hall: missing; specify the design of the monitored hall"));
        else if (const auto ok = hw::views::checked(live); !ok)
            out.code = usage(QCoreApplication::translate("main", "error: %1").arg(QString::fromStdString(ok.error().text())));
    } else if (parser.isSet(scenario)) {
        out.code = usage(QCoreApplication::translate("main", "error: --scenario: no telemetry source; add --live or --replay"));
    }
    return out;
}

/// What needs no window is answered without a display, and that one is missing is said before Qt gives up.
std::optional<int> withoutDisplay(int argc, char** argv)
{
    const auto isSet = [](const char* variable) { return !qEnvironmentVariable(variable).isEmpty(); };
    bool asks = false, display = isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") || isSet("QT_QPA_PLATFORM");
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        for (const std::string_view question : {"-h", "--help", "-help", "--help-all", "-v", "--version", "-version"})
            asks = asks || argument == question;
        display = display || argument == "-platform" || argument == "--platform" || argument == "-display" || argument == "--display";
    }
    if (!asks && display) return std::nullopt;
    QCoreApplication application(argc, argv);
    hw::views::installLanguage();
    if (const auto code = readArguments(application.arguments()).code) return code;
    if (asks) return std::nullopt;
    (void)usage(QCoreApplication::translate("main", "error: DISPLAY: not set; start on a desktop, or use hallwright-cli, which needs no display"));
    return 4;
}

} // namespace

int main(int argc, char** argv)
{
    hw::keepFreedMemory();
    for (int i = 1; i < argc; ++i)
        if (std::strcmp(argv[i], "--self-test") == 0) return hw::app::selfTest(); // needs no display
    chooseSettings();
    for (int i = 1; i < argc; ++i)
        if (std::string_view(argv[i]).starts_with("--guide")) qputenv("QT_QPA_PLATFORM", "offscreen");
    if (const auto code = withoutDisplay(argc, argv)) return *code;
    hw::views::TwinView::prepareApplication();
    Application application(argc, argv);
    hw::views::installLanguage();
    Arguments arguments = readArguments(QApplication::arguments());
    if (arguments.code) return *arguments.code;
    if (!arguments.guide.isEmpty()) {
        const auto written = hw::app::writeGuide(arguments.guide.toStdString());
        return written ? 0 : (std::fprintf(stderr, "error: %s\n", written.error().text().c_str()), int(written.error().code));
    }
    openLog();
    return runWindow(application, arguments.file, arguments.pictures, std::move(arguments.live));
}
