// SPDX-License-Identifier: GPL-3.0-or-later
// IFC4 ADD2 TC1 (ISO 16739-1:2018), as far as the product writes it. Attributes in order; "?" optional. G GlobalId, s text, r real, i integer,
// v value with a type, * derived, @A|B reference to one of these or what is derived from them, {X|Y} enumeration, [..] list of at least one.
#include "tests/importers/ifc_schema.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace hw::test {

namespace {

#define HW_ROOT "G @IFCOWNERHISTORY? s? s? "
#define HW_PRODUCT HW_ROOT "s? @IFCOBJECTPLACEMENT? @IFCPRODUCTREPRESENTATION? "
#define HW_ELEMENT HW_PRODUCT "s? "
#define HW_TYPE HW_ROOT "s? [@IFCPROPERTYSETDEFINITION]? [@IFCREPRESENTATIONMAP]? s? s? "

const std::map<std::string_view, std::string_view> kEntities{
    {"IFCPROJECT", HW_ROOT "s? s? s? [@IFCREPRESENTATIONCONTEXT]? @IFCUNITASSIGNMENT?"},
    {"IFCSITE", HW_PRODUCT "s? {COMPLEX|ELEMENT|PARTIAL}? [i]? [i]? r? s? @IFCPOSTALADDRESS?"},
    {"IFCBUILDING", HW_PRODUCT "s? {COMPLEX|ELEMENT|PARTIAL}? r? r? @IFCPOSTALADDRESS?"},
    {"IFCBUILDINGSTOREY", HW_PRODUCT "s? {COMPLEX|ELEMENT|PARTIAL}? r?"},
    {"IFCSPACE", HW_PRODUCT "s? {COMPLEX|ELEMENT|PARTIAL}? {SPACE|PARKING|GFA|INTERNAL|EXTERNAL|USERDEFINED|NOTDEFINED}? r?"},
    {"IFCWALL", HW_ELEMENT "{MOVABLE|PARAPET|PARTITIONING|PLUMBINGWALL|SHEAR|SOLIDWALL|STANDARD|POLYGONAL|ELEMENTEDWALL|USERDEFINED|NOTDEFINED}?"},
    {"IFCCOLUMN", HW_ELEMENT "{COLUMN|PILASTER|USERDEFINED|NOTDEFINED}?"},
    {"IFCDOOR",
     HW_ELEMENT "r? r? {DOOR|GATE|TRAPDOOR|USERDEFINED|NOTDEFINED}? {SINGLE_SWING_LEFT|SINGLE_SWING_RIGHT|SLIDING_TO_LEFT|NOTDEFINED}? s?"},
    {"IFCRAMP", HW_ELEMENT "{STRAIGHT_RUN_RAMP|TWO_STRAIGHT_RUN_RAMP|SPIRAL_RAMP|USERDEFINED|NOTDEFINED}?"},
    {"IFCCOVERING",
     HW_ELEMENT "{CEILING|FLOORING|CLADDING|ROOFING|MOLDING|SKIRTINGBOARD|INSULATION|MEMBRANE|SLEEVING|WRAPPING|USERDEFINED|NOTDEFINED}?"},
    {"IFCBUILDINGELEMENTPROXY", HW_ELEMENT "{COMPLEX|ELEMENT|PARTIAL|PROVISIONFORVOID|PROVISIONFORSPACE|USERDEFINED|NOTDEFINED}?"},
    {"IFCELECTRICDISTRIBUTIONBOARD", HW_ELEMENT "{CONSUMERUNIT|DISTRIBUTIONBOARD|MOTORCONTROLCENTRE|SWITCHBOARD|USERDEFINED|NOTDEFINED}?"},
    {"IFCELECTRICFLOWSTORAGEDEVICE", HW_ELEMENT "{BATTERY|CAPACITORBANK|HARMONICFILTER|INDUCTORBANK|UPS|USERDEFINED|NOTDEFINED}?"},
    {"IFCELECTRICGENERATOR", HW_ELEMENT "{CHP|ENGINEGENERATOR|STANDALONE|USERDEFINED|NOTDEFINED}?"},
    {"IFCTRANSFORMER", HW_ELEMENT "{CURRENT|FREQUENCY|INVERTER|RECTIFIER|VOLTAGE|USERDEFINED|NOTDEFINED}?"},
    {"IFCSWITCHINGDEVICE", HW_ELEMENT
     "{CONTACTOR|DIMMERSWITCH|EMERGENCYSTOP|KEYPAD|MOMENTARYSWITCH|SELECTORSWITCH|STARTER|SWITCHDISCONNECTOR|TOGGLESWITCH|USERDEFINED|NOTDEFINED}?"},
    {"IFCCABLESEGMENT", HW_ELEMENT "{BUSBARSEGMENT|CABLESEGMENT|CONDUCTORSEGMENT|CORESEGMENT|USERDEFINED|NOTDEFINED}?"},
    {"IFCCABLECARRIERSEGMENT", HW_ELEMENT "{CABLELADDERSEGMENT|CABLETRAYSEGMENT|CABLETRUNKINGSEGMENT|CONDUITSEGMENT|USERDEFINED|NOTDEFINED}?"},
    {"IFCPIPESEGMENT", HW_ELEMENT "{CULVERT|FLEXIBLESEGMENT|RIGIDSEGMENT|GUTTER|SPOOL|USERDEFINED|NOTDEFINED}?"},
    {"IFCPIPEFITTING", HW_ELEMENT "{BEND|CONNECTOR|ENTRY|EXIT|JUNCTION|OBSTRUCTION|TRANSITION|USERDEFINED|NOTDEFINED}?"},
    {"IFCUNITARYEQUIPMENT", HW_ELEMENT "{AIRHANDLER|AIRCONDITIONINGUNIT|DEHUMIDIFIER|SPLITSYSTEM|ROOFTOPUNIT|USERDEFINED|NOTDEFINED}?"},
    {"IFCPUMP", HW_ELEMENT "{CIRCULATOR|ENDSUCTION|SPLITCASE|SUBMERSIBLEPUMP|SUMPPUMP|VERTICALINLINE|VERTICALTURBINE|USERDEFINED|NOTDEFINED}?"},
    {"IFCVALVE",
     HW_ELEMENT "{AIRRELEASE|ANTIVACUUM|CHANGEOVER|CHECK|COMMISSIONING|DIVERTING|DRAWOFFCOCK|DOUBLECHECK|DOUBLEREGULATING|FAUCET|FLUSHING|"
                "GASCOCK|GASTAP|ISOLATING|MIXING|PRESSUREREDUCING|PRESSURERELIEF|REGULATING|SAFETYCUTOFF|STEAMTRAP|STOPCOCK|USERDEFINED|"
                "NOTDEFINED}?"},
    {"IFCHEATEXCHANGER", HW_ELEMENT "{PLATE|SHELLANDTUBE|USERDEFINED|NOTDEFINED}?"},
    {"IFCTANK", HW_ELEMENT "{BASIN|BREAKPRESSURE|EXPANSION|FEEDANDEXPANSION|PRESSUREVESSEL|STORAGE|VESSEL|USERDEFINED|NOTDEFINED}?"},
    {"IFCCHILLER", HW_ELEMENT "{AIRCOOLED|WATERCOOLED|HEATRECOVERY|USERDEFINED|NOTDEFINED}?"},
    {"IFCCOOLINGTOWER", HW_ELEMENT "{NATURALDRAFT|MECHANICALINDUCEDDRAFT|MECHANICALFORCEDDRAFT|USERDEFINED|NOTDEFINED}?"},
    {"IFCCOMMUNICATIONSAPPLIANCE", HW_ELEMENT "{ANTENNA|COMPUTER|FAX|GATEWAY|MODEM|NETWORKAPPLIANCE|NETWORKBRIDGE|NETWORKHUB|PRINTER|REPEATER|ROUTER|"
                                              "SCANNER|USERDEFINED|NOTDEFINED}?"},
    {"IFCJUNCTIONBOX", HW_ELEMENT "{DATA|POWER|USERDEFINED|NOTDEFINED}?"},
    {"IFCDISTRIBUTIONPORT", HW_PRODUCT "{SOURCE|SINK|SOURCEANDSINK|NOTDEFINED}? {CABLE|CABLECARRIER|DUCT|PIPE|USERDEFINED|NOTDEFINED}? "
                                       "{ELECTRICAL|CHILLEDWATER|CONDENSERWATER|DATA|USERDEFINED|NOTDEFINED}?"},
    {"IFCRELAGGREGATES", HW_ROOT "@IFCOBJECTDEFINITION [@IFCOBJECTDEFINITION]"},
    {"IFCRELNESTS", HW_ROOT "@IFCOBJECTDEFINITION [@IFCOBJECTDEFINITION]"},
    {"IFCRELCONTAINEDINSPATIALSTRUCTURE", HW_ROOT "[@IFCELEMENT] @IFCSPATIALELEMENT"},
    {"IFCRELREFERENCEDINSPATIALSTRUCTURE", HW_ROOT "[@IFCELEMENT] @IFCSPATIALELEMENT"},
    {"IFCRELDEFINESBYTYPE", HW_ROOT "[@IFCELEMENT] @IFCELEMENTTYPE"},
    {"IFCRELDEFINESBYPROPERTIES", HW_ROOT "[@IFCOBJECTDEFINITION] @IFCPROPERTYSETDEFINITION"},
    {"IFCRELCONNECTSPORTS", HW_ROOT "@IFCDISTRIBUTIONPORT @IFCDISTRIBUTIONPORT @IFCELEMENT?"},
    {"IFCPROPERTYSET", HW_ROOT "[@IFCPROPERTYSINGLEVALUE]"},
    {"IFCELEMENTQUANTITY", HW_ROOT "s? [@IFCQUANTITY]"},
    {"IFCPROPERTYSINGLEVALUE", "s s? v? @IFCUNIT?"},
    {"IFCQUANTITYLENGTH", "s s? @IFCSIUNIT? r s?"},
    {"IFCQUANTITYAREA", "s s? @IFCSIUNIT? r s?"},
    {"IFCQUANTITYVOLUME", "s s? @IFCSIUNIT? r s?"},
    {"IFCUNITASSIGNMENT", "[@IFCSIUNIT]"},
    {"IFCSIUNIT", "* {LENGTHUNIT|AREAUNIT|VOLUMEUNIT|PLANEANGLEUNIT|POWERUNIT|MASSUNIT|ELECTRICVOLTAGEUNIT|ELECTRICCURRENTUNIT} {MILLI|KILO}? "
                  "{METRE|SQUARE_METRE|CUBIC_METRE|RADIAN|WATT|GRAM|VOLT|AMPERE}"},
    {"IFCGEOMETRICREPRESENTATIONCONTEXT", "s? s? i r? @IFCAXIS2PLACEMENT3D @IFCDIRECTION?"},
    {"IFCGEOMETRICREPRESENTATIONSUBCONTEXT", "s? s? * * * * @IFCGEOMETRICREPRESENTATIONCONTEXT r? {GRAPH_VIEW|SKETCH_VIEW|MODEL_VIEW|PLAN_VIEW} s?"},
    {"IFCCARTESIANPOINT", "[r]"},
    {"IFCDIRECTION", "[r]"},
    {"IFCAXIS2PLACEMENT2D", "@IFCCARTESIANPOINT @IFCDIRECTION?"},
    {"IFCAXIS2PLACEMENT3D", "@IFCCARTESIANPOINT @IFCDIRECTION? @IFCDIRECTION?"},
    {"IFCLOCALPLACEMENT", "@IFCOBJECTPLACEMENT? @IFCAXIS2PLACEMENT3D"},
    {"IFCPOLYLINE", "[@IFCCARTESIANPOINT]"},
    {"IFCRECTANGLEPROFILEDEF", "{AREA|CURVE} s? @IFCAXIS2PLACEMENT2D? r r"},
    {"IFCCIRCLEPROFILEDEF", "{AREA|CURVE} s? @IFCAXIS2PLACEMENT2D? r"},
    {"IFCCIRCLEHOLLOWPROFILEDEF", "{AREA|CURVE} s? @IFCAXIS2PLACEMENT2D? r r"},
    {"IFCARBITRARYCLOSEDPROFILEDEF", "{AREA|CURVE} s? @IFCPOLYLINE"},
    {"IFCEXTRUDEDAREASOLID", "@IFCPROFILEDEF @IFCAXIS2PLACEMENT3D? @IFCDIRECTION r"},
    {"IFCSHAPEREPRESENTATION", "@IFCREPRESENTATIONCONTEXT s? s? [@IFCREPRESENTATIONITEM]"},
    {"IFCPRODUCTDEFINITIONSHAPE", "s? s? [@IFCSHAPEREPRESENTATION]"},
    {"IFCREPRESENTATIONMAP", "@IFCAXIS2PLACEMENT3D @IFCSHAPEREPRESENTATION"},
    {"IFCMAPPEDITEM", "@IFCREPRESENTATIONMAP @IFCCARTESIANTRANSFORMATIONOPERATOR3D"},
    {"IFCCARTESIANTRANSFORMATIONOPERATOR3D", "@IFCDIRECTION? @IFCDIRECTION? @IFCCARTESIANPOINT r? @IFCDIRECTION?"},
    {"IFCCOLOURRGB", "s? r r r"},
    {"IFCSURFACESTYLESHADING", "@IFCCOLOURRGB r?"},
    {"IFCSURFACESTYLE", "s? {POSITIVE|NEGATIVE|BOTH} [@IFCSURFACESTYLESHADING]"},
    {"IFCSTYLEDITEM", "@IFCREPRESENTATIONITEM? [@IFCSURFACESTYLE] s?"},
};

const std::set<std::string_view> kSpatial{"IFCSITE", "IFCBUILDING", "IFCBUILDINGSTOREY", "IFCSPACE"};
const std::set<std::string_view> kValues{"IFCLABEL",
                                         "IFCIDENTIFIER",
                                         "IFCBOOLEAN",
                                         "IFCINTEGER",
                                         "IFCREAL",
                                         "IFCPOWERMEASURE",
                                         "IFCLENGTHMEASURE",
                                         "IFCMASSMEASURE",
                                         "IFCRATIOMEASURE",
                                         "IFCAREAMEASURE",
                                         "IFCPOSITIVELENGTHMEASURE",
                                         "IFCPOSITIVERATIOMEASURE",
                                         "IFCELECTRICCURRENTMEASURE",
                                         "IFCELECTRICVOLTAGEMEASURE"};

bool isType(std::string_view entity) { return entity.ends_with("TYPE") && kEntities.contains(entity.substr(0, entity.size() - 4)); }
bool isElement(std::string_view entity)
{
    const auto found = kEntities.find(entity);
    return found != kEntities.end() && found->second.starts_with(HW_ELEMENT) && !kSpatial.contains(entity) && entity != "IFCDISTRIBUTIONPORT";
}

/// Whether an entity is, or is derived from, another one.
bool is(std::string_view entity, std::string_view wanted)
{
    if (entity == wanted) return true;
    if (wanted == "IFCOBJECTPLACEMENT") return entity == "IFCLOCALPLACEMENT";
    if (wanted == "IFCPRODUCTREPRESENTATION") return entity == "IFCPRODUCTDEFINITIONSHAPE";
    if (wanted == "IFCREPRESENTATIONCONTEXT") return entity.starts_with("IFCGEOMETRICREPRESENTATION");
    if (wanted == "IFCSPATIALELEMENT") return kSpatial.contains(entity);
    if (wanted == "IFCELEMENT") return isElement(entity);
    if (wanted == "IFCELEMENTTYPE") return isType(entity);
    if (wanted == "IFCOBJECTDEFINITION")
        return isElement(entity) || kSpatial.contains(entity) || isType(entity) || entity == "IFCPROJECT" || entity == "IFCDISTRIBUTIONPORT";
    if (wanted == "IFCPROPERTYSETDEFINITION") return entity == "IFCPROPERTYSET" || entity == "IFCELEMENTQUANTITY";
    if (wanted == "IFCQUANTITY") return entity.starts_with("IFCQUANTITY");
    if (wanted == "IFCPROFILEDEF") return entity.ends_with("PROFILEDEF");
    if (wanted == "IFCREPRESENTATIONITEM") return entity == "IFCEXTRUDEDAREASOLID" || entity == "IFCMAPPEDITEM";
    return false;
}

struct Instance {
    std::string entity;
    std::vector<std::string> attributes;
};

/// Splits at commas outside of parentheses and texts.
std::vector<std::string> splitted(std::string_view text)
{
    std::vector<std::string> parts(1);
    int depth = 0;
    bool quoted = false;
    for (const char c : text) {
        if (c == '\'') quoted = !quoted;
        if (!quoted && c == '(') ++depth;
        if (!quoted && c == ')') --depth;
        if (!quoted && depth == 0 && c == ',')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

bool isReal(std::string_view text)
{
    if (text.starts_with('-')) text.remove_prefix(1);
    std::size_t digits = 0;
    while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits]))) ++digits;
    if (digits == 0 || digits == text.size() || text[digits] != '.') return false;
    text.remove_prefix(digits + 1);
    while (!text.empty() && std::isdigit(static_cast<unsigned char>(text[0]))) text.remove_prefix(1);
    if (text.empty()) return true;
    if (text[0] != 'E') return false;
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}
bool isInteger(std::string_view text)
{
    if (text.starts_with('-')) text.remove_prefix(1);
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}
bool isText(std::string_view text)
{
    if (text.size() < 2 || !text.starts_with('\'') || !text.ends_with('\'')) return false;
    text = text.substr(1, text.size() - 2);
    return std::ranges::all_of(text, [](unsigned char c) { return c >= 0x20 && c < 0x7F; });
}
bool isGlobalId(std::string_view text)
{
    if (text.size() != 24 || !isText(text) || text[1] < '0' || text[1] > '3') return false;
    return std::ranges::all_of(text.substr(1, 22), [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '$'; });
}

class Checker {
public:
    explicit Checker(std::string_view text) { read(text); }

    IfcCheck run()
    {
        for (const auto& [number, instance] : m_instances) check(number, instance);
        relations();
        for (const auto& [number, instance] : m_instances)
            if (instance.entity == "IFCLOCALPLACEMENT") chain(number);
        return std::move(m_out);
    }

private:
    void fault(std::uint64_t number, const std::string& what) { m_out.faults.push_back(fmt::format("#{}: {}", number, what)); }

    void read(std::string_view text)
    {
        if (!text.starts_with("ISO-10303-21;\n") || !text.ends_with("ENDSEC;\nEND-ISO-10303-21;\n")) m_out.faults.push_back("not a whole file");
        if (text.find("FILE_SCHEMA(('IFC4'));") == text.npos) m_out.faults.push_back("schema");
        auto at = text.find("\nDATA;\n");
        at = at == text.npos ? text.size() : at + 7;
        while (at < text.size()) {
            const auto end = std::min(text.find('\n', at), text.size());
            const std::string_view line = text.substr(at, end - at);
            at = end + 1;
            if (line == "ENDSEC;") break;
            const auto equals = line.find('='), open = line.find('(');
            if (!line.starts_with('#') || equals == line.npos || open == line.npos || !line.ends_with(");") ||
                !isInteger(line.substr(1, equals - 1))) {
                m_out.faults.push_back("line: " + std::string(line));
                continue;
            }
            const auto number = std::stoull(std::string(line.substr(1, equals - 1)));
            Instance instance{std::string(line.substr(equals + 1, open - equals - 1)), splitted(line.substr(open + 1, line.size() - open - 3))};
            ++m_out.entities[instance.entity];
            if (!m_instances.emplace(number, std::move(instance)).second) fault(number, "twice");
        }
    }

    void check(std::uint64_t number, const Instance& instance)
    {
        const bool type = isType(instance.entity);
        auto known = kEntities.find(type ? std::string_view(instance.entity).substr(0, instance.entity.size() - 4) : instance.entity);
        if (known == kEntities.end()) return fault(number, "entity " + instance.entity);
        std::string kinds(known->second);
        if (type) { // its enumeration is that of its occurrences, and not optional
            kinds = HW_TYPE + kinds.substr(kinds.find('{'));
            kinds = kinds.substr(0, kinds.find('}') + 1);
        }
        std::vector<std::string> wanted;
        for (std::size_t p = 0; p < kinds.size();) {
            const auto end = std::min(kinds.find(' ', p), kinds.size());
            if (end > p) wanted.push_back(kinds.substr(p, end - p));
            p = end + 1;
        }
        if (wanted.size() != instance.attributes.size())
            return fault(number, fmt::format("{} has {} attributes instead of {}", instance.entity, instance.attributes.size(), wanted.size()));
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (!fits(instance.attributes[i], wanted[i]))
                fault(number, fmt::format("{} attribute {}: {} is not {}", instance.entity, i + 1, instance.attributes[i], wanted[i]));
        if (wanted[0] == "G") {
            if (!m_out.guids.insert(instance.attributes[0]).second) fault(number, "GlobalId twice: " + instance.attributes[0]);
            if (isElement(instance.entity) || kSpatial.contains(instance.entity)) {
                auto& of = m_out.guidOfName[instance.entity + " " + instance.attributes[2]];
                of = of.empty() ? instance.attributes[0] : "several";
            }
        }
        userDefined(number, instance, type);
        if (instance.entity == "IFCAXIS2PLACEMENT3D" && (instance.attributes[1] == "$") != (instance.attributes[2] == "$"))
            fault(number, "one axis alone");
        if (instance.entity == "IFCEXTRUDEDAREASOLID" && !(std::stod(instance.attributes[3]) > 0)) fault(number, "depth");
        if (instance.entity.ends_with("PROFILEDEF"))
            for (std::size_t i = 3; i < instance.attributes.size(); ++i)
                if (!(std::stod(instance.attributes[i]) > 0)) fault(number, "profile size");
        if (instance.entity == "IFCCIRCLEHOLLOWPROFILEDEF" && !(std::stod(instance.attributes[4]) < std::stod(instance.attributes[3])))
            fault(number, "wall thickness");
    }

    void userDefined(std::uint64_t number, const Instance& instance, bool type)
    {
        if (!type && !isElement(instance.entity)) return;
        const bool own = std::ranges::find(instance.attributes, ".USERDEFINED.") != instance.attributes.end();
        if (own && instance.attributes[type ? 8 : 4] == "$") fault(number, "USERDEFINED without a type");
        if (type && instance.attributes[2] == "$") fault(number, "type without a name");
    }

    bool fits(std::string_view value, std::string_view kind)
    {
        if (kind.ends_with('?')) {
            if (value == "$") return true;
            kind.remove_suffix(1);
        }
        switch (kind[0]) {
        case 'G': return isGlobalId(value);
        case 's': return isText(value);
        case 'r': return isReal(value);
        case 'i': return isInteger(value);
        case '*': return value == "*";
        case '{': return value.size() > 2 && value.starts_with('.') && value.ends_with('.') && enumerated(kind, value.substr(1, value.size() - 2));
        case 'v': return typed(value);
        case '[': return list(value, kind.substr(1, kind.size() - 2));
        default: return reference(value, kind.substr(1));
        }
    }
    static bool enumerated(std::string_view kind, std::string_view word)
    {
        const std::string all = "|" + std::string(kind.substr(1, kind.size() - 2)) + "|";
        return all.find("|" + std::string(word) + "|") != all.npos;
    }
    static bool typed(std::string_view value)
    {
        const auto open = value.find('(');
        if (open == value.npos || !value.ends_with(')') || !kValues.contains(value.substr(0, open))) return false;
        const std::string_view type = value.substr(0, open), inner = value.substr(open + 1, value.size() - open - 2);
        if (type == "IFCLABEL" || type == "IFCIDENTIFIER") return isText(inner);
        if (type == "IFCBOOLEAN") return inner == ".T." || inner == ".F.";
        if (type == "IFCINTEGER") return isInteger(inner);
        return isReal(inner);
    }
    bool list(std::string_view value, std::string_view kind)
    {
        if (value.size() < 3 || !value.starts_with('(') || !value.ends_with(')')) return false;
        const auto items = splitted(value.substr(1, value.size() - 2));
        std::set<std::string> once(items.begin(), items.end());
        if (kind[0] == '@' && kind != "@IFCCARTESIANPOINT" && once.size() != items.size()) return false; // sets
        return std::ranges::all_of(items, [&](const auto& item) { return fits(item, kind); });
    }
    bool reference(std::string_view value, std::string_view kind) const
    {
        if (!value.starts_with('#') || !isInteger(value.substr(1))) return false;
        const auto found = m_instances.find(std::stoull(std::string(value.substr(1))));
        return found != m_instances.end() && is(found->second.entity, kind);
    }

    /// Every element is in the tree once, and every property set and type in use.
    void relations()
    {
        std::map<std::string, int> held, uses;
        for (const auto& [number, instance] : m_instances) {
            const auto parts = [&](std::size_t i) {
                return splitted(std::string_view(instance.attributes[i]).substr(1, instance.attributes[i].size() - 2));
            };
            if (instance.attributes.size() < 6) continue;
            if (instance.entity == "IFCRELAGGREGATES" || instance.entity == "IFCRELNESTS")
                for (const auto& part : parts(5)) ++held[part];
            if (instance.entity == "IFCRELCONTAINEDINSPATIALSTRUCTURE")
                for (const auto& part : parts(4)) ++held[part];
            if (instance.entity == "IFCRELDEFINESBYPROPERTIES" || instance.entity == "IFCRELDEFINESBYTYPE") ++uses[instance.attributes[5]];
            if (isType(instance.entity) && instance.attributes[5] != "$")
                for (const auto& set : parts(5)) ++uses[set];
        }
        for (const auto& [number, instance] : m_instances) {
            const std::string name = fmt::format("#{}", number);
            const bool inTree = isElement(instance.entity) || kSpatial.contains(instance.entity) || instance.entity == "IFCDISTRIBUTIONPORT";
            if (inTree && held[name] != 1) fault(number, fmt::format("{} is held {} times", instance.entity, held[name]));
            if ((instance.entity == "IFCPROPERTYSET" || isType(instance.entity)) && uses[name] == 0) fault(number, instance.entity + " is not used");
        }
    }

    void chain(std::uint64_t number)
    {
        std::set<std::uint64_t> seen;
        for (auto at = number;;) {
            if (!seen.insert(at).second) return fault(number, "placement within itself");
            const auto found = m_instances.find(at);
            if (found == m_instances.end() || found->second.attributes.empty() || !found->second.attributes[0].starts_with('#')) return;
            at = std::stoull(found->second.attributes[0].substr(1));
        }
    }

    std::map<std::uint64_t, Instance> m_instances;
    IfcCheck m_out;
};

} // namespace

IfcCheck checkIfc(std::string_view text) { return Checker(text).run(); }

} // namespace hw::test
