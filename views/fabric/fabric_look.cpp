// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fabric/fabric_look.h"

#include "views/bridge/network_filter.h"
#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/style/value_colors.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hw::views {
namespace {

/// The highest value of its devices.
QColor valueColor(const FabricIndex& index, const FabricBox& box, const ValueField* field)
{
    float most = ValueField::kNone;
    for (const FabricIndex::Run& run : box.runs)
        for (std::uint32_t member = run.first; field && member < run.last; ++member) {
            const float value = field->at(index.device(member).value);
            if (known(value) && !(most >= value)) most = value;
        }
    return QColor::fromRgb(field ? valueRgb(*field, most, theme().dark()) : noValueRgb(theme().dark()));
}

int railsOf(const FabricIndex& index) { return index.snapshot().networks.rails[index.network()]; }

} // namespace

QColor laneColor(int lane, int lanes)
{
    static const std::array<QColor, 8> few{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b5a400", "#8c8c8c"};
    if (lane < 0) return theme().textDim;
    if (lanes <= int(few.size())) {
        const QColor color = few[std::size_t(lane) % few.size()];
        return theme().dark() && lane == 0 ? color.lighter(135) : color; // the deep blue sinks into a dark canvas
    }
    return QColor::fromHsvF(float(std::fmod(0.58 + double(lane) / lanes, 1.0)), lane % 2 ? 0.55f : 0.8f, theme().dark() ? 0.9f : 0.75f);
}

QColor oversubscriptionColor(double ratio)
{
    return ratio <= 0 ? theme().textFaint : utilizationColor(0.02 + 0.98 * std::min(1.0, std::log2(std::max(1.0, ratio)) / 4));
}

QColor utilizationColor(double share) { return share <= 0 ? theme().textFaint : mapColor(share); }

int laneOf(const FabricModel& model, const FabricBundle& bundle)
{
    const int above = model.boxes()[std::size_t(bundle.b)].part.lane;
    return above >= 0 ? above : model.boxes()[std::size_t(bundle.a)].part.lane;
}

QColor boxColor(const FabricModel& model, const FabricBox& box, const FabricLook& look)
{
    const FabricIndex& index = model.index();
    const bool host = index.layers()[std::size_t(box.part.layer)].attached;
    switch (look.color) {
    case FabricColor::Lane:
        if (host) return theme().server;
        return box.part.lane >= 0 ? laneColor(box.part.lane, index.lanes()) : networkColor(index.snapshot(), index.network());
    case FabricColor::Rail:
        if (host) return theme().server;
        return box.rail >= 0 ? laneColor(box.rail, railsOf(index)) : networkColor(index.snapshot(), index.network());
    case FabricColor::Network: return host ? theme().server : networkColor(index.snapshot(), index.network());
    case FabricColor::Oversubscription: return host ? theme().server : oversubscriptionColor(box.sums.oversubscription());
    case FabricColor::Load: return utilizationColor(double(box.busiest));
    case FabricColor::Values: return valueColor(index, box, look.field());
    }
    return theme().network;
}

QColor bundleColor(const FabricModel& model, const FabricBundle& bundle, const FabricLook& look)
{
    const FabricIndex& index = model.index();
    const FabricBox &low = model.boxes()[std::size_t(bundle.a)], &high = model.boxes()[std::size_t(bundle.b)];
    const QColor network = networkColor(index.snapshot(), index.network());
    switch (look.color) {
    case FabricColor::Lane: {
        const int lane = laneOf(model, bundle);
        return lane >= 0 ? laneColor(lane, index.lanes()) : network;
    }
    case FabricColor::Rail: {
        const int rail = low.rail >= 0 ? low.rail : high.rail;
        return rail >= 0 ? laneColor(rail, railsOf(index)) : network;
    }
    case FabricColor::Values:
    case FabricColor::Network: return network;
    case FabricColor::Oversubscription:
        return oversubscriptionColor(index.layers()[std::size_t(low.part.layer)].attached ? 1.0 : low.sums.oversubscription());
    case FabricColor::Load: return utilizationColor(double(bundle.load.busiest));
    }
    return network;
}

std::vector<FabricColor> colorModes(const FabricIndex& index, bool loads, const OverlayValues* values)
{
    std::vector<FabricColor> modes;
    if (index.lanes() > 1) modes.push_back(FabricColor::Lane);
    if (index.lanesArePlanes() && railsOf(index) > 1) modes.push_back(FabricColor::Rail);
    modes.push_back(FabricColor::Network);
    modes.push_back(FabricColor::Oversubscription);
    if (loads) modes.push_back(FabricColor::Load);
    if (values && values->name != "kind" && values->name != "load" && values->of(EntityKind::Device)) modes.push_back(FabricColor::Values);
    return modes;
}

QString colorName(const FabricIndex& index, FabricColor color, const OverlayValues* values)
{
    switch (color) {
    case FabricColor::Lane: return index.lanesArePlanes() ? tr("Planes") : tr("Rails");
    case FabricColor::Rail: return tr("Rails");
    case FabricColor::Network: return tr("Network");
    case FabricColor::Oversubscription: return tr("Oversubscription");
    case FabricColor::Load: return tr("Load");
    case FabricColor::Values: {
        const Overlay* overlay = values ? findOverlay(values->name) : nullptr;
        if (overlay) return text(overlay->title);
        const ValueField* field = values ? values->of(EntityKind::Device) : nullptr;
        return field ? text(field->title) : QString();
    }
    }
    return {};
}

} // namespace hw::views
