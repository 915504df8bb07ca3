// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/ifc/ifc_export.h"

#include "core/physics/site/room_shape.h"
#include "importers/ifc/guid.h"
#include "importers/ifc/ifc_classes.h"
#include "importers/ifc/step_writer.h"

#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include <fmt/format.h>

namespace hw::importers::ifc {

namespace {

using scene::Element;
using scene::ElementKind;
using scene::Form;
using scene::Measure;
using scene::Property;
using Ref = StepWriter::Ref;

const std::string kUnset = "$";

std::string enumerated(std::string_view word) { return fmt::format(".{}.", word); }
std::string label(const std::string& text) { return text.empty() ? kUnset : stepText(text); }
std::string yes(bool value) { return value ? ".T." : ".F."; }

struct Vector {
    double x = 0, y = 0, z = 0;
};
Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

/// Writes the instances of a design, from the project down.
class IfcWriter {
public:
    IfcWriter(const Figures& figures, const scene::Scope& scope)
        : m_f(figures), m_s(*figures.snapshot), m_scope(scope), m_scene(scene::Scene::of(figures, scope)), m_source(figures)
    {
    }

    std::string run()
    {
        contextAndUnits();
        spatialTree();
        for (std::size_t i = 0; i < m_scene.elements.size(); ++i) element(i);
        contain();
        defineTypes();
        connect();
        return m_out.data();
    }

private:
    [[nodiscard]] static std::string ref(Ref r) { return StepWriter::ref(r); }
    [[nodiscard]] std::string id(const std::string& name) const { return "'" + globalId(name) + "'"; }
    [[nodiscard]] std::string id(EntityRef entity, const char* suffix = "") const { return id(scene::stableName(m_s, entity) + suffix); }

    // --- Geometry -------------------------------------------------------------------------------------------------------------------------------
    Ref point(Vector p) { return m_out.shared("IFCCARTESIANPOINT", {fmt::format("({},{},{})", stepReal(p.x), stepReal(p.y), stepReal(p.z))}); }
    Ref point2(double x, double y) { return m_out.shared("IFCCARTESIANPOINT", {fmt::format("({},{})", stepReal(x), stepReal(y))}); }
    Ref direction(Vector d) { return m_out.shared("IFCDIRECTION", {fmt::format("({},{},{})", stepReal(d.x), stepReal(d.y), stepReal(d.z))}); }
    Ref axes(Vector at) { return m_out.shared("IFCAXIS2PLACEMENT3D", {ref(point(at)), kUnset, kUnset}); }
    Ref axes(Vector at, Vector z, Vector x) { return m_out.shared("IFCAXIS2PLACEMENT3D", {ref(point(at)), ref(direction(z)), ref(direction(x))}); }
    Ref axes2(double x, double y) { return m_out.shared("IFCAXIS2PLACEMENT2D", {ref(point2(x, y)), kUnset}); }
    Ref placement(std::optional<Ref> parent, Ref axis) { return m_out.add("IFCLOCALPLACEMENT", {parent ? ref(*parent) : kUnset, ref(axis)}); }
    Ref rectangle(double x, double y, double width, double depth)
    {
        return m_out.shared("IFCRECTANGLEPROFILEDEF", {".AREA.", kUnset, ref(axes2(x, y)), stepReal(width), stepReal(depth)});
    }
    Ref extruded(Ref profile, double depth)
    {
        return m_out.add("IFCEXTRUDEDAREASOLID", {ref(profile), ref(axes({0, 0, 0})), ref(direction({0, 0, 1})), stepReal(depth)});
    }
    Ref body(const char* type, Ref item) { return m_out.add("IFCSHAPEREPRESENTATION", {ref(m_body), "'Body'", stepText(type), listOf({item})}); }
    Ref shape(Ref representation) { return m_out.add("IFCPRODUCTDEFINITIONSHAPE", {kUnset, kUnset, listOf({representation})}); }
    [[nodiscard]] static std::string listOf(std::initializer_list<Ref> refs)
    {
        return StepWriter::list(std::span<const Ref>(refs.begin(), refs.size()));
    }
    void color(Ref item, std::uint32_t rgb, bool translucent)
    {
        const auto part = [&](int shift) { return stepReal(std::round(double((rgb >> shift) & 255) / 255 * 1000) / 1000); };
        const Ref color = m_out.shared("IFCCOLOURRGB", {kUnset, part(16), part(8), part(0)});
        const Ref shading = m_out.shared("IFCSURFACESTYLESHADING", {ref(color), stepReal(translucent ? 0.65 : 0)});
        const Ref style = m_out.shared("IFCSURFACESTYLE", {kUnset, ".BOTH.", listOf({shading})});
        m_out.add("IFCSTYLEDITEM", {ref(item), listOf({style}), kUnset});
    }

    void contextAndUnits()
    {
        const Ref context =
            m_out.add("IFCGEOMETRICREPRESENTATIONCONTEXT", {kUnset, "'Model'", "3", "1.E-05", ref(axes({0, 0, 0}, {0, 0, 1}, {1, 0, 0})), kUnset});
        m_body = m_out.add("IFCGEOMETRICREPRESENTATIONSUBCONTEXT",
                           {"'Body'", "'Model'", "*", "*", "*", "*", ref(context), kUnset, ".MODEL_VIEW.", kUnset});
        std::vector<Ref> units;
        const auto unit = [&](const char* kind, const char* prefix, const char* name) {
            units.push_back(m_out.add("IFCSIUNIT", {"*", enumerated(kind), *prefix ? enumerated(prefix) : kUnset, enumerated(name)}));
        };
        unit("LENGTHUNIT", "MILLI", "METRE");
        unit("AREAUNIT", "", "SQUARE_METRE");
        unit("VOLUMEUNIT", "", "CUBIC_METRE");
        unit("PLANEANGLEUNIT", "", "RADIAN");
        unit("POWERUNIT", "", "WATT");
        unit("MASSUNIT", "KILO", "GRAM");
        const Ref assignment = m_out.add("IFCUNITASSIGNMENT", {StepWriter::list(units)});
        const std::string name = m_s.setting("project.name");
        m_project = m_out.add("IFCPROJECT", {id("project"), kUnset, label(name.empty() ? "Project" : name), kUnset, kUnset, kUnset, kUnset,
                                             listOf({context}), ref(assignment)});
    }

    // --- Sites, buildings, stories, spaces ------------------------------------------------------------------------------------------------------
    struct Node {
        Ref entity = 0, placement = 0;
        std::vector<Ref> parts; ///< aggregated
    };

    void spatialTree()
    {
        m_s.sites.forEach([&](SiteId site) {
            if (siteWanted(site)) m_sites.emplace(site.value, newSite(id(ref_(site)), m_s.sites.name[site]));
        });
        m_s.buildings.forEach([&](BuildingId building) {
            if (!m_scope.hall || m_s.halls.building[*m_scope.hall] == building) newBuilding(building);
        });
        if (m_sites.empty()) (void)siteNode(kNoSite); // a project holds a site at least
        m_s.halls.forEach([&](HallId hall) {
            if (!m_scope.hall || *m_scope.hall == hall) space(hall);
        });
        std::vector<Ref> sites;
        for (auto& [number, node] : m_sites) sites.push_back(node.entity), aggregate(fmt::format("site {}", number), node);
        m_out.add("IFCRELAGGREGATES", {id("project>sites"), kUnset, kUnset, kUnset, ref(m_project), StepWriter::list(sites)});
        for (auto& [number, node] : m_buildings) aggregate(fmt::format("building {}", number), node);
        for (auto& [number, node] : m_stories) aggregate(fmt::format("storey {}", number), node);
    }

    template <class I>
    [[nodiscard]] static EntityRef ref_(I entity)
    {
        return hw::ref(entity);
    }
    static constexpr std::uint32_t kNoSite = 0xFFFFFFFFu;

    [[nodiscard]] bool siteWanted(SiteId site) const { return !m_scope.hall || m_s.buildings.site[m_s.halls.building[*m_scope.hall]] == site; }
    Node newSite(const std::string& guid, const std::string& name)
    {
        Node node;
        node.placement = placement({}, axes({0, 0, 0}));
        node.entity = m_out.add("IFCSITE", {guid, kUnset, label(name), kUnset, kUnset, ref(node.placement), kUnset, kUnset, ".ELEMENT.", kUnset,
                                            kUnset, kUnset, kUnset, kUnset});
        return node;
    }
    Node& siteNode(std::uint32_t number)
    {
        const auto found = m_sites.find(number);
        return found != m_sites.end() ? found->second : m_sites.emplace(number, newSite(id("site"), "Site")).first->second;
    }
    Node& siteOf(BuildingId building)
    {
        const auto site = m_s.buildings.site[building];
        return siteNode(site ? (*site).value : kNoSite);
    }

    void newBuilding(BuildingId b)
    {
        Node& site = siteOf(b);
        const std::string name = m_s.buildings.name[b];
        Node node, story;
        node.placement = placement(site.placement, axes({double(m_s.buildings.x[b].count()), double(m_s.buildings.y[b].count()), 0}));
        node.entity = m_out.add("IFCBUILDING", {id(ref_(b)), kUnset, label(name), kUnset, kUnset, ref(node.placement), kUnset, kUnset, ".ELEMENT.",
                                                kUnset, kUnset, kUnset});
        site.parts.push_back(node.entity);
        story.placement = placement(node.placement, axes({0, 0, 0}));
        story.entity = m_out.add("IFCBUILDINGSTOREY", {id(ref_(b), "/level-0"), kUnset, stepText("Level 0"), kUnset, kUnset, ref(story.placement),
                                                       kUnset, kUnset, ".ELEMENT.", "0."});
        node.parts.push_back(story.entity);
        propertySet(scene::stableName(m_s, ref_(b)), "Hall_Building", node.entity,
                    std::vector<Property>{{"Kind", "", std::string(wordOf(m_s.buildings.kind[b]))},
                                          {"SizeX", "", double(m_s.buildings.sizeX[b].count()), Measure::Length},
                                          {"SizeY", "", double(m_s.buildings.sizeY[b].count()), Measure::Length},
                                          {"SizeZ", "", double(m_s.buildings.sizeZ[b].count()), Measure::Length}});
        m_buildings.emplace(b.value, std::move(node));
        m_stories.emplace(b.value, std::move(story));
    }

    void space(HallId hall)
    {
        const auto& t = m_s.halls;
        Node& story = m_stories.at(t.building[hall].value); // made of every building in scope
        Node node;
        node.placement = placement(story.placement, axes({double(t.x[hall].count()), double(t.y[hall].count()), 0}));
        const auto outline = site::RoomShape::of(m_s, hall).outline();
        const double height = t.sizeZ[hall].count();
        const double squareMm = area(outline);
        std::string representation = kUnset;
        if (height > 0 && squareMm > 0) {
            const Ref solid = extruded(floorPlan(outline), height);
            color(solid, 0xE9EDF0, true);
            representation = ref(shape(body("SweptSolid", solid)));
        }
        const RoomKind kind = t.kind[hall];
        node.entity =
            m_out.add("IFCSPACE", {id(ref_(hall)), kUnset, label(t.name[hall]), kUnset, stepText(std::string(wordOf(kind))), ref(node.placement),
                                   representation, label(t.name[hall]), ".ELEMENT.", kind == RoomKind::Yard ? ".EXTERNAL." : ".INTERNAL.", "0."});
        story.parts.push_back(node.entity);
        spaceProperties(hall, node.entity, outline, squareMm);
        m_spaces.emplace(hall.value, std::move(node));
    }

    static double area(const std::vector<site::FloorPoint>& outline)
    {
        double twice = 0;
        for (std::size_t i = 0; i < outline.size(); ++i) {
            const auto& a = outline[i];
            const auto& b = outline[(i + 1) % outline.size()];
            twice += double(a.x) * b.y - double(b.x) * a.y;
        }
        return std::abs(twice) / 2;
    }

    Ref floorPlan(const std::vector<site::FloorPoint>& outline)
    {
        std::int32_t x = 0, y = 0;
        for (const auto& p : outline) x = std::max(x, p.x), y = std::max(y, p.y);
        const bool rectangle =
            outline.size() == 4 && std::ranges::all_of(outline, [&](const auto& p) { return (p.x == 0 || p.x == x) && (p.y == 0 || p.y == y); });
        if (rectangle) return rectangle_(x, y);
        std::vector<Ref> points;
        for (const auto& p : outline) points.push_back(point2(p.x, p.y));
        points.push_back(points.front());
        const Ref curve = m_out.add("IFCPOLYLINE", {StepWriter::list(points)});
        return m_out.add("IFCARBITRARYCLOSEDPROFILEDEF", {".AREA.", kUnset, ref(curve)});
    }
    Ref rectangle_(double x, double y) { return rectangle(x / 2, y / 2, x, y); }

    void spaceProperties(HallId hall, Ref entity, const std::vector<site::FloorPoint>& outline, double squareMm)
    {
        const auto& t = m_s.halls;
        const std::string name = scene::stableName(m_s, ref_(hall));
        const auto area = [&](double mm2) { return fmt::format("IFCAREAMEASURE({})", stepReal(std::round(mm2 / 100) / 10'000)); };
        std::vector<Ref> common{single("Reference", "IFCIDENTIFIER(" + stepText(t.name[hall]) + ")"),
                                single("IsExternal", "IFCBOOLEAN(" + yes(t.kind[hall] == RoomKind::Yard) + ")")};
        if (squareMm > 0) common.push_back(single("GrossPlannedArea", area(squareMm)));
        propertySet(name, "Pset_SpaceCommon", entity, common);
        const PowerBasis basis = powerBasisOf(m_s);
        if (const double heat = toWatts(m_f.power->hall(hall).at(basis)); heat > 0)
            propertySet(name, "Pset_SpaceThermalDesign", entity,
                        std::vector<Ref>{single("TotalHeatGain", "IFCPOWERMEASURE(" + stepReal(heat) + ")")});
        std::vector<Property> own{{"Kind", "", std::string(wordOf(t.kind[hall]))}, {"Floor", "", std::string(wordOf(t.floor[hall]))}};
        if (t.floorLoad[hall].count() > 0) own.push_back({"FloorLoadKgPerM2", "", std::int64_t(t.floorLoad[hall].count())});
        if (t.clearHeight[hall].count() > 0) own.push_back({"ClearHeight", "", double(t.clearHeight[hall].count()), Measure::Length});
        if (t.itLimit[hall].count() > 0) own.push_back({"PowerLimit", "", toWatts(t.itLimit[hall]), Measure::Power});
        propertySet(name, "Hall_Space", entity, own);
        if (squareMm <= 0) return;
        double around = 0;
        for (std::size_t i = 0; i < outline.size(); ++i) {
            const auto& a = outline[i];
            const auto& b = outline[(i + 1) % outline.size()];
            around += std::hypot(double(b.x) - a.x, double(b.y) - a.y);
        }
        std::vector<Ref> quantities;
        const auto quantity = [&](const char* kind, const char* what, double value) {
            quantities.push_back(m_out.shared(kind, {stepText(what), kUnset, kUnset, stepReal(value), kUnset}));
        };
        const double height = t.sizeZ[hall].count();
        if (height > 0) quantity("IFCQUANTITYLENGTH", "Height", height);
        quantity("IFCQUANTITYLENGTH", "GrossPerimeter", std::round(around));
        quantity("IFCQUANTITYAREA", "GrossFloorArea", std::round(squareMm / 100) / 10'000);
        if (height > 0) quantity("IFCQUANTITYVOLUME", "GrossVolume", std::round(squareMm * height / 1e5) / 10'000);
        const Ref set = m_out.add("IFCELEMENTQUANTITY", {id(name + "/Qto_SpaceBaseQuantities"), kUnset, "'Qto_SpaceBaseQuantities'", kUnset, kUnset,
                                                         StepWriter::list(quantities)});
        m_out.add("IFCRELDEFINESBYPROPERTIES", {id(name + "/Qto_SpaceBaseQuantities>"), kUnset, kUnset, kUnset, listOf({entity}), ref(set)});
    }

    void aggregate(const std::string& name, const Node& node)
    {
        if (!node.parts.empty())
            m_out.add("IFCRELAGGREGATES", {id(name + ">parts"), kUnset, kUnset, kUnset, ref(node.entity), StepWriter::list(node.parts)});
    }

    // --- Properties -----------------------------------------------------------------------------------------------------------------------------
    Ref single(const char* name, const std::string& value) { return m_out.shared("IFCPROPERTYSINGLEVALUE", {stepText(name), kUnset, value, kUnset}); }

    static std::string valueOf(const Property& p)
    {
        if (const auto* text = std::get_if<std::string>(&p.value)) return "IFCLABEL(" + stepText(*text) + ")";
        if (const auto* flag = std::get_if<bool>(&p.value)) return "IFCBOOLEAN(" + yes(*flag) + ")";
        if (const auto* count = std::get_if<std::int64_t>(&p.value)) return fmt::format("IFCINTEGER({})", *count);
        const double value = std::get<double>(p.value);
        const char* type = "IFCREAL";
        switch (p.measure) {
        case Measure::None: break;
        case Measure::Power: type = "IFCPOWERMEASURE"; break;
        case Measure::Length: type = "IFCLENGTHMEASURE"; break;
        case Measure::Mass: type = "IFCMASSMEASURE"; break;
        case Measure::Ratio: type = "IFCRATIOMEASURE"; break;
        }
        return fmt::format("{}({})", type, stepReal(value));
    }

    std::optional<Ref> newSet(const std::string& of, const std::string& name, const std::vector<Ref>& properties)
    {
        if (properties.empty()) return {};
        return m_out.add("IFCPROPERTYSET", {id(of + "/" + name), kUnset, stepText(name), kUnset, StepWriter::list(properties)});
    }
    void propertySet(const std::string& of, const std::string& name, Ref entity, const std::vector<Ref>& properties)
    {
        if (const auto set = newSet(of, name, properties))
            m_out.add("IFCRELDEFINESBYPROPERTIES", {id(of + "/" + name + ">"), kUnset, kUnset, kUnset, listOf({entity}), ref(*set)});
    }
    void propertySet(const std::string& of, const std::string& name, Ref entity, const std::vector<Property>& properties)
    {
        std::vector<Ref> refs;
        for (const Property& p : properties) refs.push_back(single(p.name, valueOf(p)));
        propertySet(of, name, entity, refs);
    }

    /// Property sets of the standard that a part type has values for.
    std::vector<Ref> typeSets(const std::string& of, PartTypeId type, const IfcClass& c)
    {
        std::vector<Ref> sets;
        const Part& part = (*m_f.parts)[type];
        const auto add = [&](const char* name, std::vector<Ref> properties) {
            if (const auto set = newSet(of, name, properties)) sets.push_back(*set);
        };
        std::vector<Ref> maker;
        const auto words_ = [&](const char* name, const std::string& text) {
            if (!text.empty()) maker.push_back(single(name, "IFCLABEL(" + stepText(text) + ")"));
        };
        const auto length = [&](const char* name, double mm) { return single(name, "IFCPOSITIVELENGTHMEASURE(" + stepReal(mm) + ")"); };
        const std::string_view entity = c.entity;
        if (const auto* device = std::get_if<DeviceSpec>(&part.spec)) {
            words_("ModelReference", device->partNumber);
            words_("ModelLabel", part.model);
            words_("Manufacturer", device->manufacturer);
            const double va = double(device->power.apparent.value.count()) / 1000, watts = toWatts(device->capacity.value);
            if (entity == "IFCTRANSFORMER" && va > 0)
                add("Pset_TransformerTypeCommon", {single("MaximumApparentPower", "IFCPOWERMEASURE(" + stepReal(va) + ")")});
            if (entity == "IFCCHILLER" && watts > 0)
                add("Pset_ChillerTypeCommon", {single("NominalCapacity", "IFCPOWERMEASURE(" + stepReal(watts) + ")")});
        } else {
            words_("ModelLabel", part.model);
        }
        if (const auto* tray = std::get_if<TraySpec>(&part.spec); tray && tray->width.value.count() > 0 && tray->height.value.count() > 0)
            add("Pset_CableCarrierSegmentTypeCableTraySegment",
                {length("NominalWidth", tray->width.value.count()), length("NominalHeight", tray->height.value.count())});
        if (const auto* cable = std::get_if<CableSpec>(&part.spec); cable && cable->innerMm.value > 0)
            add("Pset_PipeSegmentTypeCommon", {length("InnerDiameter", cable->innerMm.value)});
        if (entity == "IFCBUILDINGELEMENTPROXY")
            add("Pset_BuildingElementProxyCommon", {single("Reference", "IFCIDENTIFIER(" + stepText(part.slug) + ")")});
        add("Pset_ManufacturerTypeInformation", std::move(maker));
        return sets;
    }

    // --- Elements -------------------------------------------------------------------------------------------------------------------------------
    struct TypeNode {
        Ref entity = 0;
        std::optional<Ref> map; ///< of its body
        std::vector<Ref> occurrences;
        std::string name;
    };

    /// The type of a part, of boxes with the body that all its occurrences share.
    TypeNode* typeOf(const Element& e, const IfcClass& c)
    {
        if (!e.type) return nullptr;
        const Part& part = (*m_f.parts)[*e.type];
        const bool box = e.form == Form::Box;
        std::string key = fmt::format("{}|{}|{}", c.entity, c.predefined, part.slug);
        if (box) key += fmt::format("|{}x{}x{}|{:06X}", e.width, e.depth, e.height, e.rgb);
        const auto [found, fresh] = m_types.try_emplace(key);
        TypeNode& type = found->second;
        if (!fresh) return &type;
        type.name = "type " + key;
        if (box) {
            const Ref solid = extruded(rectangle(e.width / 2.0, e.depth / 2.0, e.width, e.depth), e.height);
            color(solid, e.rgb, e.translucent);
            type.map = m_out.add("IFCREPRESENTATIONMAP", {ref(axes({0, 0, 0})), ref(body("SweptSolid", solid))});
        }
        const auto sets = typeSets(type.name, *e.type, c);
        const std::string_view predefined = c.predefined;
        type.entity = m_out.add(std::string(c.entity) + "TYPE",
                                {id(type.name), kUnset, label(part.model.empty() ? part.slug : part.model), label(part.description), kUnset,
                                 sets.empty() ? kUnset : StepWriter::list(sets), type.map ? listOf({*type.map}) : kUnset, label(part.slug),
                                 predefined == "USERDEFINED" ? stepText(c.objectType) : kUnset, enumerated(predefined)});
        return &type;
    }

    /// Where positions of an element are counted from.
    [[nodiscard]] std::pair<Ref, Vector> frameOf(const Element& e)
    {
        if (e.hall) {
            const Box& box = m_f.placement->hall(*e.hall);
            return {m_spaces.at((*e.hall).value).placement, {double(box.low.x), double(box.low.y), 0}};
        }
        return {m_sites.begin()->second.placement, {}};
    }

    static Vector toVector(Point p) { return {double(p.x), double(p.y), double(p.z)}; }

    Ref axesOfBox(Vector at, double degrees)
    {
        if (std::fmod(degrees, 360) == 0) return axes(at);
        static constexpr Vector kQuarters[] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
        return axes(at, {0, 0, 1}, kQuarters[std::size_t(std::lround(degrees / 90)) % 4]);
    }

    /// Shape and placement of an element.
    std::pair<Ref, Ref> bodyOf(std::size_t number, TypeNode* type)
    {
        const Element& e = m_scene.elements[number];
        if (e.parent >= 0) return inRack(e, *type);
        const auto [parent, origin] = frameOf(e);
        const Vector a = toVector(e.a) - origin;
        if (e.form == Form::Box) {
            const Ref at = placement(parent, axesOfBox(a, e.degrees));
            m_placements[number] = at;
            if (type) return {mapped(*type), at};
            const Ref solid = extruded(rectangle(e.width / 2.0, e.depth / 2.0, e.width, e.depth), e.height);
            color(solid, e.rgb, e.translucent);
            return {shape(body("SweptSolid", solid)), at};
        }
        const bool upright = e.kind == ElementKind::Wall || e.kind == ElementKind::Column || e.kind == ElementKind::Door ||
                             e.kind == ElementKind::Ramp || e.kind == ElementKind::KeepOut;
        const Vector d = toVector(e.b) - toVector(e.a);
        const double plan = std::hypot(d.x, d.y), length = std::hypot(plan, d.z);
        Ref at = 0, solid = 0;
        if (upright && e.form == Form::Beam) { // on the floor, along its line
            const Vector foot{a.x, a.y, a.z - double(e.height / 2)};
            at = placement(parent, d.y == 0 && d.x > 0 ? axes(foot) : axes(foot, {0, 0, 1}, {d.x / plan, d.y / plan, 0}));
            solid = extruded(rectangle(plan / 2, 0, plan, e.width), e.height);
        } else {
            const Vector z{d.x / length, d.y / length, d.z / length}, x = plan > 0 ? Vector{-d.y / plan, d.x / plan, 0} : Vector{1, 0, 0};
            at = placement(parent, plan == 0 && d.z > 0 ? axes(a) : axes(a, z, x));
            solid = extruded(e.form == Form::Round ? round(e) : rectangle(0, 0, e.width, e.height), length);
        }
        color(solid, e.rgb, e.translucent);
        m_placements[number] = at;
        return {shape(body("SweptSolid", solid)), at};
    }

    Ref round(const Element& e)
    {
        const double radius = e.width / 2.0;
        const CableSpec* pipe = e.kind == ElementKind::Pipe && e.type ? &m_f.parts->cable(*e.type) : nullptr;
        if (pipe && pipe->innerMm.value > 0 && pipe->innerMm.value < e.width)
            return m_out.shared("IFCCIRCLEHOLLOWPROFILEDEF",
                                {".AREA.", kUnset, ref(axes2(0, 0)), stepReal(radius), stepReal(radius - pipe->innerMm.value / 2)});
        return m_out.shared("IFCCIRCLEPROFILEDEF", {".AREA.", kUnset, ref(axes2(0, 0)), stepReal(radius)});
    }

    Ref mapped(const TypeNode& type)
    {
        const Ref target = m_out.shared("IFCCARTESIANTRANSFORMATIONOPERATOR3D", {kUnset, kUnset, ref(point({0, 0, 0})), "1.", kUnset});
        return shape(body("MappedRepresentation", m_out.add("IFCMAPPEDITEM", {ref(*type.map), ref(target)})));
    }

    /// A device in the frame of its rack, which looks the same way.
    std::pair<Ref, Ref> inRack(const Element& e, const TypeNode& type)
    {
        const Element& rack = m_scene.elements[std::size_t(e.parent)];
        const double dx = e.a.x - rack.a.x, dy = e.a.y - rack.a.y, dz = e.a.z - rack.a.z;
        Vector local{dx, dy, dz};
        switch (int(rack.degrees) / 90 % 4) {
        case 1: local = {dy, -dx, dz}; break;
        case 2: local = {-dx, -dy, dz}; break;
        case 3: local = {-dy, dx, dz}; break;
        default: break;
        }
        return {mapped(type), placement(m_placements[std::size_t(e.parent)], axes(local))};
    }

    [[nodiscard]] std::string nameOf(const Element& e) const
    {
        std::string name = scene::stableName(m_s, e.entity);
        if (e.kind == ElementKind::Containment) name += "/containment";
        return e.piece > 0 ? fmt::format("{}/{}", name, e.piece) : name;
    }

    void element(std::size_t number)
    {
        const Element& e = m_scene.elements[number];
        const IfcClass c = classOf(m_f, e);
        TypeNode* type = typeOf(e, c);
        m_placements.resize(m_scene.elements.size());
        const auto [representation, at] = bodyOf(number, type);
        const std::string name = nameOf(e), objectType = *c.objectType ? stepText(c.objectType) : kUnset;
        const auto common = [&](std::initializer_list<std::string> more) {
            std::string head =
                id(name) + ",$," + label(e.name) + ",$," + objectType + "," + ref(at) + "," + ref(representation) + "," + label(e.name);
            for (const auto& attribute : more) head += "," + attribute;
            return m_out.add(c.entity, {head});
        };
        const Ref made = e.kind == ElementKind::Door
                             ? common({stepReal(e.height), stepReal(e.depth), enumerated(c.predefined), ".NOTDEFINED.", kUnset})
                             : common({enumerated(c.predefined)});
        m_elements.push_back(made);
        if (type) type->occurrences.push_back(made);
        if (e.parent >= 0)
            m_inRack[std::size_t(e.parent)].push_back(made);
        else if (structural(e)) {
            m_contained[m_stories.at((*e.building).value).entity].push_back(made);
            m_referenced[m_spaces.at((*e.hall).value).entity].push_back(made);
        } else
            m_contained[e.hall ? m_spaces.at((*e.hall).value).entity : m_sites.begin()->second.entity].push_back(made);
        elementProperties(e, name, made);
    }

    /// Parts of the building: they belong to the story, as architects have them, and refer to their space.
    static bool structural(const Element& e)
    {
        return e.kind == ElementKind::Wall || e.kind == ElementKind::Column || e.kind == ElementKind::Door || e.kind == ElementKind::Ramp;
    }

    void elementProperties(const Element& e, const std::string& name, Ref made)
    {
        if (e.piece > 1) return; // one set for all pieces would be said again
        auto properties = m_source.of(e);
        for (const Property& p : properties)
            if (std::string_view(p.name) == "SerialNumber")
                propertySet(name, "Pset_ManufacturerOccurrence", made,
                            std::vector<Ref>{single("SerialNumber", "IFCIDENTIFIER(" + stepText(std::get<std::string>(p.value)) + ")")});
        std::erase_if(properties, [](const Property& p) { return std::string_view(p.name) == "SerialNumber"; });
        static constexpr const char* kSets[] = {"Hall_Rack",      "Hall_Equipment", "Hall_CableCarrier", "Hall_Pipe",    "Hall_Structure",
                                                "Hall_Structure", "Hall_Structure", "Hall_Structure",    "Hall_KeepOut", "Hall_Containment"};
        propertySet(name, kSets[std::size_t(e.kind)], made, properties);
    }

    void contain()
    {
        for (const auto& [in, elements] : m_contained)
            m_out.add("IFCRELCONTAINEDINSPATIALSTRUCTURE",
                      {id(containerName(in) + " contains"), kUnset, kUnset, kUnset, StepWriter::list(elements), ref(in)});
        for (const auto& [space, elements] : m_referenced)
            m_out.add("IFCRELREFERENCEDINSPATIALSTRUCTURE",
                      {id(containerName(space) + " refers"), kUnset, kUnset, kUnset, StepWriter::list(elements), ref(space)});
        for (const auto& [rack, devices] : m_inRack)
            m_out.add("IFCRELAGGREGATES",
                      {id(nameOf(m_scene.elements[rack]) + ">devices"), kUnset, kUnset, kUnset, ref(m_elements[rack]), StepWriter::list(devices)});
    }

    /// Of a space, story or site: by its entity, so that it outlives other instances before it.
    [[nodiscard]] std::string containerName(Ref entity) const
    {
        for (const auto& [hall, node] : m_spaces)
            if (node.entity == entity) return scene::stableName(m_s, ref_(HallId(hall)));
        for (const auto& [building, node] : m_stories)
            if (node.entity == entity) return scene::stableName(m_s, ref_(BuildingId(building)));
        return "site";
    }

    void defineTypes()
    {
        for (const auto& [key, type] : m_types)
            m_out.add("IFCRELDEFINESBYTYPE", {id(type.name + ">"), kUnset, kUnset, kUnset, StepWriter::list(type.occurrences), ref(type.entity)});
    }

    // --- Feeds of power and coolant -------------------------------------------------------------------------------------------------------------
    void connect()
    {
        std::vector<std::vector<Ref>> ports(m_elements.size());
        for (const scene::Connection& c : m_scene.connections) {
            const bool power = c.medium == Medium::Power;
            const std::string name = fmt::format("{}>{}>{}{}", nameOf(m_scene.elements[c.feeder]), nameOf(m_scene.elements[c.fed]), wordOf(c.medium),
                                                 c.side ? std::string(1, c.side) : std::string());
            const auto port = [&](std::uint32_t element, const char* flow) {
                const Ref made = m_out.add("IFCDISTRIBUTIONPORT", {id(name + flow), kUnset, c.side ? stepText(std::string("Feed ") + c.side) : kUnset,
                                                                   kUnset, kUnset, kUnset, kUnset, enumerated(flow), power ? ".CABLE." : ".PIPE.",
                                                                   power ? ".ELECTRICAL." : ".CHILLEDWATER."});
                ports[element].push_back(made);
                return made;
            };
            const Ref source = port(c.feeder, "SOURCE"), sink = port(c.fed, "SINK");
            m_out.add("IFCRELCONNECTSPORTS", {id(name), kUnset, kUnset, kUnset, ref(source), ref(sink), kUnset});
        }
        for (std::size_t i = 0; i < ports.size(); ++i)
            if (!ports[i].empty())
                m_out.add("IFCRELNESTS",
                          {id(nameOf(m_scene.elements[i]) + ">ports"), kUnset, kUnset, kUnset, ref(m_elements[i]), StepWriter::list(ports[i])});
    }

    const Figures& m_f;
    const Snapshot& m_s;
    const scene::Scope& m_scope;
    const scene::Scene m_scene;
    const scene::PropertySource m_source;
    StepWriter m_out;
    Ref m_body = 0, m_project = 0;
    std::map<std::uint32_t, Node> m_sites, m_buildings, m_stories, m_spaces; ///< by id of site, building, building, hall
    std::vector<Ref> m_elements, m_placements;                               ///< by element
    std::map<std::string, TypeNode> m_types;
    std::map<Ref, std::vector<Ref>> m_contained, m_referenced; ///< elements by space, story or site
    std::map<std::size_t, std::vector<Ref>> m_inRack;
};

} // namespace

std::string ifcText(const Figures& figures, const scene::Scope& scope, const IfcHead& head)
{
    const std::string data = IfcWriter(figures, scope).run();
    std::string out = "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('ViewDefinition [ReferenceView_V1.2]'),'2;1');\n";
    out += fmt::format("FILE_NAME({},{},(''),(''),'Hallwright','Hallwright','');\n", stepText(head.file), stepText(head.date));
    out += "FILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n";
    out += data;
    return out + "ENDSEC;\nEND-ISO-10303-21;\n";
}

} // namespace hw::importers::ifc
