// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/live/history_bench.h"

#include "core/operations/history/columns.h"
#include "core/operations/history/store.h"
#include "tests/bench/live/telemetrygen.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <filesystem>
#include <ostream>

#include <fmt/ostream.h>

#include <unistd.h>

namespace hw::bench {

namespace {

using history::Column;
using history::Held;

double ms(auto&& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Of this thread alone, whatever else the machine does.
double processorMs()
{
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

/// The yardstick: how many bytes the published Gorilla scheme takes, and the time to find that out bit by bit.
class Gorilla {
public:
    void add(std::int64_t time, double value)
    {
        const std::int64_t step = time - m_time, change = step - m_step;
        m_time = time;
        m_step = step;
        if (change == 0)
            put(0, 1);
        else if (change >= -63 && change <= 64)
            put(0b10, 2), put(std::uint64_t(change), 7);
        else if (change >= -255 && change <= 256)
            put(0b110, 3), put(std::uint64_t(change), 9);
        else if (change >= -2047 && change <= 2048)
            put(0b1110, 4), put(std::uint64_t(change), 12);
        else
            put(0b1111, 4), put(std::uint64_t(change), 32);
        const auto bits = std::bit_cast<std::uint64_t>(value), changed = bits ^ m_bits;
        m_bits = bits;
        if (changed == 0) return put(0, 1);
        const int leading = std::min(31, std::countl_zero(changed)), trailing = std::countr_zero(changed);
        if (leading >= m_leading && trailing >= m_trailing && m_leading >= 0)
            return put(0b10, 2), put(changed >> m_trailing, 64 - m_leading - m_trailing);
        m_leading = leading;
        m_trailing = trailing;
        put(0b11, 2), put(std::uint64_t(leading), 5), put(std::uint64_t(64 - leading - trailing), 6),
            put(changed >> trailing, 64 - leading - trailing);
    }
    [[nodiscard]] std::size_t bytes() const { return m_out.size() + 1; }

private:
    void put(std::uint64_t bits, int count)
    {
        for (int i = count - 1; i >= 0; --i) {
            m_byte = std::uint8_t(m_byte << 1 | (bits >> i & 1));
            if (++m_count == 8) m_out.push_back(m_byte), m_count = 0;
        }
    }
    std::vector<std::uint8_t> m_out;
    std::uint8_t m_byte = 0;
    int m_count = 0, m_leading = -1, m_trailing = 0;
    std::int64_t m_time = 0, m_step = 0;
    std::uint64_t m_bits = 0;
};

void forms(std::ostream& out)
{
    constexpr std::uint32_t channels = 300;
    constexpr int seconds = 600;
    fmt::print(out, "a rack's ten minutes, {} channels each second: bytes and time per sample\n  {:<28}{:>12}{:>12}{:>12}\n", channels, "form",
               "bytes", "pack", "unpack");
    const char* kinds[] = {"power, two decimals", "temperature, one decimal", "GPU power, whole", "flow, as a float", "counter", "state", "all"};
    for (std::uint32_t kind = 0; kind < 7; ++kind) {
        std::vector<Column> columns;
        for (std::uint32_t c = 0; c < channels; ++c) {
            if (kind < 6 && c % 6 != kind) continue;
            auto& column = columns.emplace_back(Column{c + 1, {}});
            for (int s = 0; s < seconds; ++s)
                column.held.push_back(
                    Held::of(1'700'000'000'000 + s * 1000LL + std::int64_t(mixed(c + std::uint64_t(s) * 999) % 20), sensor(c, s), true));
        }
        const double samples = double(columns.size()) * seconds;
        std::string block;
        std::optional<std::vector<Column>> back;
        std::size_t gorilla = 0;
        const double pack = ms([&] { block = history::packColumns(columns); }), unpack = ms([&] { back = history::unpackColumns(block); });
        const double other = ms([&] {
            for (const auto& column : columns) {
                Gorilla one;
                for (const auto& held : column.held) one.add(held.timeMs(), held.value);
                gorilla += one.bytes();
            }
        });
        fmt::print(out, "  {:<28}{:>12.2f}{:>9.1f} ns{:>9.1f} ns\n", kinds[kind], double(block.size()) / samples, pack * 1e6 / samples,
                   unpack * 1e6 / samples);
        fmt::print(out, "  {:<28}{:>12.2f}{:>9.1f} ns\n", "  Gorilla", double(gorilla) / samples, other * 1e6 / samples);
    }
}

std::vector<bindings::ChannelText> channelsOf(int racks)
{
    std::vector<bindings::ChannelText> channels;
    for (int i = 0; i < racks * 300; ++i) channels.push_back({fmt::format("BMS/v1/PUB/Value/Rack/P{}/hall-1/r{:03}", i / racks, i % racks), {}, {}});
    return channels;
}

/// A day of some racks; then one of them is looked at.
bool day(std::ostream& out, int racks, int everyS)
{
    const auto path = std::filesystem::temp_directory_path() / fmt::format("hallwright-bench-{}.telemetry", ::getpid());
    std::filesystem::remove(path);
    auto opened = history::Store::open(path, {});
    if (!opened) {
        fmt::print(out, "error: {}\n", opened.error().text());
        return false;
    }
    history::Store& store = **opened;
    const auto channels = channelsOf(racks);
    std::vector<std::uint32_t> groups;
    for (std::size_t i = 0; i < channels.size(); ++i) groups.push_back(std::uint32_t(i % std::size_t(racks)) * 4 + 1);
    store.together(groups);
    constexpr std::int64_t start = 1'700'000'000'000;
    std::vector<bindings::Sample> samples;
    double generating = 0;
    const double all = ms([&] {
        for (int s = 0; s < 86'400; s += everyS) {
            generating += ms([&] {
                samples.clear();
                for (std::uint32_t c = 0; c < channels.size(); ++c) samples.push_back({c, start + s * 1000LL + c % 20, sensor(c, s), true});
            });
            store.append(samples, channels);
        }
        (void)store.flush();
    });
    const auto figures = store.figures();
    std::vector<std::string> rack;
    for (std::size_t i = 0; i < channels.size(); i += std::size_t(racks)) rack.push_back(channels[i].name);
    double slowest = 0, total = 0;
    const double before = processorMs();
    for (int i = 0; i < 100; ++i) {
        const double took = ms([&] { (void)store.at(rack, start + std::int64_t(mixed(std::uint64_t(i)) % 86'400'000), 300'000); });
        slowest = std::max(slowest, took);
        total += took;
    }
    std::size_t points = 0, raw = 0;
    const double momentAlone = (processorMs() - before) / 100;
    const auto counted = [&](std::size_t most, std::size_t& values) {
        const auto read = store.read(rack, start, start + 86'400'000, most);
        if (read)
            for (const auto& series : *read) values += series.values.size();
    };
    const double chartBefore = processorMs(), chart = ms([&] { counted(1000, points); }), chartAlone = processorMs() - chartBefore;
    const double fineBefore = processorMs(), fine = ms([&] { counted(10'000, raw); }), fineAlone = processorMs() - fineBefore;
    fmt::print(out, "  {:>5}{:>6} s{:>12}{:>8.2f}{:>11.0f}{:>10.1f}{:>8.1f}{:>8.1f}{:>10.1f}{:>8.1f}{:>9}{:>10.1f}{:>8.1f}{:>9}\n", racks, everyS,
               figures.samples, double(figures.bytes) / double(figures.samples), double(figures.stored) / ((all - generating) / 1000), total / 100,
               slowest, momentAlone, chart, chartAlone, points, fine, fineAlone, raw);
    const bool good = figures.stored == channels.size() * (86'400 / std::size_t(everyS)) && figures.lost == 0;
    opened->reset();
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path.string() + end);
    return good;
}

} // namespace

bool benchHistory(std::ostream& out)
{
    forms(out);
    fmt::print(
        out,
        "\na day of racks with 300 channels; one of them at 100 moments, for a chart (1000 points at most), and fine (10 000 at most), in ms;\n"
        "CPU: of the reading thread alone\n  {:>5}{:>8}{:>12}{:>8}{:>11}{:>10}{:>8}{:>8}{:>10}{:>8}{:>9}{:>10}{:>8}{:>9}\n",
        "racks", "every", "samples", "bytes", "samples/s", "moment", "worst", "CPU", "chart", "CPU", "points", "fine", "CPU", "points");
    return day(out, 1, 10) && day(out, 10, 10) && day(out, 1, 1);
}

} // namespace hw::bench
