// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/batch/slurm.h"

#include <fmt/format.h>

#include <cstdio>
#include <sstream>

#include <sys/wait.h>

namespace hw::sim {
inline namespace batch {

namespace {

constexpr int kNotFound = 127; // of the shell

struct Printed {
    int exitCode = 0;
    std::string text; ///< standard output and error
};

Result<Printed> run(const std::string& program, const std::string& arguments)
{
    std::FILE* pipe = popen((program + arguments + " 2>&1").c_str(), "r");
    if (!pipe) return fail(ErrorCode::Unreadable, program, i18n("cannot be started"), i18n("check the process limit (ulimit -u)"));
    Printed out;
    char buffer[4096];
    for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.text.append(buffer, n);
    const int status = pclose(pipe);
    out.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    while (!out.text.empty() && (out.text.back() == '\n' || out.text.back() == ' ')) out.text.pop_back();
    if (out.exitCode == kNotFound)
        return fail(ErrorCode::Unreadable, program, i18n("not found"), i18n("run on a Slurm login node, or omit --slurm to use local cores"));
    return out;
}

tl::unexpected<Error> refused(const std::string& program, const Printed& printed)
{
    return fail(ErrorCode::Unreadable, program, printed.text.empty() ? i18n("exit code {}", printed.exitCode) : verbatim(printed.text),
                i18n("check the partition, the time and memory limits, and the cluster state (sinfo)"));
}

/// The id of the job.
Result<std::string> submitted(std::string arguments, const std::filesystem::path& script, const SlurmLimits& limits)
{
    arguments = " --parsable --job-name=hallwright" + arguments; // no text
    if (!limits.partition.empty()) arguments += " --partition=" + slurm::quoted(limits.partition);
    if (!limits.time.empty()) arguments += " --time=" + slurm::quoted(limits.time);
    if (!limits.memory.empty()) arguments += " --mem=" + slurm::quoted(limits.memory);
    const auto printed = run("sbatch", arguments + " " + slurm::quoted(script.string()));
    if (!printed) return tl::unexpected(printed.error());
    const std::string id = printed->text.substr(0, printed->text.find_first_of(";\n")); // ID[;CLUSTER]
    if (printed->exitCode != 0 || id.empty() || id.find_first_not_of("0123456789") != std::string::npos) return refused("sbatch", *printed);
    return id;
}

} // namespace

namespace slurm {

std::string quoted(const std::string& word)
{
    std::string out = "'";
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

Result<std::string> submit(const std::filesystem::path& script, std::size_t tasks, const std::filesystem::path& folder, const SlurmLimits& limits)
{
    return submitted(fmt::format(" --array=0-{} --ntasks=1 --output={}", tasks - 1, quoted((folder / "task-%a.log").string())), script,
                     limits); // no text
}

Result<std::string> submitOne(const std::filesystem::path& script, int processes, const std::filesystem::path& folder, const std::string& log,
                              const SlurmLimits& limits)
{
    return submitted(
        fmt::format(" --ntasks={} --chdir={} --output={}", processes, quoted(folder.string()), quoted((folder / log).string())), // no text
        script, limits);
}

Result<SlurmState> state(const std::string& job)
{
    const auto printed = run("squeue", " --noheader --array --format=%T --jobs=" + quoted(job));
    if (!printed) return tl::unexpected(printed.error());
    SlurmState out;
    if (printed->exitCode != 0) {
        out.ended = printed->text.find("Invalid job id") != std::string::npos; // no text; some minutes after its end
        if (!out.ended) return refused("squeue", *printed);
        return out;
    }
    std::istringstream lines(printed->text);
    for (std::string word; lines >> word;) ++(word == "PENDING" ? out.pending : out.running);
    out.ended = out.pending + out.running == 0;
    return out;
}

Result<void> cancel(const std::string& job)
{
    const auto printed = run("scancel", " " + quoted(job));
    if (!printed) return tl::unexpected(printed.error());
    if (printed->exitCode != 0) return refused("scancel", *printed);
    return {};
}

} // namespace slurm

} // namespace batch
} // namespace hw::sim
