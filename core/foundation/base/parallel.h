// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <thread>
#include <vector>

namespace hw {

struct ParallelOptions {
    unsigned threads = 0;   ///< at most, with the caller's; 0: one for each core
    std::size_t block = 1;  ///< numbers that a thread takes at a time
    std::stop_token stop{}; ///< no further block is taken once a stop is requested
};

/// Calls body(scratch, i) for every i below `count`, on several threads, the caller's among them. Each thread has a scratch of its own from
/// makeScratch(thread); the caller's is thread 0. Where a body (or makeScratch) throws, no further block is taken, all threads come to their end,
/// and the exception is thrown on to the caller, of several the one of the lowest number. False where the stop kept numbers from being taken.
template <class MakeScratch, class Body>
bool parallelFor(std::size_t count, const ParallelOptions& options, MakeScratch&& makeScratch, Body&& body)
{
    const std::size_t block = std::max<std::size_t>(options.block, 1), blocks = (count + block - 1) / block;
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false}, stopped{false};
    std::mutex mutex;
    std::exception_ptr thrown;
    std::size_t thrownAt = 0;
    const auto work = [&](unsigned thread) {
        std::size_t i = 0;
        try {
            auto scratch = makeScratch(thread);
            while (!failed) {
                if (options.stop.stop_requested()) {
                    if (next < blocks) stopped = true;
                    return;
                }
                const std::size_t taken = next++;
                if (taken >= blocks) return;
                const std::size_t end = std::min(count, (taken + 1) * block);
                for (i = taken * block; i < end; ++i) body(scratch, i);
            }
        } catch (...) {
            const std::scoped_lock lock(mutex);
            if (!thrown || i < thrownAt) thrown = std::current_exception(), thrownAt = i;
            failed = true;
        }
    };
    {
        const unsigned wanted = options.threads ? options.threads : std::max(1u, std::thread::hardware_concurrency());
        std::vector<std::jthread> helpers;
        for (unsigned t = 1; t < std::min<std::size_t>(wanted, blocks); ++t) {
            try {
                helpers.emplace_back(work, t);
            } catch (const std::system_error&) { // no more threads to be had: those that are there do it
                break;
            }
        }
        if (blocks > 0) work(0);
    }
    if (thrown) std::rethrow_exception(thrown);
    return !stopped;
}

/// The same without scratch: body(i).
template <class Body>
bool parallelFor(std::size_t count, const ParallelOptions& options, Body&& body)
{
    struct None {};
    return parallelFor(
        count, options, [](unsigned) { return None{}; }, [&](None&, std::size_t i) { body(i); });
}

} // namespace hw
