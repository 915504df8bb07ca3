// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/identity.h"

#include "core/foundation/base/hash.h"
#include "core/foundation/base/resources.h"
#include "core/foundation/model/fingerprint.h"
#include "simulation/training/chakra_trace.h"
#include "version.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace hw::sim {
inline namespace questions {

namespace {

std::uint64_t fileHash(const std::filesystem::path& file, std::uint64_t seed)
{
    std::ifstream in(file, std::ios::binary);
    return hash64(std::string{std::istreambuf_iterator<char>(in), {}}, seed);
}

/// Of all files below a folder, in the order of their names.
std::uint64_t folderHash(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, error))
        if (entry.is_regular_file(error)) files.push_back(entry.path());
    std::ranges::sort(files);
    std::uint64_t hash = 0;
    for (const auto& file : files) hash = fileHash(file, hash64(file.lexically_relative(folder).string(), hash));
    return hash;
}

std::uint64_t filesHash(const Json& parameters, std::span<const Field> fields)
{
    std::uint64_t hash = 0;
    for (const Field& field : fields)
        if (field.isFile && parameters.contains(field.key) && parameters[field.key].is_string())
            for (const auto& file : importers::chakraFiles(parameters[field.key].get<std::string>())) hash = fileHash(file, hash + 1);
    return hash;
}

} // namespace

std::string programIdentity() { return fmt::format("{}, models {}", HW_VERSION, kModelRevision); }

std::string requestIdentity(const ScenarioRequest& request)
{
    Json asked = toJson(request);
    for (const char* key : {"name", "schema"}) asked.erase(key);
    for (const auto& [key, value] : request.parameters.items()) asked.erase(key);
    if (const auto complete = request.completeAt(0)) asked["parameters"] = *complete; // what was left to a default is part of the question
    if (!request.sweep.empty()) asked["given"] = request.parameters;                  // some of it may count at other points only
    std::uint64_t hash = hash64(asked.dump());
    const bool readsFiles = std::ranges::any_of(request.kind->fields, &Field::isFile);
    for (std::size_t point = 0; readsFiles && point < request.points(); ++point)
        if (const auto at = request.completeAt(point)) hash = hash * 31 + filesHash(*at, request.kind->fields);
    static const std::uint64_t workloads = folderHash(resourceFolder() / "workloads");
    hash = hash64({reinterpret_cast<const char*>(&workloads), sizeof workloads}, hash);
    const bool runsTemplate =
        !request.designSet.empty() || std::ranges::any_of(request.sweep, [](const SweepAxis& a) { return a.parameter.starts_with("design."); });
    if (runsTemplate) {
        const std::uint64_t catalog = folderHash(resourceFolder() / "catalog");
        hash = hash64({reinterpret_cast<const char*>(&catalog), sizeof catalog}, hash);
    }
    return fingerprintText(hash);
}

std::string resourcesIdentity(const std::string& question)
{
    static const std::uint64_t resources = folderHash(resourceFolder());
    return answerIdentity(resources, question);
}

std::string answerIdentity(std::uint64_t design, const std::string& request)
{
    return fingerprintText(hash64(fingerprintText(design) + request + programIdentity()));
}

} // namespace questions
} // namespace hw::sim
