// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/twin/twin_view.h"
#include "views/twin/widget/overlay.h"
#include "views/twin/widget/smoother.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QThreadPool>
#include <QTimer>

#include <atomic>
#include <optional>

namespace hw::views {

/// What a worker makes of the air of a hall.
struct PreparedAir {
    std::vector<float> values; ///< by cell
    ValueField scale;
    twin::LineMesh paths;
    twin::Mesh surface;
};

inline constexpr std::size_t kWorkerRacks = 1200; ///< designs above are built in the worker

/// What a TwinView keeps; split off so that drawing and input are files of their own.
struct TwinView::Private {
    explicit Private(TwinView& view);
    ~Private();

    TwinView& q;
    twin::TwinScene scene;
    twin::GlHost host{scene.vtk()};
    twin::Smoother smoother;
    twin::Overlay overlay;
    TwinCamera camera;
    TwinStatistics statistics;

    // What was asked for; the scene follows when its arrays are ready.
    FiguresPtr wanted;
    std::shared_ptr<const sim::FlowResult> loads;
    std::vector<bool> networkHidden;
    std::shared_ptr<const OverlayValues> values; ///< null: kinds
    std::shared_ptr<const std::vector<twin::Rgba>> rackColors;
    bool dark = false, homed = false, drawn = false;
    QThreadPool worker;
    std::atomic<std::uint64_t> request{0};      ///< late results of older requests are dropped
    bool summing = false, summingAgain = false; ///< loads are summed in the worker; others wait
    std::uint64_t building = 0;                 ///< the request of a whole scene that is under way; 0: none

    // The air of a hall.
    TwinAir air;
    PreparedAir airShown; ///< its values belong to `air.air` once the worker is done
    std::atomic<std::uint64_t> airRequest{0};
    QTimer flowTimer;
    QElapsedTimer flowClock;
    bool slicing = false, overHandle = false; ///< the slice is dragged; the cursor is on its handle

    // Drawing.
    bool dirty = true;     ///< the 3D picture no longer fits the scene or camera
    double fraction = 1;   ///< of the resolution while the camera moves
    QImage finalPicture;   ///< the smoothed picture of a resting camera
    QTimer rest;           ///< fires when the camera has come to rest
    QElapsedTimer colored; ///< since the colors changed last
    std::vector<QMetaObject::Connection> contextConnections;

    // Flights and drags.
    struct Flight {
        TwinCamera from, to;
        QElapsedTimer clock;
    };
    std::optional<Flight> flight;
    Qt::MouseButton button = Qt::NoButton;
    bool panning = false, dragged = false;
    QPointF pressed, last;
    twin::Vec3 pivot{};
    QTimer hoverTimer;
    QPointF hoverAt;
    double wheelRest = 0;

    void build(std::shared_ptr<const ChangeSet> changes);
    void recolor();    ///< the loads changed, nothing else
    void colorRacks(); ///< the values or the theme changed
    void readColors();
    void redrawSoon(); ///< other colors: as while the camera moves, where they come one after the other
    void adopt(twin::PreparedScene prepared);
    void adopt(std::uint64_t number, twin::PreparedLoads* preparedOrNull);
    void prepareAir();
    void adoptAir(PreparedAir made);
    void showSlice();
    void showAirLegend();
    void runFlow();
    void stepFlow();
    [[nodiscard]] std::optional<twin::Vec3> sliceHandle() const;
    [[nodiscard]] bool onHandle(QPointF at) const;
    void dragSlice(QPointF by);
    void attach();
    void release();
    [[nodiscard]] QSize pixels() const; ///< device pixels
    [[nodiscard]] twin::CameraFrame frame() const;
    [[nodiscard]] float aspect() const;
    void redraw(); ///< the scene changed
    void setCamera(const TwinCamera& camera);
    void flyTo(const TwinCamera& target);
    void stepFlight();
    void drawMoving();
    void drawStill();
    [[nodiscard]] twin::Pick pickAt(QPointF at) const;
    void grabPivot(QPointF at);
    void drag(QPointF to);
    void pan(QPointF from, QPointF to);
    void updateHover();
};

} // namespace hw::views
