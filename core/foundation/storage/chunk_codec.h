// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/changeset.h"

#include <string>

namespace hw::storage {

/// How a chunk's bytes are stored.
enum class Codec : std::uint8_t {
    Raw = 0,        ///< ColumnBase::encode
    Zstd = 1,       ///< the same, one zstd frame that states its size
    ZstdPlanes = 2, ///< differences between rows, byte planes apart, one zstd frame (columns of integers)
};

struct PackedChunk {
    Codec codec = Codec::Raw;
    std::string data;
};

[[nodiscard]] PackedChunk packChunk(const ColumnBase& column, const ChunkBase& chunk, std::size_t width);
/// Null when the bytes are malformed.
[[nodiscard]] ChunkPtr unpackChunk(const ColumnBase& column, Codec codec, std::string_view data, std::size_t width);

/// The rows of `after` that differ from `before`, and its length. Empty when that is not worth it
/// (more than an eighth of the rows differ, or there is no `before`).
[[nodiscard]] std::string packDelta(const ColumnBase& column, const ChunkBase* before, const ChunkBase& after, std::size_t width);
/// Null when the bytes are malformed.
[[nodiscard]] ChunkPtr unpackDelta(const ColumnBase& column, const ChunkBase& before, std::string_view data, std::size_t width);

constexpr std::size_t kChunksAtATime = 16; ///< of a thread that packs or unpacks them: fewer are not worth a second thread

} // namespace hw::storage
