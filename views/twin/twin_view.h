// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QOpenGLWidget>

#include "core/derived/figures/figures.h"
#include "core/foundation/catalog/entity.h"
#include "core/operations/overlays/overlays.h"
#include "simulation/result.h"
#include "views/twin/air.h"
#include "views/twin/layers.h"

#include <memory>

namespace hw::views {

/// The 3D twin: buildings, halls, rows, racks with their devices, trays and cables, in meters.
/// Lives on the GUI thread; draws only after something changed (camera, scene, theme, size).
///
/// Mouse: left drag orbits around the point under the cursor, middle, right or shift + left drag pans,
/// the wheel zooms to the cursor, a click picks, a double click zooms. Keys: arrows orbit (with shift
/// they pan), + and - zoom, Home, T (top), R (front), F zooms to the selection, Escape stops a flight.
class TwinView : public QOpenGLWidget {
    Q_OBJECT
public:
    explicit TwinView(QWidget* parent = nullptr);
    ~TwinView() override;

    /// To be called once, before the QApplication is made: GL integration, surface format, shared contexts.
    static void prepareApplication();
    /// False where the platform has no OpenGL (offscreen, minimal, vnc …): a TwinView must not be shown
    /// there, because Qt itself would crash. Needs a QGuiApplication.
    [[nodiscard]] static bool available();

    /// What to show. With the changes of the one commit since the figures shown before, only what moved
    /// is made again; without them everything is, and the first figures move the camera home.
    void setFigures(hw::FiguresPtr figures, std::shared_ptr<const hw::ChangeSet> changesOrNull = nullptr);
    /// The next figures are of other places than those shown: the camera goes home when they are drawn.
    void goHomeWithNext();
    void setSelection(hw::EntityRef entity); ///< highlighted; the camera stays
    void zoomTo(hw::EntityRef entity);       ///< animated; nothing for entities without a place
    void setCablesShown(bool shown);         ///< marks the cables of the selection and flies to where all are seen
    /// Colors bundles and cables by the more loaded direction; null goes back to plain colors.
    /// A result of another revision is shown as far as its links still exist.
    void setLoads(std::shared_ptr<const hw::sim::FlowResult> resultOrNull);
    /// Colors racks by these values and explains them; null or "kind" goes back to what stands in them. No mesh is
    /// made again, so that values may change many times a second.
    void setOverlay(std::shared_ptr<const hw::OverlayValues> valuesOrNull);
    /// The air of a hall: slice, streamlines, surface. The slice has a handle that is dragged along its axis.
    void setAir(const TwinAir& air);
    void setLoadsMark(const QString& whose, bool stale); ///< said in the legend
    void setLayerVisible(TwinLayer layer, bool visible);
    [[nodiscard]] bool layerVisible(TwinLayer layer) const;
    /// Bundles and single cables of one network, for several networks over one floor.
    void setNetworkVisible(hw::NetworkId network, bool visible);
    void setDark(bool dark);
    void setView(TwinPreset preset); ///< animated once something has been drawn

    [[nodiscard]] QImage grabImage();                         ///< the view as shown, in device pixels, at final quality
    [[nodiscard]] hw::EntityRef pick(QPointF position) const; ///< what stands at a place of the widget
    [[nodiscard]] hw::EntityRef selection() const;
    [[nodiscard]] TwinStatistics statistics() const;
    [[nodiscard]] std::optional<QPointF> sliceHandle() const; ///< where the slice through the air is taken hold of; nothing: not in the picture
    /// For benchmarks and tests: azimuth and elevation in degrees, distance in meters, focus on the campus.
    void setCamera(const TwinCamera& camera);
    [[nodiscard]] TwinCamera camera() const;
    [[nodiscard]] QSize sizeHint() const override { return {900, 620}; }

signals:
    void picked(hw::EntityRef entity);                               ///< None when the click hit nothing
    void activated(hw::EntityRef entity);                            ///< double click or Return
    void hovered(hw::EntityRef entity);                              ///< None when the cursor leaves everything
    void menuRequested(hw::EntityRef entity, QPoint globalPosition); ///< right click without a drag, or the menu key
    void sliceDragged(double at);                                    ///< m from the corner of the room
    void frameDrawn();                                               ///< after each 3D frame, for benchmarks and tests

protected:
    void initializeGL() override;
    void resizeGL(int width, int height) override;
    void paintGL() override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace hw::views
