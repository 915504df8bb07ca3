// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/answer_view.h"

#include "simulation/scenario/answer_text.h"
#include "simulation/scenario/plot_svg.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QPainter>
#include <QSvgRenderer>

namespace hw::views {

namespace {

constexpr std::size_t kMostRows = 200;

QString escaped(const std::string& s) { return text(s).toHtmlEscaped(); }

/// "ring.slowest_nic_gbps" reads "ring, slowest nic gbps".
QString readable(const std::string& key)
{
    QString out = text(key).toHtmlEscaped();
    out.replace('.', ", ");
    return out.replace('_', ' ');
}

QString tableHtml(const sim::AnswerTable& table)
{
    QString out;
    if (!table.title.empty() && table.title != "sweep") out += QString("<p style='margin-top:8px'><b>%1</b></p>").arg(readable(table.title));
    out += "<table cellspacing='0' cellpadding='3'>";
    if (!table.columns.empty()) {
        out += "<tr>";
        for (const auto& c : table.columns) out += QString("<td style='color:%1'>%2</td>").arg(theme().textFaint.name(), readable(c));
        out += "</tr>";
    }
    for (std::size_t r = 0; r < std::min(kMostRows, table.rows.size()); ++r) {
        out += r % 2 ? QString("<tr>") : QString("<tr bgcolor='%1'>").arg(theme().raised.name());
        for (std::size_t c = 0; c < table.rows[r].size(); ++c) {
            const bool key = table.columns.empty() && c == 0;
            out += key ? QString("<td style='color:%1'>%2</td>").arg(theme().textDim.name(), readable(table.rows[r][c])) : QString("<td>%1&nbsp;&nbsp;</td>").arg(escaped(table.rows[r][c]));
        }
        out += "</tr>";
    }
    out += "</table>";
    if (table.rows.size() > kMostRows) out += QString("<p style='color:%1'>%2</p>").arg(theme().textFaint.name(), AnswerView::tr("%1 more rows: export shows all").arg(table.rows.size() - kMostRows));
    return out;
}

/// The few figures that one looks for first, large.
QString headline(const sim::Json& results)
{
    static const std::pair<const char*, const char*> kFirst[] = {{"iteration_s", QT_TRANSLATE_NOOP("AnswerView", "iteration")}, {"completion_s", QT_TRANSLATE_NOOP("AnswerView", "completion")},
                                                                 {"goodput", QT_TRANSLATE_NOOP("AnswerView", "goodput")}, {"mfu", QT_TRANSLATE_NOOP("AnswerView", "MFU")},
                                                                 {"scaling_efficiency", QT_TRANSLATE_NOOP("AnswerView", "scaling efficiency")}, {"exposed_share", QT_TRANSLATE_NOOP("AnswerView", "exposed communication")},
                                                                 {"tokens_per_s", QT_TRANSLATE_NOOP("AnswerView", "tokens per second")}, {"training_days", QT_TRANSLATE_NOOP("AnswerView", "training days")}};
    QString cells;
    for (const auto& [key, label] : kFirst) {
        if (!results.contains(key) || !results[key].is_number()) continue;
        const double v = results[key].get<double>();
        const QString name = QString(key), shown = name.endsWith("_s") && name != "tokens_per_s" ? duration(v) : name == "tokens_per_s" ? count(std::int64_t(v)) : name == "training_days" ? QString::number(v, 'g', 4) : percent(v);
        cells += QString("<td style='padding-right:24px'><span style='font-size:xx-large'>%1</span><br/><span style='color:%2'>%3</span></td>").arg(shown, theme().textDim.name(), QObject::tr(label));
    }
    return cells.isEmpty() ? QString() : "<table><tr>" + cells + "</tr></table>";
}

QImage chart(const sim::Json& document)
{
    const auto svg = sim::plotSvg(document, "");
    if (!svg) return {};
    QSvgRenderer renderer(QByteArray::fromStdString(*svg));
    QImage image(660, 390, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    renderer.render(&painter);
    return image;
}

} // namespace

AnswerView::AnswerView(SimulationSession& session, QWidget* parent) : QTextBrowser(parent), m_session(session)
{
    setObjectName("scenarioAnswer");
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    connect(&session, &SimulationSession::answerChanged, this, &AnswerView::refresh);
    connect(&session.bridge(), &DocumentBridge::documentChanged, this, [this] { if (m_session.answer()) refresh(); });
    refresh();
}

QString AnswerView::comparison(const sim::Json& a, const sim::Json& b) const
{
    const sim::Json found = sim::compareAnswers(a, b);
    QString out = QString("<p><b>%1</b> %2 <b>%3</b></p><table cellspacing='0' cellpadding='3'>").arg(escaped(found["a"].get<std::string>()), tr("against"), escaped(found["b"].get<std::string>()));
    std::size_t row = 0;
    for (const auto& r : found["rows"]) {
        if (r["a"] == r["b"] || ++row > kMostRows) continue;
        const auto shown = [](const sim::Json& v) { return v.is_number() ? QString::number(v.get<double>(), 'g', 6) : v.is_string() ? escaped(v.get<std::string>()) : v.is_null() ? QString("–") : text(v.dump()); };
        out += QString("<tr%1><td style='color:%2'>%3</td><td align='right'>%4</td><td align='right'>%5</td><td align='right'>%6</td></tr>")
                   .arg(row % 2 ? QString(" bgcolor='%1'").arg(theme().raised.name()) : QString(), theme().textDim.name(), readable(r["key"].get<std::string>()), shown(r["a"]), shown(r["b"]),
                        r["ratio"].is_number() ? "× " + QString::number(r["ratio"].get<double>(), 'g', 4) : QString());
    }
    return out + "</table>";
}

QString AnswerView::page(const sim::ScenarioAnswer& answer)
{
    const sim::Json& d = answer.document;
    QString out = QString("<h3 style='margin:0'>%1</h3>").arg(escaped(d.value("name", "")));
    if (m_session.stale()) out += QString("<p style='color:%1'>%2</p>").arg(theme().warning.name(), tr("Of an earlier state of the design: run it again"));
    if (d.contains("design")) out += QString("<p style='color:%1'>%2</p>").arg(theme().textFaint.name(), tr("%1, revision %2").arg(escaped(d["design"].value("name", ""))).arg(d["design"].value("revision", 0)));
    if (d.contains("results")) out += headline(d["results"]);
    if (m_session.pinned() && m_session.pinned() != m_session.answer()) out += comparison(m_session.pinned()->document, d);
    if (d.contains("results") && d["results"].contains("verdict") && d["results"]["verdict"].is_string()) out += QString("<p><b>%1</b></p>").arg(escaped(d["results"]["verdict"].get<std::string>()));
    if (const QImage image = d.contains("sweep") ? chart(d) : QImage(); !image.isNull()) {
        document()->addResource(QTextDocument::ImageResource, QUrl("chart"), image);
        out += "<p><img src='chart'/></p>";
    }
    for (const auto& table : sim::answerTables(d)) out += tableHtml(table);
    for (const auto& note : d.value("notes", sim::Json::array())) out += QString("<p style='color:%1'>%2</p>").arg(theme().textFaint.name(), escaped(note.get<std::string>()));
    return out;
}

void AnswerView::refresh()
{
    clear();
    setHtml(m_session.answer() ? page(*m_session.answer()) : QString("<p style='color:%1'>%2</p>").arg(theme().textDim.name(), tr("Choose a scenario and run it. Link loads show in 3D, in the plan and in the fabric view.")));
}

} // namespace hw::views
