// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/batch/slurm_points.h"

#include "core/foundation/files/atomic_file.h"
#include "simulation/questions/kept_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

namespace hw::sim {
inline namespace batch {

namespace {

namespace fs = std::filesystem;

constexpr int kSubmissions = 3;     // the first and two more
constexpr int kSilentQueries = 120; // of squeue in a row, some minutes: the controller may restart

std::string content(const fs::path& file)
{
    std::ifstream in(file);
    std::ostringstream out;
    out << in.rdbuf();
    return std::move(out).str();
}

/// Points as `--points` takes them, counted from 1: "1-40,55".
std::string ranges(std::span<const std::size_t> points)
{
    std::string out;
    for (std::size_t i = 0; i < points.size();) {
        std::size_t j = i;
        while (j + 1 < points.size() && points[j + 1] == points[j] + 1) ++j;
        out += (out.empty() ? "" : ",") + (i == j ? std::to_string(points[i] + 1) : fmt::format("{}-{}", points[i] + 1, points[j] + 1));
        i = j + 1;
    }
    return out;
}

class Run {
public:
    Run(const SlurmPoints& points, const std::string& identity, const Progress& progress) : m_run(points), m_identity(identity), m_progress(progress)
    {
    }

    /// Fills what `found` lacks.
    Result<void> fill(std::vector<Json>& found)
    {
        if (const auto ready = prepare(); !ready) return ready;
        merge(found);
        if (std::string job = content(jobFile()); !job.empty()) { // of a run that ended before its job
            if (const auto followed = follow(job, found); !followed) return followed;
        }
        for (int attempt = 0; attempt < kSubmissions; ++attempt) {
            std::vector<std::size_t> missing;
            for (std::size_t i = 0; i < found.size(); ++i)
                if (found[i].is_null()) missing.push_back(i);
            if (missing.empty()) return {};
            const std::size_t tasks = std::min(std::max<std::size_t>(m_run.tasks, 1), missing.size());
            if (const auto written = writeScript(missing, tasks); !written) return written;
            const auto job = slurm::submit(m_run.folder / "task.sh", tasks, m_run.folder, m_run.limits);
            if (!job) return tl::unexpected(job.error());
            if (const auto written = writeFile(jobFile(), *job); !written) return written;
            if (const auto followed = follow(*job, found); !followed) return followed;
            if (refused(tasks)) return {};
        }
        return missingPoints(found);
    }

private:
    fs::path jobFile() const { return m_run.folder / "job"; }
    fs::path exitCode(std::size_t task) const { return m_run.folder / fmt::format("exit-{}", task); }

    Result<void> prepare()
    {
        std::error_code error;
        fs::create_directories(m_run.folder, error);
        if (error)
            return fail(ErrorCode::Unreadable, m_run.folder.string(), i18n("cannot be created: {}", error.message()),
                        i18n("check the folder's permissions"));
        const fs::path mark = m_run.folder / "identity";
        if (content(mark) == m_identity) return {};
        for (const auto& old : fs::directory_iterator(m_run.folder, error)) fs::remove(old.path(), error); // of another question
        if (const auto written = m_run.prepare(m_run.folder); !written) return written;
        return writeFile(mark, m_identity);
    }

    Result<void> writeScript(const std::vector<std::size_t>& missing, std::size_t tasks) const
    {
        std::string script = "#!/bin/sh\ncase \"$SLURM_ARRAY_TASK_ID\" in\n";
        std::error_code error;
        for (std::size_t t = 0, begin = 0; t < tasks; ++t) {
            const std::size_t end = missing.size() * (t + 1) / tasks;
            script += fmt::format("{}) points={} ;;\n", t, ranges(std::span(missing).subspan(begin, end - begin)));
            begin = end;
            fs::remove(exitCode(t), error);
        }
        const std::string folder = slurm::quoted(m_run.folder.string() + "/");
        script += "esac\n" + slurm::quoted(m_run.program.string());
        for (const auto& word : m_run.command) script += " " + slurm::quoted(word);
        script += fmt::format(R"( --points "$points" --threads 1 -o {0}"points-$SLURM_ARRAY_TASK_ID.jsonl")" // no text
                              "\necho $? > {0}\"exit-$SLURM_ARRAY_TASK_ID\"\n",                              // no text
                              folder);
        return writeFile(m_run.folder / "task.sh", script);
    }

    /// What the tasks have finished so far.
    std::size_t merge(std::vector<Json>& found) const
    {
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(m_run.folder, error))
            if (entry.path().extension() == ".jsonl") StoredPoints::read(entry.path(), m_identity, found);
        return std::size_t(std::ranges::count_if(found, [](const Json& p) { return !p.is_null(); }));
    }

    Result<void> follow(const std::string& job, std::vector<Json>& found)
    {
        using namespace std::chrono;
        int silent = 0;
        for (milliseconds pause(250);; pause = std::min(pause * 5 / 4, milliseconds(10'000))) {
            const auto state = slurm::state(job);
            silent = state ? 0 : silent + 1;
            if (!state && silent > kSilentQueries) return tl::unexpected(state.error());
            const std::size_t done = merge(found);
            if (state)
                m_progress.report(double(done) / double(found.size()), words(i18n("Slurm job {}: {} of {} points, {} tasks running, {} pending", job,
                                                                                  done, found.size(), state->running, state->pending)));
            if (state && state->ended) break;
            for (auto waited = milliseconds(0); waited < pause && !m_progress.stopRequested(); waited += milliseconds(50))
                std::this_thread::sleep_for(milliseconds(50));
            if (m_progress.stopRequested()) {
                const auto canceled = slurm::cancel(job);
                std::error_code error;
                fs::remove(jobFile(), error);
                if (!canceled) return canceled;
                return fail(ErrorCode::Canceled, m_run.name, i18n("Slurm job {} canceled after {} of {} points", job, done, found.size()),
                            i18n("run it again with the same output to continue"));
            }
        }
        std::error_code error;
        fs::remove(jobFile(), error);
        return {};
    }

    /// An error of the question itself, usage or refusal, that every machine meets. Signals (time limit, memory) and unreadable files are the node's.
    bool refused(std::size_t tasks) const
    {
        for (std::size_t t = 0; t < tasks; ++t)
            if (const std::string code = content(exitCode(t)); code == "2\n" || code == "3\n") return true;
        return false;
    }

    Result<void> missingPoints(const std::vector<Json>& found) const
    {
        std::vector<std::size_t> missing;
        for (std::size_t i = 0; i < found.size(); ++i)
            if (found[i].is_null()) missing.push_back(i);
        if (missing.empty()) return {};
        return fail(ErrorCode::Unreadable, m_run.folder.string(),
                    i18np(missing.size(), "{:L} point did not finish in {} submissions: {}", "{:L} points did not finish in {} submissions: {}",
                          kSubmissions, ranges(missing)),
                    i18n("check task-*.log there; raise --time or --mem, then run it again with the same output"));
    }

    const SlurmPoints& m_run;
    const std::string& m_identity;
    const Progress& m_progress;
};

} // namespace

Result<void> fillOnSlurm(const SlurmPoints& points, const std::string& identity, std::vector<Json>& found, const Progress& progress)
{
    return Run(points, identity, progress).fill(found);
}

} // namespace batch
} // namespace hw::sim
