// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/usd/usd_writer.h"

#include "core/output/scene/colors.h"
#include "core/physics/site/room_shape.h"
#include "importers/usd/aif.h"

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <fmt/format.h>

namespace hw::importers::usd {

namespace {

using scene::Element;
using scene::ElementKind;
using scene::Form;

struct Spot {
    double x = 0, y = 0, z = 0;
};

/// Names of the prims below one other: letters, digits and underscores, each once.
class PrimNames {
public:
    std::string of(std::string_view name, const char* otherwise)
    {
        std::string clean;
        for (const char c : name) clean += std::isalnum(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 0x80 ? c : '_';
        if (clean.find_first_not_of('_') == clean.npos) clean = otherwise;
        if (std::isdigit(static_cast<unsigned char>(clean[0]))) clean.insert(0, "_");
        std::string free = clean;
        for (int n = 2; !m_taken.insert(free).second; ++n) free = fmt::format("{}_{}", clean, n);
        return free;
    }

private:
    std::set<std::string> m_taken;
};

std::string triple(double a, double b, double c) { return fmt::format("({}, {}, {})", usdNumber(a), usdNumber(b), usdNumber(c)); }

/// Text of nested prims.
class Layer {
public:
    void open(std::string_view head, std::initializer_list<std::string> metadata = {})
    {
        line(std::string(head) + (metadata.size() > 0 ? " (" : ""));
        if (metadata.size() > 0) {
            for (const auto& entry : metadata) line("    " + entry);
            line(")");
        }
        line("{");
        ++m_depth;
    }
    void close()
    {
        --m_depth;
        line("}");
    }
    void line(std::string_view text)
    {
        m_text.append(std::size_t(m_depth) * 4, ' ');
        m_text += text;
        m_text += '\n';
    }
    void attribute(std::string_view type, std::string_view name, std::string_view value) { line(fmt::format("{} {} = {}", type, name, value)); }
    void custom(const std::string& type, std::string_view name, std::string_view value) { attribute("custom " + type, name, value); }
    void uniform(const std::string& type, std::string_view name, std::string_view value) { attribute("uniform " + type, name, value); }
    void operations(std::initializer_list<const char*> names)
    {
        std::string list;
        for (const char* name : names) list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", name);
        uniform("token[]", "xformOpOrder", "[" + list + "]");
    }
    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    std::string m_text;
    int m_depth = 0;
};

class UsdWriter {
public:
    UsdWriter(const Figures& figures, const scene::Scope& scope, std::string date)
        : m_f(figures), m_s(*figures.snapshot), m_scope(scope), m_scene(scene::Scene::of(figures, scope)), m_source(figures), m_date(std::move(date))
    {
    }

    std::string run()
    {
        const std::string project = m_s.setting("project.name");
        PrimNames tops;
        m_root = tops.of(project, "Design");
        sort();
        std::string head = "#usda 1.0\n(\n    defaultPrim = \"" + m_root + "\"\n    metersPerUnit = 1\n    upAxis = \"Z\"\n    doc = " +
                           usdText("Hallwright: " + (project.empty() ? m_root : project)) + "\n)\n\n";
        m_out.open(fmt::format("def Xform \"{}\"", m_root), {"kind = \"assembly\""});
        m_parents.emplace_back();
        const std::string types = m_parents.back().of("Types", "Types");
        m_types = fmt::format("/{}/{}", m_root, types);
        m_out.open(fmt::format("def Scope \"{}\"", types));
        for (std::size_t i = 0; i < m_scene.elements.size(); ++i)
            if (m_scene.elements[i].form == Form::Box) type(i);
        m_out.close();
        m_s.buildings.forEach([&](BuildingId id) { building(id); });
        for (const std::size_t i : m_outside) element(i);
        m_out.close();
        return head + m_out.text();
    }

private:
    void sort()
    {
        m_inHall.resize(m_s.halls.nextId());
        m_inRack.resize(m_scene.elements.size());
        for (std::size_t i = 0; i < m_scene.elements.size(); ++i) {
            const Element& e = m_scene.elements[i];
            if (e.parent >= 0)
                m_inRack[std::size_t(e.parent)].push_back(i);
            else if (e.hall)
                m_inHall[(*e.hall).value].push_back(i);
            else
                m_outside.push_back(i);
        }
    }

    void color(std::uint32_t rgb, bool translucent)
    {
        const auto part = [&](int shift) { // linear
            const double c = double((rgb >> shift) & 255) / 255;
            return std::round((c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4)) * 1000) / 1000;
        };
        m_out.attribute("color3f[]", "primvars:displayColor", "[" + triple(part(16), part(8), part(0)) + "]");
        if (translucent) m_out.attribute("float[]", "primvars:displayOpacity", "[0.35]");
    }

    void cube(const std::string& name, const Point& low, const Point& high, const Element& e)
    {
        m_out.open(fmt::format("def Cube \"{}\"", name));
        m_out.attribute("double", "size", "1");
        color(e.rgb, e.translucent);
        m_out.attribute("float3", "xformOp:scale", triple((high.x - low.x) / 1000.0, (high.y - low.y) / 1000.0, (high.z - low.z) / 1000.0));
        m_out.attribute("double3", "xformOp:translate", triple((low.x + high.x) / 2000.0, (low.y + high.y) / 2000.0, (low.z + high.z) / 2000.0));
        m_out.operations({"xformOp:translate", "xformOp:scale"});
        m_out.close();
    }

    /// The class of an element of boxes: those with the same body and the same attributes share one. Its origin is in the middle of the floor.
    void type(std::size_t number)
    {
        const Element& e = m_scene.elements[number];
        const auto attributes = aifAttributes(m_f, m_source, e, m_date);
        const std::string slug = e.type ? (*m_f.parts)[*e.type].slug : std::string(wordOf(e.kind));
        const bool open = e.kind == ElementKind::Rack && m_scope.devices;
        std::string key = fmt::format("{}|{}|{}|{}|{:06X}|{}", slug, e.width, e.depth, e.height, e.rgb, e.parent >= 0);
        for (const Attribute& a : attributes) key += "|" + a.name + a.value;
        if (const auto known = m_classes.find(key); known != m_classes.end()) return void(m_classOf[number] = known->second);
        const std::string name = m_typeNames.of(slug, "Type");
        m_classes[key] = m_classOf[number] = name;
        m_out.open(fmt::format("class Xform \"{}\"", name), {fmt::format("kind = \"{}\"", e.parent >= 0 ? "subcomponent" : "component")});
        for (const Attribute& a : attributes) m_out.attribute(a.type, a.name, a.value);
        if (e.type)
            for (const scene::Property& p : scene::propertiesOf(*m_f.parts, *e.type)) own(p);
        const Point shift{-e.width / 2, -e.depth / 2, 0};
        const auto moved = [&](Point p) { return Point{p.x + shift.x, p.y + shift.y, p.z}; };
        if (open) {
            int panel = 0;
            for (const Box& b : scene::rackFrame(e)) cube(fmt::format("Panel_{}", ++panel), moved(b.low), moved(b.high), e);
        } else {
            cube("Body", moved({0, 0, 0}), moved({e.width, e.depth, e.height}), e);
        }
        m_out.close();
    }

    void own(const scene::Property& p)
    {
        const std::string name = std::string("hallwright:") + p.key;
        if (const auto* text = std::get_if<std::string>(&p.value)) m_out.custom("string", name, usdText(*text));
        if (const auto* number = std::get_if<double>(&p.value)) m_out.custom("double", name, usdNumber(*number));
        if (const auto* count = std::get_if<std::int64_t>(&p.value)) m_out.custom("int", name, std::to_string(*count));
        if (const auto* flag = std::get_if<bool>(&p.value)) m_out.custom("bool", name, *flag ? "true" : "false");
    }

    void building(BuildingId id)
    {
        if (m_scope.hall && m_s.halls.building[*m_scope.hall] != id) return;
        m_out.open(fmt::format("def Xform \"{}\"", m_parents.back().of(m_s.buildings.name[id], "Building")), {"kind = \"group\""});
        m_parents.emplace_back();
        m_out.custom("string", "hallwright:name", usdText(m_s.buildings.name[id]));
        m_s.halls.forEach([&](HallId hall) {
            if (m_s.halls.building[hall] == id && (!m_scope.hall || *m_scope.hall == hall)) room(hall);
        });
        m_parents.pop_back();
        m_out.close();
    }

    void room(HallId hall)
    {
        m_out.open(fmt::format("def Xform \"{}\"", m_parents.back().of(m_s.halls.name[hall], "Hall")), {"kind = \"group\""});
        m_parents.emplace_back();
        m_out.custom("string", "hallwright:name", usdText(m_s.halls.name[hall]));
        m_out.custom("string", "hallwright:key", usdText(scene::stableName(m_s, hw::ref(hall))));
        m_out.custom("double", "hallwright:design_power_w", usdNumber(toWatts(m_f.power->hall(hall).at(PowerBasis::Design))));
        floor(hall);
        for (const std::size_t i : m_inHall[hall.value]) element(i);
        m_parents.pop_back();
        m_out.close();
    }

    void floor(HallId hall)
    {
        const auto outline = site::RoomShape::of(m_s, hall).outline();
        if (outline.size() < 3) return;
        const Box& box = m_f.placement->hall(hall);
        double twice = 0;
        for (std::size_t i = 0; i < outline.size(); ++i) {
            const auto &a = outline[i], &b = outline[(i + 1) % outline.size()];
            twice += double(a.x) * b.y - double(b.x) * a.y;
        }
        std::string points, indices;
        for (std::size_t i = 0; i < outline.size(); ++i) {
            const auto& p = outline[i];
            points += (i ? ", " : "") + triple((box.low.x + p.x) / 1000.0, (box.low.y + p.y) / 1000.0, 0);
            indices += fmt::format("{}{}", i ? ", " : "", twice < 0 ? outline.size() - 1 - i : i);
        }
        m_out.open(fmt::format("def Mesh \"{}\"", m_parents.back().of("Floor", "Floor")));
        m_out.attribute("int[]", "faceVertexCounts", fmt::format("[{}]", outline.size()));
        m_out.attribute("int[]", "faceVertexIndices", "[" + indices + "]");
        m_out.attribute("point3f[]", "points", "[" + points + "]");
        m_out.uniform("token", "subdivisionScheme", "\"none\"");
        color(scene::kSlabRgb, false);
        m_out.close();
    }

    void properties(const Element& e)
    {
        m_out.custom("string", "hallwright:name", usdText(e.name));
        m_out.custom("string", "hallwright:kind", usdText(wordOf(e.kind)));
        for (const scene::Property& p : m_source.of(e)) own(p);
    }

    void element(std::size_t number)
    {
        const Element& e = m_scene.elements[number];
        const std::string name = m_parents.back().of(e.name, "Element");
        if (e.form != Form::Box) return beam(e, name);
        const bool holds = !m_inRack[number].empty();
        const std::string reference = fmt::format("prepend references = <{}/{}>", m_types, m_classOf.at(number)); // no text
        const std::string kind = fmt::format("kind = \"{}\"", e.parent >= 0 ? "subcomponent" : "component");
        if (holds)
            m_out.open(fmt::format("def Xform \"{}\"", name), {kind, reference});
        else
            m_out.open(fmt::format("def Xform \"{}\"", name), {"instanceable = true", kind, reference});
        properties(e);
        place(e);
        if (holds) {
            PrimNames& names = m_parents.emplace_back();
            names.of("Body", "Body"); // of its class
            for (int panel = 1; panel <= 4; ++panel) names.of(fmt::format("Panel_{}", panel), "Panel");
            for (const std::size_t device : m_inRack[number]) element(device);
            m_parents.pop_back();
        }
        m_out.close();
    }

    /// From the front-left corner to the middle of the floor.
    static Spot middle(const Element& e)
    {
        const double angle = e.degrees * std::numbers::pi / 180, x = e.width / 2, y = e.depth / 2; // whole mm, as in the class
        return {e.a.x + x * std::cos(angle) - y * std::sin(angle), e.a.y + x * std::sin(angle) + y * std::cos(angle), double(e.a.z)};
    }
    void place(const Element& e)
    {
        Spot at = middle(e);
        double degrees = e.degrees;
        if (e.parent >= 0) { // in the frame of its rack
            const Element& rack = m_scene.elements[std::size_t(e.parent)];
            const Spot of = middle(rack);
            const double angle = -rack.degrees * std::numbers::pi / 180, dx = at.x - of.x, dy = at.y - of.y;
            at = {dx * std::cos(angle) - dy * std::sin(angle), dx * std::sin(angle) + dy * std::cos(angle), at.z - of.z};
            degrees -= rack.degrees;
        }
        const auto meters = [](double mm) { return std::round(mm * 10) / 10'000; };
        m_out.attribute("double3", "xformOp:translate", triple(meters(at.x), meters(at.y), meters(at.z)));
        if (std::fmod(degrees, 360) == 0) return m_out.operations({"xformOp:translate"});
        m_out.attribute("double", "xformOp:rotateZ", usdNumber(degrees));
        m_out.operations({"xformOp:translate", "xformOp:rotateZ"});
    }

    void beam(const Element& e, const std::string& name)
    {
        const auto pose = e.pose();
        const bool round = e.form == Form::Round;
        m_out.open(fmt::format("def {} \"{}\"", round ? "Cylinder" : "Cube", name), {"kind = \"component\""});
        properties(e);
        if (round) {
            m_out.uniform("token", "axis", "\"X\"");
            m_out.attribute("double", "height", usdNumber(pose.length / 1000));
            m_out.attribute("double", "radius", usdNumber(e.width / 2000.0));
        } else {
            m_out.attribute("double", "size", "1");
            m_out.attribute("float3", "xformOp:scale", triple(pose.length / 1000, e.width / 1000.0, e.height / 1000.0));
        }
        color(e.rgb, e.translucent);
        m_out.attribute("double3", "xformOp:translate", triple((e.a.x + e.b.x) / 2000.0, (e.a.y + e.b.y) / 2000.0, (e.a.z + e.b.z) / 2000.0));
        m_out.attribute("double", "xformOp:rotateZ", usdNumber(pose.yaw));
        m_out.attribute("double", "xformOp:rotateY", usdNumber(-pose.pitch));
        if (round)
            m_out.operations({"xformOp:translate", "xformOp:rotateZ", "xformOp:rotateY"});
        else
            m_out.operations({"xformOp:translate", "xformOp:rotateZ", "xformOp:rotateY", "xformOp:scale"});
        m_out.close();
    }

    const Figures& m_f;
    const Snapshot& m_s;
    const scene::Scope& m_scope;
    const scene::Scene m_scene;
    const scene::PropertySource m_source;
    const std::string m_date;
    Layer m_out;
    std::string m_root, m_types;
    std::vector<PrimNames> m_parents; ///< names below the prims that are open
    PrimNames m_typeNames;
    std::map<std::string, std::string> m_classes;
    std::map<std::size_t, std::string> m_classOf; ///< by element
    std::vector<std::vector<std::size_t>> m_inHall, m_inRack;
    std::vector<std::size_t> m_outside;
};

} // namespace

std::string usdaOf(const Figures& figures, const scene::Scope& scope, const std::string& date) { return UsdWriter(figures, scope, date).run(); }

} // namespace hw::importers::usd
