// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/asbuilt/evidence_readers.h"

#include "core/operations/asbuilt/sighting.h"
#include "importers/asbuilt/capture_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace hw::importers {

namespace {

using Json = nlohmann::json;

tl::unexpected<Error> badEvidence(const std::string& where, Text what, Text todo)
{
    return fail(ErrorCode::Unreadable, where, std::move(what), std::move(todo));
}

std::string scalarText(const Json& object, const char* key)
{
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) return {};
    return found->is_string() ? found->get<std::string>() : found->dump();
}

std::optional<double> decimal(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::vector<std::string> wordsIn(const std::string& line)
{
    std::istringstream in(line);
    std::vector<std::string> out;
    for (std::string word; in >> word;) out.push_back(word);
    return out;
}

/// What stands behind "name :" in a line, up to the next tab or two blanks.
std::string valueBehind(const std::string& line, std::string_view name)
{
    const auto at = line.find(name);
    const auto colon = at == line.npos ? at : line.find(':', at);
    if (colon == line.npos) return {};
    const auto parts = wordsIn(line.substr(colon + 1));
    return parts.empty() ? std::string() : parts.front();
}

constexpr double kMiBGbps = 8.0 * 1048576 / 1e9;

/// A test in both directions (-b) tells their sum.
int directionsIn(const std::string& title) { return title.find("Bidirectional") == title.npos ? 1 : 2; }

/// Of a file that states no device: HOST.DEVICE.txt.
std::string deviceOfName(const std::filesystem::path& path)
{
    const std::string stem = path.stem().string();
    const auto dot = stem.rfind('.');
    return dot == stem.npos ? std::string() : stem.substr(dot + 1);
}

} // namespace

Result<std::vector<asbuilt::AuditCheck>> readAudit(const exchange::ImportSource& source)
{
    const std::string file = source.path.string();
    const auto json = parseJson(source.content, file);
    if (!json) return tl::unexpected(json.error());
    if (!json->is_object() || !json->contains("checks") || !(*json)["checks"].is_array())
        return badEvidence(file + ": checks", i18n("missing or not a list"),
                           i18n("use {{\"checks\": [{{\"device\", \"check\", \"expected\", \"actual\"}}]}}"));
    std::vector<asbuilt::AuditCheck> all;
    for (const Json& one : (*json)["checks"]) {
        const std::string where = file + ": checks[" + std::to_string(all.size()) + "]";
        if (!one.is_object()) return badEvidence(where, i18n("is not an object"), i18n("correct the file"));
        asbuilt::AuditCheck check{scalarText(one, "device"), scalarText(one, "check"), scalarText(one, "expected"), scalarText(one, "actual"), false};
        if (check.device.empty() || check.check.empty()) return badEvidence(where, i18n("device or check is missing"), i18n("specify both"));
        const auto ok = one.find("ok");
        if (ok != one.end() && !ok->is_boolean()) return badEvidence(where + ".ok", i18n("is neither true nor false"), i18n("correct the value"));
        if (ok == one.end() && (!one.contains("expected") || !one.contains("actual")))
            return badEvidence(where, i18n("neither ok nor expected and actual specified"), i18n("specify the result"));
        check.ok = ok != one.end() ? ok->get<bool>() : check.expected == check.actual;
        all.push_back(std::move(check));
    }
    return all;
}

namespace {

Result<std::vector<asbuilt::CardMeasure>> perftestJson(const exchange::ImportSource& source)
{
    const std::string file = source.path.string();
    const auto json = parseJson(source.content, file);
    if (!json) return tl::unexpected(json.error());
    std::vector<asbuilt::CardMeasure> all;
    const Json list = json->is_array() ? *json : Json::array({*json});
    for (const Json& one : list) {
        if (!one.is_object() || !one.contains("results")) return badEvidence(file + ": results", i18n("missing"), i18n("create it with --out_json"));
        const Json results = one["results"].is_array() ? one["results"] : Json::array({one["results"]});
        const Json info = one.value("test_info", Json::object());
        asbuilt::CardMeasure m{scalarText(one, "host"), scalarText(info, "Device"), 0, file};
        if (m.host.empty()) m.host = source.path.stem().string();
        if (m.device.empty()) m.device = deviceOfName(source.path);
        const double share = directionsIn(scalarText(info, "test"));
        for (const Json& row : results) {
            if (!row.is_object() || !row.contains("BW_average") || !row["BW_average"].is_number())
                return badEvidence(file + ": results.BW_average", i18n("missing or not a number"), i18n("create it with --out_json --report_gbits"));
            m.gbps = std::max(m.gbps, row["BW_average"].get<double>() / share);
        }
        all.push_back(std::move(m));
    }
    return all;
}

} // namespace

Result<std::vector<asbuilt::CardMeasure>> readPerftest(const exchange::ImportSource& source)
{
    const auto first = source.content.find_first_not_of(" \t\r\n");
    if (first != std::string::npos && (source.content[first] == '{' || source.content[first] == '[')) return perftestJson(source);
    const std::string file = source.path.string();
    std::vector<asbuilt::CardMeasure> all;
    std::istringstream in(source.content);
    std::string device;
    double factor = 0; // of the unit; 0: no table yet
    int directions = 1;
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (line.find(" BW Test") != line.npos) directions = directionsIn(line);
        if (line.find("Device") != line.npos && line.find(':') != line.npos)
            if (const std::string said = valueBehind(line, "Device"); !said.empty()) device = said;
        if (line.find("#bytes") != line.npos) {
            const bool gbits = line.find("Gb/sec") != line.npos, mib = line.find("MB/sec") != line.npos || line.find("MiB/sec") != line.npos;
            if (!gbits && !mib)
                return badEvidence(file + ":" + std::to_string(number), i18n("table without a known unit"), i18n("run it with --report_gbits"));
            factor = (gbits ? 1 : kMiBGbps) / directions;
            all.push_back({source.path.stem().string(), device.empty() ? deviceOfName(source.path) : device, 0, file + ":" + std::to_string(number)});
            continue;
        }
        if (factor == 0) continue;
        const auto cells = wordsIn(line);
        if (cells.empty() || !decimal(cells.front())) {
            if (!cells.empty() && cells.front().starts_with("---")) factor = 0;
            continue;
        }
        const auto average = cells.size() >= 4 ? decimal(cells[3]) : std::nullopt;
        if (!average) return badEvidence(file + ":" + std::to_string(number), i18n("row without an average"), i18n("run the test again"));
        all.back().gbps = std::max(all.back().gbps, *average * factor);
    }
    std::erase_if(all, [](const asbuilt::CardMeasure& m) { return m.gbps <= 0; });
    if (all.empty()) return badEvidence(file, i18n("contains no bandwidth test result"), i18n("save the complete output of ib_write_bw"));
    return all;
}

namespace {

std::string collectiveOf(const std::string& text)
{
    static const std::vector<std::pair<const char*, const char*>> names = {
        {"all_reduce", "all-reduce"}, {"allreduce", "all-reduce"}, {"reduce_scatter", "reduce-scatter"}, {"reducescatter", "reduce-scatter"},
        {"all_gather", "all-gather"}, {"allgather", "all-gather"}, {"alltoall", "all-to-all"},           {"all_to_all", "all-to-all"}};
    const std::string low = asbuilt::lowerCase(text);
    for (const auto& [part, name] : names)
        if (low.find(part) != low.npos) return name;
    return {};
}

int railOf(const std::string& name)
{
    const auto at = name.find("rail");
    if (at == name.npos) return 0;
    auto digit = name.find_first_of("0123456789", at);
    int rail = 0;
    if (digit == name.npos || digit > at + 5) return 0;
    for (; digit < name.size() && name[digit] >= '0' && name[digit] <= '9'; ++digit) rail = rail * 10 + (name[digit] - '0');
    return rail;
}

/// Columns of the table: size count type redop root, then twice time algbw busbw #wrong. Older versions leave out root, and write nothing where an
/// operation has no redop: places count from the right.
struct NcclColumns {
    std::vector<std::size_t> algorithm, bus, wrong; ///< 0: the last
    std::size_t count = 0;
    static NcclColumns of(const std::vector<std::string>& head)
    {
        NcclColumns columns;
        columns.count = head.size();
        for (std::size_t i = 0; i < head.size(); ++i) {
            const std::size_t place = head.size() - 1 - i;
            if (head[i] == "algbw") columns.algorithm.push_back(place);
            if (head[i] == "busbw") columns.bus.push_back(place);
            if (head[i] == "#wrong" || head[i] == "error") columns.wrong.push_back(place);
        }
        return columns;
    }
    /// Size, count, type and all that is measured: a row that was cut off has less.
    [[nodiscard]] bool isWhole(const std::vector<std::string>& row) const
    {
        std::size_t first = 0;
        for (const auto* places : {&bus, &algorithm, &wrong})
            if (!places->empty()) first = std::max(first, places->front());
        return row.size() <= count && row.size() + 2 >= count && row.size() > first + 3;
    }
    /// Each busbw has its algbw: another line in which the word occurs is no head.
    [[nodiscard]] bool isHead() const { return !bus.empty() && bus.size() == algorithm.size(); }
};

constexpr std::string_view kOutOfBounds = "Out of bounds values"; // no text

/// Without what a launcher puts before it: "[1,0]<stdout>:" (mpirun --tag-output), "0: " (srun --label).
std::string withoutTag(std::string line)
{
    if (const auto tag = line.find("<stdout>:"); line.starts_with('[') && tag != line.npos) return line.substr(tag + 9);
    const auto digits = line.find_first_not_of(" 0123456789");
    if (digits != line.npos && digits > 0 && line[digits] == ':' && line.substr(digits, 2) == ": ") return line.substr(digits + 2);
    return line;
}

} // namespace

Result<asbuilt::CollectiveRun> readNccl(const exchange::ImportSource& source)
{
    const std::string file = source.path.string();
    asbuilt::CollectiveRun run;
    run.source = file;
    run.collective = collectiveOf(source.path.filename().string());
    run.rail = railOf(asbuilt::lowerCase(source.path.filename().string()));
    NcclColumns columns;
    std::istringstream in(source.content);
    std::size_t number = 0;
    long long outOfBounds = 0, wrong = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        line = withoutTag(std::move(line));
        auto cells = wordsIn(line);
        if (cells.empty()) continue;
        if (cells.front().starts_with('#')) {
            if (run.collective.empty() && (line.find("_perf") != line.npos || line.find("Collective test") != line.npos)) // no text
                run.collective = collectiveOf(line);
            if (cells.size() > 2 && (cells[1] == "Rank" || cells[0] == "#Rank")) {
                ++run.ranks;
                if (const auto on = std::ranges::find(cells, "on"); on != cells.end() && on + 1 != cells.end())
                    if (std::ranges::find(run.hosts, *(on + 1)) == run.hosts.end()) run.hosts.push_back(*(on + 1));
            }
            if (line.find(kOutOfBounds) != line.npos)
                outOfBounds = std::max(outOfBounds, (long long)(decimal(valueBehind(line, kOutOfBounds)).value_or(0)));
            if (line.find("busbw") != line.npos) {
                cells.erase(cells.begin()); // the sign
                if (const auto head = NcclColumns::of(cells); head.isHead()) columns = head;
            }
            continue;
        }
        if (columns.bus.empty() || !decimal(cells.front())) continue;
        const std::string where = file + ":" + std::to_string(number);
        if (!columns.isWhole(cells))
            return badEvidence(where, i18n("row with {} of {} columns", std::int64_t(cells.size()), std::int64_t(columns.count)),
                               i18n("save the complete output of nccl-tests"));
        const auto cell = [&](std::size_t fromRight) { return decimal(cells[cells.size() - 1 - fromRight]); };
        asbuilt::CollectiveRun::Size size;
        size.bytes = *decimal(cells.front());
        for (std::size_t i = 0; i < columns.bus.size(); ++i) {
            const auto bus = cell(columns.bus[i]), algorithm = cell(columns.algorithm[i]);
            if (!bus || !algorithm)
                return badEvidence(where, i18n("row with a non-numeric bandwidth"), i18n("save the complete output of nccl-tests"));
            if (*bus > size.busGBps) size.busGBps = *bus, size.algorithmGBps = *algorithm;
        }
        for (const auto at : columns.wrong) size.wrong += (long long)(cell(at).value_or(0)); // "N/A": not checked
        wrong += size.wrong;
        run.sizes.push_back(size);
    }
    if (run.sizes.empty()) return badEvidence(file, i18n("contains no nccl-tests result rows"), i18n("save the complete output of all_reduce_perf"));
    if (wrong == 0) run.sizes.back().wrong = outOfBounds; // said at the end alone
    return run;
}

Result<asbuilt::ModelTest> readModelTest(const exchange::ImportSource& source)
{
    const std::string file = source.path.string();
    const auto json = parseJson(source.content, file);
    if (!json) return tl::unexpected(json.error());
    if (!json->is_object() || !json->contains("model") || !(*json)["model"].is_object())
        return badEvidence(file + ": model", i18n("missing or not an object"),
                           i18n("use {{\"model\": {{\"name\", \"measured\", \"expected\"}}, \"faults\": [{{\"what\", \"ok\"}}]}}"));
    const Json& model = (*json)["model"];
    asbuilt::ModelTest test;
    test.source = file;
    test.model = scalarText(model, "name"), test.note = scalarText(model, "note");
    for (const auto& [key, value] : {std::pair("measured", &test.measured), std::pair("expected", &test.expected)}) {
        if (!model.contains(key)) continue;
        if (!model[key].is_number()) return badEvidence(file + ": model." + key, i18n("is not a number"), i18n("correct the value"));
        *value = model[key].get<double>();
    }
    const auto ok = model.find("ok");
    if (ok != model.end() && !ok->is_boolean()) return badEvidence(file + ": model.ok", i18n("is neither true nor false"), i18n("correct the value"));
    if (ok == model.end() && (test.measured <= 0 || test.expected <= 0))
        return badEvidence(file + ": model", i18n("neither ok nor measured and expected specified"), i18n("specify the result"));
    test.ok = ok != model.end() ? ok->get<bool>() : test.measured >= test.expected;
    if (!json->contains("faults")) return test;
    if (!(*json)["faults"].is_array()) return badEvidence(file + ": faults", i18n("is not a list"), i18n("correct the file"));
    for (const Json& one : (*json)["faults"]) {
        const std::string where = file + ": faults[" + std::to_string(test.faults.size()) + "]";
        if (!one.is_object() || !one.contains("ok") || !one["ok"].is_boolean() || scalarText(one, "what").empty())
            return badEvidence(where, i18n("what is missing, or ok is not true or false"),
                               i18n("specify the injected fault and whether it was tolerated"));
        const std::string kind = scalarText(one, "kind");
        if (!kind.empty() && std::ranges::find(asbuilt::kFaultKinds, kind) == asbuilt::kFaultKinds.end())
            return badEvidence(where + ".kind", i18n("'{}' is not a kind of fault", kind),
                               i18n("use {}", "host, network or switch-config")); // no text
        test.faults.push_back({scalarText(one, "what"), scalarText(one, "note"), one["ok"].get<bool>(), kind});
    }
    return test;
}

} // namespace hw::importers
