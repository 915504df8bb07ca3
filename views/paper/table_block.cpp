// SPDX-License-Identifier: GPL-3.0-or-later
// Tables that break over sheets, with their head on each.
#include "views/paper/page_flow.h"
#include "views/style/theme.h"

#include <QPainter>

#include <algorithm>
#include <memory>
#include <numeric>

namespace hw::views::paper {
namespace {

using namespace document;
using document::Table, document::Tone;

constexpr double kPadX = 5, kPadY = 3;
constexpr int kMostLines = 6; ///< of a cell

QFont bodyFont(bool bold = false) { return face(11, bold ? QFont::DemiBold : QFont::Normal); }
QFont headFont() { return face(10, QFont::DemiBold); }

/// The longest word: a column is not narrower.
double longestWord(const QString& said, const QFont& font)
{
    double most = 0;
    for (const QString& word : said.split(' ')) most = std::max(most, widthOf(word, font));
    return most;
}

/// Numbers get what they need, texts share the rest by weight, none less than a word where that goes.
std::vector<double> columnWidths(const Table& table, double width)
{
    constexpr double kMostWord = 120;
    const std::size_t n = table.columns.size();
    std::vector<double> least(n, 0), wanted(n, 0), widths(n, 0);
    for (std::size_t c = 0; c < n; ++c) {
        const QString title = text(table.columns[c].title);
        least[c] = std::min(kMostWord, longestWord(title, headFont()));
        wanted[c] = least[c];
        for (const auto& row : table.rows) {
            if (row.kind == RowKind::Group || c >= row.cells.size()) continue;
            const QString said = text(row.cells[c].text);
            const QFont font = bodyFont(row.kind == RowKind::Total);
            wanted[c] = std::max(wanted[c], widthOf(said, font));
            least[c] = std::max(least[c], table.columns[c].number ? std::min(2 * kMostWord, widthOf(said, font))
                                                                  : std::min(kMostWord, longestWord(said, font)));
        }
        least[c] += 2 * kPadX, wanted[c] += 2 * kPadX + 1;
    }
    double taken = 0, weight = 0;
    for (std::size_t c = 0; c < n; ++c) {
        widths[c] = table.columns[c].number ? least[c] : std::min(least[c], wanted[c]);
        taken += widths[c];
    }
    if (taken > width) { // more than there is: all give way alike
        for (double& w : widths) w *= width / taken;
        return widths;
    }
    double rest = width - taken;
    std::vector<char> open(n, 1);
    while (rest > 0.5) { // by weight, no column wider than it wants as long as others want more
        weight = 0;
        for (std::size_t c = 0; c < n; ++c)
            if (open[c] && widths[c] < wanted[c]) weight += table.columns[c].weight;
        if (weight <= 0) break;
        const double share = rest / weight;
        for (std::size_t c = 0; c < n; ++c) {
            if (!open[c] || widths[c] >= wanted[c]) continue;
            const double more = std::min(wanted[c] - widths[c], share * table.columns[c].weight);
            widths[c] += more, rest -= more;
            if (widths[c] >= wanted[c] - 0.01) open[c] = 0;
        }
    }
    weight = std::accumulate(table.columns.begin(), table.columns.end(), 0.0, [](double sum, const auto& column) { return sum + column.weight; });
    for (std::size_t c = 0; c < n; ++c) widths[c] += rest * table.columns[c].weight / weight;
    return widths;
}

class TableLayout {
public:
    TableLayout(PageFlow& flow, const Table& table) : m_flow(flow), m_table(table), m_widths(columnWidths(table, flow.body().width()))
    {
        for (std::size_t c = 0; c < m_widths.size(); ++c)
            m_head.push_back(wrap(text(table.columns[c].title), headFont(), m_widths[c] - 2 * kPadX, 3));
        for (const Wrapped& title : m_head) m_headHeight = std::max(m_headHeight, title.height());
        m_headHeight += 2 * kPadY + 2;
    }

    void layOut()
    {
        const QString caption = text(m_table.caption);
        if (!caption.isEmpty()) {
            const QRectF place = m_flow.take(20, 20 + m_headHeight + 3 * 20);
            m_flow.put([=](QPainter& p) { paintLine(p, place, caption, face(11, QFont::DemiBold), theme().text); });
        }
        head();
        for (std::size_t r = 0; r < m_table.rows.size(); ++r) row(r);
        m_flow.skip(kGap);
    }

private:
    void head()
    {
        const QRectF place = m_flow.take(m_headHeight, m_headHeight + 40);
        m_flow.put([=, head = m_head, widths = m_widths, columns = m_table.columns](QPainter& p) {
            p.fillRect(place, theme().raised);
            double x = place.left();
            p.setPen(theme().textDim);
            for (std::size_t c = 0; c < widths.size(); ++c) {
                head[c].paint(p, QPointF(x + kPadX, place.bottom() - kPadY - 1 - head[c].height()), widths[c] - 2 * kPadX,
                              columns[c].number ? Qt::AlignRight : Qt::AlignLeft);
                x += widths[c];
            }
            p.setPen(QPen(theme().borderStrong, 1));
            p.drawLine(place.bottomLeft(), place.bottomRight());
        });
    }

    /// Room for a row, with the head again where it begins a sheet.
    QRectF takeRow(double height, double least)
    {
        if (std::max(height, least) > m_flow.room() + 0.5) {
            m_flow.startSheet(false);
            head();
        }
        return m_flow.take(height);
    }

    void row(std::size_t r)
    {
        const auto& row = m_table.rows[r];
        if (row.kind == RowKind::Group) return group(row);
        const bool total = row.kind == RowKind::Total;
        struct Said {
            Wrapped words;
            QColor color;
        };
        auto cells = std::make_shared<std::vector<Said>>();
        double height = 0;
        for (std::size_t c = 0; c < m_widths.size(); ++c) {
            const Cell cell = c < row.cells.size() ? row.cells[c] : Cell();
            cells->push_back({wrap(text(cell.text), bodyFont(total), m_widths[c] - 2 * kPadX + 0.5, kMostLines), ink(cell.tone)});
            height = std::max(height, cells->back().words.height());
        }
        const QRectF place = takeRow(height + 2 * kPadY, 0);
        m_flow.put([=, widths = m_widths, columns = m_table.columns](QPainter& p) {
            if (total) {
                p.setPen(QPen(theme().borderStrong, 1));
                p.drawLine(place.topLeft(), place.topRight());
            }
            double x = place.left();
            for (std::size_t c = 0; c < widths.size(); ++c) {
                p.setPen((*cells)[c].color);
                (*cells)[c].words.paint(p, QPointF(x + kPadX, place.top() + kPadY), widths[c] - 2 * kPadX,
                                        columns[c].number ? Qt::AlignRight : Qt::AlignLeft);
                x += widths[c];
            }
            p.setPen(QPen(theme().grid, 0.8));
            p.drawLine(place.bottomLeft(), place.bottomRight());
        });
    }

    /// Stays with the row after it.
    void group(const Table::Row& row)
    {
        const QString title = row.cells.empty() ? QString() : text(row.cells.front().text);
        const QRectF place = takeRow(24, 24 + 40);
        m_flow.put([=](QPainter& p) {
            paintLine(p, place.adjusted(kPadX, 5, -kPadX, -1), title, bodyFont(true), theme().text);
            p.setPen(QPen(theme().border, 1));
            p.drawLine(place.bottomLeft(), place.bottomRight());
        });
    }

    PageFlow& m_flow;
    const Table& m_table;
    std::vector<double> m_widths;
    std::vector<Wrapped> m_head;
    double m_headHeight = 0;
};

} // namespace

void layOutTable(PageFlow& flow, const Table& table)
{
    if (table.columns.empty() || table.rows.empty()) return;
    TableLayout(flow, table).layOut();
}

} // namespace hw::views::paper
