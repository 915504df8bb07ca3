// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox/inventory/parts.h"

#include "core/foundation/base/file_kind.h"
#include "core/foundation/catalog/sidecar_file.h"
#include "core/foundation/catalog/slugs.h"
#include "core/foundation/catalog/sockets.h"
#include "importers/netbox/inventory/resolve.h"
#include "importers/netbox/inventory/values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace hw::importers::netbox_in {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kSidecarEnding = ".hw.yaml";

/// The value of a key at the beginning of a line, without quotes.
std::string keyIn(const std::string& yaml, std::string_view key)
{
    for (std::size_t at = 0; at < yaml.size();) {
        const auto end = std::min(yaml.find('\n', at), yaml.size());
        std::string_view line = std::string_view(yaml).substr(at, end - at);
        if (line.starts_with(key) && line.size() > key.size() && line[key.size()] == ':') {
            line.remove_prefix(key.size() + 1);
            while (!line.empty() && (line.front() == ' ' || line.front() == '"' || line.front() == '\'')) line.remove_prefix(1);
            while (!line.empty() && (line.back() == ' ' || line.back() == '"' || line.back() == '\'' || line.back() == '\r')) line.remove_suffix(1);
            return std::string(line);
        }
        at = end + 1;
    }
    return {};
}

/// The types of a file: one, with its sidecar behind it or not, or several documents.
std::vector<std::string> typesIn(const std::string& yaml)
{
    std::vector<std::string> documents(1);
    for (std::size_t at = 0; at < yaml.size();) {
        const auto end = std::min(yaml.find('\n', at), yaml.size());
        const std::string line = yaml.substr(at, end - at);
        if (line == "---" || line == "---\r")
            documents.emplace_back();
        else
            documents.back() += line + '\n';
        at = end + 1;
    }
    std::erase_if(documents, [](const std::string& document) { return keyIn(document, "slug").empty(); });
    for (const auto& document : documents)
        if (!keyIn(document, "kind").empty()) return {yaml};
    return documents;
}

/// A text as YAML reads it back.
std::string yamlText(const std::string& text) { return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); }

bool hasWord(const std::string& text, std::initializer_list<std::string_view> words)
{
    const std::string all = lower(text);
    for (const auto word : words)
        for (auto at = all.find(word); at != all.npos; at = all.find(word, at + 1)) {
            const auto isLetter = [&](std::size_t i) { return i < all.size() && all[i] >= 'a' && all[i] <= 'z'; };
            if (word.size() > 4 || ((at == 0 || !isLetter(at - 1)) && !isLetter(at + word.size()))) return true;
        }
    return false;
}

/// "swp1s0" → "swp1" and 0: a port that a cage is broken out into, by the name that goes on after that of the cage.
std::optional<std::pair<std::string, int>> subPort(const std::string& name)
{
    const auto digits = name.find_last_not_of("0123456789") + 1; // npos + 1 = 0
    if (digits < 2 || digits >= name.size()) return std::nullopt;
    int sub = 0;
    const auto read = std::from_chars(name.data() + digits, name.data() + name.size(), sub);
    if (read.ec != std::errc() || sub > 16 || std::string_view("s:/._-").find(name[digits - 1]) == std::string_view::npos) return std::nullopt;
    return std::pair(name.substr(0, digits - 1), sub);
}

std::string connectorOf(const Port& port)
{
    if (port.type == "mpo") return port.positions == 8 || port.positions == 16 ? "mpo-16-apc" : "mpo-12-apc";
    if (port.type.starts_with("lc")) return "lc-duplex";
    return port.type.empty() ? "lc-duplex" : port.type;
}

std::string_view powerElement(const std::string& words, bool inRack)
{
    if (hasWord(words, {"ups"})) return "ups";
    if (hasWord(words, {"busway", "busbar"})) return "busway";
    if (hasWord(words, {"ats", "sts", "transfer"})) return "static-switch";
    if (hasWord(words, {"transformer"})) return "transformer";
    if (hasWord(words, {"generator"})) return "generator";
    if (hasWord(words, {"switchgear"})) return "switchgear";
    if (hasWord(words, {"shelf"})) return "shelf";
    if (hasWord(words, {"rpp", "board", "panelboard"})) return "switchboard";
    return inRack || hasWord(words, {"pdu"}) ? "pdu" : "switchboard";
}
std::string_view coolingElement(const std::string& words)
{
    if (hasWord(words, {"cdu"})) return "cdu";
    if (hasWord(words, {"manifold"})) return "manifold";
    if (hasWord(words, {"rear door", "rear-door", "rdhx"})) return "rear-door"; // no text: YAML
    if (hasWord(words, {"crah", "crac"})) return "crah";
    if (hasWord(words, {"in-row", "inrow"})) return "in-row";
    if (hasWord(words, {"chiller"})) return "chiller";
    if (hasWord(words, {"dry-cooler", "dry cooler"})) return "dry-cooler";  // no text: YAML
    if (hasWord(words, {"cooling-tower", "cooling tower"})) return "tower"; // no text: YAML
    if (hasWord(words, {"pump"})) return "pump";
    return {};
}

} // namespace

Result<Library> Library::open(const fs::path& folder)
{
    Library library;
    std::error_code error;
    std::set<fs::path> files;
    for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const auto ending = it->path().extension();
        if (it->is_regular_file(error) && (ending == ".yaml" || ending == ".yml")) files.insert(it->path());
    }
    if (error)
        return fail(ErrorCode::Unreadable, "--library " + folder.string(), i18n("cannot be read: {}", error.message()),
                    i18n("specify the folder of the device types"));
    for (const fs::path& file : files) {
        const std::string name = file.filename().string();
        if (name.ends_with(kSidecarEnding)) {
            std::string text;
            if (auto read = readTextFile(file)) text = std::move(*read);
            const std::string slug = keyIn(text, "slug");
            library.m_sidecars.emplace(slug.empty() ? name.substr(0, name.size() - kSidecarEnding.size()) : slug, file);
            continue;
        }
        if (file.string().find("module-types") != std::string::npos) continue; // what modules bring is on the devices of an export
        const auto text = readTextFile(file);
        if (!text) continue;
        const auto documents = typesIn(*text);
        for (const std::string& document : documents) {
            const std::string slug = keyIn(document, "slug"), model = keyIn(document, "model");
            const Document entry{file, documents.size() > 1 ? document : std::string()};
            if (!slug.empty()) library.m_bySlug.emplace(slug, entry);
            if (!model.empty()) library.m_byModel.emplace(bare(keyIn(document, "manufacturer")) + "/" + bare(model), entry);
        }
    }
    if (library.m_bySlug.empty() && library.m_sidecars.empty())
        return fail(ErrorCode::Unreadable, "--library " + folder.string(), i18n("contains no device or rack types"),
                    i18n("specify a folder with device-types/MANUFACTURER/MODEL.yaml"));
    return library;
}

std::shared_ptr<const Part> Library::find(const std::string& slug, const std::string& maker, const std::string& model,
                                          std::vector<Remark>& remarks) const
{
    auto found = m_bySlug.find(slug);
    if (found == m_bySlug.end()) {
        found = m_byModel.find(bare(maker) + "/" + bare(model));
        if (found == m_byModel.end()) return nullptr;
    }
    const auto& [file, document] = found->second;
    auto text = document.empty() ? readTextFile(file) : Result<std::string>(document);
    if (!text) return remarks.push_back({file.string(), text.error().what}), nullptr;
    std::error_code error;
    const bool beside = document.empty() && fs::exists(hw::sidecarOf(file), error);
    if (const std::string own = sidecar(slug); !beside && !own.empty()) *text += "\n---\n" + own;
    auto part = document.empty() ? parseWithSidecar(std::move(*text), file) : Catalog::parse(*text, file.string());
    if (!part) return remarks.push_back({part.error().where, i18n("device type of the library not used: {}", part.error().what)}), nullptr;
    return std::make_shared<const Part>(std::move(*part));
}

std::string Library::sidecar(const std::string& slug) const
{
    const auto found = m_sidecars.find(slug);
    if (found == m_sidecars.end()) return {};
    auto text = readTextFile(found->second);
    return text ? *text : std::string();
}

ChosenParts::ChosenParts(Inventory& inventory, const Wiring& wiring, const ProjectParts& project, const PartTypes& projectTypes,
                         const Catalog& catalog, const Library* library, std::map<std::string, std::string> typesByName)
    : m(inventory), m_wiring(wiring), m_project(project), m_projectTypes(projectTypes), m_catalog(catalog), m_library(library),
      m_typesByName(std::move(typesByName))
{
    for (const auto& [slug, part] : catalog.parts(PartKind::Device))
        if (const auto* device = std::get_if<DeviceSpec>(&part->spec))
            m_catalogModels.emplace(bare(device->manufacturer) + "/" + bare(part->model), slug);
    countComponents();
    m_devices.resize(m.devices.size()), m_purposes.resize(m.devices.size(), Purpose::Other), m_racks.resize(m.racks.size());
    for (std::size_t i = 0; i < m.devices.size(); ++i) choosePurpose(i);
    for (const bool listed : {true, false}) // what has no list of components is as the others of its type
        for (std::size_t i = 0; i < m.devices.size(); ++i)
            if (isListed(i) == listed) chooseDevice(i);
    for (std::size_t i = 0; i < m.racks.size(); ++i) chooseRack(i);
    tell();
}

void ChosenParts::countComponents()
{
    m_components.resize(m.devices.size()), m_cabled.resize(m.devices.size()), m_splits.resize(m.deviceTypes.size());
    for (std::size_t kind = 0; kind < kPortKinds; ++kind) {
        for (std::size_t i = 0; i < m.ports[kind].size(); ++i) m_components[m.ports[kind][i].ofDevice][kind].push_back(i);
        for (auto& of : m_components)
            std::ranges::sort(of[kind], [&](std::size_t a, std::size_t b) { return naturalLess(m.ports[kind][a].name, m.ports[kind][b].name); });
    }
    const auto use = [&](PortAt at, int split) {
        if (at.kind == PortKind::Feed) return;
        const Port& port = m.of(at.kind)[at.port];
        m_cabled[port.ofDevice].insert(at);
        if (split > 1) m_splits[m.devices[port.ofDevice].ofType][port.type].insert(split);
    };
    for (const WholeLink& link : m_wiring.links) use(link.a, link.splitA), use(link.b, link.splitB);
    for (const PortKind kind : {PortKind::Intake, PortKind::Outflow})
        for (std::size_t i = 0; i < m.of(kind).size(); ++i) m_cabled[m.of(kind)[i].ofDevice].insert({kind, i});
    m_positions.resize(m.of(PortKind::Front).size());
}

/// By the number in a front port's name, where these are numbers of positions that the panel has; else by their order.
void ChosenParts::numberFronts(std::size_t device)
{
    const auto& fronts = m_components[device][std::size_t(PortKind::Front)];
    const auto* spec = m_devices[device] ? &std::get<DeviceSpec>(m_devices[device]->spec) : nullptr;
    std::set<int> numbers;
    bool counted = spec != nullptr;
    for (const std::size_t front : fronts) {
        const int number = numberOfPort(m.of(PortKind::Front)[front].name);
        counted = counted && number > 0 && number <= spec->panel.positions && numbers.insert(number).second;
    }
    std::int32_t position = 0;
    for (const std::size_t front : fronts) m_positions[front] = counted ? numberOfPort(m.of(PortKind::Front)[front].name) - 1 : position++;
}

bool ChosenParts::isListed(std::size_t device) const
{
    for (std::size_t kind = 0; kind < kPortKinds; ++kind)
        if (std::ranges::any_of(m_components[device][kind], [&](std::size_t i) { return !m.ports[kind][i].implied; })) return true;
    return false;
}

void ChosenParts::choosePurpose(std::size_t device)
{
    const Device& own = m.devices[device];
    const auto& parts = m_components[device];
    const auto count = [&](PortKind kind) { return parts[std::size_t(kind)].size(); };
    const std::string words = own.role.name + " " + own.role.slug + " " + m.deviceTypes[own.ofType].model;
    std::size_t data = 0;
    for (const std::size_t i : parts[std::size_t(PortKind::Interface)])
        data += !m.of(PortKind::Interface)[i].management && !catalog::isUncabled(m.of(PortKind::Interface)[i].type);
    Purpose& purpose = m_purposes[device];
    if ((count(PortKind::Front) > 0 || count(PortKind::Rear) > 0) && data == 0)
        purpose = Purpose::Panel;
    else if ((count(PortKind::PowerOutlet) > 0 && data == 0) ||
             hasWord(words, {"pdu", "ups", "busway", "switchboard", "switchgear", "generator", "transformer"}))
        purpose = Purpose::Power;
    else if (!coolingElement(words).empty() && data == 0)
        purpose = Purpose::Cooling;
    else if (hasWord(words, {"server", "host", "compute", "gpu", "node", "storage", "hypervisor", "worker"}))
        purpose = Purpose::Server;
    else if (hasWord(words, {"switch", "leaf", "spine", "tor", "agg", "aggregation", "core", "router", "fabric", "gateway", "firewall"}) ||
             data >= 16)
        purpose = Purpose::Switch;
    else if (data > 0)
        purpose = Purpose::Server;
}

std::shared_ptr<const Part> ChosenParts::known(const std::string& slug, const std::string& maker, const std::string& model, PartKind kind)
{
    const std::string key = fmt::format("{}\n{}\n{}\n{}", slug, maker, model, int(kind));
    if (const auto found = m_known.find(key); found != m_known.end()) return found->second;
    std::shared_ptr<const Part> part;
    if (const auto id = m_project.find(slug)) part = std::make_shared<const Part>(m_project[*id]), m_fromProject.insert(slug);
    auto ofLibrary = !part && m_library ? m_library->find(slug, maker, model, m.remarks) : nullptr;
    const auto takeLibrary = [&] {
        if (!part && ofLibrary) part = ofLibrary, m_fromLibrary.insert(part->slug);
    };
    // with a sidecar it comes first; without one it states less than the catalog does
    if (ofLibrary && (ofLibrary->definition.starts_with("kind:") || ofLibrary->definition.find("\nkind:") != std::string::npos)) takeLibrary();
    const auto ofCatalog = [&](const std::string& own) {
        if (part) return;
        if (auto found = m_catalog.share(own)) part = std::move(found), m_fromCatalog.insert(own);
    };
    ofCatalog(slug);
    if (const auto named = m_catalogModels.find(bare(maker) + "/" + bare(model)); named != m_catalogModels.end()) ofCatalog(named->second);
    takeLibrary();
    if (part && kindOf(*part) != kind) part.reset();
    return m_known[key] = part;
}

bool ChosenParts::suits(const Part& part, std::size_t device) const
{
    const auto* spec = std::get_if<DeviceSpec>(&part.spec);
    if (!spec) return false;
    for (const PortAt at : m_cabled[device]) {
        if (at.kind == PortKind::Front || at.kind == PortKind::Rear) continue;
        const auto socket = socketOf(part, at.kind, m.of(at.kind)[at.port].name);
        if (!socket || (at.kind == PortKind::Interface && !takesCable(spec->interfaces[socket->cage]))) return false;
    }
    return m_components[device][std::size_t(PortKind::Front)].size() <= std::size_t(spec->panel.positions) || m_purposes[device] != Purpose::Panel;
}

void ChosenParts::chooseDevice(std::size_t device)
{
    const DeviceType& type = m.deviceTypes[m.devices[device].ofType];
    auto& own = m_devices[device];
    const std::string slug = slugOf(type.slug);
    if (const auto there = m_typesByName.find(m.devices[device].name); there != m_typesByName.end() && there->second.starts_with(slug))
        if (const auto id = m_project.find(there->second); id && suits(m_project[*id], device)) // made by an import before
            own = known(there->second, {}, {}, PartKind::Device);
    const auto part = own ? own : known(slug, type.manufacturer, type.model, PartKind::Device);
    if (!own && part && suits(*part, device)) own = part;
    if (!own && !isListed(device))
        for (const auto& made : m_madeOfType[m.devices[device].ofType])
            if (!own && suits(*made, device)) own = made;
    if (!own && (own = makeDevice(device, part.get()))) {
        auto& all = m_madeOfType[m.devices[device].ofType];
        if (std::ranges::find(all, own) == all.end()) all.push_back(own);
    }
    numberFronts(device);
    if (!m_devices[device]) return;
    const auto& spec = std::get<DeviceSpec>(m_devices[device]->spec);
    Purpose& purpose = m_purposes[device]; // a type that is known says more than words
    if (spec.panel.positions > 0)
        purpose = Purpose::Panel;
    else if (spec.cooling.element != CoolingElement::None || !spec.removes.empty())
        purpose = Purpose::Cooling;
    else if (spec.power.element != PowerElement::None || (!spec.outlets.empty() && purpose != Purpose::Server && purpose != Purpose::Switch))
        purpose = Purpose::Power;
    else if (spec.accelerators > 0)
        purpose = Purpose::Server;
    else if (spec.switching.value.count() > 0)
        purpose = Purpose::Switch;
    if (purpose == Purpose::Server) m_servers.insert(m_devices[device]->slug);
}

/// The type as a document of NetBox: its own values and the components of this device.
std::string ChosenParts::headOf(std::size_t device) const
{
    const Device& own = m.devices[device];
    const DeviceType& type = m.deviceTypes[own.ofType];
    const auto& parts = m_components[device];
    const double units = type.units.value_or(own.position ? 1 : 0);
    std::string out =
        fmt::format("manufacturer: {}\nmodel: {}\n", yamlText(type.manufacturer.empty() ? "Unknown" : type.manufacturer), yamlText(type.model));
    out += "slug: {SLUG}\n"; // filled in when it is known to be free
    out += fmt::format("u_height: {}\nis_full_depth: {}\n", std::clamp(std::round(units * 2) / 2, 0.0, 100.0), type.fullDepth ? "true" : "false");
    const std::string airflow = own.airflow.empty() ? type.airflow : own.airflow;
    if (catalog::isAirflowSlug(airflow)) out += "airflow: " + airflow + "\n";
    const bool unit = type.weightUnit == "kg" || type.weightUnit == "g" || type.weightUnit == "lb" || type.weightUnit == "oz";
    if (type.weight > 0 && unit) out += fmt::format("weight: {}\nweight_unit: {}\n", type.weight, type.weightUnit);
    const auto list = [&](PortKind kind, const char* title, auto&& line) {
        std::string all;
        std::set<std::string> names;
        for (const std::size_t i : parts[std::size_t(kind)]) {
            const Port& port = m.of(kind)[i];
            if (kind == PortKind::Interface && (catalog::isUncabled(port.type) || port.type == "channel")) continue;
            if (names.insert(lower(port.name)).second) all += "  - " + line(port) + "\n";
        }
        if (!all.empty()) out += std::string(title) + ":\n" + all;
    };
    list(PortKind::PowerPort, "power-ports", [](const Port& port) {
        std::string line = fmt::format("{{name: {}, type: {}", yamlText(port.name), yamlText(port.type.empty() ? "other" : port.type));
        if (port.maximumDraw > 0) line += fmt::format(", maximum_draw: {}", port.maximumDraw);
        if (port.allocatedDraw > 0) line += fmt::format(", allocated_draw: {}", port.allocatedDraw);
        return line + "}";
    });
    list(PortKind::PowerOutlet, "power-outlets", [](const Port& port) {
        std::string line = fmt::format("{{name: {}, type: {}", yamlText(port.name), yamlText(port.type.empty() ? "other" : port.type));
        if (!port.powerPort.name.empty()) line += ", power_port: " + yamlText(port.powerPort.name);
        if (port.leg == "A" || port.leg == "B" || port.leg == "C") line += ", feed_leg: " + port.leg;
        return line + "}";
    });
    list(PortKind::Interface, "interfaces", [](const Port& port) {
        return fmt::format("{{name: {}, type: {}{}}}", yamlText(port.name), yamlText(port.type.empty() ? "other" : port.type),
                           port.management ? ", mgmt_only: true" : ""); // no text: YAML
    });
    return out;
}

/// What NetBox has no place for in a type, as far as the devices tell.
std::string ChosenParts::sidecarOf(std::size_t device) const
{
    const Device& own = m.devices[device];
    const auto& parts = m_components[device];
    std::string out;
    std::map<std::string, std::int64_t> rates; // Gb/s, of types whose slug states none
    for (const std::size_t i : parts[std::size_t(PortKind::Interface)]) {
        const Port& port = m.of(PortKind::Interface)[i];
        const std::string type = port.type.empty() ? "other" : port.type;
        if (!port.management && catalog::rateOfSlug(type).count() == 0 && port.kbps >= 1'000'000)
            rates[type] = std::max(rates[type], port.kbps / 1'000'000);
    }
    std::set<std::string> types;
    for (const auto& [type, rate] : rates) types.insert(type);
    const auto& splits = m_splits[own.ofType];
    for (const auto& [type, counts] : splits) types.insert(type.empty() ? "other" : type);
    std::string cages;
    for (const auto& type : types) {
        const bool there = std::ranges::any_of(parts[std::size_t(PortKind::Interface)], [&](std::size_t i) {
            const Port& port = m.of(PortKind::Interface)[i];
            return !port.management && (port.type.empty() ? "other" : port.type) == type;
        });
        if (!there) continue;
        cages += "  - {type: " + yamlText(type);
        if (const auto rate = rates.find(type); rate != rates.end())
            cages += fmt::format(", rate: {{value: {}, unit: Gb/s, source: \"NetBox: speed\", confidence: B}}", rate->second); // no text: YAML
        const auto counts = splits.find(type == "other" && !splits.contains(type) ? "" : type);
        if (counts != splits.end()) cages += fmt::format(", splits: [{}]", fmt::join(counts->second, ", "));
        cages += "}\n";
    }
    if (!cages.empty()) out += "cages:\n" + cages;
    const std::string words = own.role.name + " " + own.role.slug + " " + m.deviceTypes[own.ofType].model;
    if (m_purposes[device] == Purpose::Power) {
        std::int64_t draw = 0;
        for (const std::size_t i : parts[std::size_t(PortKind::PowerPort)]) draw += m.of(PortKind::PowerPort)[i].maximumDraw;
        if (draw > 0)
            out += fmt::format("capacity: {{value: {}, unit: W, source: \"NetBox: maximum_draw\", confidence: B}}\n", draw); // no text: YAML
        out += fmt::format("power:\n  element: {}\n", powerElement(words, own.inRack != kNone));
    }
    if (const auto& fronts = parts[std::size_t(PortKind::Front)]; m_purposes[device] == Purpose::Panel && !fronts.empty()) {
        const auto& rears = parts[std::size_t(PortKind::Rear)];
        const Port& front = m.of(PortKind::Front)[fronts.front()];
        const bool divided = !rears.empty() && fronts.size() > rears.size() && fronts.size() % rears.size() == 0;
        out += fmt::format("panel:\n  positions: {}\n  connector: {}\n", fronts.size(), yamlText(connectorOf(front)));
        if (divided)
            out +=
                fmt::format("  rear: {}\n  per_rear: {}\n", yamlText(connectorOf(m.of(PortKind::Rear)[rears.front()])), fronts.size() / rears.size());
    }
    std::string ports;
    for (const PortKind kind : {PortKind::Intake, PortKind::Outflow})
        for (const std::size_t i : parts[std::size_t(kind)])
            ports += fmt::format("    - {{name: {}, feeds: {}}}\n", yamlText(m.of(kind)[i].name), kind == PortKind::Outflow ? "true" : "false");
    const auto element = m_purposes[device] == Purpose::Cooling ? coolingElement(words) : std::string_view();
    if (!ports.empty() || !element.empty()) {
        if (element == "crah" || element == "in-row" || element == "rear-door")
            out += "removes: air\n"; // no text: YAML
        else if (element == "cdu")
            out += "removes: liquid\n"; // no text: YAML
        out += "cooling:\n";
        if (!element.empty()) out += fmt::format("  element: {}\n", element);
        if (!ports.empty()) out += "  ports:\n" + ports;
    }
    if (m_purposes[device] == Purpose::Server && (own.coolingMethod == "liquid" || own.coolingMethod == "immersion"))
        out +=
            "liquid_share: {value: 100, unit: \"%\", source: \"NetBox: cooling_method, assumed to be all of the heat\", confidence: C}\n"; // no text:
                                                                                                                                           // YAML
    return out;
}

std::shared_ptr<const Part> ChosenParts::made(const std::string& wanted, const std::string& head, const std::string& sidecar,
                                              const std::string& where)
{
    for (int n = 1; n < 1'000; ++n) {
        const std::string slug = n == 1 ? wanted : fmt::format("{}-{}", wanted, n);
        const auto filled = [&](std::string text) {
            if (const auto at = text.find("{SLUG}"); at != text.npos) text.replace(at, 6, slug);
            return text;
        };
        std::string definition = filled(head);
        if (!sidecar.empty()) definition += "---\n" + filled(sidecar);
        if (const auto made = m_made.find(slug); made != m_made.end()) {
            if (made->second->definition == definition) return made->second;
            continue;
        }
        if (const auto id = m_project.find(slug)) {
            if (m_projectTypes.definition[*id] != definition) continue;
            return m_made[slug] = std::make_shared<const Part>(m_project[*id]);
        }
        if (m_catalog.find(slug)) continue;
        std::vector<LintIssue> doubts;
        auto part = Catalog::parse(definition, where, &doubts);
        if (!part) {
            m.leave(where, i18n("part type {} cannot be created: {}", slug, part.error().what));
            return nullptr;
        }
        for (const LintIssue& doubt : doubts)
            if (doubt.where.ends_with("power-ports")) m.remarks.push_back({slug, doubt.what});
        m_ofExport.insert(slug);
        return m_made[slug] = std::make_shared<const Part>(std::move(*part));
    }
    return nullptr;
}

std::shared_ptr<const Part> ChosenParts::makeDevice(std::size_t device, const Part* like)
{
    const DeviceType& type = m.deviceTypes[m.devices[device].ofType];
    const std::string slug = slugOf(type.slug) + (like ? "-netbox" : "");
    const std::string head = headOf(device);
    m_heightsAssumed += !type.units;
    const std::string kindLine = "kind: device\nslug: {SLUG}\n"; // no text: YAML
    std::string given = m_library ? m_library->sidecar(slugOf(type.slug)) : std::string();
    if (const auto second = like ? like->definition.find("\n---\n") : std::string::npos; given.empty() && second != std::string::npos)
        given = like->definition.substr(second + 5); // what its kind states beyond ports holds for it, too
    if (!given.empty()) {
        const auto at = given.starts_with("slug:") ? 0 : given.find("\nslug:") == given.npos ? given.npos : given.find("\nslug:") + 1;
        if (at != given.npos) given.replace(at, std::min(given.find('\n', at), given.size()) - at, "slug: {SLUG}");
        std::string test = head, side = given;
        for (std::string* text : {&test, &side})
            if (const auto place = text->find("{SLUG}"); place != text->npos) text->replace(place, 6, "test");
        if (Catalog::parse(test + "---\n" + side, type.where)) return made(slug, head, given, type.where);
    }
    const std::string own = sidecarOf(device);
    return made(slug, head, own.empty() ? std::string() : kindLine + own, type.where);
}

void ChosenParts::chooseRack(std::size_t rack)
{
    const Rack& own = m.racks[rack];
    RackSize size = own.size;
    std::string maker = "Generic", model, slug; // no text: names of a part
    if (own.ofType != kNone) {
        const RackType& type = m.rackTypes[own.ofType];
        if (type.size.units > 0) size = type.size; // NetBox copies it to the rack
        maker = type.manufacturer.empty() ? maker : type.manufacturer, model = type.model, slug = slugOf(type.slug);
    } else if (!own.type.name.empty())
        model = own.type.name, slug = slugOf(own.type.slug.empty() ? own.type.name : own.type.slug);
    if (!slug.empty())
        if (const auto part = known(slug, maker, model, PartKind::Rack))
            if (size.units == 0 || std::get<RackSpec>(part->spec).heightU == size.units) {
                m_racks[rack] = part;
                return;
            }
    if (size.units == 0) size.units = 42, m.remarks.push_back({own.where, i18n("height of rack {} not specified: 42 U assumed", own.name)});
    const int units = std::clamp(size.units, 1, 100);
    const double toMm = size.outerUnit == "in" ? 25.4 : 1;
    const auto mm = [&](double value) { return std::int64_t(std::llround(std::clamp(value * toMm, 0.0, 10'000.0))); };
    const int width = size.width > 0 ? size.width : 19;
    if (model.empty()) {
        model = fmt::format("Rack {}U {} in", units, width);
        slug = fmt::format("netbox-rack-{}u-{}in", units, width);
        if (size.outerWidth > 0 && size.outerDepth > 0) slug += fmt::format("-{}x{}", mm(size.outerWidth), mm(size.outerDepth));
    }
    std::string head = fmt::format("manufacturer: {}\nmodel: {}\nslug: {{SLUG}}\nform_factor: {}\nwidth: {}\nu_height: {}\nstarting_unit: {}\n",
                                   yamlText(maker), yamlText(model), catalog::isFormFactor(size.formFactor) ? size.formFactor : "4-post-cabinet",
                                   width, units, std::clamp(size.startingUnit, 1, 100));
    if (size.outerWidth > 0) head += fmt::format("outer_width: {}\n", mm(size.outerWidth));
    if (size.outerDepth > 0) head += fmt::format("outer_depth: {}\n", mm(size.outerDepth));
    if (size.outerHeight > 0) head += fmt::format("outer_height: {}\n", mm(size.outerHeight));
    if (size.outerWidth > 0 || size.outerDepth > 0 || size.outerHeight > 0) head += "outer_unit: mm\n"; // no text: YAML
    const bool unit = size.weightUnit == "kg" || size.weightUnit == "g" || size.weightUnit == "lb" || size.weightUnit == "oz";
    if (unit && size.weight > 0) head += fmt::format("weight: {}\n", size.weight);
    if (unit && size.maxWeight > 0) head += fmt::format("max_weight: {}\n", size.maxWeight);
    if (unit && (size.weight > 0 || size.maxWeight > 0)) head += "weight_unit: " + size.weightUnit + "\n";
    m_racks[rack] = made(slug, head, {}, own.where);
}

std::optional<Socket> ChosenParts::socket(PortAt at) const
{
    const Port& port = m.of(at.kind)[at.port];
    const auto& part = m_devices[port.ofDevice];
    return part ? socketOf(*part, at.kind, port.name) : std::nullopt;
}

std::optional<Socket> ChosenParts::socketOf(const Part& part, PortKind kind, const std::string& name) const
{
    const auto [of, isNew] = m_sockets.try_emplace(&part);
    auto& sockets = of->second;
    if (isNew) {
        const auto& spec = std::get<DeviceSpec>(part.spec);
        std::uint16_t cage = 0; // as the model numbers them: interfaces, inlets, outlets, coolant connections
        for (const auto& one : spec.interfaces) sockets.emplace(std::pair(PortKind::Interface, lower(one.name)), cage++);
        for (const auto& one : spec.inlets) sockets.emplace(std::pair(PortKind::PowerPort, lower(one.name)), cage++);
        for (const auto& one : spec.outlets) sockets.emplace(std::pair(PortKind::PowerOutlet, lower(one.name)), cage++);
        for (const auto& one : spec.cooling.ports)
            sockets.emplace(std::pair(one.feeds ? PortKind::Outflow : PortKind::Intake, lower(one.name)), cage++);
    }
    const std::string wanted = lower(name);
    if (const auto found = sockets.find({kind, wanted}); found != sockets.end()) return Socket{found->second, -1};
    if (kind == PortKind::Intake || kind == PortKind::Outflow) { // a further hose, as `coolantPortName` names it: "coolant-2"
        const auto& spec = std::get<DeviceSpec>(part.spec);
        const bool feeds = kind == PortKind::Outflow;
        const std::size_t first = spec.interfaces.size() + spec.inlets.size() + spec.outlets.size() + spec.cooling.ports.size();
        for (std::size_t number = 1; number < 8; ++number)
            if (wanted == coolantPortName({}, feeds, number)) return Socket{std::uint16_t(first + 2 * (number - 1) + (feeds ? 1 : 0)), -1};
    }
    if (const auto sub = kind == PortKind::Interface ? subPort(wanted) : std::nullopt)
        if (const auto found = sockets.find({kind, sub->first}); found != sockets.end()) return Socket{found->second, sub->second};
    return std::nullopt;
}

void ChosenParts::tell()
{
    const auto say = [&](const std::set<std::string>& slugs, Text text) {
        if (!slugs.empty()) m.facts.push_back(i18n("{}: {}", std::move(text), listedNames(slugs)));
    };
    say(m_fromProject, i18n("part types of the project"));
    say(m_fromLibrary, i18n("part types of the library folder"));
    say(m_fromCatalog, i18n("part types of the catalog"));
    say(m_ofExport, i18n("part types created from the components listed in NetBox"));
    if (m_heightsAssumed > 0)
        m.remarks.push_back({m.source, i18np(m_heightsAssumed, "{:L} device has a type without height: 1 U assumed where it has a position, else 0 U",
                                             "{:L} devices have types without height: 1 U assumed where they have a position, else 0 U")});
    for (const auto& slug : m_ofExport) {
        const auto made = m_made.find(slug);
        const auto* spec = made == m_made.end() ? nullptr : std::get_if<DeviceSpec>(&made->second->spec);
        if (!spec || spec->accelerators > 0 || !m_servers.contains(slug) ||
            std::ranges::none_of(spec->interfaces, [](const Interface& i) { return !i.management && i.rate.count() >= 100; }))
            continue;
        m.remarks.push_back(
            {slug, i18n("NetBox does not document accelerators, power by load or liquid cooling: none assumed; if it has any, add {}.hw.yaml to "
                        "the library folder (kind: device, slug: {}, accelerators: N, typical_power, liquid_share)",
                        slug, slug)});
    }
}

} // namespace hw::importers::netbox_in
