// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/storage/file_image.h"

#include <cstring>
#include <vector>

namespace hw::storage {

namespace {

constexpr std::size_t kWalHeader = 32, kFrameHeader = 24, kFrame = kFrameHeader + kPageBytes;

std::uint32_t big32(const char* at)
{
    const auto* p = reinterpret_cast<const unsigned char*>(at);
    return std::uint32_t(p[0]) << 24 | std::uint32_t(p[1]) << 16 | std::uint32_t(p[2]) << 8 | p[3];
}

/// The running checksum of SQLite file format 4.2.
struct WalSum {
    bool bigEndian;
    std::uint32_t a = 0, b = 0;

    void add(const char* bytes, std::size_t count)
    {
        for (std::size_t i = 0; i < count; i += 8) {
            a += word(bytes + i) + b;
            b += word(bytes + i + 4) + a;
        }
    }
    [[nodiscard]] std::uint32_t word(const char* at) const
    {
        if (bigEndian) return big32(at);
        std::uint32_t value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    [[nodiscard]] bool equals(const char* at) const { return big32(at) == a && big32(at + 4) == b; }
};

/// What lies behind the last valid frame. A power cut can spoil the frames of the one commit that was
/// being written; a spoiled commit with another one behind it was durable once, so that is damage.
WalState judgeTail(const std::string& wal, std::size_t at, bool pending)
{
    std::size_t frames = 0, commits = 0;
    bool afterCommit = false;
    for (; at + kFrameHeader <= wal.size(); at += kFrame) {
        if (std::memcmp(wal.data() + at + 8, wal.data() + 16, 8) != 0) continue; // left over from an earlier use of the log
        afterCommit = afterCommit || commits > 0;
        ++frames;
        if (big32(wal.data() + at + 4) != 0) ++commits;
    }
    if (commits > 1 || afterCommit) return WalState::Damaged;
    return frames > 0 || pending ? WalState::Torn : WalState::Complete;
}

} // namespace

WalState applyWal(const std::string& wal, std::string& image)
{
    if (wal.size() <= kWalHeader) return WalState::Empty;
    const std::uint32_t magic = big32(wal.data());
    WalSum sum{.bigEndian = (magic & 1) != 0};
    sum.add(wal.data(), 24);
    if ((magic & ~1u) != 0x377f0682 || big32(wal.data() + 4) != 3007000 || big32(wal.data() + 8) != kPageBytes || !sum.equals(wal.data() + 24))
        return WalState::Damaged;

    std::vector<std::size_t> pending; // frames of the commit being read
    std::size_t at = kWalHeader;
    for (; at + kFrame <= wal.size(); at += kFrame) {
        const char* frame = wal.data() + at;
        if (std::memcmp(frame + 8, wal.data() + 16, 8) != 0) break;
        WalSum next = sum;
        next.add(frame, 8);
        next.add(frame + kFrameHeader, kPageBytes);
        if (!next.equals(frame + 16) || big32(frame) == 0) break;
        sum = next;
        pending.push_back(at);
        const std::uint32_t pages = big32(frame + 4);
        if (pages == 0) continue;
        image.resize(std::size_t(pages) * kPageBytes, '\0');
        for (const std::size_t from : pending) {
            const std::size_t page = big32(wal.data() + from) - 1;
            if (page < pages) std::memcpy(image.data() + page * kPageBytes, wal.data() + from + kFrameHeader, kPageBytes);
        }
        pending.clear();
    }
    return judgeTail(wal, at, !pending.empty());
}

} // namespace hw::storage
