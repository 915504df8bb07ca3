// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/property_list.h"

#include "views/style/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace hw::views {
namespace {

QColor trustColor(char trust)
{
    switch (trust) {
    case 'A': return theme().ok;
    case 'B': return theme().accent;
    case 'C': return theme().warning;
    default: return theme().textDim;
    }
}

QString trustText(char trust)
{
    switch (trust) {
    case 'A': return QObject::tr("From a vendor’s or standard’s document");
    case 'B': return QObject::tr("From a secondary source");
    case 'C': return QObject::tr("Assumed");
    default: return QObject::tr("Derived from other values");
    }
}

} // namespace

PropertyList::PropertyList(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Properties of the selection"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    setSizePolicy(policy);
}

void PropertyList::setSections(std::vector<PropertySection> sections)
{
    m_hover = nullptr;
    m_sections = std::move(sections);
    updateGeometry();
    setMinimumHeight(sizeHint().height());
    update();
}

double PropertyList::lineHeight() const { return fontMetrics().height() * 1.42; }

std::vector<PropertyList::Line> PropertyList::lines() const
{
    std::vector<Line> result;
    double y = space(1);
    for (const auto& section : m_sections) {
        if (section.rows.empty()) continue;
        result.push_back({nullptr, &section, QRectF(0, y, width(), lineHeight() * 1.15)});
        y += lineHeight() * 1.15;
        for (const auto& row : section.rows) {
            result.push_back({&row, &section, QRectF(0, y, width(), lineHeight())});
            y += lineHeight();
        }
        y += space(2);
    }
    return result;
}

QSize PropertyList::sizeHint() const
{
    const auto all = lines();
    return {240, all.empty() ? 10 : int(all.back().rect.bottom()) + space(2)};
}

QRectF PropertyList::linkRect(EntityRef link) const
{
    for (const auto& line : lines())
        if (line.property && line.property->link == link) return line.rect;
    return {};
}

void PropertyList::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& line : lines()) drawLine(painter, line);
}

void PropertyList::drawLine(QPainter& painter, const Line& line) const
{
    const QRectF inside = line.rect.adjusted(space(3), 0, -space(3), 0);
    if (!line.property) {
        painter.setPen(theme().border);
        painter.drawLine(QPointF(inside.left(), line.rect.bottom() - 2), QPointF(inside.right(), line.rect.bottom() - 2));
        painter.setFont(scaledFont(0.9, QFont::DemiBold));
        painter.setPen(theme().textDim);
        painter.drawText(inside.adjusted(0, 0, 0, -3), Qt::AlignLeft | Qt::AlignBottom, line.section->title);
        return;
    }
    const Property& p = *line.property;
    const double badge = p.trust ? fontMetrics().height() + 2 : 0;
    const double labelWidth = std::min(inside.width() * 0.44, fontMetrics().horizontalAdvance(p.label) + 8.0);
    painter.setFont(font());
    painter.setPen(theme().textDim);
    painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(p.label, Qt::ElideRight, int(inside.width() * 0.5)));
    const bool hot = p.link && m_hover == &p;
    if (p.link) {
        QFont link = font();
        link.setUnderline(hot);
        painter.setFont(link);
    }
    painter.setPen(p.link ? theme().accent : theme().text);
    const QRectF value = inside.adjusted(labelWidth + 6, 0, -badge, 0);
    painter.drawText(value, Qt::AlignRight | Qt::AlignVCenter, fontMetrics().elidedText(p.value, Qt::ElideMiddle, int(value.width())));
    if (!p.trust) return;
    const double side = fontMetrics().height() * 0.85;
    const QRectF chip(inside.right() - side, inside.center().y() - side / 2, side, side);
    QColor back = trustColor(p.trust);
    back.setAlphaF(0.18f);
    painter.setPen(Qt::NoPen);
    painter.setBrush(back);
    painter.drawRoundedRect(chip, 3, 3);
    painter.setFont(scaledFont(0.78, QFont::DemiBold));
    painter.setPen(trustColor(p.trust));
    painter.drawText(chip, Qt::AlignCenter, QString(QChar(p.trust)));
}

const Property* PropertyList::at(QPointF position) const
{
    for (const auto& line : lines())
        if (line.property && line.rect.contains(position)) return line.property;
    return nullptr;
}

void PropertyList::mouseMoveEvent(QMouseEvent* event)
{
    m_hover = at(event->position());
    setCursor(m_hover && m_hover->link ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void PropertyList::mouseReleaseEvent(QMouseEvent* event)
{
    if (const Property* p = at(event->position()); p && p->link) emit linkActivated(EntityRef(p->link));
}

void PropertyList::keyPressEvent(QKeyEvent* event)
{
    std::vector<const Property*> links;
    for (const auto& line : lines())
        if (line.property && line.property->link) links.push_back(line.property);
    const auto current = std::ranges::find(links, m_hover) - links.begin();
    if ((event->key() == Qt::Key_Down || event->key() == Qt::Key_Up) && !links.empty()) {
        const auto last = std::ptrdiff_t(links.size()) - 1;
        const auto next = m_hover ? current + (event->key() == Qt::Key_Down ? 1 : -1) : 0;
        m_hover = links[std::size_t(std::clamp<std::ptrdiff_t>(next, 0, last))];
        update();
    } else if (event->key() == Qt::Key_Return && m_hover && m_hover->link) {
        emit linkActivated(EntityRef(m_hover->link));
    } else {
        QWidget::keyPressEvent(event);
    }
}

bool PropertyList::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const Property* p = at(help->pos());
        QString tip;
        if (p && p->trust)
            tip = QString("%1: %2\n%3\n%4").arg(p->label, p->value, trustText(p->trust), p->source);
        else if (p)
            tip = p->source.isEmpty() ? p->value : p->source;
        QToolTip::showText(help->globalPos(), tip, this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace hw::views
