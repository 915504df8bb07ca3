// SPDX-License-Identifier: GPL-3.0-or-later
// On which hosts jobs run.
#include "importers/cluster/job_hosts.h"

#include "core/foundation/files/csv_table.h"
#include "importers/captures/json_text.h"
#include "importers/cluster/node_list.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include <fmt/format.h>

namespace hw::importers {

namespace {

using jobs::JobPlace;
using PodJson = nlohmann::json;

constexpr const char* kForms = "scontrol show job, squeue, kubectl get pods -o json, CSV"; // no text

std::string podText(const PodJson& object, const char* key)
{
    if (!object.is_object()) return {};
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

int smallNumber(const std::string& text)
{
    int value = -1;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() && value >= 0 ? value : -1;
}

/// Pods of training operators: the job is a label, the node is where a pod runs, its number orders the hosts.
Result<std::vector<JobPlace>> pods(const PodJson& json, const std::string& file)
{
    if (!json.is_object() || !json.contains("items") || !json["items"].is_array())
        return fail(ErrorCode::Unreadable, file + ": items", i18n("missing or not a list"),
                    i18n("save the output of {}", "kubectl get pods -o json")); // no text
    struct Pod {
        JobPlace place;
        int number = 0;
    };
    std::vector<Pod> found;
    for (const PodJson& item : json["items"]) {
        if (!item.is_object() || !item.contains("metadata") || !item.contains("spec")) continue;
        const PodJson& metadata = item["metadata"];
        const PodJson labels = metadata.is_object() && metadata.contains("labels") ? metadata["labels"] : PodJson();
        Pod pod;
        for (const char* key :
             {"training.kubeflow.org/job-name", "jobset.sigs.k8s.io/jobset-name", "volcano.sh/job-name", "batch.kubernetes.io/job-name", "job-name"})
            if (pod.place.job.empty()) pod.place.job = podText(labels, key);
        pod.place.host = podText(item["spec"], "nodeName");
        for (const char* key : {"training.kubeflow.org/replica-index", "batch.kubernetes.io/job-completion-index", "volcano.sh/task-index"})
            if (const int number = smallNumber(podText(labels, key)); number >= 0 && pod.number == 0) pod.number = number;
        if (podText(labels, "training.kubeflow.org/replica-type") == "worker") ++pod.number; // after the master
        if (!pod.place.job.empty() && !pod.place.host.empty()) found.push_back(std::move(pod));
    }
    std::ranges::stable_sort(found, {}, [](const Pod& one) { return std::pair(one.place.job, one.number); });
    std::vector<JobPlace> out;
    for (auto& pod : found)
        if (std::ranges::find(out, pod.place) == out.end()) out.push_back(std::move(pod.place));
    return out;
}

Result<std::vector<JobPlace>> listed(const std::string& job, const std::string& list, const std::string& where)
{
    std::vector<JobPlace> out;
    const auto nodes = nodesOfList(list);
    if (nodes.empty()) return fail(ErrorCode::Unreadable, where, i18n("'{}' is not a list of nodes", list), i18n("save the output of {}", kForms));
    for (const auto& node : nodes) out.push_back({job, node, -1});
    return out;
}

/// Records of `scontrol show job`: JobId=, JobName=, NodeList=; a job without nodes waits.
Result<std::vector<JobPlace>> records(const std::string& text, const std::string& file)
{
    std::vector<JobPlace> out;
    std::istringstream in(text);
    std::string job;
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        std::istringstream words(line);
        for (std::string word; words >> word;) {
            if (word.starts_with("JobId=") && job.empty()) job = word.substr(6);
            if (word.starts_with("JobId=")) job = word.substr(6);
            if (word.starts_with("JobName=") && word.size() > 8) job = word.substr(8);
            const std::string list = word.starts_with("NodeList=") ? word.substr(9) : std::string();
            if (list.empty() || list == "(null)" || job.empty()) continue;
            auto some = listed(job, list, fmt::format("{}:{}", file, number));
            if (!some) return some;
            out.insert(out.end(), some->begin(), some->end());
        }
    }
    return out;
}

/// `squeue`: columns by their headings; the list of nodes is the last word, what waits has a reason in brackets.
Result<std::vector<JobPlace>> queue(const std::string& text, const std::string& file)
{
    std::vector<JobPlace> out;
    std::istringstream in(text);
    std::size_t number = 0, column = 0;
    bool headed = false;
    for (std::string line; std::getline(in, line);) {
        ++number;
        std::istringstream cells(line);
        std::vector<std::string> words;
        for (std::string word; cells >> word;) words.push_back(word);
        if (words.empty()) continue;
        if (!headed) {
            const auto at = std::ranges::find_if(words, [](const std::string& word) { return word == "NAME"; });
            column = at != words.end() ? std::size_t(at - words.begin()) : std::size_t(std::ranges::find(words, "JOBID") - words.begin());
            headed = column < words.size();
            continue;
        }
        if (words.size() <= column || words.back().starts_with('(') || words.back().ends_with(')')) continue;
        auto some = listed(words[column], words.back(), fmt::format("{}:{}", file, number));
        if (!some) return some;
        out.insert(out.end(), some->begin(), some->end());
    }
    return out;
}

Result<std::vector<JobPlace>> table(const std::string& text, const std::string& file)
{
    const auto csv = readCsv(text, file);
    if (!csv) return tl::unexpected(csv.error());
    const auto column = [&](const char* name) { return std::size_t(std::ranges::find(csv->header, name) - csv->header.begin()); };
    const std::size_t job = column("job"), host = column("host"), rank = column("rank");
    if (job == csv->header.size() || host == csv->header.size())
        return fail(ErrorCode::Unreadable, file, i18n("not a list of job hosts"),
                    i18n("specify one of: {}; a table has the columns job, host and, if known, rank", kForms));
    std::vector<JobPlace> out;
    for (const auto& row : csv->rows) {
        if (row.cells[job].empty() || row.cells[host].empty()) continue;
        JobPlace place{row.cells[job], row.cells[host], -1};
        if (rank < row.cells.size() && !row.cells[rank].empty()) {
            place.firstRank = smallNumber(row.cells[rank]);
            if (place.firstRank < 0)
                return fail(ErrorCode::Unreadable, fmt::format("{}:{}: rank", file, row.line), i18n("'{}' is not a number", row.cells[rank]),
                            i18n("specify the lowest rank number on the host"));
        }
        out.push_back(std::move(place));
    }
    return out;
}

} // namespace

Result<std::vector<JobPlace>> readJobHosts(const exchange::ImportSource& source)
{
    const std::string file = source.path.string();
    const auto first = source.content.find_first_not_of(" \t\r\n");
    Result<std::vector<JobPlace>> read;
    if (first != std::string::npos && (source.content[first] == '{' || source.content[first] == '[')) {
        const auto json = parseJson(source.content, file);
        if (!json) return tl::unexpected(json.error());
        read = pods(*json, file);
    } else if (source.content.find("JobId=") != std::string::npos) {
        read = records(source.content, file);
    } else if (source.content.find("NODELIST") != std::string::npos) {
        read = queue(source.content, file);
    } else {
        read = table(source.content, file);
    }
    if (read && read->empty()) return fail(ErrorCode::Unreadable, file, i18n("contains no running job"), i18n("save the output while the job runs"));
    return read;
}

} // namespace hw::importers
