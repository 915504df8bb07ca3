// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/usd/aif.h"

#include <cmath>

#include <fmt/format.h>

namespace hw::importers::usd {

namespace {

constexpr double kCfmPerM3s = 2118.88, kGpmPerLpm = 1 / 3.785411784;

class AttributeList {
public:
    std::vector<Attribute> list;

    void text(const char* name, const std::string& value) { list.push_back({"string", std::string("aif:") + name, usdText(value)}); }
    /// Where it is known.
    void stated(const char* name, const std::string& value)
    {
        if (!value.empty()) text(name, value);
    }
    void number(const char* name, double value)
    {
        if (value > 0) list.push_back({"float", std::string("aif:") + name, usdNumber(value)});
    }
    void whole(const char* name, double value)
    {
        if (value > 0) list.push_back({"int", std::string("aif:") + name, fmt::format("{}", std::llround(value))});
    }
    void triple(const char* type, const char* name, double a, double b, double c)
    {
        const std::string value = fmt::format("({}, {}, {})", usdNumber(a), usdNumber(b), usdNumber(c));
        list.push_back({type, std::string("aif:") + name, std::string_view(type).ends_with("[]") ? "[" + value + "]" : value});
    }
};

double kw(Milliwatts power) { return toWatts(power) / 1000; }

void addCore(AttributeList& out, const Figures& f, const scene::Element& e, const char* assetClass, double kilograms, const std::string& date)
{
    const Part& part = (*f.parts)[*e.type];
    const auto* device = std::get_if<DeviceSpec>(&part.spec);
    out.text("core:assetClass", assetClass);
    out.text("core:manufacturer", device ? device->manufacturer : std::string());
    out.text("core:modelNumber", device && !device->partNumber.empty() ? device->partNumber : part.model);
    out.triple("float3", "core:overallGeometryDimensions", e.width, e.depth, e.height);
    out.number("core:weight", kilograms);
    out.number("core:height", e.height);
    out.number("core:width", e.width);
    out.number("core:depth", e.depth);
    out.text("core:assetVersion", "1");
    for (const char* name : {"core:simreadyVersion", "core:sceneOptimizerVersion", "core:assetValidatorVersion"}) out.text(name, "");
    out.text("core:assetDescription", part.description);
    out.text("core:connectsToModelDocumentation", "");
    out.text("core:assetCreationDate", date);
}

/// Volume flow of air that takes heat out at the design's temperature rise, m³/s; 0: not known.
double airFlow(const CoolingChain& chain, Maybe<HallId> hall, double watts)
{
    if (!hall || (*hall).value >= chain.airOf.size() || chain.airOf[(*hall).value] < 0) return 0;
    const double per = chain.loops[std::size_t(chain.airOf[(*hall).value])].wattsPerLpmK * chain.at.airDeltaK;
    return per > 0 ? watts / per : 0;
}

void addRack(AttributeList& out, const Figures& f, const scene::RackContent& content, const scene::Element& e)
{
    const RackId id(e.entity.id);
    const Load& load = f.power->rack(id);
    const double design = toWatts(load.at(PowerBasis::Design)), liquid = toWatts(load.liquid[std::size_t(PowerBasis::Design)]);
    const auto& chain = f.get<CoolingChainNode>();
    out.whole("spec:namePlatePower", toWatts(load.at(PowerBasis::Nameplate)));
    double lpm = 0, supply = 0;
    for (const CooledLoad& taker : chain.takers)
        if (taker.rack && *taker.rack == id) lpm += taker.lpm, supply = taker.supplyC;
    if (lpm > 0) out.triple("float3[]", "spec:requiredLiquidFlowRate", supply, std::round(lpm / 60 * 1000) / 1000, std::round(lpm * 100) / 100);
    if (const double air = airFlow(chain, e.hall, design - liquid); air > 0)
        out.triple("float3[]", "spec:requiredAirFlowRate", chain.at.airSupplyC, std::round(air * 1000) / 1000, 0);
    if (design > 0) out.list.push_back({"float", "aif:spec:heatCaptureRatio", usdNumber(std::round(liquid / design * 10'000) / 100)});
    for (const char* name : {"spec:liquidSidePqCurve", "spec:significantInternalStructure", "spec:doorsPerforations"}) out.text(name, "");
    out.whole("spec:numGPUs", double(content.accelerators));
    out.list.push_back({"float", "aif:spec:liquidCooling", usdNumber(std::round(liquid) / 1000)});
    out.list.push_back({"float", "aif:spec:airCooling", usdNumber(std::round(design - liquid) / 1000)});
}

void addCdu(AttributeList& out, const DeviceSpec& spec, double drawKw)
{
    const double lpm = spec.coolantLpm.value;
    out.number("spec:nominalCoolingCapacity", kw(spec.capacity.value));
    if (lpm > 0) out.number("spec:referenceTechnologyCoolantFlowRate", lpm);
    out.number("spec:maximumFlow", lpm / 60'000);
    out.whole("spec:numberOfPumps", spec.cooling.pumps);
    if (spec.cooling.pumps > spec.cooling.spares && spec.cooling.pumps > 0)
        out.text("spec:pumpRedundancyStrategyPumps",
                 spec.cooling.spares > 0 ? fmt::format("{}+{}", spec.cooling.pumps - spec.cooling.spares, spec.cooling.spares) : "N");
    out.stated("spec:workingFluidPumps", spec.cooling.coolant.value);
    out.number("spec:primaryCircuitVolume", spec.cooling.liters.value);
    out.number("spec:secondaryCircuitVolume", spec.cooling.feedLiters.value);
    out.number("spec:powerRating", drawKw);
}

void addCrah(AttributeList& out, const DeviceSpec& spec)
{
    out.number("spec:nominalCoolingCapacity", kw(spec.capacity.value));
    out.number("spec:faceArea", spec.cooling.faceM2.value);
    out.number("spec:nominalAirVolume", std::round(spec.cooling.airM3s.value * kCfmPerM3s));
    out.number("spec:flowRate", std::round(spec.coolantLpm.value * kGpmPerLpm * 10) / 10);
}

} // namespace

std::string usdText(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n')
            out += "\\n";
        else if (static_cast<unsigned char>(c) < 0x20)
            out += ' ';
        else
            out += c;
    }
    return out + '"';
}

std::string usdNumber(double value) { return std::isfinite(value) && value != 0 ? fmt::format("{}", value) : std::string("0"); }

std::vector<Attribute> aifAttributes(const Figures& f, const scene::PropertySource& source, const scene::Element& e, const std::string& date)
{
    AttributeList out;
    if (!e.type) return {};
    if (e.kind == scene::ElementKind::Rack) {
        const auto& content = source.content(RackId(e.entity.id));
        if (content.accelerators == 0) return {};
        addCore(out, f, e, "compute rack", double(content.grams) / 1000, date); // no text
        addRack(out, f, content, e);
        return std::move(out.list);
    }
    if (e.kind != scene::ElementKind::Device) return {};
    const DeviceSpec& spec = f.parts->device(*e.type);
    const double kilograms = double(spec.weight.value.count()) / 1000;
    if (e.power == PowerElement::Ups) {
        addCore(out, f, e, "UPS", kilograms, date);
        const double kva = double(spec.power.apparent.value.count()) / 1'000'000, rated = kw(spec.capacity.value);
        out.number("spec:upsRating", kva > 0 ? kva : rated);
        out.number("spec:outputActivePower", rated > 0 ? rated : kva); // of power factor 1, as the power chain takes them
    } else if (e.cooling == CoolingElement::Cdu) {
        addCore(out, f, e, "CDU", kilograms, date);
        addCdu(out, spec, kw(spec.design.value));
    } else if (e.cooling == CoolingElement::Crah || e.cooling == CoolingElement::FanWall || e.cooling == CoolingElement::InRow) {
        addCore(out, f, e, "CRAH", kilograms, date);
        addCrah(out, spec);
    }
    return std::move(out.list);
}

} // namespace hw::importers::usd
