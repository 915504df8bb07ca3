// SPDX-License-Identifier: GPL-3.0-or-later
// history_victim FILE: appends samples of the present without end, some twice, and prints the time of the newest after it has appended it.
#include "core/operations/history/embedded_store.h"

#include <cstdio>
#include <cstdlib>
#include <thread>

#include <unistd.h>

using namespace hw;
using namespace std::chrono_literals;

int main(int, char** argv)
{
    auto store = history::EmbeddedStore::open(argv[1], {}, {250ms, 600s, 20'000, 1'000'000}); // packs a few times a second
    if (!store) return (std::fprintf(stderr, "%s\n", store.error().text().c_str()), 1);
    std::vector<bindings::ChannelText> channels;
    for (int i = 0; i < 200; ++i) channels.push_back({"meter/" + std::to_string(i), {}, {}});
    std::vector<bindings::Sample> samples, before;
    for (;;) {
        const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
        samples.clear();
        for (bindings::ChannelNo c = 0; c < 200; ++c) samples.push_back({c, now, double(now % 1000), true});
        (*store)->append(samples, channels);
        (*store)->append(before, channels); // a source that starts again says it once more
        before = samples;
        char line[32];
        const int length = std::snprintf(line, sizeof line, "%lld\n", static_cast<long long>(now));
        if (::write(STDOUT_FILENO, line, std::size_t(length)) != length) std::_Exit(1);
        std::this_thread::sleep_for(5ms);
    }
}
