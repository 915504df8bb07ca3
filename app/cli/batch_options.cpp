// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/batch_options.h"

#include <filesystem>

namespace hw::cli {

namespace {
constexpr const char* kDefaultPartition = "*"; // as sinfo marks it; no partition has this name
}

void declareBatch(CLI::App& app, BatchOptions& o, const Text& thing)
{
    app.add_option("--threads", o.threads, words(i18n("{} run in parallel, 1 to 256 (default: all cores)", thing)))
        ->option_text("N")
        ->check(CLI::Range(1u, 256u));
    app.add_option("--points", o.points,
                   words(i18n("Run only these, such as 1-40,55; OUTPUT stores them as JSON Lines; an existing file is resumed")))
        ->option_text("POINTS");
    app.add_option(
           "--slurm", o.slurm,
           words(i18n("Run as a Slurm job array in this partition (default: the site's default partition); OUTPUT must be on a shared file system")))
        ->option_text("[PARTITION]")
        ->expected(0, 1)
        ->default_str(kDefaultPartition);
    app.add_option("--array", o.array, words(i18n("Number of tasks in the job array, 1 to 1000 (default: 16)")))
        ->option_text("N")
        ->check(CLI::Range(1, 1000));
    app.add_option("--time", o.limits.time, words(i18n("Time limit per task, in sbatch format")))->option_text("[HH:]MM:SS");
    app.add_option("--mem", o.limits.memory, words(i18n("Memory limit per task, in sbatch format")))->option_text("SIZE[M|G]");
}

Result<void> checkBatch(const BatchOptions& o, const std::string& output)
{
    const bool limits = o.array || !o.limits.time.empty() || !o.limits.memory.empty();
    if (limits && !o.slurm) return fail(ErrorCode::Usage, "--array, --time, --mem", i18n("require --slurm"), i18n("add --slurm, or omit them"));
    if (!o.distributed()) return {};
    const char* option = o.slurm ? "--slurm" : "--points";
    if (output.empty() || std::filesystem::is_other(output))
        return fail(ErrorCode::Usage, option, i18n("requires an output file"), i18n("specify -o FILE on a file system that all nodes share"));
    if (o.slurm && !o.points.empty()) return fail(ErrorCode::Usage, "--points", i18n("cannot be combined with --slurm"), i18n("omit one of them"));
    if (o.slurm && o.threads > 0)
        return fail(ErrorCode::Usage, "--threads", i18n("a task of the job array runs one point at a time"), i18n("omit it, or raise --array"));
    return {};
}

sim::SlurmPoints slurmPoints(const BatchOptions& o, const std::string& output)
{
    sim::SlurmPoints out;
    std::error_code error;
    out.program = std::filesystem::read_symlink("/proc/self/exe", error);
    out.folder = std::filesystem::absolute(output + ".slurm", error);
    out.tasks = o.array.value_or(out.tasks);
    out.limits = o.limits;
    if (*o.slurm != kDefaultPartition) out.limits.partition = *o.slurm;
    return out;
}

} // namespace hw::cli
