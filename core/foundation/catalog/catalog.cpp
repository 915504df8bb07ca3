// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/sidecar_file.h"
#include "core/foundation/catalog/yaml_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
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

bool isSidecarOfMain(const std::filesystem::path& file)
{
    const auto name = file.string();
    return name.ends_with(kSidecar) && std::filesystem::exists(name.substr(0, name.size() - kSidecar.size()) + ".yaml");
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
        if (isSidecarOfMain(file)) continue;
        auto text = readText(file);
        if (!text) return tl::unexpected(text.error());
        auto part = parseWithSidecar(std::move(*text), file, &result.m_lint);
        if (!part) return tl::unexpected(part.error());
        if (result.find(part->slug))
            return fail(ErrorCode::Unreadable, file.string() + " slug", i18n("slug '{}' is already used by another part", part->slug),
                        i18n("choose another slug"));
        result.add(std::move(*part));
    }
    return result;
}

const Part* Catalog::find(const std::string& slug) const
{
    const auto it = m_parts.find(slug);
    return it == m_parts.end() ? nullptr : it->second.get();
}

void Catalog::add(Part part)
{
    auto slug = part.slug;
    m_parts[std::move(slug)] = std::make_shared<const Part>(std::move(part));
}

} // namespace hw
