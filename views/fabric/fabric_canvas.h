// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include "views/bridge/document_bridge.h" // EntityRef as a meta type
#include "views/fabric/fabric_painter.h"

#include <QPixmap>
#include <QVariantAnimation>

namespace hw::views {

/// A network on the screen: unfolds and folds, zooms, pans, hovers and picks. Knows no document, so that it
/// can stand in a dialog as well; see FabricView for the one beside the twin. GUI thread.
///
/// Mouse: a click picks, a double click opens (a click on a title folds), dragging pans, the wheel zooms
/// along x at the cursor, with Ctrl along y, with Shift it pans. Keys: arrows move from box to box, Return
/// opens or folds, Backspace folds what is around, + and - zoom, Home shows all, F what is picked, Escape lets go.
class FabricCanvas : public QWidget {
    Q_OBJECT
public:
    explicit FabricCanvas(QWidget* parent = nullptr);
    ~FabricCanvas() override;

    /// Makes the index here and now and shows it; for small designs and dialogs. The first network when `network` is empty.
    void showSnapshot(const SnapshotPtr& snapshot, const std::string& network = {});
    /// Shows a network; what was open stays so as far as it still exists. Null shows nothing.
    void setIndex(FabricIndexPtr index);
    void setLoads(std::shared_ptr<const sim::FlowResult> flows); ///< null: none
    void setLoadsMark(const QString& whose, bool stale);         ///< for the legend
    void setValues(std::shared_ptr<const OverlayValues> values); ///< for FabricColor::Values
    void setColor(FabricColor color);
    void setLaneHidden(int lane, bool hide);
    /// Marks devices whose name holds every word; gives how many. An empty text marks nothing.
    std::size_t setFilter(const QString& words);
    void setSelected(std::vector<char> members); ///< by member; empty: nothing
    void setAnimated(bool animated) { m_animated = animated; }

    [[nodiscard]] const FabricModelPtr& model() const { return m_model; } ///< null without an index
    [[nodiscard]] const FabricLook& look() const { return m_look; }
    [[nodiscard]] const FabricOpen& open() const { return m_open; }
    void setOpen(FabricOpen open, const FabricKey* anchor = nullptr); ///< what stands at the anchor stays in place
    void toggle(const FabricKey& key);                                ///< opens or folds a column, group or device
    void foldAll();
    void fit();
    void reveal(std::uint32_t member); ///< opens what hides a device, and brings it near
    void zoomTo(const FabricKey& key); ///< a column or box fills the view
    void stepZoom(double factor);

    struct Crumb {
        QString title;
        FabricKey key;
    };
    [[nodiscard]] std::vector<Crumb> crumbs() const; ///< from the network to where the keyboard is

    struct Hit {
        enum class Kind { None, Box, Title, Column, Bundle, Port, Legend } kind = Kind::None;
        int index = -1; ///< box, column, bundle or lane
        PortId port;
        friend bool operator==(const Hit&, const Hit&) = default;
    };
    [[nodiscard]] Hit hitAt(QPointF position) const;
    [[nodiscard]] QRectF boxRect(int box) const { return m_geometry.rect(*m_model, m_shown, box); }
    [[nodiscard]] QRectF headerRect(int column) const { return FabricPainter::headerRect(*m_model, m_shown, m_geometry, column); }
    [[nodiscard]] const FabricGeometry& geometry() const { return m_geometry; }
    [[nodiscard]] const FabricLayout& layoutShown() const { return m_shown; }
    [[nodiscard]] FabricCard card() const; ///< of what is hovered; empty title for nothing
    [[nodiscard]] QSize sizeHint() const override { return {1000, 620}; }

signals:
    void picked(const std::vector<hw::EntityRef>& entities);
    void menuRequested(QPoint globalPosition); ///< of what was picked just before
    void focusMoved();
    void looksChanged(); ///< lanes hidden or shown from the legend

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rebuild(bool animate);
    void animateTo(FabricGeometry target);
    void onStep(double t);
    void refresh(); ///< everything but the hover is drawn again
    void setHover(const Hit& hit);
    void setFocusKey(const FabricKey& key);
    void openMenu(QMouseEvent* event);
    void pickBox(int box);
    void pickBundle(int bundle);
    void moveFocus(int key);
    void bringNear(const FabricKey& key);
    [[nodiscard]] std::vector<EntityRef> entitiesOf(const FabricBox& box) const;
    [[nodiscard]] std::optional<FabricLayout::Span> spanOf(const FabricKey& key, const FabricLayout& layout) const;

    FabricModelPtr m_model, m_before;
    FabricLayout m_layout, m_layoutBefore, m_shown; ///< the aim, the start, and the one on the screen
    FabricGeometry m_geometry, m_from, m_to;
    FabricRoutes m_routes;
    FabricOpen m_open;
    FabricLook m_look;
    std::shared_ptr<const sim::FlowResult> m_flows;
    QVariantAnimation m_animation;
    QPixmap m_still; ///< the last frame without what follows the cursor
    Hit m_hover;
    QPointF m_cursor, m_pressedAt, m_lastAt;
    bool m_pressed = false, m_panning = false, m_animated = true, m_dirty = true;
    bool m_fitted = true, m_fitting = false; ///< everything is in view and stays so; the camera is on its way there
};

/// Members that belong to the entities: devices, what they stand in, their ports, links, cables, tiers.
[[nodiscard]] std::vector<char> fabricMembers(const FabricIndex& index, const std::vector<EntityRef>& entities);

} // namespace hw::views
