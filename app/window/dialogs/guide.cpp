// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/guide.h"

#include "core/foundation/base/language.h"
#include "core/foundation/base/resources.h"
#include "core/foundation/files/atomic_file.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTextDocument>

#include <algorithm>

namespace hw::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGuideContents = "index.md";

QString helpFolder() { return QDir::cleanPath(QString::fromStdString(resourceFolder().string()) + "/help"); }

QByteArray fileBytes(const QString& file)
{
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

QString pageContent(const QString& file) { return QString::fromUtf8(fileBytes(file)); }

/// The label of a text: without its mnemonic, also where it follows in parentheses, and without the dots of a dialog.
QString shownLabel(const QString& id, const Language& language)
{
    static const QRegularExpression apart("\\(&.\\)"), dots(" *…$");
    const auto found = language.find(id.toUtf8().constData());
    return QString(found ? QString::fromStdString(*found) : id).remove(apart).remove('&').remove(dots);
}

/// What Qt writes, without its styles: the page has its own.
QString cleanHtml(QString html)
{
    static const QRegularExpression body("<body[^>]*>(.*)</body>", QRegularExpression::DotMatchesEverythingOption),
        linkText("(<a [^>]*>)<span [^>]*>([^<]*)</span></a>"), bold("<span style=\"[^\"]*font-weight[^\"]*\">([^<]*)</span>"),
        code("<span style=\"[^\"]*font-family[^\"]*\">([^<]*)</span>"), style(" style=\"[^\"]*\""), span("</?span[^>]*>"),
        lines("</pre>\\s*<pre[^>]*>"), otherPage("href=\"([a-z-]+)\\.md\"");
    html = body.match(html).captured(1);
    html.replace(linkText, "\\1\\2</a>").replace(bold, "<b>\\1</b>").replace(code, "<code>\\1</code>").remove(style).remove(span);
    return html.replace(lines, "\n").replace(otherPage, "href=\"\\1.html\"").trimmed();
}

QString htmlPage(const GuidePage& page, const QString& markdown, const Language& language)
{
    QTextDocument document;
    document.setMarkdown(markdown);
    return QString("<!DOCTYPE html>\n" // no text
                   "<html lang=\"%1\">\n<head>\n<meta charset=\"utf-8\">\n<title>%2</title>\n<style>\n"
                   "body { font: 16px/1.5 sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; }\n"
                   "img { max-width: 100%; } pre { background: #f2f3f5; padding: 0.6em 1em; overflow-x: auto; } td { padding: 0.2em 1em 0.2em 0; }\n"
                   "@media (prefers-color-scheme: dark) { body { background: #16181c; color: #dfe2e6; } a { color: #7fb2ff; } pre { background: "
                   "#24272d; } }\n"
                   "</style>\n</head>\n<body>\n%3\n</body>\n</html>\n")
        .arg(QString::fromStdString(language.name()).replace('_', '-'), page.title.toHtmlEscaped(), cleanHtml(document.toHtml()));
}

} // namespace

QString guideFolder(const Language& language)
{
    for (const QString& name : {QString::fromStdString(language.name()), QString("en")})
        if (const QString folder = helpFolder() + "/" + name; QFile::exists(folder + "/" + kGuideContents)) return folder;
    return {};
}

std::vector<GuidePage> guidePages(const QString& folder)
{
    static const QRegularExpression heading("^# (.*)$", QRegularExpression::MultilineOption), link("\\]\\(([a-z-]+\\.md)\\)");
    std::vector<GuidePage> pages;
    const auto add = [&](const QString& file) {
        const auto title = heading.match(pageContent(folder + "/" + file));
        if (title.hasMatch() && std::ranges::find(pages, file, &GuidePage::file) == pages.end()) pages.push_back({file, title.captured(1)});
    };
    add(kGuideContents);
    for (auto it = link.globalMatch(pageContent(folder + "/" + kGuideContents)); it.hasNext();) add(it.next().captured(1));
    return pages;
}

QString guideText(const QString& file, const Language& language)
{
    static const QRegularExpression mark("\\[\\[([^\\]]+)\\]\\]");
    const QString source = pageContent(file);
    QString text;
    qsizetype from = 0;
    for (auto it = mark.globalMatch(source); it.hasNext();) {
        const auto match = it.next();
        text += source.mid(from, match.capturedStart() - from) + "**" + shownLabel(match.captured(1), language) + "**";
        from = match.capturedEnd();
    }
    return text + source.mid(from);
}

const std::vector<std::pair<std::string_view, std::string_view>>& guidePlaces()
{
    static const std::vector<std::pair<std::string_view, std::string_view>> places{
        {"start", "first-hall.md"},
        {"twin", "plan.md"},
        {"plan", "plan.md"},
        {"catalog", "plan.md"},
        {"fabric", "racks.md"},
        {"elevation", "racks.md"},
        {"tree", "tables.md"},
        {"inspector", "tables.md"},
        {"tables", "tables.md"},
        {"history", "tables.md"},
        {"power", "power-cooling.md"},
        {"cooling", "power-cooling.md"},
        {"budgets", "power-cooling.md"},
        {"feeders", "power-cooling.md"},
        {"air", "power-cooling.md"},
        {"headroom", "power-cooling.md"},
        {"findings", "check.md"},
        {"proof", "check.md"},
        {"scenario", "simulate.md"},
        {"impact", "failures.md"},
        {"year", "money.md"},
        {"bom", "money.md"},
        {"cost", "money.md"},
        {"deviations", "live.md"},
        {"alarms", "live.md"},
        {"tickets", "live.md"},
        {"charts", "live.md"},
        {"capacity", "live.md"},
        {"bindings", "live.md"},
        {"jobs", "jobs.md"},
        {"isolation", "jobs.md"},
        {"predictions", "jobs.md"},
        {"asbuilt", "hand-over.md"},
        {"NewDesignDialog", "size.md"},
        {"ParametersDialog", "size.md"},
        {"SizeDialog", "size.md"},
        {"DemandDialog", "size.md"},
        {"ExploreDialog", "size.md"},
        {"LayoutDialog", "own-hall.md"},
        {"ImportDialog", "own-hall.md"},
        {"ArrayDialog", "plan.md"},
        {"ConnectPortsDialog", "racks.md"},
        {"SettingsDialog", "check.md"},
        {"PricesDialog", "money.md"},
        {"CompareDialog", "money.md"},
        {"ConnectDialog", "live.md"},
        {"BindingRulesDialog", "live.md"},
        {"PasteDialog", "tables.md"},
        {"JsonDialog", "simulate.md"},
        {"SlurmDialog", "simulate.md"},
        {"ExportDialog", "hand-over.md"},
        {"NetboxCompareDialog", "hand-over.md"},
    };
    return places;
}

QString guidePageOf(std::string_view place)
{
    const auto& places = guidePlaces();
    const auto found = std::ranges::find(places, place, &std::pair<std::string_view, std::string_view>::first);
    const std::string_view file = found == places.end() ? std::string_view(kGuideContents) : found->second;
    return QString::fromUtf8(file.data(), qsizetype(file.size()));
}

Result<void> writeGuide(const fs::path& folder)
{
    const QString help = helpFolder();
    const auto names = QDir(help).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    if (names.isEmpty()) return fail(ErrorCode::Unreadable, help.toStdString(), i18n("no users’ guide"), i18n("reinstall Hallwright"));
    for (const QString& name : names) {
        const fs::path there = folder / name.toStdString();
        std::error_code failed;
        fs::create_directories(there, failed);
        if (failed) return fail(ErrorCode::Unreadable, there.string(), verbatim(failed.message()), i18n("choose another location"));
        for (const QString& picture : QDir(help + "/" + name).entryList({"*.png"}, QDir::Files))
            if (auto done = writeFile(there / picture.toStdString(), fileBytes(help + "/" + name + "/" + picture).toStdString()); !done) return done;
        if (!QFile::exists(help + "/" + name + "/" + kGuideContents)) continue;
        const auto language = name == "en" ? Result<Language>(Language()) : Language::load(name.toStdString(), resourceFolder() / "i18n");
        if (!language) return tl::unexpected(language.error());
        for (const GuidePage& page : guidePages(help + "/" + name)) {
            const QString html = htmlPage(page, guideText(help + "/" + name + "/" + page.file, *language), *language);
            if (auto done = writeFile(there / page.file.chopped(3).append(".html").toStdString(), html.toStdString()); !done) return done;
        }
    }
    return {};
}

} // namespace hw::app
