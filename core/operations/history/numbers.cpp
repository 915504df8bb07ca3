// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/history/columns.h"
#include "core/operations/history/varint.h"

#include <bit>
#include <cmath>
#include <limits>
#include <memory>

#include <zstd.h>

namespace hw::history {

namespace {

constexpr int kLevel = 1;
constexpr std::uint64_t kMostBytes = 1ULL << 30; ///< of a block that is read
constexpr int kMostDecimals = 9;
constexpr double kTens[kMostDecimals + 1] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
constexpr double kExact = 1LL << 50; ///< whole numbers up to here are exact, and so is their rounding
constexpr std::uint8_t kSomeNan = 1, kAsTheyAre = 4;

/// value · 10^decimals, where dividing gives back every bit.
bool scaled(double value, int decimals, std::int64_t& whole)
{
    const double times = value * kTens[decimals];
    if (!(std::abs(times) < kExact)) return false;
    whole = std::llrint(times);
    return std::bit_cast<std::uint64_t>(double(whole) / kTens[decimals]) == std::bit_cast<std::uint64_t>(value);
}

void putScaled(std::string& out, std::span<const double> values, int decimals)
{
    std::int64_t before = 0, whole = 0;
    for (const double value : values) {
        if (std::isnan(value)) continue;
        (void)scaled(value, decimals, whole);
        putVarint(out, zigzag(minus(whole, before)));
        before = whole;
    }
}

void putBits(std::string& out, std::span<const double> values)
{
    std::vector<std::uint64_t> changed;
    std::uint64_t before = 0;
    for (const double value : values) {
        if (std::isnan(value)) continue;
        const auto bits = std::bit_cast<std::uint64_t>(value);
        changed.push_back(bits ^ before);
        before = bits;
    }
    for (int byte = 0; byte < 8; ++byte)
        for (const auto bits : changed) out.push_back(char(bits >> (8 * byte)));
}

bool takeScaled(std::string_view& in, std::vector<double>& values, int decimals)
{
    std::int64_t whole = 0;
    std::uint64_t digits = 0;
    for (double& value : values) {
        if (std::isnan(value)) continue;
        if (!takeVarint(in, digits)) return false;
        whole = plus(whole, unzigzag(digits));
        value = double(whole) / kTens[decimals];
    }
    return true;
}

bool takeBits(std::string_view& in, std::vector<double>& values, std::size_t numbers)
{
    if (in.size() < numbers * 8) return false;
    std::uint64_t before = 0;
    std::size_t at = 0;
    for (double& value : values) {
        if (std::isnan(value)) continue;
        for (std::size_t byte = 0; byte < 8; ++byte) before ^= std::uint64_t(std::uint8_t(in[byte * numbers + at])) << (8 * byte);
        value = std::bit_cast<double>(before);
        ++at;
    }
    in.remove_prefix(numbers * 8);
    return true;
}

} // namespace

int decimalsOf(std::span<const double> values)
{
    int decimals = 0;
    std::int64_t whole = 0;
    for (const double value : values) {
        if (std::isnan(value)) continue;
        while (!scaled(value, decimals, whole))
            if (++decimals > kMostDecimals) return -1;
    }
    for (const double value : values)
        if (!std::isnan(value) && !scaled(value, decimals, whole)) return -1; // too large for the decimals of another
    return decimals;
}

void putNumbers(std::string& out, std::span<const double> values)
{
    bool someNan = false;
    for (const double value : values) someNan |= std::isnan(value);
    const int decimals = decimalsOf(values);
    out.push_back(char((someNan ? kSomeNan : 0) | (decimals < 0 ? kAsTheyAre : decimals << 4)));
    if (someNan) {
        const std::size_t at = out.size();
        out.resize(at + (values.size() + 7) / 8);
        for (std::size_t i = 0; i < values.size(); ++i)
            if (std::isnan(values[i])) out[at + i / 8] |= char(1 << (i % 8));
    }
    if (decimals < 0)
        putBits(out, values);
    else
        putScaled(out, values, decimals);
}

bool takeNumbers(std::string_view& in, std::size_t count, std::vector<double>& values)
{
    values.assign(count, 0);
    if (in.empty()) return false;
    const auto flags = std::uint8_t(in[0]);
    in.remove_prefix(1);
    std::size_t numbers = count;
    if (flags & kSomeNan) {
        const std::size_t bytes = (count + 7) / 8;
        if (in.size() < bytes) return false;
        for (std::size_t i = 0; i < count; ++i)
            if (in[i / 8] >> (i % 8) & 1) {
                values[i] = std::numeric_limits<double>::quiet_NaN();
                --numbers;
            }
        in.remove_prefix(bytes);
    }
    if (flags & kAsTheyAre) return takeBits(in, values, numbers);
    return (flags >> 4) <= kMostDecimals && takeScaled(in, values, flags >> 4);
}

std::string squeezed(std::string_view bytes)
{
    thread_local const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    std::string block(ZSTD_compressBound(bytes.size()), '\0');
    block.resize(ZSTD_compress2(context.get(), block.data(), block.size(), bytes.data(), bytes.size()));
    return block;
}

bool unsqueeze(std::string_view block, std::string& bytes)
{
    const auto size = ZSTD_getFrameContentSize(block.data(), block.size());
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > kMostBytes) return false;
    bytes.resize(size);
    const auto got = ZSTD_decompress(bytes.data(), bytes.size(), block.data(), block.size());
    return !ZSTD_isError(got) && got == size;
}

} // namespace hw::history
