// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include "views/bridge/document_bridge.h" // EntityRef as a meta type
#include "views/power/one_line_painter.h"

namespace hw::views {

/// A one-line diagram on the screen. Knows no document; see OneLineView. GUI thread.
///
/// Mouse: a click picks, a click on the plus of a fold or a double click opens it, a double click folds an element with its like, dragging pans, the
/// wheel zooms. Keys: arrows move from box to box, Return opens or folds, + and - zoom, Home shows all, Escape lets go.
class OneLineCanvas : public QWidget {
    Q_OBJECT
public:
    explicit OneLineCanvas(QWidget* parent = nullptr);

    void setLine(OneLinePtr line, bool keepOpen) { setLine(std::move(line), keepOpen, std::nullopt); } ///< null shows nothing
    /// `readable`: how far it is open at first, where that is known already.
    void setLine(OneLinePtr line, bool keepOpen, std::optional<OneLineOpen> readable);
    [[nodiscard]] double readableWidth() const; ///< of a layout that can be read as a whole in the present size
    void setSelected(const std::vector<EntityRef>& entities);
    void setValues(std::shared_ptr<const OverlayValues> values);       ///< what is measured, or what a failure leaves; null: nothing
    void setFindings(std::shared_ptr<const OneLineFindings> findings); ///< of the line that is set; null: none
    [[nodiscard]] const OneLineLook& look() const { return m_look; }
    [[nodiscard]] const OneLineModelPtr& model() const { return m_model; } ///< null without a diagram
    [[nodiscard]] const OneLineOpen& open() const { return m_open; }
    void setOpen(OneLineOpen open);
    void toggle(std::uint32_t box);
    void foldAll();                                            ///< as far as it is readable
    void fit();                                                ///< everything, however small
    void reveal(EntityRef entity);                             ///< opens what hides it, and brings it near
    [[nodiscard]] std::uint32_t boxAt(QPointF position) const; ///< kNone
    [[nodiscard]] QRectF boxRect(std::uint32_t box) const { return m_camera.rect(m_layout, box); }
    [[nodiscard]] QSize sizeHint() const override { return {1000, 620}; }

signals:
    void picked(const std::vector<hw::EntityRef>& entities);
    void menuRequested(QPoint globalPosition); ///< of what was picked just before

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void rebuild();
    void aim();
    [[nodiscard]] bool opensAnew() const;
    [[nodiscard]] std::uint32_t markAt(QPointF position) const; ///< of a fold; kNone
    void pick(std::uint32_t box);
    void moveFocus(int key);
    void setHover(std::uint32_t box);
    void zoom(QPointF at, double factor);
    [[nodiscard]] std::vector<EntityRef> entitiesOf(std::uint32_t box) const;

    OneLinePtr m_line;
    OneLineModelPtr m_model;
    OneLineLayout m_layout;
    OneLineCamera m_camera;
    OneLineOpen m_open, m_opened; ///< now, and as far as it opened by itself
    double m_openedFor = 0;       ///< width that it opened for
    OneLineLook m_look;
    std::vector<EntityRef> m_picked;
    QPointF m_pressedAt, m_lastAt;
    bool m_pressed = false, m_panning = false, m_fitted = true, m_whole = false; ///< the camera follows the size; and shows everything
    bool m_markPressed = false;
};

} // namespace hw::views
