// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"
#include "app/window/screenshots.h"
#include "app/window/self_test.h"
#include "views/style/catalogue_translator.h"
#include "views/style/icons.h"
#include "views/twin/twin_view.h"

#include "version.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>

#include <spdlog/spdlog.h>

#include <cstring>

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

int runWindow(QApplication& application, const QString& file, const QString& pictures)
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
    window.start(file);
    return QApplication::exec();
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
    parser.addOptions({pictures, test});
    parser.process(application);
    spdlog::info("[window] Hallwright {} on Qt {}", HW_VERSION, qVersion());
    const QStringList files = parser.positionalArguments();
    return runWindow(application, files.isEmpty() ? QString() : files.front(), parser.value(pictures));
}
