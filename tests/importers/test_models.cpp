// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest> // first: moc stumbles over <compare> as the first header

#include "core/design/template/template.h"
#include "core/foundation/catalog/catalog.h"
#include "core/foundation/catalog/entity.h"
#include "core/output/scene/scene.h"
#include "importers/formats.h"
#include "importers/gltf/glb_writer.h"
#include "importers/usd/usd_writer.h"

#include <QTemporaryDir>

#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace hw;
using nlohmann::json;

namespace {

FiguresPtr made(const char* name, ParameterValues values = {})
{
    static const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
    const auto shape = Template::load(std::string(HW_RESOURCES "/templates/") + name);
    if (!catalog || !shape) qFatal("no template");
    const auto complete = shape->complete(values);
    const auto design = complete ? instantiate(*shape, *complete, *catalog) : tl::unexpected(complete.error());
    if (!design) qFatal("%s", design.error().text().c_str());
    auto figures = hw::figuresOf(*design);
    if (!figures) qFatal("%s", figures.error().text().c_str());
    return *figures;
}
const FiguresPtr& pod()
{
    static const FiguresPtr figures = made("hpn.yaml", {{"segments", 1}});
    return figures;
}
const FiguresPtr& liquid()
{
    static const FiguresPtr figures = made("nvl72.yaml");
    return figures;
}

using V3 = std::array<double, 3>;
struct Bounds {
    V3 low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};
    void add(const V3& p)
    {
        for (std::size_t i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
    }
};
/// Largest distance between a box of the scene (mm, z up) and bounds in meters with z up.
double apart(const Box& box, const Bounds& b)
{
    const V3 low{box.low.x / 1e3, box.low.y / 1e3, box.low.z / 1e3}, high{box.high.x / 1e3, box.high.y / 1e3, box.high.z / 1e3};
    double most = 0;
    for (std::size_t i = 0; i < 3; ++i) most = std::max({most, std::abs(low[i] - b.low[i]), std::abs(high[i] - b.high[i])});
    return most;
}

/// A glTF binary taken apart by itself.
struct Glb {
    json tree;
    std::string binary, fault;
    explicit Glb(const std::string& bytes)
    {
        const auto word = [&](std::size_t at) {
            std::uint32_t value = 0;
            if (at + 4 <= bytes.size()) std::memcpy(&value, bytes.data() + at, 4);
            return value;
        };
        if (word(0) != 0x46546C67 || word(4) != 2 || word(8) != bytes.size()) {
            fault = "header";
            return;
        }
        const std::size_t text = word(12);
        if (word(16) != 0x4E4F534A || text % 4 || 20 + text > bytes.size()) {
            fault = "json chunk";
            return;
        }
        tree = json::parse(bytes.substr(20, text), nullptr, false);
        if (tree.is_discarded()) {
            fault = "json";
            return;
        }
        if (20 + text == bytes.size()) return;
        const std::size_t size = word(20 + text);
        if (word(24 + text) != 0x004E4942 || size % 4 || 28 + text + size != bytes.size()) {
            fault = "binary chunk";
            return;
        }
        binary = bytes.substr(28 + text);
        if (tree["buffers"][0]["byteLength"] > binary.size()) fault = "buffer";
    }
    /// Positions of a mesh; empty with a fault where something is out of bounds.
    std::vector<V3> positions(std::size_t mesh)
    {
        std::vector<V3> points;
        const json& primitive = tree["meshes"][mesh]["primitives"][0];
        const json& accessor = tree["accessors"][primitive["attributes"]["POSITION"].get<std::size_t>()];
        const json& view = tree["bufferViews"][accessor["bufferView"].get<std::size_t>()];
        const std::size_t offset = accessor["byteOffset"].get<std::size_t>(), count = accessor["count"].get<std::size_t>(),
                          from = view["byteOffset"].get<std::size_t>() + offset;
        if (offset % 4 || offset + count * 12 > view["byteLength"].get<std::size_t>() || from + count * 12 > binary.size())
            return fault = "accessor", points;
        for (std::size_t i = 0; i < count; ++i) {
            float p[3];
            std::memcpy(p, binary.data() + from + i * 12, 12);
            points.push_back({p[0], p[1], p[2]});
        }
        Bounds bounds;
        for (const V3& p : points) bounds.add(p);
        for (std::size_t i = 0; i < 3; ++i)
            if (std::abs(accessor["min"][i].get<double>() - bounds.low[i]) > 1e-6 ||
                std::abs(accessor["max"][i].get<double>() - bounds.high[i]) > 1e-6)
                fault = "min and max";
        const json& indices = tree["accessors"][primitive["indices"].get<std::size_t>()];
        const json& list = tree["bufferViews"][indices["bufferView"].get<std::size_t>()];
        const std::size_t at = list["byteOffset"].get<std::size_t>() + indices["byteOffset"].get<std::size_t>(),
                          n = indices["count"].get<std::size_t>();
        if (at % 2 || n % 3 || at + n * 2 > binary.size()) return fault = "indices", points;
        for (std::size_t i = 0; i < n; ++i) {
            std::uint16_t index = 0;
            std::memcpy(&index, binary.data() + at + i * 2, 2);
            if (index >= count) fault = "index";
        }
        // Counter-clockwise outside: the signed volume of a closed body is positive, of a floor zero.
        double volume = 0;
        for (std::size_t i = 0; i + 2 < n; i += 3) {
            std::uint16_t t[3];
            std::memcpy(t, binary.data() + at + i * 2, 6);
            if (std::max({t[0], t[1], t[2]}) >= count) break;
            const V3 &a = points[t[0]], &b = points[t[1]], &c = points[t[2]];
            volume += a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
        }
        if (volume < -1e-6) fault = "inside out";
        return points;
    }
};

V3 rotated(const json& q, const V3& p)
{
    if (!q.is_array()) return p;
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const V3 t{2 * (y * p[2] - z * p[1]), 2 * (z * p[0] - x * p[2]), 2 * (x * p[1] - y * p[0])};
    return {p[0] + w * t[0] + y * t[2] - z * t[1], p[1] + w * t[1] + z * t[0] - x * t[2], p[2] + w * t[2] + x * t[1] - y * t[0]};
}
V3 placed(const json& node, V3 p)
{
    if (node.contains("scale"))
        for (std::size_t i = 0; i < 3; ++i) p[i] *= node["scale"][i].get<double>();
    p = rotated(node.value("rotation", json()), p);
    if (node.contains("translation"))
        for (std::size_t i = 0; i < 3; ++i) p[i] += node["translation"][i].get<double>();
    return p;
}

/// Prims of a USD text with their attributes, read as far as the writer uses the language.
struct Usda {
    struct Prim {
        std::string specifier, type, reference;
        std::map<std::string, std::pair<std::string, std::string>> attributes; ///< by name: type, value
        bool instanceable = false;
    };
    std::map<std::string, Prim> prims; ///< by path
    std::map<std::string, std::string> head;
    std::vector<std::string> faults;

    explicit Usda(const std::string& text)
    {
        std::vector<std::string> lines;
        for (std::size_t at = 0; at < text.size();) {
            const auto end = std::min(text.find('\n', at), text.size());
            std::string line = text.substr(at, end - at);
            at = end + 1;
            line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
            if (!line.empty()) lines.push_back(line);
        }
        if (lines.size() < 4 || lines[0] != "#usda 1.0" || lines[1] != "(") {
            faults.push_back("head");
            return;
        }
        std::size_t i = 2;
        for (; i < lines.size() && lines[i] != ")"; ++i) head[lines[i].substr(0, lines[i].find(" = "))] = lines[i].substr(lines[i].find(" = ") + 3);
        std::vector<std::string> path;
        for (++i; i < lines.size(); ++i) {
            const std::string& line = lines[i];
            if (line.starts_with("def ") || line.starts_with("class ")) {
                Prim prim;
                const auto space = line.find(' '), quote = line.find('"'), end = line.find('"', quote + 1);
                if (quote == line.npos || end == line.npos) {
                    faults.push_back(line);
                    continue;
                }
                prim.specifier = line.substr(0, space), prim.type = line.substr(space + 1, quote - space - 2);
                const std::string name = line.substr(quote + 1, end - quote - 1);
                static const QRegularExpression identifier("^[A-Za-z_][A-Za-z0-9_]*$");
                if (!identifier.match(QString::fromStdString(name)).hasMatch()) faults.push_back("name " + name);
                if (line.ends_with("("))
                    for (++i; i < lines.size() && lines[i] != ")"; ++i) {
                        if (lines[i] == "instanceable = true") prim.instanceable = true;
                        if (lines[i].starts_with("prepend references = <")) prim.reference = lines[i].substr(22, lines[i].size() - 23);
                    }
                if (++i >= lines.size() || lines[i] != "{") faults.push_back("no body: " + line);
                path.push_back(name);
                if (!prims.emplace(joined(path), std::move(prim)).second) faults.push_back("path twice: " + joined(path));
            } else if (line == "}") {
                if (path.empty())
                    faults.push_back("closed too often");
                else
                    path.pop_back();
            } else {
                static const QRegularExpression form("^((?:custom |uniform )?[a-z0-9]+(?:\\[\\])?) ([A-Za-z_][A-Za-z0-9_:]*) = (\\S.*)$");
                const auto match = form.match(QString::fromStdString(line));
                if (!match.hasMatch() || path.empty()) {
                    faults.push_back(line);
                    continue;
                }
                auto& attributes = prims[joined(path)].attributes;
                const std::string type = match.captured(1).toStdString(), value = match.captured(3).toStdString();
                if (!attributes.emplace(match.captured(2).toStdString(), std::pair(type, value)).second) faults.push_back("attribute twice: " + line);
                if (!fits(type, value)) faults.push_back("value: " + line);
            }
        }
        if (!path.empty()) faults.push_back("not closed: " + joined(path));
        for (const auto& [of, prim] : prims) {
            if (!prim.reference.empty() && (!prims.contains(prim.reference) || prims.at(prim.reference).specifier != "class"))
                faults.push_back("reference " + prim.reference);
            const auto order = prim.attributes.find("xformOpOrder");
            for (const auto& [name, value] : prim.attributes)
                if (name.starts_with("xformOp:") &&
                    (order == prim.attributes.end() || order->second.second.find('"' + name + '"') == std::string::npos))
                    faults.push_back("order of " + of);
        }
    }
    static std::string joined(const std::vector<std::string>& path)
    {
        std::string out;
        for (const auto& part : path) out += "/" + part;
        return out;
    }
    static bool fits(const std::string& type, const std::string& value)
    {
        const QString number = "-?[0-9]+(?:\\.[0-9]+)?(?:e[-+]?[0-9]+)?", string = "\"(?:[^\"\\\\]|\\\\.)*\"";
        const QString triple = QString("\\(%1, %1, %1\\)").arg(number);
        const std::map<std::string, QString> forms{{"string", string},
                                                   {"custom string", string},
                                                   {"uniform token", string},
                                                   {"double", number},
                                                   {"custom double", number},
                                                   {"float", number},
                                                   {"int", "-?[0-9]+"},
                                                   {"custom int", "-?[0-9]+"},
                                                   {"custom bool", "true|false"},
                                                   {"double3", triple},
                                                   {"float3", triple},
                                                   {"float3[]", QString("\\[%1(?:, %1)*\\]").arg(triple)},
                                                   {"point3f[]", QString("\\[%1(?:, %1)*\\]").arg(triple)},
                                                   {"color3f[]", QString("\\[%1\\]").arg(triple)},
                                                   {"float[]", QString("\\[%1\\]").arg(number)},
                                                   {"int[]", R"(\[[0-9]+(?:, [0-9]+)*\])"},
                                                   {"uniform token[]", QString("\\[%1(?:, %1)*\\]").arg(string)}};
        const auto found = forms.find(type);
        return found != forms.end() && QRegularExpression("^(?:" + found->second + ")$").match(QString::fromStdString(value)).hasMatch();
    }
    V3 triple(const Prim& prim, const char* name) const
    {
        V3 out{};
        const auto found = prim.attributes.find(name);
        if (found != prim.attributes.end()) std::sscanf(found->second.second.c_str(), "(%lf, %lf, %lf)", &out[0], &out[1], &out[2]);
        return out;
    }
};

/// Names and types that the framework's documents give to attributes of the framework.
const std::map<std::string, std::string> kAif{{"aif:core:manufacturer", "string"},
                                              {"aif:core:modelNumber", "string"},
                                              {"aif:core:assetVersion", "string"},
                                              {"aif:core:assetClass", "string"},
                                              {"aif:core:simreadyVersion", "string"},
                                              {"aif:core:sceneOptimizerVersion", "string"},
                                              {"aif:core:assetValidatorVersion", "string"},
                                              {"aif:core:assetDescription", "string"},
                                              {"aif:core:connectsToModelDocumentation", "string"},
                                              {"aif:core:assetCreationDate", "string"},
                                              {"aif:core:overallGeometryDimensions", "float3"},
                                              {"aif:core:weight", "float"},
                                              {"aif:core:height", "float"},
                                              {"aif:core:width", "float"},
                                              {"aif:core:depth", "float"},
                                              {"aif:spec:namePlatePower", "int"},
                                              {"aif:spec:requiredAirFlowRate", "float3[]"},
                                              {"aif:spec:requiredLiquidFlowRate", "float3[]"},
                                              {"aif:spec:heatCaptureRatio", "float"},
                                              {"aif:spec:liquidSidePqCurve", "string"},
                                              {"aif:spec:significantInternalStructure", "string"},
                                              {"aif:spec:doorsPerforations", "string"},
                                              {"aif:spec:numGPUs", "int"},
                                              {"aif:spec:liquidCooling", "float"},
                                              {"aif:spec:airCooling", "float"},
                                              {"aif:spec:nominalCoolingCapacity", "float"},
                                              {"aif:spec:referenceTechnologyCoolantFlowRate", "float"},
                                              {"aif:spec:maximumFlow", "float"},
                                              {"aif:spec:numberOfPumps", "int"},
                                              {"aif:spec:pumpRedundancyStrategyPumps", "string"},
                                              {"aif:spec:workingFluidPumps", "string"},
                                              {"aif:spec:primaryCircuitVolume", "float"},
                                              {"aif:spec:secondaryCircuitVolume", "float"},
                                              {"aif:spec:powerRating", "float"},
                                              {"aif:spec:faceArea", "float"},
                                              {"aif:spec:nominalAirVolume", "float"},
                                              {"aif:spec:flowRate", "float"},
                                              {"aif:spec:upsRating", "float"},
                                              {"aif:spec:outputActivePower", "float"}};

} // namespace

class ModelsTest : public QObject {
    Q_OBJECT

private slots:
    /// Places are those of the design, whatever way a box is turned.
    void sceneIsWhereTheDesignIs()
    {
        for (const FiguresPtr& f : {pod(), liquid()}) {
            const auto scene = scene::Scene::of(*f, {.devices = true});
            std::size_t racks = 0, devices = 0;
            for (const auto& e : scene.elements) {
                if (e.kind == scene::ElementKind::Rack) {
                    QVERIFY(e.box() == f->placement->rack(RackId(e.entity.id)));
                    ++racks;
                }
                if (e.kind == scene::ElementKind::Device && e.parent < 0) {
                    QVERIFY(e.box() == f->placement->device(*f->snapshot, *f->parts, DeviceId(e.entity.id)));
                    ++devices;
                }
                if (e.parent >= 0) { // inside of its rack
                    const Box own = e.box(), rack = scene.elements[std::size_t(e.parent)].box();
                    QVERIFY2(own.low.x >= rack.low.x && own.high.x <= rack.high.x && own.low.y >= rack.low.y && own.high.y <= rack.high.y &&
                                 own.low.z >= rack.low.z,
                             e.name.c_str());
                }
            }
            QCOMPARE(racks, std::size_t(f->snapshot->racks.size()));
            QVERIFY(devices > 10);
            QVERIFY(!scene.connections.empty());
            for (const auto& c : scene.connections) QVERIFY(c.feeder != c.fed && c.fed < scene.elements.size() && c.feeder < scene.elements.size());
        }
    }

    void glb_data()
    {
        QTest::addColumn<bool>("liquidCooled");
        QTest::addColumn<bool>("devices");
        QTest::newRow("pod, racks") << false << false;
        QTest::newRow("pod, devices") << false << true;
        QTest::newRow("liquid, racks") << true << false;
    }
    void glb()
    {
        QFETCH(bool, liquidCooled);
        QFETCH(bool, devices);
        const FiguresPtr& f = liquidCooled ? liquid() : pod();
        const scene::Scope scope{.devices = devices};
        const std::string bytes = importers::glbOf(*f, scope);
        QCOMPARE(bytes, importers::glbOf(*f, scope));
        Glb glb(bytes);
        QCOMPARE(glb.fault, std::string());
        std::vector<std::vector<V3>> meshes;
        for (std::size_t i = 0; i < glb.tree["meshes"].size(); ++i) meshes.push_back(glb.positions(i));
        QCOMPARE(glb.fault, std::string());
        const json& nodes = glb.tree["nodes"];
        std::vector<int> parent(nodes.size(), -1);
        for (std::size_t i = 0; i < nodes.size(); ++i)
            if (nodes[i].contains("children"))
                for (const auto& child : nodes[i]["children"]) {
                    int& of = parent[child.get<std::size_t>()];
                    QVERIFY(of < 0);
                    of = int(i);
                }
        std::map<std::string, std::size_t> byKey; // "rack R01"
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            QVERIFY(i == 0 || parent[i] >= 0);
            QVERIFY(!nodes[i]["name"].get<std::string>().empty());
            byKey[nodes[i].value("extras", json::object()).value("kind", "") + " " + nodes[i]["name"].get<std::string>()] = i;
        }
        const auto scene = scene::Scene::of(*f, scope);
        QCOMPARE(nodes.size(), 1 + f->snapshot->buildings.size() + f->snapshot->halls.size() + scene.elements.size());
        const scene::PropertySource source(*f);
        for (const auto& e : scene.elements) {
            const auto found = byKey.find(std::string(wordOf(e.kind)) + " " + e.name);
            QVERIFY2(found != byKey.end(), e.name.c_str());
            const json& node = nodes[found->second];
            Bounds bounds;
            for (V3 p : meshes[node["mesh"].get<std::size_t>()]) {
                for (int at = int(found->second); at >= 0; at = parent[std::size_t(at)]) p = placed(nodes[std::size_t(at)], p);
                bounds.add({p[0], -p[2], p[1]}); // z up
            }
            QVERIFY2(apart(e.box(), bounds) < 0.0021, fmt::format("{}: {}", e.name, apart(e.box(), bounds)).c_str());
            if (e.kind != scene::ElementKind::Rack) continue;
            const Load& load = f->power->rack(RackId(e.entity.id));
            QVERIFY(std::abs(node["extras"].value("kw", 0.0) - toWatts(load.at(PowerBasis::Design)) / 1000) < 0.001);
            QCOMPARE(node["extras"]["type"].get<std::string>(), (*f->parts)[*e.type].slug);
        }
        QVERIFY(meshes.size() < 80); // shared
    }

    void usd()
    {
        for (const FiguresPtr& f : {pod(), liquid()})
            for (const bool devices : {false, true}) {
                if (devices && f == liquid()) continue;
                const std::string text = importers::usd::usdaOf(*f, {.devices = devices}, "2026-11-26");
                const Usda usd(text);
                for (std::size_t i = 0; i < std::min<std::size_t>(usd.faults.size(), 10); ++i) qWarning("%s", usd.faults[i].c_str());
                QVERIFY(usd.faults.empty());
                QCOMPARE(usd.head.at("upAxis"), std::string("\"Z\""));
                QCOMPARE(usd.head.at("metersPerUnit"), std::string("1"));
                const std::string root = usd.head.at("defaultPrim");
                QVERIFY(usd.prims.contains("/" + root.substr(1, root.size() - 2)));
                std::map<std::string, std::size_t> classes;
                std::map<std::string, const Usda::Prim*> racks;
                for (const auto& [path, prim] : usd.prims) {
                    if (const auto name = prim.attributes.find("hallwright:name"); name != prim.attributes.end() && !prim.reference.empty())
                        racks[name->second.second] = &prim;
                    std::string assetClass;
                    for (const auto& [name, value] : prim.attributes)
                        if (name.starts_with("aif:")) {
                            const auto known = kAif.find(name);
                            QVERIFY2(known != kAif.end(), name.c_str());
                            QCOMPARE(value.first, known->second);
                            if (name == "aif:core:assetClass") assetClass = value.second;
                        }
                    if (assetClass.empty()) continue;
                    ++classes[assetClass];
                    QVERIFY(assetClass == "\"CDU\"" || assetClass == "\"CRAH\"" || assetClass == "\"UPS\"" || assetClass == "\"compute rack\"");
                    QCOMPARE(prim.specifier, std::string("class"));
                    for (const char* name : {"aif:core:manufacturer", "aif:core:modelNumber", "aif:core:overallGeometryDimensions", "aif:core:height",
                                             "aif:core:assetCreationDate"})
                        QVERIFY2(prim.attributes.contains(name), name);
                    if (assetClass == "\"compute rack\"") {
                        QVERIFY(prim.attributes.contains("aif:spec:numGPUs"));
                        QVERIFY(prim.attributes.contains("aif:spec:namePlatePower"));
                    }
                }
                QVERIFY(classes["\"compute rack\""] > 0);
                if (f == liquid()) QVERIFY(classes["\"CDU\""] > 0);
                // Instances are where the design has them.
                const auto scene = scene::Scene::of(*f, {.devices = devices});
                std::size_t instances = 0;
                for (const auto& e : scene.elements) {
                    if (e.form != scene::Form::Box || e.parent >= 0) continue;
                    const auto found = racks.find('"' + e.name + '"');
                    QVERIFY2(found != racks.end(), e.name.c_str());
                    const V3 at = usd.triple(*found->second, "xformOp:translate");
                    const Box box = e.box();
                    QVERIFY(std::abs(at[0] - (box.low.x + box.high.x) / 2000.0) < 0.0011 &&
                            std::abs(at[1] - (box.low.y + box.high.y) / 2000.0) < 0.0011 && std::abs(at[2] - box.low.z / 1000.0) < 1e-6);
                    const bool holds = devices && e.kind == scene::ElementKind::Rack;
                    QVERIFY(holds || found->second->instanceable);
                    ++instances;
                }
                QVERIFY(instances > 20);
                QCOMPARE(text, importers::usd::usdaOf(*f, {.devices = devices}, "2026-11-26"));
            }
    }

    void options()
    {
        exchange::Formats formats;
        importers::registerFormats(formats);
        QTemporaryDir folder;
        for (const auto& [format, ending] : {std::pair("ifc", "ifc"), {"gltf", "glb"}, {"usd", "usda"}}) {
            const auto exporter = formats.exporter(format);
            QVERIFY(exporter && (*exporter)->takesPhase());
            const auto write = [&](exchange::FormatChoices choices, const char* end) {
                const exchange::ExportJob job{"p.hall",
                                              [] { return Result<SnapshotPtr>(pod()->snapshot); },
                                              [] { return Result<FiguresPtr>(pod()); },
                                              folder.filePath(QString("out.") + end).toStdString(),
                                              {},
                                              std::move(choices)};
                return (*exporter)->write(job, {});
            };
            QVERIFY(write({}, ending));
            const auto size = QFileInfo(folder.filePath(QString("out.") + ending)).size();
            QVERIFY(write({{"detail", "high"}}, ending));
            QVERIFY(QFileInfo(folder.filePath(QString("out.") + ending)).size() > size * 1.5);
            const HallId hall = pod()->snapshot->halls.ids().front();
            QVERIFY(write({{"hall", pod()->snapshot->halls.name[hall]}}, ending));
            QVERIFY(QFileInfo(folder.filePath(QString("out.") + ending)).size() <= size);
            const auto unknown = write({{"hall", "nowhere"}}, ending);
            QVERIFY(!unknown && unknown.error().code == ErrorCode::Refused);
            const auto detail = write({{"detail", "medium"}}, ending);
            QVERIFY(!detail && detail.error().code == ErrorCode::Usage);
            if (std::string_view(format) != "ifc") QVERIFY(!write({}, "txt"));
            if (std::string_view(format) == "gltf") continue;
            QVERIFY(write({{"date", "2026-11-26"}}, ending));
            QVERIFY(!write({{"date", "yesterday"}}, ending));
        }
    }
};

QTEST_GUILESS_MAIN(ModelsTest)
#include "test_models.moc"
