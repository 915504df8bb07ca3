// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/trim.h"
#include "core/foundation/catalog/sidecar_file.h"
#include "core/foundation/catalog/yaml_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <sstream>
#include <yaml-cpp/eventhandler.h>

namespace hw {
namespace {

using catalog::MapReader;
using catalog::ParseFailure;
using catalog::Source;

constexpr std::string_view kSidecar = ".hw.yaml";

/// A definition that has no NetBox document: the sidecar is all there is.
void readOwn(const Source& source, const YAML::Node& node, Part& part)
{
    MapReader reader(source, node);
    const auto kind = reader.text("kind");
    if (kind == "transceiver")
        catalog::readTransceiver(reader, part);
    else if (kind == "cable")
        catalog::readCable(reader, part);
    else if (kind == "tray")
        catalog::readTray(reader, part);
    else if (kind == "device" || kind == "rack")
        reader.fail("kind", i18n("sidecar without its NetBox document"), i18n("place the NetBox type before it"));
    else
        reader.fail("kind", i18n("'{}' is not a part kind", kind), i18n("use device, rack, transceiver, cable or tray"));
}

/// Every interface is a socket, but for the second of a pair in a twin-port socket.
void numberSockets(DeviceSpec& device)
{
    std::uint16_t next = 0;
    std::map<std::string, std::uint16_t> open; // by slug: the socket that waits for its second port
    for (auto& port : device.interfaces) {
        if (port.twin.empty()) {
            port.socket = next++;
            continue;
        }
        if (const auto found = open.find(port.slug); found != open.end()) {
            port.socket = found->second;
            open.erase(found);
        } else {
            open[port.slug] = port.socket = next++;
        }
    }
}

Part readDocuments(const Source& source, const std::vector<YAML::Node>& documents)
{
    if (documents.empty() || documents.size() > 2)
        throw ParseFailure(
            {ErrorCode::Unreadable, source.main, i18n("{} YAML documents", documents.size()), i18n("provide a NetBox type, a sidecar, or both")});
    Part part;
    const auto& main = documents.front();
    if (documents.size() == 1 && main.IsMap() && main["kind"]) {
        readOwn(source, main, part);
        return part;
    }
    MapReader reader(source, main);
    if (reader.has("form_factor"))
        catalog::readRack(reader, part);
    else
        catalog::readDevice(reader, part);
    if (documents.size() == 2) {
        MapReader sidecar(source, documents[1]);
        catalog::readSidecar(sidecar, part);
    }
    if (auto* device = std::get_if<DeviceSpec>(&part.spec)) {
        numberSockets(*device);
        catalog::assumePower(reader, *device);
    }
    if (source.lint && std::holds_alternative<DeviceSpec>(part.spec))
        catalog::lintDevice(part, reader.text("comments", {}), source.main, *source.lint);
    return part;
}

/// yaml-cpp takes a sign that begins nothing (",", "]") for an empty document, without going past it: LoadAll then never ends.
class Advancing : public YAML::EventHandler {
public:
    void OnDocumentStart(const YAML::Mark& mark) override
    {
        if (mark.pos <= m_last) throw YAML::ParserException(mark, "unexpected character"); // no text: as of yaml-cpp
        m_last = mark.pos;
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
    void OnMapEnd() override {}

private:
    int m_last = -1;
};

/// Whether each document is a mapping whose first key stands at the beginning of a line. Nothing but a mark of a document ends such a mapping,
/// so no sign is left over behind it (Advancing).
bool isMappings(std::string_view yaml)
{
    if (std::ranges::any_of(yaml, [](char c) { return (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == '\x7f'; })) return false;
    bool atStart = true, marked = false; // of a document, by "---"
    while (!yaml.empty()) {
        const auto line = yaml.substr(0, yaml.find('\n'));
        yaml.remove_prefix(std::min(line.size() + 1, yaml.size()));
        if (line.starts_with("---") || line.starts_with("...")) {
            if (line != "---" || (atStart && marked)) return false;
            atStart = marked = true;
        } else if (atStart && !line.empty() && line.front() != '#') {
            const auto end = std::ranges::find_if_not(line, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; });
            const auto rest = line.substr(std::size_t(end - line.begin()));
            if (end == line.begin() || !(rest == ":" || rest.starts_with(": "))) return false;
            atStart = false;
        }
    }
    return !atStart;
}

std::vector<YAML::Node> documentsOf(const std::string& yaml)
{
    if (!isMappings(yaml)) { // read twice: a third of the time of a catalog
        std::istringstream in(yaml);
        YAML::Parser parser(in);
        for (Advancing advancing; parser.HandleNextDocument(advancing);) {}
    }
    return YAML::LoadAll(yaml);
}

Result<Part> parseSource(const std::string& yaml, const Source& source)
{
    try {
        auto documents = documentsOf(yaml);
        std::erase_if(documents, [](const YAML::Node& node) { return !node || node.IsNull(); });
        auto part = readDocuments(source, documents);
        part.definition = yaml;
        return part;
    } catch (const ParseFailure& failure) {
        return tl::unexpected(failure.error);
    } catch (const YAML::Exception& e) {
        return fail(ErrorCode::Unreadable, source.at(e.mark), i18n("invalid YAML: {}", e.msg), i18n("correct the syntax"));
    }
}

Result<std::string> readText(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(stream)), {});
    if (!stream.good() && !stream.eof()) return fail(ErrorCode::Unreadable, file.string(), i18n("cannot be read"));
    return text;
}

bool isSidecarOfMain(const std::filesystem::path& file, const std::set<std::filesystem::path>& files)
{
    const auto name = file.string();
    return name.ends_with(kSidecar) && files.contains(name.substr(0, name.size() - kSidecar.size()) + ".yaml");
}

} // namespace

std::filesystem::path sidecarOf(const std::filesystem::path& file)
{
    auto sidecar = file;
    sidecar.replace_extension(kSidecar);
    return file == sidecar || file.string().ends_with(kSidecar) ? std::filesystem::path() : sidecar;
}

Result<Part> parseWithSidecar(std::string yaml, const std::filesystem::path& file, std::vector<LintIssue>* lint)
{
    Source source{file.string(), {}, -1, lint};
    if (const auto sidecar = sidecarOf(file); !sidecar.empty() && std::filesystem::exists(sidecar)) {
        const auto second = readText(sidecar);
        if (!second) return tl::unexpected(second.error());
        if (!yaml.ends_with('\n')) yaml += '\n';
        source.side = sidecar.string();
        source.mainLines = int(std::ranges::count(yaml, '\n'));
        yaml += "---\n" + *second;
    }
    return parseSource(yaml, source);
}

PartKind kindOf(const Part& part)
{
    constexpr PartKind kKinds[] = {PartKind::Device, PartKind::Rack, PartKind::Transceiver, PartKind::Cable, PartKind::Tray};
    return kKinds[part.spec.index()];
}

Result<Part> Catalog::parse(const std::string& yaml, const std::string& where, std::vector<LintIssue>* lint)
{
    return parseSource(yaml, Source{where, {}, -1, lint});
}

/// A definition as it was read, and the part once it is asked for.
struct Catalog::Definition {
    PartKind kind = PartKind::Device;
    std::string slug, yaml;
    std::filesystem::path file;

    std::once_flag parsed;
    std::shared_ptr<const Part> part; ///< null where it cannot be read
    std::optional<Error> error;
    std::vector<LintIssue> lint;

    const Definition& read()
    {
        std::call_once(parsed, [this] {
            if (part) return; // added as a part
            auto result = parseWithSidecar(std::move(yaml), file, &lint);
            if (!result) {
                error = result.error();
                lint.push_back({error->where, error->what});
                return;
            }
            part = std::make_shared<const Part>(std::move(*result));
        });
        return *this;
    }
};

/// Slug and kind without parsing the rest, where both stand at the beginning of a line, as in files that people and programs write.
Result<std::shared_ptr<Catalog::Definition>> Catalog::peek(std::string yaml, std::filesystem::path file)
{
    auto definition = std::make_shared<Definition>();
    definition->file = std::move(file);
    const std::string_view main = std::string_view(yaml).substr(0, yaml.find("\n---"));
    const auto valueOf = [&](std::string_view key) -> std::optional<std::string_view> {
        for (std::size_t at = 0; at < main.size(); at = std::min(main.find('\n', at), main.size() - 1) + 1) {
            auto line = main.substr(at, main.find('\n', at) - at);
            if (!line.starts_with(key) || !line.substr(key.size()).starts_with(": ")) continue;
            line = trimmed(line.substr(key.size() + 2));
            const bool plain = std::ranges::all_of(
                line, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.'; });
            return plain ? line : std::string_view();
        }
        return std::nullopt;
    };
    const auto slug = valueOf("slug"), kind = valueOf("kind");
    const bool own = kind == "transceiver" || kind == "cable" || kind == "tray";
    const bool rack = valueOf("form_factor").has_value();
    if (slug && !slug->empty() && (!kind || own) && rack == (main.find("form_factor") != main.npos)) {
        definition->slug = *slug;
        definition->kind = kind == "transceiver" ? PartKind::Transceiver
                           : kind == "cable"     ? PartKind::Cable
                           : kind == "tray"      ? PartKind::Tray
                           : rack                ? PartKind::Rack
                                                 : PartKind::Device;
        definition->yaml = std::move(yaml);
        return definition;
    }
    definition->yaml = std::move(yaml);
    if (definition->read().error) return tl::unexpected(*definition->error);
    definition->slug = definition->part->slug;
    definition->kind = kindOf(*definition->part);
    return definition;
}

Result<Catalog> Catalog::load(const std::filesystem::path& folder)
{
    std::error_code error;
    std::set<std::filesystem::path> files; // sorted: the same order everywhere
    for (auto it = std::filesystem::recursive_directory_iterator(folder, error); !error && it != std::filesystem::recursive_directory_iterator();
         it.increment(error))
        if (it->is_regular_file(error) && it->path().extension() == ".yaml") files.insert(it->path());
    if (error) return fail(ErrorCode::Unreadable, folder.string(), i18n("cannot be read: {}", error.message()), i18n("specify the catalog folder"));
    Catalog result;
    for (const auto& file : files) {
        if (isSidecarOfMain(file, files)) continue;
        auto text = readText(file);
        if (!text) return tl::unexpected(text.error());
        auto definition = peek(std::move(*text), file);
        if (!definition) return tl::unexpected(definition.error());
        const auto& slug = (*definition)->slug;
        if (result.m_definitions.contains(slug))
            return fail(ErrorCode::Unreadable, file.string() + " slug", i18n("slug '{}' is already used by another part", slug),
                        i18n("choose another slug"));
        result.m_definitions[slug] = std::move(*definition);
    }
    return result;
}

std::shared_ptr<const Part> Catalog::share(const std::string& slug) const
{
    const auto it = m_definitions.find(slug);
    return it == m_definitions.end() ? nullptr : it->second->read().part;
}

std::optional<Error> Catalog::errorOf(const std::string& slug) const
{
    const auto it = m_definitions.find(slug);
    return it == m_definitions.end() ? std::nullopt : it->second->read().error;
}

std::vector<std::string> Catalog::slugs() const
{
    std::vector<std::string> result;
    for (const auto& [slug, definition] : m_definitions) result.push_back(slug);
    return result;
}

std::map<std::string, std::shared_ptr<const Part>> Catalog::parts(std::optional<PartKind> kind) const
{
    std::map<std::string, std::shared_ptr<const Part>> result;
    for (const auto& [slug, definition] : m_definitions)
        if (!kind || definition->kind == *kind)
            if (const auto& part = definition->read().part) result.emplace_hint(result.end(), slug, part);
    return result;
}

std::vector<LintIssue> Catalog::lint() const
{
    std::vector<LintIssue> result;
    for (const auto& [slug, definition] : m_definitions) {
        const auto& lint = definition->read().lint;
        result.insert(result.end(), lint.begin(), lint.end());
    }
    return result;
}

void Catalog::add(Part part)
{
    auto definition = std::make_shared<Definition>();
    definition->slug = part.slug;
    definition->kind = kindOf(part);
    definition->part = std::make_shared<const Part>(std::move(part));
    m_definitions[definition->slug] = definition;
}

} // namespace hw
