// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QScrollArea>

namespace hw::views {

/// A line of text that is cut with an ellipsis where there is no room, and never asks for any.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(const QString& text = {}, Qt::TextElideMode mode = Qt::ElideRight);
    void setText(const QString& text); ///< the whole text is the tool tip while it is cut
    [[nodiscard]] QString text() const { return m_text; }
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void noteCut();
    QString m_text;
    Qt::TextElideMode m_mode;
};

/// Holds a panel or form that may be larger than its place: then it scrolls. So nothing inside ever widens the
/// window, squeezes its neighbors or makes a dialog larger than the screen.
class FittingArea : public QScrollArea {
    Q_OBJECT
public:
    explicit FittingArea(QWidget* content);
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void giveHeight(); ///< texts that wrap need the more height the narrower they are
};

/// Gives a window the wanted size as far as its screen has room for it and its frame.
void fitToScreen(QWidget& window, QSize wanted);

} // namespace hw::views
