// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/paper/paper.h"
#include "views/paper/type_grid.h"

#include <QRectF>

#include <functional>
#include <vector>

namespace hw::views::paper {

using Mark = std::function<void(QPainter&)>;

/// A page before it is painted: what stands on it, in 1/96 inch from its corner.
struct Sheet {
    bool lying = false;
    QString section; ///< said at its head
    std::vector<Mark> marks;
};

/// Where a section begins: for contents and bookmarks.
struct Entry {
    QString title;
    int level = 1;
    int sheet = 0; ///< of the flow, from 0
    double y = 0;
};

/// Fills sheets from top to bottom. A block asks for room, and goes on on a new sheet where there is none.
class PageFlow {
public:
    explicit PageFlow(PaperSize size) : m_size(size) {}

    void startSheet(bool lying);
    /// A sheet that is empty so far and lies as wanted; else a new one.
    void freshSheet(bool lying);
    void setSection(const QString& title);
    [[nodiscard]] QRectF bodyOf(bool lying) const;
    [[nodiscard]] QRectF body() const;                                  ///< of the present sheet
    [[nodiscard]] double room() const { return body().bottom() - m_y; } ///< left on it
    [[nodiscard]] double y() const { return m_y; }
    [[nodiscard]] bool atTop() const { return m_y <= body().top() + 0.5; }
    /// Takes so much height; on a new sheet where there is less than `least` (0: than it). Returns where.
    QRectF take(double height, double least = 0);
    void skip(double height) { m_y = std::min(m_y + height, body().bottom()); }
    void put(Mark mark) { m_sheets.back().marks.push_back(std::move(mark)); }
    void enter(const QString& title, int level);

    [[nodiscard]] static QSizeF pageSize(PaperSize size, bool lying);
    [[nodiscard]] const std::vector<Sheet>& sheets() const { return m_sheets; }
    [[nodiscard]] const std::vector<Entry>& entries() const { return m_entries; }

private:
    PaperSize m_size;
    std::vector<Sheet> m_sheets;
    std::vector<Entry> m_entries;
    QString m_section;
    double m_y = 0;
};

class FigurePainter;

/// Lays out every section of a document.
void layOut(PageFlow& flow, const document::ReportDocument& document, FigurePainter& figures);
void layOutTable(PageFlow& flow, const document::Table& table);
void layOutTiles(PageFlow& flow, const document::Tiles& tiles);
/// Tiles in a rectangle, four in a row: for the cover.
void paintTiles(QPainter& painter, const QRectF& rect, const document::Tiles& tiles, int columns);
[[nodiscard]] double tilesHeight(std::size_t tiles, int columns);

} // namespace hw::views::paper
