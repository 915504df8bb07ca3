// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/render/drawing.h"

#include "app/cli/design_input.h"
#include "core/output/document/handover.h"
#include "core/output/incident/incident.h"
#include "simulation/air/hall_document.h"
#include "views/paper/paper.h"
#include "views/style/theme.h"
#include "views/twin/render_png.h"

#include <QApplication>
#include <QFile>

#include <future>
#include <mutex>

#include <fmt/format.h>
#include <unistd.h>

namespace hw::app {

namespace {

constexpr QSize kCover(1588, 1010);

/// One line a report, for the half that has the terminal.
Progress progressToCaller()
{
    return {{}, [](double fraction, std::string_view step) {
                static std::mutex guard;
                const std::lock_guard<std::mutex> lock(guard);
                const std::string line = fmt::format("{:.4f} {}\n", fraction, step);
                [[maybe_unused]] const auto written = ::write(kProgressFd, line.data(), line.size()); // nobody may be listening
            }};
}

/// Null without OpenGL.
QImage coverPicture(const FiguresPtr& figures)
{
    if (QApplication::platformName() != "xcb" || figures->snapshot->halls.size() == 0) return {};
    views::TwinPicture picture;
    picture.figures = figures;
    picture.size = kCover;
    const auto image = views::renderTwin(picture);
    return image ? *image : QImage();
}

Result<void> writeBytes(const std::string& path, const QByteArray& bytes)
{
    QFile file(QString::fromStdString(path));
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.flush()) return {};
    return fail(ErrorCode::Unreadable, path, verbatim(file.errorString().toStdString()), i18n("free up disk space or choose another folder"));
}

Result<void> print(const document::ReportDocument& document, const std::string& paper, const QImage& twin, const std::string& output,
                   const Progress& progress)
{
    const views::PaperJob job{paper == "letter" ? views::PaperSize::Letter : views::PaperSize::A4, twin};
    const auto bytes = QString::fromStdString(output).endsWith(".html", Qt::CaseInsensitive) ? views::makeHtml(document, job, progress)
                                                                                             : views::makePdf(document, job, progress);
    if (!bytes) return tl::unexpected(bytes.error());
    return writeBytes(output, *bytes);
}

} // namespace

Result<void> drawHandover(const std::vector<std::string>& arguments, bool listened)
{
    const Progress progress = listened ? progressToCaller() : Progress();
    progress.report(0.01, words(i18n("reading the design")));
    const auto figures = cli::readFigures(arguments[0], progress);
    if (!figures) return tl::unexpected(figures.error());
    const auto key = asbuilt::findSegment(*(*figures)->snapshot, arguments[3], arguments[4]);
    if (!key) return tl::unexpected(key.error());
    views::applyTheme(*qobject_cast<QApplication*>(QApplication::instance()), views::ThemeKind::Light);
    const auto pack = document::makeHandover(*figures, *key, DesignStamp::of(*(*figures)->snapshot), progress);
    if (!pack) return tl::unexpected(pack.error());
    return print(*pack, arguments[2], {}, arguments[1], progress);
}

Result<void> drawIncident(const std::vector<std::string>& arguments, bool listened)
{
    const Progress progress = listened ? progressToCaller() : Progress();
    const auto figures = cli::readFigures(arguments[0], progress);
    if (!figures) return tl::unexpected(figures.error());
    QFile file(QString::fromStdString(arguments[3]));
    if (!file.open(QIODevice::ReadOnly)) return fail(ErrorCode::Unreadable, arguments[3], verbatim(file.errorString().toStdString()));
    const auto document = monitoring::documentFromText(file.readAll().toStdString(), *figures, arguments[3]);
    if (!document) return tl::unexpected(document.error());
    views::applyTheme(*qobject_cast<QApplication*>(QApplication::instance()), views::ThemeKind::Light);
    return print(*document, arguments[2], {}, arguments[1], progress);
}

Result<void> drawReport(const std::vector<std::string>& arguments, bool listened)
{
    const std::string &file = arguments[0], &output = arguments[1];
    const Progress progress = listened ? progressToCaller() : Progress();
    progress.report(0.01, words(i18n("reading the design")));
    auto figures = cli::readFigures(file, progress, arguments[4].empty() ? std::nullopt : std::optional<int>(std::stoi(arguments[4])));
    const auto basis = cli::chosenBasis(arguments[3]);
    if (!basis) return tl::unexpected(basis.error());
    if (figures && *basis) figures = cli::onBasis(*figures, **basis);
    if (!figures) return tl::unexpected(figures.error());
    views::applyTheme(*qobject_cast<QApplication*>(QApplication::instance()), views::ThemeKind::Light);
    auto making = std::async(std::launch::async, [&]() -> Result<document::ReportDocument> {
        const DesignStamp stamp = DesignStamp::of(*(*figures)->snapshot);
        if (arguments[5].empty()) return document::makeReportDocument(*figures, stamp, progress);
        constexpr double kAirShare = 0.8; // of the time
        const Progress first{progress.stop, [&](double done, std::string_view step) { progress.report(done * kAirShare, step); }};
        const Progress rest{progress.stop, [&](double done, std::string_view step) { progress.report(kAirShare + done * (1 - kAirShare), step); }};
        sim::air::HallOptions options;
        options.cells = std::stoul(arguments[5]);
        const auto halls = sim::air::solveHalls(**figures, options, first);
        if (!halls) return tl::unexpected(halls.error());
        auto made = document::makeReportDocument(*figures, stamp, rest);
        if (made) sim::air::addAir(*made, *halls);
        return made;
    });
    const QImage twin = coverPicture(*figures); // meanwhile: OpenGL stays on this thread
    const auto document = making.get();
    if (!document) return tl::unexpected(document.error());
    return print(*document, arguments[2], twin, output, progress);
}

} // namespace hw::app
