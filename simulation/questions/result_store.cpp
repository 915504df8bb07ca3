// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/result_store.h"

#include "core/foundation/files/atomic_file.h"
#include "core/foundation/model/fingerprint.h"
#include "simulation/questions/identity.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fstream>
#include <iterator>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace hw::sim {
inline namespace questions {

namespace {

constexpr const char* kSchema = "hallwright.stored-result/1";

/// Letters and digits of a name, for a file name.
std::string slug(const std::string& name)
{
    std::string out;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)))
            out += char(std::tolower(static_cast<unsigned char>(c)));
        else if (!out.empty() && out.back() != '-')
            out += '-';
        if (out.size() == 40) break;
    }
    while (!out.empty() && out.back() == '-') out.pop_back();
    return out.empty() ? "result" : out;
}

int numberOf(const std::filesystem::path& file)
{
    int number = 0;
    const std::string stem = file.filename().string();
    std::from_chars(stem.data(), stem.data() + stem.size(), number);
    return file.extension() == ".json" ? number : 0;
}

Result<Json> read(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    Json stored = Json::parse(text, nullptr, false);
    if (!in || stored.is_discarded() || !stored.is_object() || stored.value("schema", "") != kSchema || !stored.contains("answer") ||
        !stored["answer"].is_object())
        return fail(ErrorCode::Unreadable, file.string(), i18n("is not a stored result"), i18n("remove it, and run the scenario again"));
    return stored;
}

ResultStore::Entry entryOf(const Json& stored, const std::filesystem::path& file)
{
    const Json& answer = stored["answer"];
    ResultStore::Entry e;
    e.number = numberOf(file);
    e.file = file;
    e.name = answer.value("name", "");
    e.onDesign = answer.contains("workload");
    e.kind = answer.value(e.onDesign ? "workload" : "analysis", "");
    e.savedAt = stored.value("saved_at", "");
    const auto textIn = [](const Json& object, const char* key) {
        return object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : std::string();
    };
    e.program = textIn(answer, "program");
    if (answer.contains("design")) e.content = textIn(answer["design"], "content");
    if (answer.contains("design") && answer["design"].contains("revision") && answer["design"]["revision"].is_number_unsigned())
        e.revision = answer["design"]["revision"].get<std::uint64_t>();
    return e;
}

} // namespace

bool ResultStore::Entry::staleAt(std::uint64_t designFingerprint) const
{
    return program != programIdentity() || (onDesign && content != fingerprintText(designFingerprint));
}

ResultStore::ResultStore(const std::filesystem::path& project) : m_folder(project.string() + ".results") {}

Result<ResultStore::Entry> ResultStore::add(const Json& document)
{
    std::error_code error;
    std::filesystem::create_directories(m_folder, error);
    if (error)
        return fail(ErrorCode::Unreadable, m_folder.string(), i18n("cannot be created: {}", error.message()), i18n("check the folder's permissions"));
    const Json stored = {
        {"schema", kSchema}, {"saved_at", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::now()))}, {"answer", document}};
    int number = 1;
    for (const auto& entry : list()) number = std::max(number, entry.number + 1);
    const auto file = m_folder / fmt::format("{:04}-{}.json", number, slug(document.value("name", "")));
    if (const auto written = writeFile(file, stored.dump(1) + "\n"); !written) return tl::unexpected(written.error());
    return entryOf(stored, file);
}

std::vector<ResultStore::Entry> ResultStore::list() const
{
    std::vector<Entry> entries;
    std::error_code error;
    for (const auto& file : std::filesystem::directory_iterator(m_folder, error))
        if (numberOf(file.path()) > 0)
            if (const auto stored = read(file.path())) entries.push_back(entryOf(*stored, file.path()));
    std::ranges::sort(entries, {}, [](const Entry& e) { return std::pair(e.number, e.file); });
    return entries;
}

Result<Json> ResultStore::load(int number) const
{
    std::error_code error;
    for (const auto& file : std::filesystem::directory_iterator(m_folder, error))
        if (numberOf(file.path()) == number) {
            auto stored = read(file.path());
            if (!stored) return stored;
            return (*stored)["answer"];
        }
    return fail(ErrorCode::Usage, m_folder.string(), i18n("has no result {}", number), i18n("see the list: hallwright-cli results FILE.hall"));
}

Result<void> ResultStore::remove(int number)
{
    for (const auto& entry : list())
        if (entry.number == number) {
            std::error_code error;
            std::filesystem::remove(entry.file, error);
            if (error)
                return fail(ErrorCode::Unreadable, entry.file.string(), i18n("cannot be removed: {}", error.message()),
                            i18n("check its permissions"));
            return {};
        }
    return fail(ErrorCode::Usage, m_folder.string(), i18n("has no result {}", number), i18n("see the list: hallwright-cli results FILE.hall"));
}

} // namespace questions
} // namespace hw::sim
