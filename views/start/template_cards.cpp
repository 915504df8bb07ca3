// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/start/template_cards.h"

#include "views/style/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QPixmapCache>
#include <QStyledItemDelegate>
#include <QTextLayout>

#include <algorithm>

namespace hw::views {
namespace {

enum CardRole { kName = Qt::UserRole, kTitle, kSummary, kPicture, kAbout };
constexpr int kSummaryLines = 3;

/// Text in a box, cut with an ellipsis after its last line.
void drawLines(QPainter& painter, const QRectF& box, const QString& text, int most)
{
    QTextLayout layout(text, painter.font());
    layout.beginLayout();
    const double height = painter.fontMetrics().height();
    for (int i = 0; i < most; ++i) {
        QTextLine line = layout.createLine();
        if (!line.isValid()) break;
        line.setLineWidth(box.width());
        const bool last = i + 1 == most && line.textStart() + line.textLength() < text.size();
        const QPointF at(box.left(), box.top() + i * height);
        if (last)
            painter.drawText(QRectF(at, QSizeF(box.width(), height)), Qt::AlignLeft,
                             painter.fontMetrics().elidedText(text.mid(line.textStart()), Qt::ElideRight, int(box.width())));
        else
            painter.drawText(QRectF(at, QSizeF(box.width(), height)), Qt::AlignLeft, text.mid(line.textStart(), line.textLength()));
    }
    layout.endLayout();
}

/// Read when it is first drawn: a start with a project shows none.
QPixmap pixmapOf(const QString& file)
{
    QPixmap pixmap;
    if (!QPixmapCache::find(file, &pixmap) && pixmap.load(file)) QPixmapCache::insert(file, pixmap);
    return pixmap;
}

class CardDelegate : public QStyledItemDelegate {
public:
    explicit CardDelegate(TemplateCards& cards) : QStyledItemDelegate(&cards), m_cards(cards) {}
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return m_cards.card(); }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& t = theme();
        const QRectF card = QRectF(option.rect).adjusted(space(1), space(1), -space(1), -space(1));
        const bool current = (option.state & QStyle::State_Selected) != 0, over = (option.state & QStyle::State_MouseOver) != 0;
        painter->save();
        painter->setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
        QPainterPath outline;
        outline.addRoundedRect(card, 7, 7);
        painter->fillPath(outline, over || current ? t.hover : t.raised);
        const QRectF picture(card.left(), card.top(), card.width(), card.width() * 9 / 16);
        painter->save();
        painter->setClipPath(outline);
        painter->fillRect(picture, t.canvas);
        if (const QPixmap pixmap = pixmapOf(index.data(kPicture).toString()); !pixmap.isNull()) painter->drawPixmap(picture, pixmap, pixmap.rect());
        painter->restore();
        const bool focus = current && m_cards.hasFocus();
        painter->setPen(QPen(focus ? t.accent : current ? t.borderStrong : t.border, focus ? 2 : 1));
        painter->drawPath(outline);
        QRectF text = card.adjusted(space(2), picture.height() + space(1), -space(2), 0);
        painter->setFont(scaledFont(1.0, QFont::DemiBold));
        painter->setPen(t.text);
        drawLines(*painter, text, index.data(kTitle).toString(), 1);
        text.setTop(text.top() + painter->fontMetrics().height() + 2);
        painter->setFont(scaledFont(0.9));
        painter->setPen(t.textDim);
        drawLines(*painter, text, index.data(kSummary).toString(), kSummaryLines);
        painter->restore();
    }

private:
    TemplateCards& m_cards;
};

} // namespace

TemplateCards::TemplateCards()
{
    setObjectName("startTemplates");
    setAccessibleName(tr("Templates"));
    setViewMode(QListView::IconMode);
    setMovement(QListView::Static);
    setResizeMode(QListView::Adjust);
    setUniformItemSizes(true);
    setMouseTracking(true);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setItemDelegate(new CardDelegate(*this));
    connect(this, &QListWidget::itemClicked, this, [this](const QListWidgetItem* item) { emit chosen(item->data(kName).toString()); });
    arrange();
}

void TemplateCards::setTemplates(const std::vector<StartTemplate>& templates)
{
    clear();
    for (const StartTemplate& t : templates) {
        auto* item = new QListWidgetItem;
        item->setData(kName, t.name);
        item->setData(kTitle, t.title);
        item->setData(kSummary, t.summary);
        item->setData(kPicture, t.picture);
        item->setData(kAbout, t.name + " " + t.title + " " + t.summary);
        item->setData(Qt::AccessibleTextRole, t.title);
        item->setToolTip(t.summary);
        addItem(item);
    }
}

int TemplateCards::filter(const QString& words)
{
    const QStringList wanted = words.split(' ', Qt::SkipEmptyParts);
    int left = 0;
    QListWidgetItem* first = nullptr;
    for (int i = 0; i < count(); ++i) {
        const QString about = item(i)->data(kAbout).toString();
        const bool found = std::ranges::all_of(wanted, [&](const QString& word) { return about.contains(word, Qt::CaseInsensitive); });
        item(i)->setHidden(!found);
        if (found && left++ == 0) first = item(i);
    }
    setCurrentItem(wanted.isEmpty() ? nullptr : first); // Return takes it
    return left;
}

void TemplateCards::keyPressEvent(QKeyEvent* event)
{
    const bool takes = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (takes && currentItem() && !currentItem()->isHidden()) return emit chosen(currentItem()->data(kName).toString());
    QListWidget::keyPressEvent(event);
}

void TemplateCards::focusInEvent(QFocusEvent* event)
{
    QListWidget::focusInEvent(event);
    if (event->reason() == Qt::MouseFocusReason || currentItem()) return;
    for (int i = 0; i < count() && !currentItem(); ++i)
        if (!item(i)->isHidden()) setCurrentItem(item(i));
}

void TemplateCards::resizeEvent(QResizeEvent* event)
{
    arrange();
    QListWidget::resizeEvent(event);
}

void TemplateCards::changeEvent(QEvent* event)
{
    QListWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) arrange();
}

void TemplateCards::arrange()
{
    const int room = std::max(1, viewport()->width() - 2), least = fontMetrics().averageCharWidth() * 34;
    const int width = room / std::max(1, room / least);
    const int lines = fontMetrics().height() * (1 + kSummaryLines) + space(3);
    const QSize card(width, (width - 2 * space(1)) * 9 / 16 + lines + 2 * space(1));
    if (card == m_card) return;
    m_card = card;
    setGridSize(card);
}

} // namespace hw::views
