// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/overlays/overlays.h"

#include "core/derived/values/cooling_fields.h"
#include "core/derived/values/money_fields.h"
#include "core/derived/values/place_fields.h"
#include "core/derived/values/power_fields.h"
#include "core/foundation/base/spelling.h"
#include "core/operations/overlays/live_fields.h"

#include <array>

namespace hw {

namespace {

using Fields = std::vector<ValueField>;

constexpr std::uint8_t kPlaces = std::uint8_t(OverlayView::Plan) | std::uint8_t(OverlayView::Twin) | std::uint8_t(OverlayView::Rack);
constexpr auto kFabric = std::uint8_t(OverlayView::Fabric);
constexpr std::uint8_t kValues = kPlaces | kFabric;

Fields linkLoads(const OverlayInputs& in)
{
    LoadFields made = loadFields(in.places ? *in.places : *LinkPlaces::of(*in.figures.snapshot), in.loads);
    Fields fields;
    for (ValueField* field : {&made.racks, &made.devices, &made.links}) fields.push_back(std::move(*field));
    return fields;
}

/// The one list of overlays.
constexpr std::array kOverlays{
    Overlay{"kind", TextId("Kind"), TextId("Rack role"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return kindFields(in.figures); }},
    Overlay{"power", TextId("Power"), TextId("Rack power relative to its limit"), OverlayNeeds::Nothing, kValues,
            [](const OverlayInputs& in) { return limitFields(in.figures); }},
    Overlay{"load", TextId("Link load"), TextId("Simulated link utilization"), OverlayNeeds::Loads, kValues, linkLoads},
    Overlay{"findings", TextId("Findings"), TextId("Most severe finding per object"), OverlayNeeds::Findings, kValues,
            [](const OverlayInputs& in) { return severityFields(in.figures, *in.findings); }},
    Overlay{"draw", TextId("Rack power (kW)"), TextId("Power draw of each rack"), OverlayNeeds::Nothing, kValues,
            [](const OverlayInputs& in) { return energyFields(in.figures, Energy::Power); }},
    Overlay{"heat", TextId("Heat to air"), TextId("Heat removed by the hall air"), OverlayNeeds::Nothing, kValues,
            [](const OverlayInputs& in) { return energyFields(in.figures, Energy::HeatToAir); }},
    Overlay{"coolant", TextId("Heat to liquid"), TextId("Heat removed by liquid cooling"), OverlayNeeds::Nothing, kValues,
            [](const OverlayInputs& in) { return energyFields(in.figures, Energy::HeatToLiquid); }},
    Overlay{"coolant-flow", TextId("Coolant flow"), TextId("Coolant flow to cabinets and through equipment"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return coolantFields(in.figures, CoolantQuantity::Flow); }},
    Overlay{"coolant-velocity", TextId("Coolant velocity"), TextId("Coolant velocity in headers and in the pipes to cabinets"), OverlayNeeds::Nothing,
            kPlaces, [](const OverlayInputs& in) { return coolantFields(in.figures, CoolantQuantity::Velocity); }},
    Overlay{"coolant-supply", TextId("Coolant supply temperature"), TextId("Coolant supply temperature of cabinets and equipment"),
            OverlayNeeds::Nothing, kPlaces, [](const OverlayInputs& in) { return coolantFields(in.figures, CoolantQuantity::Temperature); }},
    Overlay{"coolant-rise", TextId("Coolant temperature rise"), TextId("Coolant return temperature minus supply temperature"), OverlayNeeds::Nothing,
            kPlaces, [](const OverlayInputs& in) { return coolantFields(in.figures, CoolantQuantity::Rise); }},
    Overlay{"coolant-pressure", TextId("Coolant differential pressure"),
            TextId("Differential pressure between coolant supply and return at cabinets and equipment"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return coolantFields(in.figures, CoolantQuantity::Pressure); }},
    Overlay{"face-velocity", TextId("Coil face velocity"), TextId("Air velocity at the coils of fan walls and air handlers"), OverlayNeeds::Nothing,
            kPlaces, [](const OverlayInputs& in) { return faceVelocityFields(in.figures); }},
    Overlay{"finding-count", TextId("Number of findings"), TextId("Number of findings per object"), OverlayNeeds::Findings, kValues,
            [](const OverlayInputs& in) { return findingCountFields(in.figures, *in.findings); }},
    Overlay{"power-worst", TextId("Worst-case power"), TextId("Load relative to capacity when any one other element of the power chain is lost"),
            OverlayNeeds::Nothing, kPlaces, [](const OverlayInputs& in) { return powerWorstFields(in.figures); }},
    Overlay{"power-headroom", TextId("Power headroom"), TextId("Remaining feed capacity when any one element is lost"), OverlayNeeds::Nothing,
            kPlaces, [](const OverlayInputs& in) { return powerHeadroomFields(in.figures); }},
    Overlay{"side", TextId("Power feeds"), TextId("Feeds (A/B) supplying each rack"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return sideFields(in.figures); }},
    Overlay{"spare-kw", TextId("Spare power (kW)"), TextId("Additional power available to each rack within its limit and its feeds"),
            OverlayNeeds::Nothing, kPlaces, [](const OverlayInputs& in) { return spareFields(in.figures, "kW"); }},
    Overlay{"spare-u", TextId("Spare rack units"), TextId("Free rack units per rack"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return spareFields(in.figures, "U"); }},
    Overlay{"spare-ports", TextId("Spare ports"), TextId("Free switch ports"), OverlayNeeds::Nothing, kValues,
            [](const OverlayInputs& in) { return spareFields(in.figures, "ports"); }},
    Overlay{"weight", TextId("Weight"), TextId("Weight of rack contents relative to the rack rating"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return weightFields(in.figures); }},
    Overlay{"floor-load", TextId("Floor load"), TextId("Weight of racks and contents relative to their footprint"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return floorLoadFields(in.figures); }},
    Overlay{"heat-density", TextId("Heat density"), TextId("Heat load of rows per floor area"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return heatDensityFields(in.figures); }},
    Overlay{"clearance", TextId("Clearance"), TextId("Free floor in front of racks"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return clearanceFields(in.figures); }},
    Overlay{"stage", TextId("Stages"), TextId("Lifecycle stage: planned, ordered … live"), OverlayNeeds::Nothing, kValues,
            [](const OverlayInputs& in) { return stageFields(in.figures); }},
    Overlay{"phase", TextId("Phases"), TextId("Installation phase"), OverlayNeeds::Nothing, kValues,
            [](const OverlayInputs& in) { return phaseFields(in.figures); }},
    Overlay{"tray-fill", TextId("Tray fill"), TextId("Fill ratio of cable trays"), OverlayNeeds::Nothing,
            std::uint8_t(OverlayView::Plan) | std::uint8_t(OverlayView::Twin), [](const OverlayInputs& in) { return trayFillFields(in.figures); }},
    Overlay{"plane", TextId("Planes"), TextId("Plane of the fabric"), OverlayNeeds::Nothing, kFabric, nullptr},
    Overlay{"rail", TextId("Rails"), TextId("Rail of the fabric"), OverlayNeeds::Nothing, kFabric, nullptr},
    Overlay{"network", TextId("Network"), TextId("Color assigned to the network"), OverlayNeeds::Nothing, kFabric, nullptr},
    Overlay{"oversubscription", TextId("Oversubscription"), TextId("Downlink rate / uplink rate"), OverlayNeeds::Nothing, kFabric, nullptr},
};

constexpr std::uint8_t kLive = kValues | std::uint8_t(OverlayView::OneLine);

Fields measuredLinkLoads(const OverlayInputs& in)
{
    return liveLinkFields(in.figures, in.places ? *in.places : *LinkPlaces::of(*in.figures.snapshot), *in.live);
}

/// What is measured.
constexpr std::array kLiveOverlays{
    Overlay{"live-power", TextId("Measured power"), TextId("Current power draw of racks and equipment"), OverlayNeeds::Live, kLive,
            [](const OverlayInputs& in) { return livePowerFields(in.figures, *in.live); }},
    Overlay{"live-power-share", TextId("Measured / planned power"), TextId("Current power draw relative to plan"), OverlayNeeds::Live, kLive,
            [](const OverlayInputs& in) { return livePowerShareFields(in.figures, *in.live); }},
    Overlay{"live-supply", TextId("Measured coolant supply"), TextId("Measured coolant supply temperature"), OverlayNeeds::Live, kLive,
            [](const OverlayInputs& in) { return liveSupplyFields(in.figures, *in.live); }},
    Overlay{"live-flow", TextId("Measured / required flow"), TextId("Current coolant flow relative to the flow required by the heat load"),
            OverlayNeeds::Live, kLive, [](const OverlayInputs& in) { return liveFlowFields(in.figures, *in.live); }},
    Overlay{"live-links", TextId("Measured link load"), TextId("Current link utilization"), OverlayNeeds::Live, kValues, measuredLinkLoads},
    Overlay{"live-utilization", TextId("Utilization"), TextId("Current GPU utilization"), OverlayNeeds::Live, kLive,
            [](const OverlayInputs& in) { return liveUtilizationFields(in.figures, *in.live); }},
    Overlay{"live-deviations", TextId("Deviation from design"), TextId("Deviations of measurements from the design"), OverlayNeeds::Live, kLive,
            [](const OverlayInputs& in) { return liveDeviationFields(in.figures, *in.live); }},
    Overlay{"live-alarms", TextId("Alarms"), TextId("Causes and symptoms of active alarms"), OverlayNeeds::Live, kLive,
            [](const OverlayInputs& in) { return liveAlarmFields(in.figures, *in.live); }},
};

} // namespace

const ValueField* OverlayValues::of(EntityKind entity) const
{
    for (const ValueField& field : fields)
        if (field.entity == entity) return &field;
    return nullptr;
}

const ValueField* OverlayValues::of(EntityRef entity) const
{
    const ValueField* field = of(entity.kind);
    return field && known(field->at(entity.id)) ? field : nullptr;
}

std::span<const Overlay> allOverlays() { return kOverlays; }

std::span<const Overlay> liveOverlays() { return kLiveOverlays; }

const Overlay* findOverlay(std::string_view name)
{
    for (const auto list : {allOverlays(), liveOverlays()})
        for (const Overlay& overlay : list)
            if (sameName(overlay.name, name)) return &overlay;
    return nullptr;
}

std::string overlayNames(OverlayView view)
{
    std::string names;
    for (const Overlay& overlay : kOverlays)
        if (overlay.in(view)) names += (names.empty() ? "" : ", ") + std::string(overlay.name);
    return names;
}

OverlayValues makeOverlay(const Overlay& overlay, const OverlayInputs& inputs)
{
    OverlayValues values{std::string(overlay.name), {}};
    const bool missing = (overlay.needs == OverlayNeeds::Findings && !inputs.findings) ||
                         (overlay.needs == OverlayNeeds::Loads && inputs.loads.empty()) || (overlay.needs == OverlayNeeds::Live && !inputs.live);
    if (overlay.make && !missing) values.fields = overlay.make(inputs);
    return values;
}

} // namespace hw
