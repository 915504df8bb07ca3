// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/scene/vtk_scene.h"

#include <map>

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkOpenGLPolyDataMapper.h>
#include <vtkOpenGLVertexBufferObject.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkShaderProperty.h>
#include <vtkTexture.h>
#include <vtkTypeInt32Array.h>
#include <vtkUniforms.h>
#include <vtkUnsignedCharArray.h>

#include <fmt/format.h>

namespace hw::views::twin {

namespace {

/// Draws a face's edges one pixel wide at any distance, fading where faces get too small for it.
constexpr const char* kEdgeCode = R"(
  if (placeVC.z > 0.0) {
    vec2 px = max(fwidth(placeVC.xy), vec2(1e-6));
    vec2 rim = min(placeVC.xy, placeVC.zw - placeVC.xy) / px;
    vec2 room = clamp(placeVC.zw / px / 6.0 - 0.5, 0.0, 1.0);
    vec2 line = (1.0 - smoothstep(0.4, 1.4, rim)) * room;
    fragOutput0.rgb *= 1.0 - 0.30 * max(line.x, line.y);
  }
)";

/// A grid of 10 m with finer lines of 2 m, smoothed by the pixel's size, and a fade to the horizon.
constexpr const char* kGroundCode = R"(
  vec2 px = max(fwidth(groundVC.xy), vec2(1e-6));
  vec2 coarse = abs(fract(groundVC.xy / 10.0 - 0.5) - 0.5) * 10.0 / px;
  vec2 fine = abs(fract(groundVC.xy / 2.0 - 0.5) - 0.5) * 2.0 / px;
  float lines = max((1.0 - smoothstep(0.3, 1.3, min(coarse.x, coarse.y))) * clamp(5.0 / max(px.x, px.y) * 0.1, 0.0, 1.0),
                    (1.0 - smoothstep(0.3, 1.3, min(fine.x, fine.y))) * 0.35 * clamp(0.08 / max(px.x, px.y) - 0.4, 0.0, 1.0));
  float far = smoothstep(0.06, 0.34, length(groundVC.xy - groundCenter) / groundSize);
  fragOutput0.rgb = mix(mix(fragOutput0.rgb, groundLine, lines * 0.9), groundFar, far);
)";

/// Streaks that move along a streamline as fast as its air: what is between them is left out.
constexpr const char* kFlowCode = R"( // no text
  if (flowTime >= 0.0) {
    float along = fract((secondsVC - flowTime) / 1.5);
    if (along < 0.55) discard;
    fragOutput0.rgb *= 0.35 + 0.65 * along;
  }
)";

vtkSmartPointer<vtkCellArray> cells(const std::vector<vtkTypeInt32>& offsets, const std::vector<vtkTypeInt32>& connectivity)
{
    const auto array = [](const std::vector<vtkTypeInt32>& from) {
        vtkNew<vtkTypeInt32Array> a;
        a->SetNumberOfValues(vtkIdType(from.size()));
        std::copy(from.begin(), from.end(), a->GetPointer(0));
        return vtkSmartPointer<vtkTypeInt32Array>(a.Get());
    };
    vtkNew<vtkCellArray> result;
    result->SetData(array(offsets), array(connectivity));
    return result.Get();
}

/// One actor with arrays that it borrows from the mesh it keeps.
struct Batch {
    Mesh mesh;
    LineMesh lines;
    bool shown = true;
    vtkNew<vtkPolyData> data;
    vtkNew<vtkOpenGLPolyDataMapper> mapper;
    vtkNew<vtkActor> actor;

    Batch()
    {
        mapper->SetInputData(data);
        mapper->SetScalarModeToUsePointData();
        mapper->SetColorModeToDirectScalars();
        mapper->SetVBOShiftScaleMethod(vtkOpenGLVertexBufferObject::DISABLE_SHIFT_SCALE);
        actor->SetMapper(mapper);
        actor->GetProperty()->LightingOff();
        actor->GetProperty()->SetAmbient(1);
        actor->GetProperty()->SetDiffuse(0);
    }

    void lend(std::vector<float>& positions, std::vector<std::uint8_t>& colors)
    {
        vtkNew<vtkFloatArray> coordinates;
        coordinates->SetNumberOfComponents(3);
        coordinates->SetArray(positions.data(), vtkIdType(positions.size()), 1);
        vtkNew<vtkPoints> points;
        points->SetData(coordinates);
        data->SetPoints(points);
        vtkNew<vtkUnsignedCharArray> rgba;
        rgba->SetNumberOfComponents(4);
        rgba->SetArray(colors.data(), vtkIdType(colors.size()), 1);
        rgba->SetName("color");
        data->GetPointData()->SetScalars(rgba);
    }

    /// The arrays are lent, so that VTK has other colors in the same place: their upload is all that is left to do.
    void colorsChanged()
    {
        data->GetPointData()->GetScalars()->Modified();
        data->Modified();
    }

    void lendSeconds()
    {
        vtkNew<vtkFloatArray> seconds;
        seconds->SetArray(lines.seconds.data(), vtkIdType(lines.seconds.size()), 1);
        seconds->SetName("seconds");
        data->GetPointData()->AddArray(seconds);
    }

    void lendPlaces(int components, const char* name)
    {
        vtkNew<vtkFloatArray> places;
        places->SetNumberOfComponents(components);
        places->SetArray(mesh.places.data(), vtkIdType(mesh.places.size()), 1);
        places->SetName(name);
        data->GetPointData()->AddArray(places);
    }
};

void fillQuads(Batch& b, Mesh mesh, bool textured)
{
    b.mesh = std::move(mesh);
    const std::size_t quads = b.mesh.quads();
    std::vector<vtkTypeInt32> offsets(2 * quads + 1), connectivity(6 * quads);
    for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = vtkTypeInt32(3 * i);
    static constexpr int kCorner[6] = {0, 1, 2, 0, 2, 3};
    for (std::size_t i = 0; i < connectivity.size(); ++i) connectivity[i] = vtkTypeInt32(4 * (i / 6)) + kCorner[i % 6];
    b.data->Initialize();
    b.lend(b.mesh.positions, b.mesh.colors);
    if (textured) {
        b.lendPlaces(2, "uv");
        b.data->GetPointData()->SetActiveTCoords("uv");
    } else {
        b.lendPlaces(4, "place");
    }
    b.data->SetPolys(cells(offsets, connectivity));
    b.data->Modified();
}

void fillLines(Batch& b, LineMesh lines)
{
    b.lines = std::move(lines);
    const auto points = b.lines.positions.size() / 3;
    std::vector<vtkTypeInt32> offsets(b.lines.starts.begin(), b.lines.starts.end()), connectivity(points);
    offsets.push_back(vtkTypeInt32(points));
    for (std::size_t i = 0; i < points; ++i) connectivity[i] = vtkTypeInt32(i);
    b.data->Initialize();
    b.lend(b.lines.positions, b.lines.colors);
    if (!b.lines.seconds.empty()) b.lendSeconds();
    b.data->SetLines(cells(offsets, connectivity));
    b.data->Modified();
}

void addEdgeShader(Batch& b)
{
    vtkShaderProperty* shader = b.actor->GetShaderProperty();
    b.mapper->MapDataArrayToVertexAttribute("placeMC", "place", vtkDataObject::FIELD_ASSOCIATION_POINTS, -1);
    shader->AddVertexShaderReplacement("//VTK::PositionVC::Dec", true, "//VTK::PositionVC::Dec\nin vec4 placeMC;\nout vec4 placeVC;\n", false);
    shader->AddVertexShaderReplacement("//VTK::PositionVC::Impl", true, "//VTK::PositionVC::Impl\nplaceVC = placeMC;\n", false);
    shader->AddFragmentShaderReplacement("//VTK::PositionVC::Dec", true, "//VTK::PositionVC::Dec\nin vec4 placeVC;\n", false);
    shader->AddFragmentShaderReplacement("//VTK::Light::Impl", true, std::string("//VTK::Light::Impl\n").append(kEdgeCode), false);
}

void addFlowShader(Batch& b)
{
    vtkShaderProperty* shader = b.actor->GetShaderProperty();
    b.mapper->MapDataArrayToVertexAttribute("secondsMC", "seconds", vtkDataObject::FIELD_ASSOCIATION_POINTS, -1);
    constexpr const char* kSeconds = "//VTK::PositionVC::Dec\nin float secondsMC;\nout float secondsVC;\n"; // no text
    shader->AddVertexShaderReplacement("//VTK::PositionVC::Dec", true, kSeconds, false);
    shader->AddVertexShaderReplacement("//VTK::PositionVC::Impl", true, "//VTK::PositionVC::Impl\nsecondsVC = secondsMC;\n", false);
    shader->AddFragmentShaderReplacement("//VTK::PositionVC::Dec", true, "//VTK::PositionVC::Dec\nin float secondsVC;\n", false); // no text
    shader->AddFragmentShaderReplacement("//VTK::Light::Impl", true, std::string("//VTK::Light::Impl\n").append(kFlowCode), false);
}

std::string vec3Text(Rgba c)
{
    return "vec3(" + std::to_string(c.r / 255.0) + "," + std::to_string(c.g / 255.0) + "," + std::to_string(c.b / 255.0) + ")";
}

void addGroundShader(Batch& b, const Palette& p, const Mesh& mesh)
{
    const auto& at = mesh.positions;
    const float size = (at[3] - at[0]) / 2;
    const std::string constants = fmt::format(
        "const vec3 groundLine = {};\nconst vec3 groundFar = {};\nconst float groundSize = {:f};\nconst vec2 groundCenter = vec2({:f},{:f});\n",
        vec3Text(p.groundLine), vec3Text(p.skyHorizon), size, at[0] + size, at[1] + size);
    vtkShaderProperty* shader = b.actor->GetShaderProperty();
    shader->ClearAllShaderReplacements();
    shader->AddVertexShaderReplacement("//VTK::PositionVC::Dec", true, "//VTK::PositionVC::Dec\nout vec2 groundVC;\n", false);
    shader->AddVertexShaderReplacement("//VTK::PositionVC::Impl", true, "//VTK::PositionVC::Impl\ngroundVC = vertexMC.xy;\n", false);
    shader->AddFragmentShaderReplacement("//VTK::PositionVC::Dec", true, "//VTK::PositionVC::Dec\nin vec2 groundVC;\n" + constants, false);
    shader->AddFragmentShaderReplacement("//VTK::Light::Impl", true, std::string("//VTK::Light::Impl\n").append(kGroundCode), false);
}

} // namespace

struct VtkScene::Private {
    vtkNew<vtkRenderer> renderer;
    vtkNew<vtkTexture> fronts, air;
    double flowTime = -1;
    std::map<std::size_t, std::unique_ptr<Batch>> parts[kParts];
    std::unique_ptr<Batch> lines[kLineParts];
    bool visible[kParts], lineVisible[kLineParts];
    double lineScale = 1;
    Work work;
    const Palette* palette = nullptr;

    std::unique_ptr<Batch> makePart(Part part) const
    {
        auto b = std::make_unique<Batch>();
        const bool translucent = part == Part::Marks || part == Part::Tint || part == Part::AirSurface;
        if (translucent)
            b->actor->ForceTranslucentOn();
        else
            b->actor->ForceOpaqueOn();
        // Marks lie on the floor and are seen from above only; walls from inside, boxes from outside.
        if (part != Part::AirSlice && part != Part::AirSurface) b->actor->GetProperty()->BackfaceCullingOn();
        if (part == Part::Fronts || part == Part::NearFronts)
            b->actor->SetTexture(fronts);
        else if (part == Part::AirSlice)
            b->actor->SetTexture(air);
        else if (part == Part::Slab || part == Part::Racks || part == Part::NearBoxes || part == Part::Trays || part == Part::Bundles ||
                 part == Part::Drops)
            addEdgeShader(*b);
        return b;
    }
    [[nodiscard]] double widthOf(LinePart part) const
    {
        switch (part) {
        case LinePart::Cables: return 1;
        case LinePart::HotCables: return 2.5;
        case LinePart::ChosenCables: return 2.5;
        case LinePart::Selection: return 2;
        case LinePart::AirPaths: return 1.5;
        }
        return 1;
    }
};

VtkScene::VtkScene() : d(std::make_unique<Private>())
{
    std::fill(std::begin(d->visible), std::end(d->visible), true);
    std::fill(std::begin(d->lineVisible), std::end(d->lineVisible), true);
    d->renderer->GradientBackgroundOn();
    d->renderer->SetAutomaticLightCreation(false);
    d->fronts->InterpolateOn();
    d->fronts->MipmapOn();
    d->fronts->SetMaximumAnisotropicFiltering(1);
    d->fronts->SetWrap(vtkTexture::ClampToEdge);
    d->air->InterpolateOff();
    d->air->SetWrap(vtkTexture::ClampToEdge);
}

VtkScene::~VtkScene() = default;

vtkRenderer* VtkScene::renderer() const { return d->renderer; }

void VtkScene::setMesh(Part part, std::size_t slot, Mesh mesh)
{
    auto& batches = d->parts[std::size_t(part)];
    const auto found = batches.find(slot);
    if (mesh.quads() == 0) {
        if (found == batches.end()) return;
        d->renderer->RemoveActor(found->second->actor);
        batches.erase(found);
        return;
    }
    ++d->work.meshes;
    std::unique_ptr<Batch>& batch = batches[slot];
    if (!batch) {
        batch = d->makePart(part);
        batch->actor->SetVisibility(d->visible[std::size_t(part)]);
        d->renderer->AddActor(batch->actor);
    }
    if (part == Part::Ground && d->palette) addGroundShader(*batch, *d->palette, mesh);
    if (part != Part::Ground && batch->mesh.positions == mesh.positions && batch->mesh.places == mesh.places) {
        batch->mesh.tints = std::move(mesh.tints);
        if (batch->mesh.colors == mesh.colors) return;
        std::copy(mesh.colors.begin(), mesh.colors.end(), batch->mesh.colors.begin()); // the arrays are lent: same place, other colors
        batch->colorsChanged();
        return;
    }
    fillQuads(*batch, std::move(mesh), part == Part::Fronts || part == Part::NearFronts || part == Part::AirSlice);
}

void VtkScene::setMeshes(Part part, std::vector<Mesh> meshes)
{
    auto& batches = d->parts[std::size_t(part)];
    for (auto old = batches.lower_bound(meshes.size()); old != batches.end(); old = batches.erase(old)) d->renderer->RemoveActor(old->second->actor);
    for (std::size_t slot = 0; slot < meshes.size(); ++slot) setMesh(part, slot, std::move(meshes[slot]));
}

void VtkScene::setLines(LinePart part, LineMesh lines)
{
    auto& batch = d->lines[std::size_t(part)];
    if (lines.lines() == 0) {
        if (batch) d->renderer->RemoveActor(batch->actor);
        batch.reset();
        return;
    }
    if (!batch) {
        batch = std::make_unique<Batch>();
        batch->actor->ForceOpaqueOn();
        batch->actor->GetProperty()->SetLineWidth(float(d->widthOf(part) * d->lineScale));
        batch->actor->SetVisibility(d->lineVisible[std::size_t(part)]);
        if (part == LinePart::AirPaths) {
            addFlowShader(*batch);
            batch->actor->GetShaderProperty()->GetFragmentCustomUniforms()->SetUniformf("flowTime", float(d->flowTime));
        }
        d->renderer->AddActor(batch->actor);
    }
    ++d->work.lines;
    fillLines(*batch, std::move(lines));
}

void VtkScene::setColors(Part part, const ThingColors& things)
{
    for (auto& [slot, batch] : d->parts[std::size_t(part)]) {
        if (!batch->mesh.recolor(things)) continue;
        batch->colorsChanged();
        ++d->work.colors;
    }
}

void VtkScene::setColors(LinePart part, std::span<const Rgba> lines)
{
    auto& batch = d->lines[std::size_t(part)];
    if (!batch || !batch->lines.recolor(lines)) return;
    batch->colorsChanged();
    ++d->work.colors;
}

const VtkScene::Work& VtkScene::work() const { return d->work; }

void VtkScene::setVisible(Part part, bool visible)
{
    d->visible[std::size_t(part)] = visible;
    for (auto& [slot, batch] : d->parts[std::size_t(part)]) batch->actor->SetVisibility(visible && batch->shown);
}

void VtkScene::setVisible(Part part, std::size_t slot, bool visible)
{
    const auto found = d->parts[std::size_t(part)].find(slot);
    if (found == d->parts[std::size_t(part)].end()) return;
    found->second->shown = visible;
    found->second->actor->SetVisibility(visible && d->visible[std::size_t(part)]);
}

void VtkScene::setVisible(LinePart part, bool visible)
{
    d->lineVisible[std::size_t(part)] = visible;
    if (auto& batch = d->lines[std::size_t(part)]) batch->actor->SetVisibility(visible);
}

void VtkScene::setTheme(const Palette& palette)
{
    d->palette = &palette;
    const auto set = [](Rgba c, auto&& f) { f(c.r / 255.0, c.g / 255.0, c.b / 255.0); };
    set(palette.skyHorizon, [&](double r, double g, double b) { d->renderer->SetBackground(r, g, b); });
    set(palette.skyTop, [&](double r, double g, double b) { d->renderer->SetBackground2(r, g, b); });
}

void VtkScene::setFrontTexture(const std::uint8_t* rgba, int width, int height)
{
    vtkNew<vtkImageData> image;
    image->SetDimensions(width, height, 1);
    image->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
    std::copy(rgba, rgba + std::size_t(width) * std::size_t(height) * 4, static_cast<std::uint8_t*>(image->GetScalarPointer()));
    d->fronts->SetInputData(image);
    d->fronts->Modified();
}

void VtkScene::setAirTexture(const std::vector<std::uint8_t>& rgba)
{
    vtkNew<vtkImageData> image;
    image->SetDimensions(int(rgba.size() / 4), 1, 1);
    image->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
    std::copy(rgba.begin(), rgba.end(), static_cast<std::uint8_t*>(image->GetScalarPointer()));
    d->air->SetInputData(image);
    d->air->Modified();
}

void VtkScene::setFlowTime(std::optional<double> seconds)
{
    d->flowTime = seconds.value_or(-1);
    if (const auto& batch = d->lines[std::size_t(LinePart::AirPaths)])
        batch->actor->GetShaderProperty()->GetFragmentCustomUniforms()->SetUniformf("flowTime", float(d->flowTime));
}

void VtkScene::setCamera(const TwinCamera& camera, float aspect, std::array<double, 2> shift)
{
    const CameraFrame f = CameraFrame::of(camera, aspect, 1);
    vtkCamera* c = d->renderer->GetActiveCamera();
    c->SetPosition(f.eye[0], f.eye[1], f.eye[2]);
    const Vec3 target = f.eye + f.forward;
    c->SetFocalPoint(target[0], target[1], target[2]);
    c->SetViewUp(f.up[0], f.up[1], f.up[2]);
    c->SetViewAngle(kFieldOfView);
    c->SetWindowCenter(shift[0], shift[1]);
    // Nothing stands higher than some 6 m, so that a high camera may start far away and keep depth sharp.
    const double nearest = std::clamp(std::max(camera.distance * 0.02, (double(f.eye[2]) - 8) * 0.4), 0.05, 200.0);
    c->SetClippingRange(std::max(std::min(nearest, camera.distance * 0.5), double(f.nearest)), nearest + 6000);
}

void VtkScene::setLineScale(double deviceRatio)
{
    d->lineScale = deviceRatio;
    for (std::size_t i = 0; i < kLineParts; ++i)
        if (d->lines[i]) d->lines[i]->actor->GetProperty()->SetLineWidth(float(d->widthOf(LinePart(i)) * deviceRatio));
}

void VtkScene::releaseGraphics()
{
    if (auto* window = d->renderer->GetRenderWindow()) d->renderer->ReleaseGraphicsResources(window);
}

} // namespace hw::views::twin
