// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/twin/scene/camera.h"
#include "views/twin/scene/palette.h"

#include <memory>
#include <optional>
#include <span>

class vtkRenderer;

namespace hw::views::twin {

/// What is drawn, in this order. Each part holds one mesh per building.
enum class Part : std::uint8_t {
    Ground,
    Slab,
    Walls,
    Racks,
    Fronts,
    NearBoxes,
    NearFronts,
    Trays,
    Bundles,
    Drops,
    AirSlice,
    Marks,
    Tint,
    AirSurface
};
inline constexpr std::size_t kParts = 14;
/// Line sets; the last ones are drawn thicker.
enum class LinePart : std::uint8_t { Cables, HotCables, ChosenCables, Selection, AirPaths };
inline constexpr std::size_t kLineParts = 5;

/// The scene as VTK has it: a renderer with one actor per mesh. Knows no design, only arrays.
/// Lives on the thread of the GL context that draws its renderer.
class VtkScene {
public:
    VtkScene();
    ~VtkScene();

    void setMesh(Part part, std::size_t slot, Mesh mesh); ///< an empty mesh removes what was there
    /// One mesh per slot from 0 on; whatever the part had in later slots goes.
    void setMeshes(Part part, std::vector<Mesh> meshes);
    void setLines(LinePart part, LineMesh lines);
    /// Other colors for the things in a part's tinted meshes; nothing but color arrays is touched.
    void setColors(Part part, const ThingColors& things);
    /// The same for lines, one color for each.
    void setColors(LinePart part, std::span<const Rgba> lines);
    /// What was asked of it so far, for tests and benchmarks.
    struct Work {
        std::size_t meshes = 0; ///< with their geometry, of a part and slot
        std::size_t lines = 0;  ///< sets of lines with their geometry
        std::size_t colors = 0; ///< arrays of colors written again, and nothing else
    };
    [[nodiscard]] const Work& work() const;
    void setVisible(Part part, bool visible);
    /// One building's mesh of a part; shown only if the part is, too.
    void setVisible(Part part, std::size_t slot, bool visible);
    void setVisible(LinePart part, bool visible);
    void setTheme(const Palette& palette);
    /// RGBA, bottom row first, for the parts with fronts.
    void setFrontTexture(const std::uint8_t* rgba, int width, int height);
    /// The colors of the slice through the air: RGBA, one line.
    void setAirTexture(const std::vector<std::uint8_t>& rgba);
    /// Where the air that moves along streamlines is, in seconds; nothing: whole lines.
    void setFlowTime(std::optional<double> seconds);
    /// `shift`: by how many parts of the picture's size it is moved, for smoothing by several frames.
    void setCamera(const TwinCamera& camera, float aspect, std::array<double, 2> shift = {0, 0});
    void setLineScale(double deviceRatio);

    [[nodiscard]] vtkRenderer* renderer() const;
    /// To be called with the context current, before it goes.
    void releaseGraphics();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace hw::views::twin
