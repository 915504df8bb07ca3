// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/scene/twin_scene.h"

#include <algorithm>

namespace hw::views::twin {

namespace {

constexpr std::size_t kHotCables = 24;

/// The cables of the hottest links, each once, in the order of heat.
std::vector<CableId> hotCables(const Figures& f, const sim::FlowResult& result)
{
    std::vector<CableId> cables;
    for (const auto& hot : result.hottest) {
        const LinkId link(hot.directedLink / 2);
        if (!f.snapshot->links.contains(link)) continue;
        const auto cable = f.snapshot->links.cable[link];
        if (cable && std::find(cables.begin(), cables.end(), *cable) == cables.end()) cables.push_back(*cable);
        if (cables.size() == kHotCables) break;
    }
    return cables;
}

} // namespace

PreparedLoads prepareLoads(const Figures& f, const SceneFacts& facts, std::shared_ptr<const sim::FlowResult> result,
                           const std::vector<bool>& networkHidden, bool dark)
{
    PreparedLoads out;
    out.loads = SceneLoads::of(std::move(result), f, facts);
    const CableLook look{&out.loads, networkHidden, dark};
    out.sections = sectionColors(f, facts, look);
    if (!out.loads.result) return out;
    out.hot = hotCables(f, *out.loads.result);
    out.hotCables = buildCables(f, facts, out.hot, look, Palette::of(dark).hot);
    return out;
}

PreparedScene prepare(const SceneRequest& request)
{
    const Figures& f = *request.figures;
    const Palette& palette = Palette::of(request.dark);
    PreparedScene out;
    out.figures = request.figures;
    out.dark = request.dark;
    out.facts = request.before && request.changes ? SceneFacts::update(*request.before, f, *request.changes) : SceneFacts::of(f);
    const SceneFacts& facts = *out.facts;
    const std::size_t buildings = facts.buildings().size();
    std::vector<Mesh> slabs(buildings), walls(buildings), marks(buildings), ground(1, buildGround(facts, palette));
    for (std::size_t i = 0; i < buildings; ++i) {
        ShellMeshes shell = buildShell(f, facts, i, palette);
        slabs[i] = std::move(shell.slab), walls[i] = std::move(shell.walls), marks[i] = std::move(shell.marks);
    }
    out.meshes.emplace_back(Part::Ground, std::move(ground));
    out.meshes.emplace_back(Part::Slab, std::move(slabs));
    out.meshes.emplace_back(Part::Walls, std::move(walls));
    out.meshes.emplace_back(Part::Marks, std::move(marks));
    out.meshes.emplace_back(Part::Racks, buildRacks(f, facts, palette, request.rackColors.get()));
    out.meshes.emplace_back(Part::Fronts, buildFronts(f, facts));
    out.meshes.emplace_back(Part::Trays, buildTrays(f, facts, palette));
    out.loads = SceneLoads::of(request.loads, f, facts);
    const CableLook look{&out.loads, request.networkHidden, request.dark};
    BundleMeshes bundles = buildBundles(f, facts, look);
    out.bundles = bundles.shown;
    out.meshes.emplace_back(Part::Bundles, std::move(bundles.inTrays));
    out.meshes.emplace_back(Part::Drops, std::move(bundles.drops));
    if (out.loads.result) out.hot = hotCables(f, *out.loads.result);
    out.hotCables = buildCables(f, facts, out.hot, look, palette.hot);
    return out;
}

} // namespace hw::views::twin
