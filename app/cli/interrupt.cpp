// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hw::cli::interrupt {

namespace {

struct State {
    std::stop_source source;
    std::mutex mutex;
    std::vector<std::filesystem::path> files;
    std::vector<pid_t> children;
    std::atomic<int> graceMs = kGraceMs;
};

/// Never destroyed: the waiting thread may outlast main's statics.
State& state()
{
    static State* const s = new State;
    return *s;
}

sigset_t watchedSignals()
{
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction now {};
        sigaction(signal, nullptr, &now);
        if (now.sa_handler != SIG_IGN) sigaddset(&set, signal); // nohup and background jobs stay as they are
    }
    return set;
}

[[noreturn]] void endNow()
{
    State& s = state();
    const std::unique_lock lock(s.mutex, std::try_to_lock);
    if (lock) {
        for (const auto& file : s.files) unlink(file.c_str());
        for (const pid_t child : s.children) kill(child, SIGTERM);
    }
    _exit(kExitCode);
}

void watch(sigset_t set)
{
    int signal = 0;
    sigwait(&set, &signal);
    state().source.request_stop();
    const int ms = state().graceMs;
    const timespec grace{ms / 1000, ms % 1000 * 1'000'000L};
    while (sigtimedwait(&set, nullptr, &grace) < 0 && errno == EINTR) {} // a second signal cuts the grace short
    endNow();
}

} // namespace

void install()
{
    state();
    const sigset_t set = watchedSignals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::thread(watch, set).detach();
}

void patience(std::chrono::milliseconds grace) { state().graceMs = int(grace.count()); }

std::stop_token token() { return state().source.get_token(); }

UnfinishedFile::UnfinishedFile(std::filesystem::path path) : m_path(std::move(path))
{
    const std::lock_guard lock(state().mutex);
    state().files.push_back(m_path);
}

UnfinishedFile::~UnfinishedFile()
{
    const std::lock_guard lock(state().mutex);
    std::erase(state().files, m_path);
}

Child::Child(pid_t pid) : m_pid(pid)
{
    const std::lock_guard lock(state().mutex);
    state().children.push_back(pid);
}

Child::~Child()
{
    if (m_pid <= 0) return;
    kill(m_pid, SIGTERM);
    {
        const std::lock_guard lock(state().mutex);
        std::erase(state().children, m_pid);
    }
    while (waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {}
}

int Child::wait()
{
    const std::stop_callback end(token(), [pid = m_pid] { kill(pid, SIGTERM); });
    int status = 0;
    while (waitpid(m_pid, &status, 0) < 0 && errno == EINTR) {}
    const std::lock_guard lock(state().mutex);
    std::erase(state().children, std::exchange(m_pid, 0));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace hw::cli::interrupt
