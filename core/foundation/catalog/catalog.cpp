// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/trim.h"
#include "core/foundation/catalog/sidecar_file.h"
#include "core/foundation/catalog/yaml_reader.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <unordered_map>

namespace hw {
namespace {

using catalog::MapReader;
using catalog::ParseFailure;
using catalog::Source;

constexpr std::size_t kLatelyParsed = 1024; ///< parts of the shipped library and of a large project; some MB
constexpr std::string_view kSidecar = ".hw.yaml";

/// A definition that has no NetBox document: the sidecar is all there is.
void readOwn(const Source& source, const YamlNode& node, Part& part)
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

Part readDocuments(const Source& source, const std::vector<YamlNode>& documents)
{
    if (documents.empty() || documents.size() > 2)
        throw ParseFailure(
            {ErrorCode::Unreadable, source.main, i18n("{} YAML documents", documents.size()), i18n("provide a NetBox type, a sidecar, or both")});
    Part part;
    const auto& main = documents.front();
    if (documents.size() == 1 && main.isMap() && main["kind"]) {
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

Result<Part> parseSource(const std::string& yaml, const Source& source)
{
    try {
        auto documents = readYamlDocuments(yaml);
        std::erase_if(documents, [](const YamlNode& node) { return node.isNull(); });
        auto part = readDocuments(source, documents);
        part.definition = yaml;
        return part;
    } catch (const ParseFailure& failure) {
        return tl::unexpected(failure.error);
    } catch (const YamlProblem& problem) {
        return fail(ErrorCode::Unreadable, source.at(problem.line), i18n("invalid YAML: {}", problem.what), i18n("correct the syntax"));
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

namespace {

/// The text of a file and of the sidecar beside it, and where its lines are found.
Result<std::pair<std::string, Source>> withSidecar(std::string yaml, const std::filesystem::path& file)
{
    Source source{file.string(), {}, -1, nullptr};
    if (const auto sidecar = sidecarOf(file); !sidecar.empty() && std::filesystem::exists(sidecar)) {
        const auto second = readText(sidecar);
        if (!second) return tl::unexpected(second.error());
        if (!yaml.ends_with('\n')) yaml += '\n';
        source.side = sidecar.string();
        source.mainLines = int(std::ranges::count(yaml, '\n'));
        yaml += "---\n" + *second;
    }
    return std::pair(std::move(yaml), std::move(source));
}

} // namespace

Result<Part> parseWithSidecar(std::string yaml, const std::filesystem::path& file, std::vector<LintIssue>* lint)
{
    auto text = withSidecar(std::move(yaml), file);
    if (!text) return tl::unexpected(text.error());
    text->second.lint = lint;
    return parseSource(text->first, text->second);
}

/// Definitions that are in use somewhere in the process, so that they are parsed once, however often a catalog is loaded or figures are made again.
/// Any thread; entries die with their last user, unless they were parsed lately: layouts that are tried one after the other have the same parts.
Result<std::shared_ptr<const Part>> catalog::parsedOnce(const std::string& definition, const Source& source)
{
    static std::mutex mutex;
    static std::unordered_map<std::string, std::weak_ptr<const Part>> parsed;
    static std::array<std::shared_ptr<const Part>, kLatelyParsed> lately;
    static std::size_t next = 0;
    {
        const std::scoped_lock lock(mutex);
        if (const auto it = parsed.find(definition); it != parsed.end())
            if (auto part = it->second.lock()) return part;
    }
    auto part = parseSource(definition, source);
    if (!part) return tl::unexpected(part.error());
    auto shared = std::make_shared<const Part>(std::move(*part));
    const std::scoped_lock lock(mutex);
    if (auto& last = lately[next++ % kLatelyParsed]; last) {
        last.reset();
        std::erase_if(parsed, [](const auto& entry) { return entry.second.expired(); });
    }
    parsed[definition] = shared;
    lately[(next - 1) % kLatelyParsed] = shared;
    return shared;
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

    const Definition& read()
    {
        std::call_once(parsed, [this] {
            if (part) return; // added as a part
            auto result = withSidecar(std::move(yaml), file).and_then([](const auto& text) { return catalog::parsedOnce(text.first, text.second); });
            if (result)
                part = std::move(*result);
            else
                error = result.error();
        });
        return *this;
    }
    [[nodiscard]] std::vector<LintIssue> lint()
    {
        if (const auto& why = read().error) return {{why->where, why->what}};
        std::vector<LintIssue> result;
        if (file.empty()) return result; // added as a part
        const auto main = readText(file).and_then([&](std::string text) { return parseWithSidecar(std::move(text), file, &result); });
        if (!main) result.push_back({main.error().where, main.error().what});
        return result;
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
    if (const auto& error = definition->read().error) return tl::unexpected(*error);
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
        const auto lint = definition->lint();
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
