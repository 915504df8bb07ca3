// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/scene/air_meshes.h"

#include "views/style/value_colors.h"

#include <algorithm>

#include <vtkCellArray.h>
#include <vtkContourFilter.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>

namespace hw::views::twin {

namespace {

constexpr int kTexels = 1200;   ///< a multiple of the number of bands
constexpr double kBandK = 2.5;  ///< of temperatures
constexpr int kOtherBands = 20; ///< of other quantities
constexpr std::uint8_t kSurfaceAlpha = 120;

Vec3 onCampus(const float* point, const std::array<double, 3>& corner)
{
    return {point[0] + float(corner[0]), point[1] + float(corner[1]), point[2] + float(corner[2])};
}

void addVertex(Mesh& mesh, Vec3 at, Rgba color)
{
    mesh.positions.insert(mesh.positions.end(), at.begin(), at.end());
    mesh.colors.insert(mesh.colors.end(), {color.r, color.g, color.b, color.a});
}

} // namespace

std::vector<std::uint8_t> bandTexture(const ValueField& scale, bool dark)
{
    const int bands = scale.bands.empty() ? kOtherBands : std::max(1, int(std::lround((scale.high - scale.low) / kBandK)));
    std::vector<std::uint8_t> out;
    out.reserve(std::size_t(kTexels) * 4);
    for (int i = 0; i < kTexels; ++i) {
        const double place = (double(i * bands / kTexels) + 0.5) / bands;
        const Rgba color = rgb(valueRgb(scale, float(scale.low + place * (scale.high - scale.low)), dark));
        out.insert(out.end(), {color.r, color.g, color.b, color.a});
    }
    return out;
}

Mesh sliceMesh(const sim::air::Slice& slice, const ValueField& scale, const std::array<double, 3>& corner)
{
    Mesh mesh;
    mesh.reserve(slice.values.size() / 4);
    for (std::size_t i = 0; i < slice.values.size(); ++i) {
        addVertex(mesh, onCampus(&slice.points[3 * i], corner), {255, 255, 255, 255});
        mesh.places.insert(mesh.places.end(), {float(mapPlace(scale, slice.values[i])), 0.5f});
    }
    return mesh;
}

LineMesh pathLines(const std::vector<sim::air::AirPath>& paths, std::span<const float> values, const ValueField& scale,
                   const std::array<double, 3>& corner, bool dark)
{
    LineMesh lines;
    for (const sim::air::AirPath& path : paths) {
        lines.starts.push_back(std::uint32_t(lines.positions.size() / 3));
        lines.things.push_back(kNoThing);
        for (std::size_t i = 0; i < path.points.size(); ++i) {
            const Vec3 at = onCampus(path.points[i].data(), corner);
            const float value = i == 0 ? values[path.cells[0]] : (values[path.cells[i - 1]] + values[path.cells[i]]) / 2;
            const Rgba color = rgb(valueRgb(scale, value, dark));
            lines.positions.insert(lines.positions.end(), at.begin(), at.end());
            lines.colors.insert(lines.colors.end(), {color.r, color.g, color.b, color.a});
            lines.seconds.push_back(path.seconds[i]);
        }
    }
    return lines;
}

Mesh surfaceMesh(const sim::air::SurfaceCells& cells, double level, Rgba color, const std::array<double, 3>& corner)
{
    Mesh mesh;
    if (cells.values.empty()) return mesh;
    vtkNew<vtkPoints> points;
    vtkNew<vtkFloatArray> values;
    const auto count = vtkIdType(cells.values.size());
    points->SetNumberOfPoints(count);
    values->SetNumberOfValues(count);
    vtkNew<vtkCellArray> voxels;
    for (vtkIdType i = 0; i < count; ++i) {
        points->SetPoint(i, &cells.points[std::size_t(3 * i)]);
        values->SetValue(i, cells.values[std::size_t(i)]);
        if (i % 8 == 0) voxels->InsertNextCell(8);
        voxels->InsertCellPoint(i);
    }
    vtkNew<vtkUnstructuredGrid> grid;
    grid->SetPoints(points);
    grid->SetCells(VTK_VOXEL, voxels);
    grid->GetPointData()->SetScalars(values);
    vtkNew<vtkContourFilter> contour;
    contour->SetInputData(grid);
    contour->SetValue(0, level);
    contour->ComputeNormalsOff();
    contour->ComputeScalarsOff();
    contour->Update();
    vtkPolyData* surface = contour->GetOutput();
    color.a = kSurfaceAlpha;
    vtkNew<vtkIdList> corners;
    vtkCellArray* polygons = surface->GetPolys();
    polygons->InitTraversal();
    while (polygons->GetNextCell(corners)) {
        if (corners->GetNumberOfIds() != 3) continue;
        std::array<Vec3, 3> at{};
        for (int v = 0; v < 3; ++v) {
            std::array<double, 3> point{};
            surface->GetPoint(corners->GetId(v), point.data());
            at[std::size_t(v)] = {float(point[0] + corner[0]), float(point[1] + corner[1]), float(point[2] + corner[2])};
        }
        Vec3 normal = normalized(cross(at[1] - at[0], at[2] - at[0]));
        if (normal[2] < 0) normal = normal * -1;
        const Rgba lit = shade(color, faceLight(normal));
        for (const int v : {0, 1, 2, 2}) addVertex(mesh, at[std::size_t(v)], lit); // a triangle as a quadrilateral
        for (int i = 0; i < 16; ++i) mesh.places.push_back(0);
    }
    return mesh;
}

} // namespace hw::views::twin
