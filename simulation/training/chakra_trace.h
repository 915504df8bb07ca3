// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hw::importers {

enum class ChakraKind : std::uint8_t { Other, Compute, Send, Receive, Collective };
enum class ChakraCollective : std::uint8_t {
    AllReduce,
    Reduce,
    AllGather,
    Gather,
    Scatter,
    Broadcast,
    AllToAll,
    ReduceScatter,
    ReduceScatterBlock,
    Barrier
};

/// A node of a Chakra execution trace (MLCommons, schema/protobuf/et_def.proto).
struct ChakraNode {
    std::uint64_t id = 0;
    std::string name;
    ChakraKind kind = ChakraKind::Other;
    bool onCpu = false;
    std::uint64_t durationMicros = 0, operations = 0;
    std::vector<std::uint64_t> waitsFor; ///< ids: data and control dependencies
    ChakraCollective collective = ChakraCollective::AllReduce;
    std::uint64_t bytes = 0;
    std::int64_t source = -1, destination = -1, tag = 0; ///< of sends and receives; -1: not in the file
    std::string group;                                   ///< process group; empty: all ranks
};

/// The trace of one rank.
struct ChakraTrace {
    std::string version;
    std::vector<ChakraNode> nodes; ///< in the order of the file
};

/// Whether bytes begin as a trace.
[[nodiscard]] bool looksLikeChakra(std::string_view bytes);
/// Reads a trace, packed by gzip or not. Errors: Unreadable at WHERE with the byte.
[[nodiscard]] Result<ChakraTrace> readChakra(std::string_view bytes, const std::string& where);

/// Ranks of every process group: {"1": [0, 1, …]}. Errors: Unreadable.
using ChakraGroups = std::map<std::string, std::vector<std::uint32_t>>;
[[nodiscard]] Result<ChakraGroups> readChakraGroups(std::string_view json, const std::string& where);

/// Traces of all ranks and their groups.
struct ChakraWorkload {
    std::vector<ChakraTrace> ranks;
    ChakraGroups groups;
};
/// The files that a trace of rank 0 stands for, in the order of ranks; any other file alone.
[[nodiscard]] std::vector<std::filesystem::path> chakraFiles(const std::filesystem::path& first);
/// `first`: the file of rank 0, NAME.0.et; NAME.1.et … are read as far as they are there. `groups`: a file, or empty. Errors: Unreadable.
[[nodiscard]] Result<ChakraWorkload> readChakraFiles(const std::filesystem::path& first, const std::filesystem::path& groups = {});

} // namespace hw::importers
