// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/answer_view.h"

#include "simulation/answers/answer_in_words.h"
#include "views/simulation/sweep_view.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QEvent>
#include <QTextBrowser>

#include <algorithm>

namespace hw::views {

namespace {

constexpr std::size_t kMostRows = 200;

QString escaped(const std::string& s) { return text(s).toHtmlEscaped(); }
QString escaped(const Text& s) { return text(s).toHtmlEscaped(); }
QString colored(const QColor& color, const QString& html) { return QString("<span style='color:%1'>%2</span>").arg(color.name(), html); }
QString rowStart(std::size_t row) { return row % 2 ? QString("<tr>") : QString("<tr bgcolor='%1'>").arg(theme().raised.name()); }

/// A value that is not broken into lines where it has commas.
QString whole(const QString& html) { return "<span style='white-space:nowrap'>" + html + "</span>"; }

/// Label and value pairs, several beside each other where there is room for `most`.
QString pairsHtml(const std::vector<std::vector<Text>>& rows, std::size_t most)
{
    const std::size_t columns = std::min(most, std::size_t(rows.size() > 8   ? 3
                                                           : rows.size() > 3 ? 2
                                                                             : 1)),
                      lines = (rows.size() + columns - 1) / columns;
    QString out = "<table cellspacing='0' cellpadding='3'>";
    for (std::size_t line = 0; line < lines; ++line) {
        out += rowStart(line);
        for (std::size_t c = 0; c < columns; ++c) {
            const std::size_t at = c * lines + line;
            if (at >= rows.size()) break;
            const QString value = text(rows[at][1]);
            out += QString("<td>%1&nbsp;&nbsp;</td><td align='right'>%2&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;</td>")
                       .arg(colored(theme().textDim, escaped(rows[at][0])), value.size() < 24 ? whole(value.toHtmlEscaped()) : value.toHtmlEscaped());
        }
        out += "</tr>";
    }
    return out + "</table>";
}

QString tableHtml(const sim::ResultTable& table, std::size_t columns)
{
    QString out = table.title.empty() ? QString() : QString("<p style='margin-top:8px; margin-bottom:2px'><b>%1</b></p>").arg(escaped(table.title));
    if (table.columns.empty()) return out + pairsHtml(table.rows, columns);
    out += "<table cellspacing='0' cellpadding='3'><tr>";
    for (const auto& c : table.columns)
        out += QString("<td align='%1'>%2&nbsp;&nbsp;</td>").arg(c.number ? "right" : "left", colored(theme().textDim, escaped(c.title)));
    out += "</tr>";
    for (std::size_t r = 0; r < std::min(kMostRows, table.rows.size()); ++r) {
        out += rowStart(r);
        for (std::size_t c = 0; c < table.columns.size(); ++c)
            out += QString("<td align='%1'>%2&nbsp;&nbsp;</td>").arg(table.columns[c].number ? "right" : "left", escaped(table.rows[r][c]));
        out += "</tr>";
    }
    out += "</table>";
    if (table.rows.size() > kMostRows)
        out += "<p>" + colored(theme().textDim, AnswerView::tr("%1 more rows: export to see all").arg(table.rows.size() - kMostRows)) + "</p>";
    return out;
}

/// `columns` pairs of label and value have room beside each other: twice as many figures.
QString figuresHtml(const std::vector<sim::ResultDocument::Figure>& figures, std::size_t columns)
{
    QString cells;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        if (i > 0 && i % (2 * columns) == 0) cells += "</tr><tr>";
        cells += QString("<td style='padding-right:22px'><span style='font-size:x-large; white-space:nowrap'>%1</span><br/>%2</td>")
                     .arg(escaped(figures[i].value), colored(theme().textDim, escaped(figures[i].label)));
    }
    return cells.isEmpty() ? QString() : "<table><tr>" + cells + "</tr></table>";
}

QString notesHtml(const sim::Json& document)
{
    QString out;
    for (const auto& note : document.value("notes", sim::Json::array()))
        if (note.is_string()) out += QString("<p style='margin:2px 0'>%1</p>").arg(colored(theme().textDim, escaped(note.get<std::string>())));
    return out;
}

} // namespace

AnswerView::AnswerView(SimulationSession& session, QWidget* parent)
    : QStackedWidget(parent), m_session(session), m_page(new QTextBrowser), m_sweep(new SweepView(session))
{
    m_page->setObjectName("scenarioAnswer");
    m_page->setFrameShape(QFrame::NoFrame);
    m_page->setOpenLinks(false);
    addWidget(m_page);
    addWidget(m_sweep);
    connect(&session, &SimulationSession::answerChanged, this, &AnswerView::refresh);
    connect(&session, &SimulationSession::standingChanged, this, &AnswerView::refresh);
    refresh();
}

std::size_t AnswerView::columns() const { return std::size_t(std::clamp(width() / (fontMetrics().averageCharWidth() * 48), 1, 3)); }

void AnswerView::resizeEvent(QResizeEvent* event)
{
    QStackedWidget::resizeEvent(event);
    if (columns() != m_columns) refresh();
}

void AnswerView::changeEvent(QEvent* event)
{
    QStackedWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) refresh(); // the page holds colors
}

QString AnswerView::comparison(const sim::Json& a, const sim::Json& b) const
{
    const auto said = sim::compareInWords(a, b);
    QString out = QString("<p><b>%1</b></p>").arg(escaped(said.verdict));
    if (said.rows.empty()) return out;
    out += "<table cellspacing='0' cellpadding='3'><tr><td></td>";
    for (const Text& name : {said.first, said.second})
        out += QString("<td align='right'>%1&nbsp;&nbsp;</td>").arg(colored(theme().textDim, escaped(name)));
    out += QString("<td align='right'>%1</td></tr>").arg(colored(theme().textDim, tr("second / first")));
    for (std::size_t r = 0; r < std::min(kMostRows, said.rows.size()); ++r)
        out += rowStart(r) + QString("<td>%1&nbsp;&nbsp;</td><td align='right'>%2&nbsp;&nbsp;</td><td align='right'>%3&nbsp;&nbsp;</td><td "
                                     "align='right'>%4</td></tr>")
                                 .arg(colored(theme().textDim, escaped(said.rows[r].label)), escaped(said.rows[r].first),
                                      escaped(said.rows[r].second), escaped(said.rows[r].change));
    return out + "</table>";
}

/// Name, whose it is, and the sentence.
QString AnswerView::head(const sim::Json& d) const
{
    QString out = QString("<h3 style='margin:0'>%1</h3>").arg(escaped(resourceText(d.value("name", ""))));
    if (const QString standing = m_session.standingText(); !standing.isEmpty())
        out += "<p style='margin:2px 0'>" + colored(theme().warning, standing.toHtmlEscaped()) + "</p>";
    if (d.contains("design")) {
        QStringList set;
        const sim::Json changed = d["design"].value("set", sim::Json::object());
        for (const auto& [name, value] : changed.items()) set << escaped(name) + " " + escaped(value.dump());
        const QString whose = (set.isEmpty() ? tr("%1, revision %2") : tr("%1, revision %2, overridden for this run: %3"))
                                  .arg(escaped(d["design"].value("name", "")))
                                  .arg(d["design"].value("revision", 0));
        out += "<p style='margin:2px 0'>" + colored(theme().textDim, set.isEmpty() ? whose : whose.arg(set.join(", "))) + "</p>";
    }
    if (const auto verdict = sim::verdictOf(d); !verdict.empty()) out += QString("<p style='margin:4px 0'><b>%1</b></p>").arg(escaped(verdict));
    return out;
}

QString AnswerView::page(const sim::Json& d) const
{
    const auto said = sim::inWords(d);
    QString out = head(d) + figuresHtml(said.figures, m_columns);
    if (m_session.pinned() && m_session.pinned() != m_session.answer()) out += comparison(m_session.pinned()->document, d);
    for (const auto& table : said.tables) out += tableHtml(table, m_columns);
    if (!said.proof.empty()) out += "<p>" + colored(theme().textDim, escaped(said.proof)) + "</p>";
    return out + notesHtml(d);
}

void AnswerView::refresh()
{
    const auto& answer = m_session.answer();
    m_columns = columns();
    if (!answer) {
        m_page->setHtml("<p>" + colored(theme().textDim, tr("Select a scenario and run it. Link loads are shown in the 3D, plan and fabric views.")) +
                        "</p>");
        return setCurrentWidget(m_page);
    }
    const sim::Json& d = answer->document;
    m_page->setHtml(page(d));
    const bool compared = m_session.pinned() && m_session.pinned() != answer;
    if (d.contains("sweep") && !compared) {
        std::vector<std::vector<Text>> same;
        for (const auto& c : sim::inWords(d).constants) same.push_back({c.label, c.value});
        m_sweep->present(d, head(d),
                         (same.empty() ? QString() : "<p><b>" + tr("Constant across the sweep") + "</b></p>" + pairsHtml(same, m_columns)) +
                             notesHtml(d));
        return setCurrentWidget(m_sweep);
    }
    setCurrentWidget(m_page);
}

} // namespace hw::views
