// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/values/overlays.h"

#include "core/values/cooling_fields.h"
#include "core/values/live_fields.h"
#include "core/values/money_fields.h"
#include "core/values/place_fields.h"
#include "core/values/power_fields.h"

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
    Overlay{"kind", TextId("Kind"), TextId("What racks are for"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return kindFields(in.figures); }},
    Overlay{"power", TextId("Power"), TextId("Power over the rack's limit"), OverlayNeeds::Nothing, kValues,
            [](const OverlayInputs& in) { return limitFields(in.figures); }},
    Overlay{"load", TextId("Link load"), TextId("How full links are in the simulation"), OverlayNeeds::Loads, kValues, linkLoads},
    Overlay{"findings", TextId("Findings"), TextId("The gravest finding"), OverlayNeeds::Findings, kValues,
            [](const OverlayInputs& in) { return severityFields(in.figures, *in.findings); }},
    Overlay{"draw", TextId("Kilowatts"), TextId("Power that racks draw"), OverlayNeeds::Nothing, kValues,
            [](const OverlayInputs& in) { return energyFields(in.figures, Energy::Power); }},
    Overlay{"heat", TextId("Heat into the air"), TextId("Heat that the hall's air takes away"), OverlayNeeds::Nothing, kValues,
            [](const OverlayInputs& in) { return energyFields(in.figures, Energy::HeatToAir); }},
    Overlay{"coolant", TextId("Heat into the coolant"), TextId("Heat that liquid takes away"), OverlayNeeds::Nothing, kValues,
            [](const OverlayInputs& in) { return energyFields(in.figures, Energy::HeatToLiquid); }},
    Overlay{"coolant-flow", TextId("Coolant flow"), TextId("Coolant that reaches cabinets and passes equipment"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return coolantFlowFields(in.figures); }},
    Overlay{"coolant-supply", TextId("Coolant supply"), TextId("Temperature of the coolant that is supplied"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return coolantSupplyFields(in.figures); }},
    Overlay{"face-velocity", TextId("Air before coils"), TextId("Speed of air before fan walls and air handlers"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return faceVelocityFields(in.figures); }},
    Overlay{"finding-count", TextId("Number of findings"), TextId("How many findings there are"), OverlayNeeds::Findings, kValues,
            [](const OverlayInputs& in) { return findingCountFields(in.figures, *in.findings); }},
    Overlay{"power-worst", TextId("Power at worst"), TextId("Load over capacity when any one other element of the power chain is lost"),
            OverlayNeeds::Nothing, kPlaces, [](const OverlayInputs& in) { return powerWorstFields(in.figures); }},
    Overlay{"power-headroom", TextId("Power headroom"), TextId("What the feeds can still give when any one element is lost"), OverlayNeeds::Nothing,
            kPlaces, [](const OverlayInputs& in) { return powerHeadroomFields(in.figures); }},
    Overlay{"side", TextId("Power sides"), TextId("On which sides racks are fed"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return sideFields(in.figures); }},
    Overlay{"spare-kw", TextId("Spare kilowatts"), TextId("Power that a rack can still take, of its limit and its feeds"), OverlayNeeds::Nothing,
            kPlaces, [](const OverlayInputs& in) { return spareFields(in.figures, "kW"); }},
    Overlay{"spare-u", TextId("Spare rack units"), TextId("Free units of racks"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return spareFields(in.figures, "U"); }},
    Overlay{"spare-ports", TextId("Spare ports"), TextId("Free ports of switches"), OverlayNeeds::Nothing, kValues,
            [](const OverlayInputs& in) { return spareFields(in.figures, "ports"); }},
    Overlay{"weight", TextId("Weight"), TextId("Weight in racks over their rating"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return weightFields(in.figures); }},
    Overlay{"floor-load", TextId("Floor load"), TextId("Racks with what is in them on their footprint"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return floorLoadFields(in.figures); }},
    Overlay{"heat-density", TextId("Heat density"), TextId("Heat of rows per floor area"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return heatDensityFields(in.figures); }},
    Overlay{"clearance", TextId("Clearance"), TextId("Free floor before the fronts of racks"), OverlayNeeds::Nothing, kPlaces,
            [](const OverlayInputs& in) { return clearanceFields(in.figures); }},
    Overlay{"stage", TextId("Stages"), TextId("How far things have come: planned, ordered … live"), OverlayNeeds::Nothing, kValues,
            [](const OverlayInputs& in) { return stageFields(in.figures); }},
    Overlay{"phase", TextId("Phases"), TextId("When things are installed"), OverlayNeeds::Nothing, kValues,
            [](const OverlayInputs& in) { return phaseFields(in.figures); }},
    Overlay{"tray-fill", TextId("Tray fill"), TextId("How full cable trays are"), OverlayNeeds::Nothing,
            std::uint8_t(OverlayView::Plan) | std::uint8_t(OverlayView::Twin), [](const OverlayInputs& in) { return trayFillFields(in.figures); }},
    Overlay{"plane", TextId("Planes"), TextId("The plane of a fabric"), OverlayNeeds::Nothing, kFabric, nullptr},
    Overlay{"rail", TextId("Rails"), TextId("The rail of a fabric"), OverlayNeeds::Nothing, kFabric, nullptr},
    Overlay{"network", TextId("Network"), TextId("The network's own colour"), OverlayNeeds::Nothing, kFabric, nullptr},
    Overlay{"oversubscription", TextId("Oversubscription"), TextId("Rates down over rates up"), OverlayNeeds::Nothing, kFabric, nullptr},
};

constexpr std::uint8_t kLive = kValues | std::uint8_t(OverlayView::OneLine);

Fields measuredLinkLoads(const OverlayInputs& in)
{
    return liveLinkFields(in.figures, in.places ? *in.places : *LinkPlaces::of(*in.figures.snapshot), *in.live);
}

/// What is measured.
constexpr std::array kLiveOverlays{
    Overlay{"live-power", TextId("Measured power"), TextId("Power that racks and equipment draw now"), OverlayNeeds::Live, kLive,
            [](const OverlayInputs& in) { return livePowerFields(in.figures, *in.live); }},
    Overlay{"live-power-share", TextId("Measured / planned power"), TextId("What is drawn now over what was planned"), OverlayNeeds::Live, kLive,
            [](const OverlayInputs& in) { return livePowerShareFields(in.figures, *in.live); }},
    Overlay{"live-supply", TextId("Measured coolant supply"), TextId("Temperature of the coolant as it arrives"), OverlayNeeds::Live, kLive,
            [](const OverlayInputs& in) { return liveSupplyFields(in.figures, *in.live); }},
    Overlay{"live-flow", TextId("Measured flow / need"), TextId("Coolant that flows now over what the heat needs"), OverlayNeeds::Live, kLive,
            [](const OverlayInputs& in) { return liveFlowFields(in.figures, *in.live); }},
    Overlay{"live-links", TextId("Measured link load"), TextId("How full links are now"), OverlayNeeds::Live, kValues, measuredLinkLoads},
    Overlay{"live-utilisation", TextId("Utilisation"), TextId("How busy GPUs are now"), OverlayNeeds::Live, kLive,
            [](const OverlayInputs& in) { return liveUtilisationFields(in.figures, *in.live); }},
    Overlay{"live-deviations", TextId("Against the design"), TextId("What is measured off the design"), OverlayNeeds::Live, kLive,
            [](const OverlayInputs& in) { return liveDeviationFields(in.figures, *in.live); }},
    Overlay{"live-alarms", TextId("Alarms"), TextId("Causes and symptoms of alarms that stand"), OverlayNeeds::Live, kLive,
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
            if (overlay.name == name) return &overlay;
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
