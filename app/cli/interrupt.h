// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <stop_token>

#include <sys/types.h>

/// Ctrl-C, termination and hang-up, turned into a stop request. A thread of its own waits for the
/// signals; work that does not stop by itself within `kGraceMs` is ended with the process, after
/// unfinished outputs were removed and child processes told to end. Any thread may call these.
namespace hw::cli::interrupt {

inline constexpr int kGraceMs = 700; ///< unless `patience` was asked for
inline constexpr int kExitCode = 130;

/// Called first in main, before any other thread starts.
void install();
[[nodiscard]] std::stop_token token();
/// For work that has something to close: it is ended no sooner than this after a stop was requested.
void patience(std::chrono::milliseconds grace);

/// A file that must not be left behind half-written.
class UnfinishedFile {
public:
    explicit UnfinishedFile(std::filesystem::path path);
    ~UnfinishedFile(); ///< forgets it; removing it in the normal course is the caller's business
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;

private:
    std::filesystem::path m_path;
};

/// A child process that must not outlive this one. Ends it (SIGTERM) and waits for it when destroyed.
class Child {
public:
    explicit Child(pid_t pid);
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    /// Waits for the child to end by itself, or ends it when a stop is requested. Its exit code; 128 + n
    /// for a signal.
    int wait();

private:
    pid_t m_pid;
};

} // namespace hw::cli::interrupt
