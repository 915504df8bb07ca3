// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/history/failing_new.h"

#include <cstdlib>
#include <new>

namespace {

std::atomic<int> times = 0;
std::atomic<std::size_t> least = 0;
thread_local bool mine = false;

} // namespace

void failing_new::begin(int count, std::size_t bytes) { mine = true, least = bytes, times = count; }
int failing_new::left() { return times; }
void failing_new::end() { times = 0, mine = false; }

void* operator new(std::size_t bytes)
{
    if (times.load(std::memory_order_relaxed) > 0 && !mine && bytes >= least && times.fetch_sub(1) > 0) throw std::bad_alloc();
    if (void* memory = std::malloc(bytes ? bytes : 1)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
