// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/gltf/glb_writer.h"

#include "core/output/scene/colors.h"
#include "core/physics/site/room_shape.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::importers {

namespace {

using Json = nlohmann::ordered_json;
using scene::Element;
using scene::ElementKind;
using scene::Form;
using Corner = std::array<float, 3>;

static_assert(std::endian::native == std::endian::little, "the binary chunk is little-endian");

/// From the campus (z up, mm) to glTF (y up, m).
Corner upright(double x, double y, double z) { return {float(x / 1000), float(z / 1000), float(-y / 1000)}; }

/// Triangles with flat normals.
struct Body {
    std::vector<Corner> positions, normals;
    std::vector<std::uint16_t> indices;

    /// Corners counter-clockwise as seen from outside.
    void quad(const std::array<Corner, 4>& c)
    {
        const auto first = std::uint16_t(positions.size());
        const auto d = [&](int a, int b, int i) { return c[std::size_t(b)][std::size_t(i)] - c[std::size_t(a)][std::size_t(i)]; };
        Corner n{d(0, 1, 1) * d(0, 3, 2) - d(0, 1, 2) * d(0, 3, 1), d(0, 1, 2) * d(0, 3, 0) - d(0, 1, 0) * d(0, 3, 2),
                 d(0, 1, 0) * d(0, 3, 1) - d(0, 1, 1) * d(0, 3, 0)};
        const float length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (float& v : n) v = length > 0 ? v / length : 0;
        for (const Corner& corner : c) positions.push_back(corner), normals.push_back(n);
        for (const int i : {0, 1, 2, 0, 2, 3}) indices.push_back(std::uint16_t(first + i));
    }

    void box(double x1, double y1, double z1, double x2, double y2, double z2)
    {
        const auto p = [&](int x, int y, int z) { return upright(x ? x2 : x1, y ? y2 : y1, z ? z2 : z1); };
        quad({p(0, 0, 0), p(1, 0, 0), p(1, 0, 1), p(0, 0, 1)});
        quad({p(1, 0, 0), p(1, 1, 0), p(1, 1, 1), p(1, 0, 1)});
        quad({p(1, 1, 0), p(0, 1, 0), p(0, 1, 1), p(1, 1, 1)});
        quad({p(0, 1, 0), p(0, 0, 0), p(0, 0, 1), p(0, 1, 1)});
        quad({p(0, 0, 1), p(1, 0, 1), p(1, 1, 1), p(0, 1, 1)});
        quad({p(0, 1, 0), p(1, 1, 0), p(1, 0, 0), p(0, 0, 0)});
    }

    /// Around the x axis, one meter long and wide.
    void cylinder()
    {
        constexpr int kSides = 12; // a multiple of four, so that its box is exact
        const auto ring = [](int i, double x) {
            const double angle = 2 * std::numbers::pi * i / kSides;
            return upright(x, 500 * std::cos(angle), 500 * std::sin(angle));
        };
        for (int i = 0; i < kSides; ++i) quad({ring(i, -500), ring(i + 1, -500), ring(i + 1, 500), ring(i, 500)});
        for (int i = 0; i < kSides; i += 2) { // ends, as quads from the middle
            quad({upright(500, 0, 0), ring(i, 500), ring(i + 1, 500), ring(i + 2, 500)});
            quad({upright(-500, 0, 0), ring(i + 2, -500), ring(i + 1, -500), ring(i, -500)});
        }
    }

    /// A floor, seen from above: a simple polygon cut into triangles.
    void floor(std::vector<site::FloorPoint> loop)
    {
        const auto cross = [](site::FloorPoint a, site::FloorPoint b, site::FloorPoint c) {
            return double(b.x - a.x) * double(c.y - a.y) - double(b.y - a.y) * double(c.x - a.x);
        };
        double twice = 0;
        for (std::size_t i = 0; i < loop.size(); ++i) twice += cross({0, 0}, loop[i], loop[(i + 1) % loop.size()]);
        if (twice < 0) std::ranges::reverse(loop);
        for (const auto& p : loop) positions.push_back(upright(p.x, p.y, 0)), normals.push_back({0, 1, 0});
        std::vector<std::uint16_t> left;
        for (std::size_t i = 0; i < loop.size() && i < 0xFFFF; ++i) left.push_back(std::uint16_t(i));
        while (left.size() > 2) {
            bool cut = false;
            for (std::size_t i = 0; i < left.size() && !cut; ++i) {
                const auto a = left[(i + left.size() - 1) % left.size()], b = left[i], c = left[(i + 1) % left.size()];
                if (cross(loop[a], loop[b], loop[c]) <= 0 && left.size() > 3) continue;
                bool ear = true;
                for (const auto p : left)
                    ear = ear && (p == a || p == b || p == c || cross(loop[a], loop[b], loop[p]) <= 0 || cross(loop[b], loop[c], loop[p]) <= 0 ||
                                  cross(loop[c], loop[a], loop[p]) <= 0);
                if (!ear) continue;
                for (const auto n : {a, b, c}) indices.push_back(n);
                left.erase(left.begin() + std::ptrdiff_t(i));
                cut = true;
            }
            if (!cut) break; // it crosses itself
        }
    }
};

class GlbWriter {
public:
    GlbWriter(const Figures& figures, const scene::Scope& scope)
        : m_f(figures), m_s(*figures.snapshot), m_scope(scope), m_scene(scene::Scene::of(figures, scope)), m_source(figures)
    {
    }

    std::string run()
    {
        m_nodes.push_back({{"name", nameOr(m_s.setting("project.name"), "design")}});
        m_children.emplace_back();
        groups();
        for (std::size_t i = 0; i < m_scene.elements.size(); ++i) element(i);
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
            if (!m_children[i].empty()) m_nodes[i]["children"] = m_children[i];
        return glb();
    }

private:
    static std::string nameOr(const std::string& name, const char* otherwise) { return name.empty() ? otherwise : name; }

    std::size_t node(Json json, std::size_t parent)
    {
        m_nodes.push_back(std::move(json));
        m_children.emplace_back();
        m_children[parent].push_back(m_nodes.size() - 1);
        return m_nodes.size() - 1;
    }

    /// Buildings and their rooms, each with its floor.
    void groups()
    {
        m_s.buildings.forEach([&](BuildingId id) {
            if (m_scope.hall && m_s.halls.building[*m_scope.hall] != id) return;
            m_buildings[id.value] = node({{"name", m_s.buildings.name[id]}, {"extras", {{"kind", "building"}}}}, 0);
        });
        m_s.halls.forEach([&](HallId id) {
            if (m_scope.hall && *m_scope.hall != id) return;
            Json json{{"name", m_s.halls.name[id]}};
            const auto outline = site::RoomShape::of(m_s, id).outline();
            Body body;
            body.floor(outline);
            if (!body.indices.empty()) {
                json["mesh"] = mesh("floor " + m_s.halls.name[id] + std::to_string(id.value), m_s.halls.name[id], scene::kSlabRgb, false, body);
                const Box& box = m_f.placement->hall(id);
                json["translation"] = {box.low.x / 1000.0, 0.0, -box.low.y / 1000.0};
            }
            json["extras"] = {{"kind", "hall"},
                              {"key", scene::stableName(m_s, hw::ref(id))},
                              {"room", wordOf(m_s.halls.kind[id])},
                              {"kw", kilowatts(m_f.power->hall(id))}};
            const std::size_t parent = m_buildings.at(m_s.halls.building[id].value);
            node(std::move(json), parent);
            m_halls[id.value] = parent; // what is in a room is beside its floor, so that places are those of the campus
        });
    }

    static double kilowatts(const Load& load) { return std::round(toWatts(load.at(PowerBasis::Design))) / 1000; }

    void element(std::size_t number)
    {
        const Element& e = m_scene.elements[number];
        Json json{{"name", e.name}};
        if (e.form == Form::Box) {
            json["mesh"] = boxMesh(e);
            const Element* rack = e.parent >= 0 ? &m_scene.elements[std::size_t(e.parent)] : nullptr;
            double x = e.a.x, y = e.a.y, z = e.a.z, degrees = e.degrees;
            if (rack) { // in its frame
                const double angle = -rack->degrees * std::numbers::pi / 180, dx = x - rack->a.x, dy = y - rack->a.y;
                x = std::round(dx * std::cos(angle) - dy * std::sin(angle)), y = std::round(dx * std::sin(angle) + dy * std::cos(angle)),
                z -= rack->a.z;
                degrees -= rack->degrees;
            }
            json["translation"] = {x / 1000, z / 1000, -y / 1000};
            if (std::fmod(degrees, 360) != 0) json["rotation"] = rotation(degrees, 0);
        } else {
            const auto pose = e.pose();
            const bool round = e.form == Form::Round;
            json["mesh"] = unitMesh(e, round);
            json["translation"] = {(e.a.x + e.b.x) / 2000.0, (e.a.z + e.b.z) / 2000.0, -(e.a.y + e.b.y) / 2000.0};
            if (pose.yaw != 0 || pose.pitch != 0) json["rotation"] = rotation(pose.yaw, pose.pitch);
            json["scale"] = {pose.length / 1000, (round ? e.width : e.height) / 1000.0, e.width / 1000.0};
        }
        json["extras"] = extras(e);
        const std::size_t parent = e.parent >= 0 ? m_ofElement[std::size_t(e.parent)] : e.hall ? m_halls.at((*e.hall).value) : 0;
        m_ofElement.resize(m_scene.elements.size());
        m_ofElement[number] = node(std::move(json), parent);
    }

    /// Turned by yaw around the upright axis after being raised by pitch, as a quaternion.
    static Json rotation(double yaw, double pitch)
    {
        const double y = yaw * std::numbers::pi / 360, p = -pitch * std::numbers::pi / 360; // half angles; raised is a negative turn around y
        const double cy = std::cos(y), sy = std::sin(y), cp = std::cos(p), sp = std::sin(p);
        const double qx = -sy * sp, qy = cy * sp, qz = sy * cp, qw = cy * cp; // z up
        const auto tidy = [](double v) { return std::abs(v) < 1e-12 ? 0.0 : v; };
        return {tidy(qx), tidy(qz), tidy(-qy), tidy(qw)};
    }

    Json extras(const Element& e) const
    {
        Json json{{"kind", wordOf(e.kind)}};
        if (e.power != PowerElement::None) json["element"] = wordOf(e.power);
        if (e.power == PowerElement::None && e.cooling != CoolingElement::None) json["element"] = wordOf(e.cooling);
        if (e.type) json["type"] = (*m_f.parts)[*e.type].slug;
        for (const scene::Property& p : m_source.of(e)) {
            if (std::string_view(p.key) == "design_power_w") json["kw"] = std::round(std::get<double>(p.value)) / 1000;
            std::visit([&](const auto& value) { json[p.key] = value; }, p.value);
        }
        return json;
    }

    // --- Meshes ---------------------------------------------------------------------------------------------------------------------------------
    std::size_t boxMesh(const Element& e)
    {
        const bool open = e.kind == ElementKind::Rack && m_scope.devices;
        const std::string type = e.type ? (*m_f.parts)[*e.type].slug : std::string(wordOf(e.kind));
        const std::string key = fmt::format("{} {}x{}x{} {:06x}{}", type, e.width, e.depth, e.height, e.rgb, open ? " open" : "");
        if (const auto known = m_meshes.find(key); known != m_meshes.end()) return known->second;
        Body body;
        if (open)
            for (const Box& b : scene::rackFrame(e)) body.box(b.low.x, b.low.y, b.low.z, b.high.x, b.high.y, b.high.z);
        else
            body.box(0, 0, 0, e.width, e.depth, e.height);
        return mesh(key, type, e.rgb, e.translucent, body);
    }

    std::size_t unitMesh(const Element& e, bool round)
    {
        const std::string key = fmt::format("{} {} {:06x}", wordOf(e.kind), round, e.rgb);
        if (const auto known = m_meshes.find(key); known != m_meshes.end()) return known->second;
        Body body;
        if (round)
            body.cylinder();
        else
            body.box(-500, -500, -500, 500, 500, 500);
        return mesh(key, std::string(wordOf(e.kind)), e.rgb, e.translucent, body);
    }

    std::size_t mesh(const std::string& key, const std::string& name, std::uint32_t rgb, bool translucent, const Body& body)
    {
        Json low = Json::array(), high = Json::array();
        for (std::size_t i = 0; i < 3; ++i) {
            float least = INFINITY, most = -INFINITY;
            for (const Corner& p : body.positions) least = std::min(least, p[i]), most = std::max(most, p[i]);
            low.push_back(least), high.push_back(most);
        }
        const std::size_t first = m_accessors.size(), count = body.positions.size();
        m_accessors.push_back({{"bufferView", 0},
                               {"byteOffset", m_positions.size() * 12},
                               {"componentType", 5126},
                               {"count", count},
                               {"type", "VEC3"},
                               {"min", low},
                               {"max", high}});
        m_accessors.push_back(
            {{"bufferView", 1}, {"byteOffset", m_normals.size() * 12}, {"componentType", 5126}, {"count", count}, {"type", "VEC3"}});
        m_accessors.push_back(
            {{"bufferView", 2}, {"byteOffset", m_indices.size() * 2}, {"componentType", 5123}, {"count", body.indices.size()}, {"type", "SCALAR"}});
        m_positions.insert(m_positions.end(), body.positions.begin(), body.positions.end());
        m_normals.insert(m_normals.end(), body.normals.begin(), body.normals.end());
        m_indices.insert(m_indices.end(), body.indices.begin(), body.indices.end());
        if (m_indices.size() % 2) m_indices.push_back(0); // accessors begin at multiples of four
        Json primitive{
            {"attributes", {{"POSITION", first}, {"NORMAL", first + 1}}}, {"indices", first + 2}, {"material", material(rgb, translucent)}};
        m_meshList.push_back({{"name", name}, {"primitives", Json::array({std::move(primitive)})}});
        return m_meshes[key] = m_meshList.size() - 1;
    }

    std::size_t material(std::uint32_t rgb, bool translucent)
    {
        const auto [found, fresh] = m_materials.try_emplace({rgb, translucent}, m_materialList.size());
        if (!fresh) return found->second;
        const auto linear = [&](int shift) {
            const double c = double((rgb >> shift) & 255) / 255;
            return std::round((c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4)) * 1e6) / 1e6;
        };
        Json json{
            {"name", fmt::format("{:06X}{}", rgb, translucent ? " translucent" : "")},
            {"pbrMetallicRoughness",
             {{"baseColorFactor", {linear(16), linear(8), linear(0), translucent ? 0.35 : 1.0}}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.9}}}};
        if (translucent) json["alphaMode"] = "BLEND", json["doubleSided"] = true;
        m_materialList.push_back(std::move(json));
        return found->second;
    }

    // --- The file -------------------------------------------------------------------------------------------------------------------------------
    std::string glb()
    {
        std::string binary;
        Json views = Json::array();
        const auto append = [&](const void* data, std::size_t bytes, int target, bool strided) {
            Json view{{"buffer", 0}, {"byteOffset", binary.size()}, {"byteLength", bytes}, {"target", target}};
            if (strided) view["byteStride"] = 12;
            views.push_back(std::move(view));
            binary.append(static_cast<const char*>(data), bytes);
        };
        if (!m_meshList.empty()) {
            append(m_positions.data(), m_positions.size() * sizeof(Corner), 34962, true);
            append(m_normals.data(), m_normals.size() * sizeof(Corner), 34962, true);
            append(m_indices.data(), m_indices.size() * 2, 34963, false);
        }
        Json json{{"asset", {{"version", "2.0"}, {"generator", "Hallwright"}}}, {"scene", 0}, {"scenes", Json::array({{{"nodes", {0}}}})}};
        json["nodes"] = std::move(m_nodes);
        if (!m_meshList.empty()) {
            json["meshes"] = std::move(m_meshList);
            json["materials"] = std::move(m_materialList);
            json["accessors"] = std::move(m_accessors);
            json["bufferViews"] = std::move(views);
            json["buffers"] = Json::array({{{"byteLength", binary.size()}}});
        }
        std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
        text.append((4 - text.size() % 4) % 4, ' ');
        binary.append((4 - binary.size() % 4) % 4, '\0');
        std::string out;
        const auto word = [&](std::uint32_t value) {
            char bytes[4];
            std::memcpy(bytes, &value, 4);
            out.append(bytes, 4);
        };
        const std::size_t whole = 12 + 8 + text.size() + (binary.empty() ? 0 : 8 + binary.size());
        word(0x46546C67), word(2), word(std::uint32_t(whole)); // "glTF"
        word(std::uint32_t(text.size())), word(0x4E4F534A);    // "JSON"
        out += text;
        if (binary.empty()) return out;
        word(std::uint32_t(binary.size())), word(0x004E4942); // "BIN"
        return out + binary;
    }

    const Figures& m_f;
    const Snapshot& m_s;
    const scene::Scope& m_scope;
    const scene::Scene m_scene;
    const scene::PropertySource m_source;
    std::vector<Json> m_nodes;
    std::vector<std::vector<std::size_t>> m_children;          ///< by node
    std::map<std::uint32_t, std::size_t> m_buildings, m_halls; ///< nodes that hold them, by id
    std::vector<std::size_t> m_ofElement;
    std::map<std::string, std::size_t> m_meshes;
    std::map<std::pair<std::uint32_t, bool>, std::size_t> m_materials;
    Json m_meshList = Json::array(), m_materialList = Json::array(), m_accessors = Json::array();
    std::vector<Corner> m_positions, m_normals;
    std::vector<std::uint16_t> m_indices;
};

} // namespace

std::string glbOf(const Figures& figures, const scene::Scope& scope) { return GlbWriter(figures, scope).run(); }

} // namespace hw::importers
