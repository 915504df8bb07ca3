// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/joblogs/job_log.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>

namespace hw::importers {

namespace {

using jobs::JobMeasure;

/// The number behind a key, over blanks, ":", "=" and "."; of "1,234" the whole.
std::optional<double> numberBehind(std::string_view line, std::string_view key)
{
    const auto at = line.find(key);
    if (at == line.npos) return std::nullopt;
    auto from = at + key.size();
    while (from < line.size() && (line[from] == ' ' || line[from] == ':' || line[from] == '=' || line[from] == '\t')) ++from;
    while (from < line.size() && (line[from] == '.' || line[from] == ' ' || line[from] == ':' || line[from] == '(')) ++from;
    std::string digits;
    for (; from < line.size(); ++from) {
        const char c = line[from];
        const bool number = (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
        const bool thousands = c == ',' && from + 3 < line.size() && std::isdigit(static_cast<unsigned char>(line[from + 1])) != 0 &&
                               std::isdigit(static_cast<unsigned char>(line[from + 2])) != 0 &&
                               std::isdigit(static_cast<unsigned char>(line[from + 3])) != 0 && !digits.empty() && digits.find('.') == digits.npos;
        if (number)
            digits += c;
        else if (!thousands)
            break;
    }
    double value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (read.ec != std::errc() || !std::isfinite(value) || value < 0) return std::nullopt;
    return value;
}

/// "(min, max)" behind a key of Megatron's timers: the longest of the ranks.
std::optional<double> longestBehind(std::string_view line, std::string_view key)
{
    auto text = line;
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    if (!text.starts_with(key) || text.size() == key.size() || (text[key.size()] != ' ' && text[key.size()] != '.')) return std::nullopt;
    const auto comma = text.rfind(','), open = text.rfind('(');
    if (open != text.npos && comma != text.npos && comma > open) return numberBehind(text.substr(comma), ",");
    return numberBehind(text, key);
}

/// "2026-01-05 08:00:00", with T, fractions: ms since 1970, as if it were UTC.
std::optional<std::int64_t> dateIn(std::string_view line)
{
    const auto number = [&](std::size_t at, std::size_t digits) {
        int value = 0;
        for (std::size_t i = 0; i < digits; ++i) {
            if (at + i >= line.size() || line[at + i] < '0' || line[at + i] > '9') return -1;
            value = value * 10 + (line[at + i] - '0');
        }
        return value;
    };
    for (std::size_t at = 0; at + 19 <= line.size() && at < 120; ++at) {
        if (line[at + 4] != '-' || line[at + 7] != '-' || line[at + 13] != ':' || line[at + 16] != ':') continue;
        const int y = number(at, 4), mo = number(at + 5, 2), d = number(at + 8, 2), h = number(at + 11, 2), mi = number(at + 14, 2),
                  s = number(at + 17, 2);
        if (y < 1970 || mo < 1 || mo > 12 || d < 1 || d > 31 || h < 0 || h > 23 || mi < 0 || mi > 59 || s < 0 || s > 60) continue;
        const auto day = std::chrono::sys_days(std::chrono::year(y) / mo / d);
        std::int64_t ms = std::chrono::duration_cast<std::chrono::milliseconds>(day.time_since_epoch()).count();
        ms += ((h * 60LL + mi) * 60 + s) * 1000;
        if (const int fraction = at + 20 < line.size() && (line[at + 19] == '.' || line[at + 19] == ',') ? number(at + 20, 3) : -1; fraction >= 0)
            ms += fraction;
        return ms;
    }
    return std::nullopt;
}

/// "[rank3]:", "[default3]:", "[Rank 3]", "3: " at the beginning; -1: none.
int rankIn(std::string_view line)
{
    for (const std::string_view key : {"[rank", "[default", "[Rank "})
        if (const auto at = line.find(key); at != line.npos && at < 60) {
            int rank = -1;
            const char* from = line.data() + at + key.size();
            if (std::from_chars(from, line.data() + line.size(), rank).ec == std::errc() && rank >= 0) return rank;
        }
    int rank = -1;
    const auto read = std::from_chars(line.data(), line.data() + line.size(), rank);
    return read.ec == std::errc() && rank >= 0 && read.ptr != line.data() + line.size() && *read.ptr == ':' ? rank : -1;
}

/// "pp=1, dp_shard=8, tp=4", and "[8, 4]" at the end of a line, as torchtitan states its device mesh: the GPUs of the job; 0: none.
double meshIn(std::string_view line)
{
    if (line.find("device mesh with") == line.npos) return 0; // no text
    double product = 0;
    for (const std::string_view key : {"pp=", "dp_replicate=", "dp_shard=", "cp=", "tp="})
        for (auto at = line.find(key); at != line.npos; at = line.find(key, at + 1))
            if (at > 0 && (line[at - 1] == ' ' || line[at - 1] == ',')) { // not the end of another key
                if (const auto n = numberBehind(line.substr(at), key); n && *n >= 1) product = std::max(1.0, product) * *n;
                break;
            }
    if (product > 0) return product;
    const auto open = line.rfind('[');
    for (auto at = open; at != line.npos && at < line.rfind(']'); at = line.find(',', at + 1)) {
        const auto n = numberBehind(line.substr(at), line.substr(at, 1));
        if (!n || *n < 1) return 0;
        product = std::max(1.0, product) * *n;
    }
    return product;
}

/// "12:30", "1:02:03" in front of '<' in a progress bar: seconds.
std::optional<double> elapsedIn(std::string_view text)
{
    double total = 0, part = 0;
    bool digits = false;
    for (const char c : text) {
        if (c >= '0' && c <= '9')
            part = part * 10 + (c - '0'), digits = true;
        else if (c == ':' && digits)
            total = (total + part) * 60, part = 0;
        else
            return std::nullopt;
    }
    return digits ? std::optional(total + part) : std::nullopt;
}

class ReadingLog {
public:
    explicit ReadingLog(std::string job) : m_job(std::move(job)) {}

    void line(std::string_view text)
    {
        if (const auto date = dateIn(text)) m_nowMs = *date, m_dated = true;
        m_rank = rankIn(text);
        if (const auto length = longestBehind(text, "seq_length")) m_sequence = *length;
        if (const auto batch = longestBehind(text, "train_batch_size")) m_batch = *batch;
        ranks(text);
        saved(text);
        if (megatron(text) || nemo(text) || deepSpeed(text) || titan(text) || lightning(text)) return;
        timers(text);
    }

    Result<JobLogText> end(const std::string& file)
    {
        if (m_iterations == 0)
            return fail(ErrorCode::Unreadable, file, i18n("contains no Megatron-LM, NeMo, DeepSpeed, torchtitan or PyTorch Lightning iterations"),
                        i18n("specify the log of a training job"));
        if (m_noBatch && std::ranges::find(m_out.samples, JobMeasure::IterationTime, &jobs::JobSample::measure) == m_out.samples.end())
            m_out.notes.push_back(i18n("{}: no iteration time without train_batch_size; include the beginning of the log", file));
        if (!m_dated) m_out.notes.push_back(i18n("{}: no timestamps; times are relative to the first iteration", file));
        return std::move(m_out);
    }

private:
    void say(JobMeasure measure, double value, int rank = -1) { m_out.samples.push_back({m_job, measure, rank, {}, m_nowMs, value}); }

    /// A finished iteration; `seconds` as reported, or from the dates of the lines.
    void iteration(double number, std::optional<double> seconds, const char* framework)
    {
        if (m_out.framework.empty()) m_out.framework = framework;
        if (m_savedMs > m_savingMs) say(JobMeasure::CheckpointTime, double(m_savedMs - m_savingMs) / 1000);
        m_savingMs = m_savedMs = 0;
        if (!seconds && m_last && number > m_last->first && m_dated && m_nowMs > m_last->second)
            seconds = double(m_nowMs - m_last->second) / 1000 / (number - m_last->first);
        if (!m_dated && seconds) m_nowMs += std::llround(*seconds * 1000 * (m_last && number > m_last->first ? number - m_last->first : 1));
        if (!m_last || m_last->first != number) {
            ++m_iterations;
            say(JobMeasure::Iteration, number);
            if (seconds) say(JobMeasure::IterationTime, *seconds);
        }
        if (!m_last || m_last->first != number) m_last = {number, m_nowMs};
    }

    bool megatron(std::string_view text)
    {
        const auto ms = numberBehind(text, "elapsed time per iteration (ms):"); // no text
        const auto number = numberBehind(text, " iteration ");
        if (!ms || !number) return false;
        iteration(*number, *ms / 1000, "Megatron-LM");
        const auto batch = numberBehind(text, "global batch size:"); // no text
        if (batch && m_sequence > 0 && *ms > 0) say(JobMeasure::TokensPerS, *batch * m_sequence / (*ms / 1000));
        return true;
    }
    bool nemo(std::string_view text)
    {
        const auto seconds = numberBehind(text, "train_step_timing in s"); // no text
        const auto number = numberBehind(text, "global_step");
        if (!seconds || !number) return false;
        return iteration(*number, *seconds, "NeMo"), true;
    }
    bool deepSpeed(std::string_view text)
    {
        const auto steps = numberBehind(text, "steps:"), seconds = numberBehind(text, "iter time (s):"); // of its pipeline engine // no text
        if (steps && seconds) return iteration(*steps, *seconds, "DeepSpeed"), true;
        const auto number = numberBehind(text, "global_step=");
        const auto rate = numberBehind(text, "CurrSamplesPerSec=");
        if (number && rate) {
            m_noBatch = m_noBatch || m_batch <= 0;
            iteration(*number, m_batch > 0 && *rate > 0 ? std::optional(m_batch / *rate) : std::nullopt, "DeepSpeed");
            return true;
        }
        if (text.find("time (ms) |") == text.npos) return false;
        const auto first = [&](std::initializer_list<std::string_view> keys) {
            std::optional<double> found;
            for (const auto key : keys)
                if (!found) found = numberBehind(text, key);
            return found;
        };
        // Of a whole iteration; without the reduction of gradients where that is measured.
        const auto forward = first({"| fwd:", "| forward:"}), backward = first({"| bwd_inner:", "| bwd:", "| backward_inner:", "| backward:"});
        if (forward && backward) say(JobMeasure::ComputeTime, (*forward + *backward) / 1000, m_rank);
        return true;
    }
    bool titan(std::string_view text)
    {
        const auto number = numberBehind(text, "step:");
        if (!number || text.find("tps:") == text.npos || text.find("loss:") == text.npos) return false;
        iteration(*number, std::nullopt, "torchtitan");
        if (const auto perGpu = numberBehind(text, "tps:"); perGpu && m_ranks > 0) say(JobMeasure::TokensPerS, *perGpu * m_ranks);
        if (const auto mfu = numberBehind(text, "mfu:"); mfu && *mfu <= 100) say(JobMeasure::Mfu, *mfu / 100);
        return true;
    }
    /// "Epoch 3:  45%|████▌     | 450/1000 [12:30<15:16,  0.60it/s, …]": the bar is written before and after its numbers.
    bool lightning(std::string_view text)
    {
        const auto epoch = numberBehind(text, "Epoch ");
        const auto rest = text.rfind("| "), slash = text.find('/', rest), open = text.find('[', rest), until = text.find('<', open);
        if (!epoch || rest == text.npos || slash == text.npos || until == text.npos || open < slash) return false;
        const auto done = numberBehind(text.substr(rest), "| "), all = numberBehind(text.substr(slash), "/");
        const auto elapsed = elapsedIn(text.substr(open + 1, until - open - 1));
        if (!done || !all || !elapsed || *done < 1 || *done > *all || *all < 1) return false;
        std::optional<double> seconds = *elapsed / *done;
        if (m_bar && m_bar->epoch == *epoch && *done > m_bar->done) seconds = (*elapsed - m_bar->elapsedS) / (*done - m_bar->done);
        if (!(*seconds > 0)) seconds.reset();
        m_bar = Bar{*epoch, *done, *elapsed};
        return iteration(*epoch * *all + *done, seconds, "PyTorch Lightning"), true;
    }
    /// The size of the job, where a framework states it.
    void ranks(std::string_view text)
    {
        double found = meshIn(text);
        for (const std::string_view key : {"world size:", "registered. Starting with", "MEMBER: 1/", "world_size ."}) // no text
            if (const auto n = numberBehind(text, key); n && *n >= 1 && found == 0) found = *n;
        if (found < 1 || found > 1e7 || found == m_ranks) return;
        m_ranks = found;
        say(JobMeasure::Ranks, found);
    }
    /// torchtitan states the time; DeepSpeed the begin and the end of each file.
    void saved(std::string_view text)
    {
        if (const auto in = text.rfind("in "); in != text.npos && text.find("Finished saving the checkpoint") != text.npos) // no text
            if (const auto seconds = numberBehind(text.substr(in), "in ")) say(JobMeasure::CheckpointTime, *seconds);
        if (!m_dated) return;
        if (text.find("[Torch] Saving") != text.npos && m_savingMs == 0) m_savingMs = m_nowMs; // no text
        if (text.find("[Torch] Saved") != text.npos && m_savingMs > 0) m_savedMs = m_nowMs;    // no text
    }
    /// Megatron's timers, of the iteration before. With --timing-log-option all: a timer, then a line for each rank.
    void timers(std::string_view text)
    {
        auto own = text;
        if (const auto prefix = own.find("]:"); own.starts_with('[') && prefix < 20) own.remove_prefix(prefix + 2); // of torchrun
        while (!own.empty() && own.front() == ' ') own.remove_prefix(1);
        if (own == "forward-compute:" || own == "backward-compute:" || own == "batch-generator:") {
            m_timer = own.substr(0, own.size() - 1);
            return;
        }
        if (own.starts_with("rank ") && !m_timer.empty()) {
            const auto number = numberBehind(own, "rank "), ms = numberBehind(own, ":");
            if (!number || !ms || *number > 1e7) return;
            const int rank = int(*number);
            if (m_timer == "batch-generator") say(JobMeasure::DataWait, *ms / 1000, rank);
            if (m_timer == "forward-compute") m_forwardOf[rank] = *ms / 1000;
            if (const auto forward = m_forwardOf.find(rank); m_timer == "backward-compute" && forward != m_forwardOf.end())
                say(JobMeasure::ComputeTime, *ms / 1000 + forward->second, rank);
            return;
        }
        m_timer = {};
        if (const auto ms = longestBehind(text, "batch-generator")) say(JobMeasure::DataWait, *ms / 1000, m_rank);
        if (const auto ms = longestBehind(text, "save-checkpoint")) say(JobMeasure::CheckpointTime, *ms / 1000);
        if (const auto ms = longestBehind(text, "forward-compute")) m_forwardS = *ms / 1000;
        if (const auto ms = longestBehind(text, "backward-compute"); ms && m_forwardS > 0)
            say(JobMeasure::ComputeTime, *ms / 1000 + m_forwardS, m_rank);
    }

    std::string m_job;
    JobLogText m_out;
    std::int64_t m_nowMs = 0;
    bool m_dated = false, m_noBatch = false;
    int m_rank = -1;
    double m_sequence = 0, m_batch = 0, m_forwardS = 0, m_ranks = 0;
    std::int64_t m_savingMs = 0, m_savedMs = 0; ///< of a checkpoint; 0: none
    std::string m_timer;                        ///< of the lines of ranks that follow
    std::map<int, double> m_forwardOf;          ///< s, by rank
    struct Bar {
        double epoch = 0, done = 0, elapsedS = 0;
    };
    std::optional<Bar> m_bar; ///< the last one
    std::size_t m_iterations = 0;
    std::optional<std::pair<double, std::int64_t>> m_last;
};

} // namespace

Result<JobLogText> readJobLog(std::string_view text, const std::string& file, const std::string& job)
{
    ReadingLog reading(job);
    while (!text.empty()) {
        const auto end = std::min(text.find_first_of("\r\n"), text.size()); // a progress bar writes over its line
        reading.line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return reading.end(file);
}

} // namespace hw::importers
