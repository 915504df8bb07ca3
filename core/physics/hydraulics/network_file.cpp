// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/hydraulics/network_file.h"

#include "core/physics/hydraulics/checks.h"
#include "core/physics/hydraulics/head_loss.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

namespace hw::hydraulics {

namespace {

using nlohmann::json;

constexpr double kMillimeter = 1e-3;
constexpr double kPlateExponent = 1.85, kFilterExponent = 1.76, kExchangerExponent = 2; ///< Modelica Buildings library
constexpr double kDensity = 1000;                                                       ///< where a file names no coolant
constexpr double kTemperatureC = 30;                                                    ///< of a coolant without temperature

struct Failure {
    Error error;
};

/// One object of the file; every key must be asked for, or be an answer of an earlier run.
class Keys {
public:
    Keys(const std::string& file, std::string path, const json& object) : m_file(file), m_path(std::move(path)), m_object(object)
    {
        if (!object.is_object()) refuse("", i18n("must be an object"));
    }

    [[noreturn]] void refuse(const std::string& key, const Text& what) const
    {
        const std::string path = m_path.empty() ? key : key.empty() ? m_path : m_path + "." + key;
        const auto id = m_object.is_object() ? m_object.find("id") : m_object.end();
        const bool named = id != m_object.end() && id->is_string() && key != "id";
        throw Failure{{ErrorCode::Unreadable, m_file + (path.empty() ? "" : ": " + path),
                       named ? i18n("\"{}\": {}", id->get<std::string>(), what) : what, i18n("correct the file")}};
    }

    bool has(const char* key) { return m_asked.emplace_back(key), m_object.contains(key) && !m_object[key].is_null(); }
    std::string text(const char* key)
    {
        if (!has(key) || !m_object[key].is_string() || m_object[key].get_ref<const std::string&>().empty()) refuse(key, i18n("must be a string"));
        return m_object[key];
    }
    double number(const char* key)
    {
        if (!has(key)) refuse(key, i18n("missing"));
        return decimal(key, m_object[key]);
    }
    double number(const char* key, double fallback) { return has(key) ? decimal(key, m_object[key]) : fallback; }
    bool flag(const char* key, bool fallback)
    {
        if (!has(key)) return fallback;
        if (!m_object[key].is_boolean()) refuse(key, i18n("must be true or false"));
        return m_object[key];
    }
    const json& list(const char* key)
    {
        if (!has(key) || !m_object[key].is_array()) refuse(key, i18n("must be a list"));
        return m_object[key];
    }
    double decimal(const char* key, const json& value) const
    {
        if (!value.is_number()) refuse(key, i18n("must be a number"));
        return value;
    }
    /// One of the words, by its place.
    std::size_t word(const char* key, const std::vector<std::string>& words)
    {
        const std::string said = text(key);
        const auto at = std::ranges::find(words, said);
        if (at == words.end()) refuse(key, i18n("\"{}\" is not one of {}", said, listedNames(words)));
        return std::size_t(at - words.begin());
    }
    void answers(std::initializer_list<const char*> keys) { m_asked.insert(m_asked.end(), keys.begin(), keys.end()); }
    void finish() const
    {
        for (const auto& [key, value] : m_object.items())
            if (std::ranges::find(m_asked, key) == m_asked.end()) refuse(key, i18n("no effect here"));
    }

private:
    const std::string& m_file;
    std::string m_path;
    const json& m_object;
    std::vector<std::string> m_asked;
};

Node readNode(Keys& keys)
{
    Node node;
    node.id = keys.text("id");
    node.fixed = keys.word("kind", {"junction", "fixed"}) == 1;
    node.elevationM = keys.number("elevation_m", 0);
    if (node.fixed) {
        node.headM = keys.number("head_m");
        if (keys.has("demand_lps")) keys.refuse("demand_lps", i18n("no effect where the head is fixed"));
    } else {
        node.demandM3s = keys.number("demand_lps", 0) * kLiter;
    }
    keys.answers({"head_m", "pressure_kpa"});
    keys.finish();
    return node;
}

void readPipe(Keys& keys, Friction friction, Link& link)
{
    link.lengthM = keys.number("length_m");
    link.diameterM = keys.number("diameter_mm") * kMillimeter;
    link.minorK = keys.number("minor_loss_k", 0);
    if (friction == Friction::HazenWilliams)
        link.hazenC = keys.number("hw_c");
    else if (friction == Friction::ChezyManning)
        link.manningN = keys.number("manning_n");
    else
        link.roughnessM = keys.number("roughness_mm") * kMillimeter;
}

void readCurve(Keys& keys, const char* key, Link& link)
{
    for (const auto& point : keys.list(key)) {
        if (!point.is_array() || point.size() != 2) keys.refuse(key, i18n("must be pairs of flow and head"));
        link.curve.push_back({keys.decimal(key, point[0]) * kLiter, keys.decimal(key, point[1])});
    }
}

void readPump(Keys& keys, Link& link)
{
    link.kind = LinkKind::Pump;
    if (keys.has("law")) link.law = PumpLaw(keys.word("law", {"points", "power-law", "constant-power"}));
    if (link.law == PumpLaw::ConstantPower) {
        link.powerW = keys.number("power_w");
        return;
    }
    readCurve(keys, "curve_lps_m", link);
    link.speed = keys.number("speed", 1);
}

void readPlate(Keys& keys, double exponent, Link& link)
{
    link.kind = LinkKind::Plate;
    link.atM3s = keys.number("at_lps") * kLiter;
    link.lossPa = keys.number("loss_kpa") * kKilopascal;
    link.exponent = keys.number("exponent", exponent);
}

void readValve(Keys& keys, Link& link)
{
    link.kind = LinkKind::Valve;
    if (keys.has("loss_lps_m")) {
        readCurve(keys, "loss_lps_m", link);
        if (link.curve.empty()) keys.refuse("loss_lps_m", i18n("no points given"));
        return;
    }
    if (!keys.has("wanted_lps")) {
        link.kv = keys.number("kv_m3_h");
        if (!(link.kv > 0)) keys.refuse("kv_m3_h", i18n("must be greater than 0"));
        return;
    }
    link.wantedM3s = keys.number("wanted_lps") * kLiter;
    if (!(link.wantedM3s > 0)) keys.refuse("wanted_lps", i18n("must be greater than 0"));
    if (keys.has("kv_m3_h")) keys.refuse("kv_m3_h", i18n("no effect in combination with wanted_lps"));
}

Link readLink(Keys& keys, Friction friction, const std::unordered_map<std::string, Index>& nodes)
{
    Link link;
    link.id = keys.text("id");
    const auto end = [&](const char* key) {
        const std::string said = keys.text(key);
        const auto at = nodes.find(said);
        if (at == nodes.end()) keys.refuse(key, i18n("unknown node \"{}\"", said));
        return at->second;
    };
    const auto kind = keys.word("kind", {"pipe", "pump", "valve", "cold-plate", "filter", "exchanger"});
    link.from = end("from"), link.to = end("to");
    link.open = keys.flag("open", true);
    switch (kind) {
    case 0: readPipe(keys, friction, link); break;
    case 1: readPump(keys, link); break;
    case 2: readValve(keys, link); break;
    case 3: readPlate(keys, kPlateExponent, link); break;
    case 4: readPlate(keys, kFilterExponent, link); break;
    default: readPlate(keys, kExchangerExponent, link);
    }
    link.checkValve = keys.flag("check_valve", false);
    keys.answers({"flow_lps", "head_loss_m", "loss_across_kpa", "velocity_m_s", "reynolds", "state", "hydraulic_w", "beyond_curve", "set_kv_m3_h"});
    keys.finish();
    return link;
}

void readFluid(Keys& keys, const coolant::Library& library, NetworkFile& out)
{
    Network& network = out.network;
    if (!keys.has("coolant")) {
        network.viscosityM2s =
            network.friction == Friction::DarcyWeisbach ? keys.number("kinematic_viscosity_m2_s") : keys.number("kinematic_viscosity_m2_s", 0);
        network.densityKgM3 = keys.number("density_kg_m3", kDensity);
        return;
    }
    if (network.friction == Friction::HazenWilliams) keys.refuse("coolant", i18n("Hazen-Williams applies only to water near 15 °C"));
    if (network.friction == Friction::ChezyManning) keys.refuse("coolant", i18n("Chezy-Manning applies only to water"));
    out.coolant = keys.text("coolant");
    for (const char* key : {"kinematic_viscosity_m2_s", "density_kg_m3"})
        if (keys.has(key)) keys.refuse(key, i18n("already determined by the coolant"));
    const double celsius = keys.number("temperature_c", kTemperatureC);
    const auto flows = keys.has("fraction") ? library.mixture(out.coolant, keys.number("fraction")) : library.coolant(out.coolant);
    if (!flows) keys.refuse("coolant", i18n("\"{}\": {}; {}", out.coolant, flows.error().what, flows.error().todo));
    const auto properties = flows->at(celsius);
    if (!properties) keys.refuse("temperature_c", i18n("{}; {}", properties.error().what, properties.error().todo));
    if (!(properties->viscosity > 0)) keys.refuse("coolant", i18n("no viscosity data"));
    out.properties = *properties;
    network.viscosityM2s = properties->kinematicViscosity();
    network.densityKgM3 = properties->density;
}

void readAll(const std::string& file, const coolant::Library& library, NetworkFile& out)
{
    Keys keys(file, "", out.json);
    keys.answers({"note", "schema", "answer"});
    out.network.friction = Friction(keys.word("formula", {"darcy-weisbach", "hazen-williams", "chezy-manning"}));
    readFluid(keys, library, out);
    std::unordered_map<std::string, Index> nodes;
    for (const auto& entry : keys.list("nodes")) {
        Keys node(file, fmt::format("nodes[{}]", out.network.nodes.size()), entry);
        out.network.nodes.push_back(readNode(node));
        if (!nodes.emplace(out.network.nodes.back().id, Index(nodes.size())).second)
            node.refuse("id", i18n("duplicate name \"{}\"", out.network.nodes.back().id));
    }
    for (const auto& entry : keys.list("links")) {
        Keys link(file, fmt::format("links[{}]", out.network.links.size()), entry);
        out.network.links.push_back(readLink(link, out.network.friction, nodes));
    }
    keys.finish();
}

/// "…at line 3, column 7: …" of the library as a line of its own.
Error noJson(const std::string& text, const std::string& file, const json::exception& e, std::size_t byte)
{
    const auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(std::min(byte, text.size())), '\n');
    return {ErrorCode::Unreadable, fmt::format("{}:{}", file, line), i18n("invalid JSON: {}", e.what()), i18n("correct the syntax")};
}

} // namespace

Result<NetworkFile> readNetwork(const std::string& text, const std::string& file, const coolant::Library& library)
{
    NetworkFile out;
    try {
        out.json = json::parse(text);
        readAll(file, library, out);
    } catch (const Failure& failure) {
        return tl::unexpected(failure.error);
    } catch (const json::parse_error& e) {
        return tl::unexpected(noJson(text, file, e, e.byte));
    } catch (const json::exception& e) {
        return tl::unexpected(noJson(text, file, e, 0));
    }
    if (const auto fine = check(out.network); !fine) {
        Error error = fine.error();
        error.where = file + ": " + error.where;
        return tl::unexpected(std::move(error));
    }
    return out;
}

} // namespace hw::hydraulics
