// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/paper/chart_block.h"
#include "views/paper/figure_painter.h"
#include "views/paper/page_flow.h"
#include "views/paper/slim_svg.h"
#include "views/style/theme.h"
#include "views/style/vector_page.h"

#include <QBuffer>
#include <QRegularExpression>

namespace hw::views {
namespace {

using namespace document;
using document::Table, document::Tone;

/// Light and dark, screen and paper. Drawings are light on white in both.
constexpr const char* kStyle = /* // no text */ R"css(
:root{--ink:#18212e;--dim:#566273;--line:#d8dee7;--soft:#f4f6f9;--page:#fff;--accent:#1769d6;--good:#1d8a5a;--warn:#a86a06;--bad:#cc3a32}
@media (prefers-color-scheme:dark){:root{--ink:#e4e9f1;--dim:#98a4b5;--line:#2c3544;--soft:#1a212b;--page:#10151c;--accent:#4f9dff;--good:#3fbf85;--warn:#e6a93c;--bad:#f0625a}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 Inter,"Noto Sans","DejaVu Sans",system-ui,sans-serif}
main,header{max-width:1120px;margin:0 auto;padding:0 24px}
header{padding-top:24px}
header img,header svg{width:100%;height:auto;border-radius:8px;display:block;background:#fff}
h1{font-size:36px;line-height:1.2;margin:28px 0 4px;overflow-wrap:anywhere}
h2{font-size:26px;margin:56px 0 12px;border-top:2px solid var(--accent);padding-top:16px}
h3{font-size:18px;margin:36px 0 8px}
h4{font-size:15px;margin:24px 0 4px}
p.lead{font-size:18px}
.dim{color:var(--dim)}.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}
nav ol{list-style:none;padding-left:0;columns:2;column-gap:40px}nav ol ol{columns:1;padding-left:20px}
nav a{color:inherit;text-decoration:none}nav a:hover{color:var(--accent)}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(190px,1fr));gap:12px;margin:20px 0}
.tile{background:var(--soft);border-left:3px solid var(--accent);padding:10px 14px;min-width:0}
.tile b{display:block;font-size:24px;overflow-wrap:anywhere}.tile span{display:block;font-size:12px;color:var(--dim)}
.scroll{overflow-x:auto;margin:12px 0 20px}
table{border-collapse:collapse;width:100%;font-size:13px}
caption{text-align:left;font-weight:600;padding:6px 0}
th,td{padding:5px 8px;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);overflow-wrap:break-word}
thead th{background:var(--soft);color:var(--dim);font-size:12px;border-bottom-color:var(--dim)}
.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
tr.group th{padding-top:16px}tr.total td{font-weight:600;border-top:1px solid var(--dim)}
dl{display:grid;grid-template-columns:minmax(120px,26%) 1fr;gap:4px 16px;margin:12px 0}dt{color:var(--dim)}dd{margin:0}
ul{padding-left:20px}li.bad::marker{color:var(--bad)}li.warn::marker{color:var(--warn)}li.good::marker{color:var(--good)}
.bar{display:grid;grid-template-columns:28% 1fr 4em 20%;gap:12px;align-items:center;font-size:13px;margin:3px 0}
.track{position:relative;height:9px;background:var(--line)}.track i{position:absolute;left:0;top:0;bottom:0;background:var(--good)}
.track i.warn{background:var(--warn)}.track i.bad{background:var(--bad)}.track u{position:absolute;top:-3px;bottom:-3px;width:2px;background:var(--ink)}
figure{margin:20px 0}figure svg{width:100%;height:auto;display:block;background:#fff;border:1px solid var(--line);overflow:hidden}
figcaption{font-size:13px;margin-top:6px}figcaption b{display:block}
.gallery{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:20px}.gallery figure{margin:0}
footer{max-width:1120px;margin:64px auto 24px;padding:12px 24px;border-top:1px solid var(--line);color:var(--dim);font-size:13px}
@media print{:root{--ink:#18212e;--dim:#566273;--line:#d8dee7;--soft:#f4f6f9;--page:#fff;--accent:#1769d6;--good:#1d8a5a;--warn:#a86a06;--bad:#cc3a32}
body{font-size:10.5pt}h2{break-before:page}h2,h3,h4,caption{break-after:avoid}figure,tr,.tile,.bar{break-inside:avoid}thead{display:table-header-group}.scroll{overflow:visible}
main,header,footer{max-width:none;padding-left:0;padding-right:0}}
@page{size:A4;margin:16mm}
)css";

QString said(const Text& what) { return text(what).toHtmlEscaped(); }

QString classOf(Tone tone)
{
    switch (tone) {
    case Tone::Plain: return {};
    case Tone::Dim: return "dim";
    case Tone::Good: return "good";
    case Tone::Warning: return "warn";
    case Tone::Bad: return "bad";
    }
    return {};
}

/// ` class="a b"`, or nothing.
QString classes(const QStringList& names)
{
    QStringList some = names;
    some.removeAll(QString());
    return some.isEmpty() ? QString() : " class=\"" + some.join(' ') + "\"";
}

class Page {
public:
    Page(const ReportDocument& document, const PaperJob& job, const Progress& progress)
        : m_d(document), m_progress(progress), m_figures(document, job.twin)
    {
    }

    Result<QByteArray> make()
    {
        const QString title = said(m_d.title), stamp = said(m_d.stamp.text());
        m_out +=
            "<!DOCTYPE html>\n<html lang=\"" + // no text
            said(i18n("en")) +
            "\">\n<head>\n<meta charset=\"utf-8\"/>\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<meta name=\"generator\" content=\"Hallwright\"/>\n<title>" +
            stamp + "</title>\n<style>" + QString(kStyle).replace('<', "&lt;");
        const auto styles = m_out.size(); // those of the drawings follow once they are made
        m_out += "</style>\n</head>\n<body>\n<header>\n";
        picture();
        m_out += "<h1>" + title + "</h1>\n<p class=\"dim\">" + said(m_d.subtitle) + "<br/>" +
                 said(i18n("Revision {} of {}", m_d.stamp.revision, m_d.stamp.date)) + " · " + said(m_d.basis) + "</p>\n";
        write(m_d.cover);
        contents();
        m_out += "</header>\n<main>\n";
        for (std::size_t i = 0; i < m_d.sections.size(); ++i) {
            if (m_progress.stopRequested()) return fail(ErrorCode::Canceled, m_d.stamp.project, i18n("stopped"));
            m_progress.report(0.55 + 0.45 * double(i) / double(m_d.sections.size()), words(m_d.sections[i].title));
            write(m_d.sections[i]);
        }
        m_out += "</main>\n<footer>" + stamp + "</footer>\n</body>\n</html>\n";
        m_out.insert(styles, m_slim.rules());
        return m_out.toUtf8();
    }

private:
    void picture()
    {
        if (m_figures.twin().isNull()) {
            m_out += svg({Drawing::Site, 0, {}, {}}, QSizeF(1120, 520));
            return;
        }
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        m_figures.twin().save(&buffer, "PNG");
        m_out += "<img alt=\"" + said(m_d.title) + "\" src=\"data:image/png;base64," + QString::fromLatin1(buffer.data().toBase64()) + "\"/>\n";
    }

    void contents()
    {
        m_out += "<nav>\n<h4>" + said(i18n("Contents")) + "</h4>\n<ol>\n";
        bool inner = false;
        for (std::size_t i = 0; i < m_d.sections.size(); ++i) {
            const Section& section = m_d.sections[i];
            const bool deeper = i + 1 < m_d.sections.size() && m_d.sections[i + 1].level > 1;
            m_out += "<li><a href=\"#" + text(section.anchor) + "\">" + said(section.title) + "</a>";
            if (section.level == 1 && deeper) {
                m_out += "\n<ol>\n";
                inner = true;
                continue;
            }
            m_out += "</li>\n";
            if (inner && !deeper) m_out += "</ol></li>\n", inner = false;
        }
        m_out += "</ol>\n</nav>\n";
    }

    void write(const Section& section)
    {
        const QString tag = section.level == 1 ? "h2" : "h3";
        m_out += "<" + tag + " id=\"" + text(section.anchor) + "\">" + said(section.title) + "</" + tag + ">\n";
        for (const Block& block : section.blocks) std::visit([&](const auto& one) { write(one); }, block);
    }

    void write(const Paragraph& block)
    {
        const bool heading = block.style == Paragraph::Style::Heading;
        const QString tag = heading ? "h4" : "p";
        m_out += "<" + tag + classes({block.style == Paragraph::Style::Lead ? "lead" : "", classOf(block.tone)}) + ">" + said(block.text) + "</" +
                 tag + ">\n";
    }

    void write(const Facts& block)
    {
        m_out += "<dl>\n";
        for (const auto& line : block.lines)
            m_out += "<dt>" + said(line.label) + "</dt><dd" + classes({classOf(line.tone)}) + ">" + said(line.value) + "</dd>\n";
        m_out += "</dl>\n";
    }

    void write(const Tiles& block)
    {
        m_out += "<div class=\"tiles\">\n";
        for (const auto& tile : block.tiles)
            m_out += "<div class=\"tile\"><b" + classes({classOf(tile.tone)}) + ">" + said(tile.value) + "</b>" + said(tile.label) + "<span>" +
                     said(tile.note) + "</span></div>\n";
        m_out += "</div>\n";
    }

    void write(const Points& block)
    {
        m_out += "<ul>\n";
        for (const auto& point : block.points) m_out += "<li" + classes({classOf(point.tone)}) + ">" + said(point.text) + "</li>\n";
        m_out += "</ul>\n";
    }

    void write(const Table& block)
    {
        if (block.rows.empty()) return;
        m_out += "<div class=\"scroll\"><table>\n";
        if (!block.caption.empty()) m_out += "<caption>" + said(block.caption) + "</caption>\n";
        m_out += "<thead><tr>";
        for (const auto& column : block.columns) m_out += "<th" + classes({column.number ? "n" : ""}) + ">" + said(column.title) + "</th>";
        m_out += "</tr></thead>\n<tbody>\n";
        for (const auto& row : block.rows) {
            if (row.kind == RowKind::Group) {
                m_out += QString("<tr class=\"group\"><th colspan=\"%1\">").arg(block.columns.size()) + said(row.cells.front().text) + "</th></tr>\n";
                continue;
            }
            m_out += "<tr" + classes({row.kind == RowKind::Total ? "total" : ""}) + ">";
            for (std::size_t c = 0; c < block.columns.size(); ++c) {
                const Cell cell = c < row.cells.size() ? row.cells[c] : Cell();
                m_out += "<td" + classes({block.columns[c].number ? "n" : "", classOf(cell.tone)}) + ">" + said(cell.text) + "</td>";
            }
            m_out += "</tr>\n";
        }
        m_out += "</tbody></table></div>\n";
    }

    void write(const Bars& block)
    {
        m_out += "<h4>" + said(block.caption) + "</h4>\n";
        const auto width = [](double share) { return QString::number(100 * std::clamp(share, 0.0, 1.0), 'f', 1) + "%"; };
        for (const auto& bar : block.bars) {
            const QString tone = bar.worst > 1 ? "bad" : bar.worst > 0.9 ? "warn" : "";
            m_out += "<div class=\"bar\"><span>" + said(bar.label) + "</span><span class=\"track\"><i" + classes({tone}) +
                     " style=\"width:" + width(bar.share) + "\"></i><u style=\"left:" + width(bar.worst) + "\"></u></span><span class=\"n\">" +
                     percent(bar.worst, 0) + "</span><span class=\"n dim\">" + said(bar.value) + "</span></div>\n";
        }
    }

    void write(const Chart& block)
    {
        m_out += "<figure>\n" +
                 svg({1120, 300}, block.caption, [&](QPainter& painter, const QRectF& rect) { paper::paintChart(painter, rect, block); }) +
                 "<figcaption><b>" + said(block.caption) + "</b>";
        for (std::size_t i = 0; i < block.curves.size(); ++i)
            m_out += " <span style=\"color:" + paper::chartPen(block, i).color().name() + "\">" + (block.curves[i].dashed ? "- - " : "— ") +
                     said(block.curves[i].label) + "</span>";
        m_out += "</figcaption>\n</figure>\n";
    }
    void write(const Figure& block) { figure(block, QSizeF(1120, 700)); }
    void write(const Gallery& block)
    {
        m_out += "<div class=\"gallery\">\n";
        for (const Figure& one : block.figures) figure(one, QSizeF(300, 1040));
        m_out += "</div>\n";
    }

    void figure(const Figure& block, QSizeF size)
    {
        m_out += "<figure>\n" + svg(block, size) + "<figcaption><b>" + said(block.caption) + "</b>" + said(block.note) + "</figcaption>\n</figure>\n";
    }

    /// The element alone; ids are told apart, because a page has many drawings.
    QString svg(const Figure& figure, QSizeF size)
    {
        return svg(size, figure.caption, [&](QPainter& painter, const QRectF& rect) { m_figures.paint(painter, rect, figure); });
    }
    QString svg(QSizeF size, const Text& caption, const PagePainter& paint)
    {
        QString drawn = QString::fromUtf8(svgOf(size, {text(caption), {}, {}}, paint));
        drawn.remove(0, std::max<qsizetype>(0, drawn.indexOf("<svg")));
        const QString mark = QString("d%1-").arg(++m_drawings);
        static const QRegularExpression ids("(\\bid=\"|url\\(#|xlink:href=\"#)");
        drawn.replace(ids, "\\1" + mark);
        return m_slim.slim(drawn.trimmed()) + "\n";
    }

    const ReportDocument& m_d;
    const Progress& m_progress;
    paper::FigurePainter m_figures;
    paper::SlimSvg m_slim;
    QString m_out;
    int m_drawings = 0;
};

} // namespace

Result<QByteArray> makeHtml(const ReportDocument& document, const PaperJob& job, const Progress& progress)
{
    const PaperScope paper;
    return Page(document, job, progress).make();
}

} // namespace hw::views
