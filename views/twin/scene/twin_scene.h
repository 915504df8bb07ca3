// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/overlays/overlays.h"
#include "views/twin/scene/build.h"
#include "views/twin/scene/picking.h"
#include "views/twin/scene/vtk_scene.h"

namespace hw::views::twin {

/// What is to be shown, and how: everything that building the arrays depends on.
struct SceneRequest {
    FiguresPtr figures;
    FactsPtr before;                          ///< with `changes`: the facts that these follow
    std::shared_ptr<const ChangeSet> changes; ///< null: from nothing
    std::shared_ptr<const sim::FlowResult> loads;
    std::vector<bool> networkHidden;
    std::shared_ptr<const std::vector<Rgba>> rackColors; ///< see valueColors; null: by what stands in them
    bool dark = false;
};

/// The arrays of a request, ready to be handed to VTK. Made on any thread.
struct PreparedScene {
    FiguresPtr figures;
    FactsPtr facts;
    SceneLoads loads;
    std::vector<std::pair<Part, std::vector<Mesh>>> meshes; ///< one mesh per building and one more
    std::vector<CableId> hot;                               ///< most loaded first
    LineMesh hotCables;                                     ///< the same as lines
    std::size_t bundles = 0;
    bool dark = false;
};
[[nodiscard]] PreparedScene prepare(const SceneRequest& request);

/// Only what changes with the loads of the same figures: colors, and which links are marked as the hottest. A
/// frame of a time line makes nothing else again.
struct PreparedLoads {
    SceneLoads loads;
    std::vector<Rgba> sections; ///< by section, of its bundle
    std::vector<CableId> hot;
    LineMesh hotCables;
};
[[nodiscard]] PreparedLoads prepareLoads(const Figures& figures, const SceneFacts& facts, std::shared_ptr<const sim::FlowResult> loads,
                                         const std::vector<bool>& networkHidden, bool dark);

/// A name that floats over what it names.
struct Label {
    enum class Kind : std::uint8_t { Building, Cell, Row, Rack } kind = Kind::Row;
    Vec3 at{}, other{}; ///< the other end of a row; the nearer one is used
    float size = 1;     ///< of what it names, meters: labels of small things show near by only
    std::string text;
};

/// The 3D scene of a design: what is selected, hovered and near enough for details. Knows neither Qt
/// nor the window. Lives on the thread of its GL context.
class TwinScene {
public:
    TwinScene();

    void adopt(PreparedScene prepared);
    void adopt(PreparedLoads prepared); ///< of the same figures, networks and theme
    void setLoadsMark(std::string whose, bool stale);
    void setSelection(EntityRef entity);
    /// Other colors for the racks, by rack id, and nothing else made again; null: by what stands in them.
    void setRackColors(const std::shared_ptr<const std::vector<Rgba>>& colors);
    /// Values of trays color what runs in them; null, or without such values: by network or load.
    void setTrayValues(std::shared_ptr<const OverlayValues> values);
    void setCablesShown(bool shown);                      ///< the cables of the selection, in its color
    void setHover(EntityRef entity) { m_hover = entity; } ///< drawn by the widget over the picture
    void setLayerVisible(TwinLayer layer, bool visible);
    [[nodiscard]] bool layerVisible(TwinLayer layer) const { return m_visible[std::size_t(layer)]; }
    /// Chooses what is near enough for devices and single cables; true when that changed.
    bool updateDetail(const CameraFrame& frame);
    [[nodiscard]] Pick pick(const CameraFrame& frame, float x, float y) const;
    [[nodiscard]] Aabb placeOf(EntityRef entity) const;
    /// From where an entity is looked at best: racks and devices from their front.
    /// From where all shown cables of the selection are seen.
    [[nodiscard]] std::optional<TwinCamera> cameraForCables(const TwinCamera& now, float aspect) const;
    [[nodiscard]] std::optional<TwinCamera> cameraFor(EntityRef entity, const TwinCamera& now, float aspect) const;
    [[nodiscard]] TwinCamera preset(TwinPreset preset, float aspect) const;
    [[nodiscard]] std::vector<Label> labels(const CameraFrame& frame) const;

    [[nodiscard]] VtkScene& vtk() { return m_vtk; }
    [[nodiscard]] const FiguresPtr& figures() const { return m_figures; }
    [[nodiscard]] const FactsPtr& facts() const { return m_facts; }
    [[nodiscard]] const SceneLoads& loads() const { return m_loads; }
    [[nodiscard]] EntityRef selection() const { return m_selection; }
    [[nodiscard]] EntityRef hover() const { return m_hover; }
    [[nodiscard]] bool dark() const { return m_dark; }
    [[nodiscard]] const TwinStatistics& counts() const { return m_counts; }
    void setNetworkHidden(std::vector<bool> hidden) { m_networkHidden = std::move(hidden); }

private:
    void dropWhatIsGone();
    void markSelection();
    void addRowLabels(const CameraFrame& frame, std::vector<Label>& labels) const;
    [[nodiscard]] std::string shortName(const std::string& name) const;
    void showCables();
    void recolorCables();
    void recolorSections();
    void showNear();
    void showDistant();
    [[nodiscard]] CableLook cableLook() const { return {&m_loads, m_networkHidden, m_dark}; }

    VtkScene m_vtk;
    FiguresPtr m_figures;
    FactsPtr m_facts;
    SceneLoads m_loads;
    std::shared_ptr<const OverlayValues> m_trayValues; ///< null: none
    std::string m_loadsOf;
    bool m_loadsStale = false;
    EntityRef m_selection, m_hover;
    std::array<bool, kTwinLayers> m_visible{};
    std::vector<bool> m_networkHidden;
    bool m_dark = false, m_cablesShown = false;
    std::vector<RackId> m_near, m_nearest; ///< with devices; with single cables
    std::vector<std::uint8_t> m_distance;  ///< by building: 0 near, 1 without drops, 2 without fronts, 3 without trays
    std::vector<CableId> m_cables;         ///< drawn one by one
    std::vector<std::uint32_t> m_lines;    ///< those of them that have a line, in order
    std::vector<CableId> m_hot;
    TwinStatistics m_counts;
};

} // namespace hw::views::twin
