// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/faults/apart.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <stdexcept>
#include <vector>

namespace hw::bench {

Tokens::Tokens(std::size_t count)
{
    if (::pipe(m_ends) != 0 || ::fcntl(m_ends[0], F_SETFL, O_NONBLOCK) != 0) throw std::runtime_error("no pipe");
    for (std::size_t i = 0; i < count; ++i) give();
}
Tokens::~Tokens() { ::close(m_ends[0]), ::close(m_ends[1]); }
bool Tokens::take()
{
    char token = 0;
    return ::read(m_ends[0], &token, 1) == 1;
}
void Tokens::give()
{
    if (::write(m_ends[1], "t", 1) != 1) throw std::runtime_error("no token");
}

namespace {

struct Process {
    pid_t id = 0;
    int end = -1;
    std::string said;
};

Process begin(const Work& work)
{
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    std::cout.flush();
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("no process");
    if (child == 0) {
        ::close(ends[0]);
        const std::string said = work();
        for (std::size_t at = 0; at < said.size();) {
            const ssize_t n = ::write(ends[1], said.data() + at, said.size() - at);
            if (n <= 0) break;
            at += std::size_t(n);
        }
        ::_exit(0);
    }
    ::close(ends[1]);
    return {child, ends[0], {}};
}

} // namespace

std::string inCopy(const Work& work)
{
    Process process = begin(work);
    char buffer[4096];
    for (ssize_t n = 0; (n = ::read(process.end, buffer, sizeof buffer)) > 0;) process.said.append(buffer, std::size_t(n));
    ::close(process.end);
    ::waitpid(process.id, nullptr, 0);
    return process.said;
}

void apart(std::span<const Work> works, Tokens& tokens, const std::function<void(std::size_t, const std::string&)>& done)
{
    std::map<std::size_t, Process> running;
    std::map<std::size_t, std::string> ended; // that wait for those before them
    std::size_t next = 0, told = 0;
    while (told < works.size()) {
        while (next < works.size() && tokens.take()) running[next] = begin(works[next]), ++next;
        std::vector<pollfd> ends;
        for (const auto& [i, process] : running) ends.push_back({process.end, POLLIN, 0});
        if (next < works.size()) ends.push_back({tokens.readable(), POLLIN, 0});
        if (::poll(ends.data(), nfds_t(ends.size()), -1) < 0) continue;
        for (auto at = running.begin(); at != running.end();) {
            Process& process = at->second;
            const auto of = std::ranges::find(ends, process.end, &pollfd::fd);
            char buffer[4096];
            if (of == ends.end() || of->revents == 0) {
                ++at;
                continue;
            }
            if (const ssize_t n = ::read(process.end, buffer, sizeof buffer); n > 0) {
                process.said.append(buffer, std::size_t(n)), ++at;
                continue;
            }
            ::close(process.end);
            ::waitpid(process.id, nullptr, 0);
            tokens.give();
            ended[at->first] = std::move(process.said);
            at = running.erase(at);
        }
        for (auto first = ended.find(told); first != ended.end(); first = ended.find(told)) {
            done(told++, first->second);
            ended.erase(first);
        }
    }
}

} // namespace hw::bench
