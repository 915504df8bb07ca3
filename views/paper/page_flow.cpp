// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/paper/page_flow.h"

namespace hw::views::paper {

QSizeF PageFlow::pageSize(PaperSize size, bool lying)
{
    const QSizeF upright = size == PaperSize::A4 ? QSizeF(210, 297) / 25.4 * 96 : QSizeF(8.5, 11) * 96;
    return lying ? upright.transposed() : upright;
}

QRectF PageFlow::body() const { return bodyOf(!m_sheets.empty() && m_sheets.back().lying); }

QRectF PageFlow::bodyOf(bool lying) const
{
    const QSizeF page = pageSize(m_size, lying);
    return QRectF(kSide, kTop, page.width() - 2 * kSide, page.height() - kTop - kBottom);
}

void PageFlow::startSheet(bool lying)
{
    m_sheets.push_back({lying, m_section, {}});
    m_y = body().top();
}

void PageFlow::freshSheet(bool lying)
{
    if (m_sheets.empty() || !m_sheets.back().marks.empty()) return startSheet(lying);
    m_sheets.back().lying = lying;
    m_y = body().top();
}

void PageFlow::setSection(const QString& title)
{
    m_section = title;
    if (!m_sheets.empty() && m_sheets.back().marks.empty()) m_sheets.back().section = title;
}

QRectF PageFlow::take(double height, double least)
{
    if (m_sheets.empty()) startSheet(false);
    if (std::max(height, least) > room() + 0.5 && !atTop()) startSheet(false);
    const QRectF place(body().left(), m_y, body().width(), height);
    m_y += height;
    return place;
}

void PageFlow::enter(const QString& title, int level) { m_entries.push_back({title, level, int(m_sheets.size()) - 1, m_y}); }

} // namespace hw::views::paper
