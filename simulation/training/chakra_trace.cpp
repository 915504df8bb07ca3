// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/chakra_trace.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

namespace hw::importers {

namespace {

constexpr std::size_t kMostBytes = std::size_t(1) << 30; ///< unpacked
constexpr std::size_t kMostNodes = 20'000'000;
constexpr std::uint32_t kMostRanks = 1'000'000;

/// Protocol buffers as bytes: fields of a message, one after the other. Never reads beyond its end.
class Wire {
public:
    explicit Wire(std::string_view bytes) : m_bytes(bytes) {}
    [[nodiscard]] bool atEnd() const { return m_at >= m_bytes.size(); }
    [[nodiscard]] std::size_t at() const { return m_at; }

    std::optional<std::uint64_t> varint()
    {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64 && m_at < m_bytes.size(); shift += 7) {
            const auto byte = std::uint8_t(m_bytes[m_at++]);
            value |= std::uint64_t(byte & 0x7f) << shift;
            if (byte < 0x80) return value;
        }
        return std::nullopt;
    }
    std::optional<std::string_view> block()
    {
        const auto size = varint();
        if (!size || *size > m_bytes.size() - m_at) return std::nullopt;
        const auto out = m_bytes.substr(m_at, std::size_t(*size));
        m_at += std::size_t(*size);
        return out;
    }
    bool skip(std::size_t bytes)
    {
        if (bytes > m_bytes.size() - m_at) return false;
        m_at += bytes;
        return true;
    }

private:
    std::string_view m_bytes;
    std::size_t m_at = 0;
};

struct WireField {
    std::uint32_t number = 0;
    std::uint64_t value = 0;    ///< of a varint
    std::string_view content{}; ///< of a block
    bool block = false;
};

/// The next field; nothing where the bytes are none.
std::optional<WireField> nextField(Wire& wire)
{
    const auto key = wire.varint();
    if (!key || *key >> 3 == 0 || *key >> 3 > 536870911) return std::nullopt;
    WireField out;
    out.number = std::uint32_t(*key >> 3);
    switch (*key & 7) {
    case 0: {
        const auto value = wire.varint();
        if (!value) return std::nullopt;
        out.value = *value;
        return out;
    }
    case 1: return wire.skip(8) ? std::optional(out) : std::nullopt;
    case 5: return wire.skip(4) ? std::optional(out) : std::nullopt;
    case 2: {
        const auto content = wire.block();
        if (!content) return std::nullopt;
        out.content = *content, out.block = true;
        return out;
    }
    default: return std::nullopt; // groups, which proto3 has not
    }
}

struct ChakraAttribute {
    std::string_view name, text;
    std::uint64_t number = 0;
};

bool readAttribute(std::string_view bytes, ChakraAttribute& out)
{
    for (Wire wire(bytes); !wire.atEnd();) {
        const auto field = nextField(wire);
        if (!field) return false;
        if (field->number == 1 && field->block) out.name = field->content;
        if (field->number == 29 && field->block) out.text = field->content;
        const bool zigzag = field->number == 15 || field->number == 17;
        if (!field->block && (field->number >= 7 && field->number <= 27))
            out.number = zigzag ? (field->value >> 1) ^ (~(field->value & 1) + 1) : field->value;
    }
    return true;
}

void apply(const ChakraAttribute& attribute, ChakraNode& node)
{
    const auto value = attribute.number;
    const auto rank = [&] { return std::int64_t(std::int32_t(std::uint32_t(value))); };
    if (attribute.name == "is_cpu_op") node.onCpu = value != 0;
    if (attribute.name == "num_ops") node.operations = value;
    if (attribute.name == "comm_size") node.bytes = value;
    if (attribute.name == "comm_type") node.collective = value <= 9 ? ChakraCollective(value) : ChakraCollective::Barrier;
    if (attribute.name == "comm_src") node.source = rank();
    if (attribute.name == "comm_dst") node.destination = rank();
    if (attribute.name == "comm_tag") node.tag = rank();
    if (attribute.name == "pg_name") node.group = attribute.text.empty() ? std::string() : std::string(attribute.text);
}

bool readIds(const WireField& field, std::vector<std::uint64_t>& out)
{
    if (!field.block) {
        out.push_back(field.value);
        return true;
    }
    for (Wire wire(field.content); !wire.atEnd();) {
        const auto id = wire.varint();
        if (!id) return false;
        out.push_back(*id);
    }
    return true;
}

std::optional<ChakraNode> readNode(std::string_view bytes)
{
    ChakraNode out;
    for (Wire wire(bytes); !wire.atEnd();) {
        const auto field = nextField(wire);
        if (!field) return std::nullopt;
        switch (field->number) {
        case 1: out.id = field->value; break;
        case 2: out.name = std::string(field->content); break;
        case 3:
            out.kind = field->value == 4   ? ChakraKind::Compute
                       : field->value == 5 ? ChakraKind::Send
                       : field->value == 6 ? ChakraKind::Receive
                       : field->value == 7 ? ChakraKind::Collective
                                           : ChakraKind::Other;
            break;
        case 4:
        case 5:
            if (!readIds(*field, out.waitsFor)) return std::nullopt;
            break;
        case 7: out.durationMicros = field->value; break;
        case 10: {
            ChakraAttribute attribute;
            if (!field->block || !readAttribute(field->content, attribute)) return std::nullopt;
            apply(attribute, out);
            break;
        }
        default: break;
        }
    }
    std::ranges::sort(out.waitsFor);
    out.waitsFor.erase(std::unique(out.waitsFor.begin(), out.waitsFor.end()), out.waitsFor.end());
    return out;
}

std::optional<std::string> gunzip(std::string_view packed)
{
    z_stream stream{};
    if (inflateInit2(&stream, 15 + 16) != Z_OK) return std::nullopt;
    std::string out;
    std::array<char, 65536> buffer{};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data())); // zlib only reads it
    stream.avail_in = uInt(std::min<std::size_t>(packed.size(), std::numeric_limits<uInt>::max()));
    int state = Z_OK;
    while (state == Z_OK && out.size() <= kMostBytes) {
        stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
        stream.avail_out = uInt(buffer.size());
        state = inflate(&stream, Z_NO_FLUSH);
        out.append(buffer.data(), buffer.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    return state == Z_STREAM_END ? std::optional(std::move(out)) : std::nullopt;
}

tl::unexpected<Error> damaged(const std::string& where, std::size_t byte)
{
    return fail(ErrorCode::Unreadable, fmt::format("{}: byte {}", where, byte), i18n("is not a Chakra execution trace"),
                i18n("specify a trace (.et) of schema 0.0.4 or later"));
}

Result<std::string> bytesOf(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(in), {}};
    if (!in) return fail(ErrorCode::Unreadable, path.string(), i18n("cannot be read"), i18n("specify a trace file"));
    return content;
}

} // namespace

bool looksLikeChakra(std::string_view bytes)
{
    if (bytes.starts_with("\x1f\x8b")) return false; // any packed file
    Wire wire(bytes);
    const auto metadata = wire.block();
    if (!metadata || metadata->empty()) return false;
    Wire inside(*metadata);
    const auto version = nextField(inside);
    return version && version->number == 1 && version->block && version->content.size() < 64 &&
           version->content.find_first_not_of("0123456789.-abcdefghijklmnopqrstuvwxyz") == std::string_view::npos;
}

Result<ChakraTrace> readChakra(std::string_view bytes, const std::string& where)
{
    std::string unpacked;
    if (bytes.starts_with("\x1f\x8b")) {
        auto made = gunzip(bytes);
        if (!made) return fail(ErrorCode::Unreadable, where, i18n("is damaged: cannot be unpacked"), i18n("specify an intact file"));
        unpacked = std::move(*made), bytes = unpacked;
    }
    Wire wire(bytes);
    const auto metadata = wire.block();
    if (!metadata) return damaged(where, 0);
    ChakraTrace out;
    for (Wire inside(*metadata); !inside.atEnd();) {
        const auto field = nextField(inside);
        if (!field) return damaged(where, 0);
        if (field->number == 1 && field->block) out.version = std::string(field->content);
    }
    while (!wire.atEnd()) {
        const std::size_t at = wire.at();
        const auto block = wire.block();
        auto node = block ? readNode(*block) : std::nullopt;
        if (!node || out.nodes.size() == kMostNodes) return damaged(where, at);
        out.nodes.push_back(std::move(*node));
    }
    if (out.nodes.empty()) return fail(ErrorCode::Unreadable, where, i18n("contains no nodes"), i18n("specify a trace with nodes"));
    return out;
}

Result<ChakraGroups> readChakraGroups(std::string_view text, const std::string& where)
{
    const auto json = nlohmann::json::parse(text, nullptr, false);
    const Text todo = i18n("specify groups as {{\"1\": [0, 1]}}");
    if (!json.is_object()) return fail(ErrorCode::Unreadable, where, i18n("is not a JSON object"), todo);
    ChakraGroups out;
    for (const auto& [name, ranks] : json.items()) {
        if (!ranks.is_array() || ranks.empty()) return fail(ErrorCode::Unreadable, where + ": " + name, i18n("is not a list of ranks"), todo);
        auto& group = out[name];
        for (const auto& rank : ranks) {
            if (!rank.is_number_unsigned() || rank.get<std::uint64_t>() >= kMostRanks)
                return fail(ErrorCode::Unreadable, where + ": " + name, i18n("is not a list of ranks"), todo);
            group.push_back(std::uint32_t(rank.get<std::uint64_t>()));
        }
        auto sorted = group;
        std::ranges::sort(sorted);
        if (std::ranges::adjacent_find(sorted) != sorted.end())
            return fail(ErrorCode::Unreadable, where + ": " + name, i18n("contains a rank twice"), i18n("list every rank once"));
    }
    return out;
}

std::vector<std::filesystem::path> chakraFiles(const std::filesystem::path& first)
{
    std::vector<std::filesystem::path> out{first};
    const std::string name = first.string();
    const auto mark = name.rfind(".0.et");
    if (mark == name.npos) return out;
    std::error_code error;
    for (std::uint32_t rank = 1; rank < kMostRanks; ++rank) {
        std::filesystem::path path = fmt::format("{}.{}{}", name.substr(0, mark), rank, name.substr(mark + 2));
        if (!std::filesystem::exists(path, error)) break;
        out.push_back(std::move(path));
    }
    return out;
}

Result<ChakraWorkload> readChakraFiles(const std::filesystem::path& first, const std::filesystem::path& groups)
{
    const std::string name = first.string();
    if (name.rfind(".0.et") == name.npos)
        return fail(ErrorCode::Unreadable, name, i18n("is not named NAME.0.et"), i18n("specify the trace of rank 0; the other ranks are beside it"));
    ChakraWorkload out;
    std::size_t nodes = 0;
    for (const auto& path : chakraFiles(first)) {
        const auto content = bytesOf(path);
        if (!content) return tl::unexpected(content.error());
        auto trace = readChakra(*content, path.string());
        if (!trace) return tl::unexpected(trace.error());
        nodes += trace->nodes.size();
        if (nodes > kMostNodes)
            return fail(ErrorCode::Unreadable, path.string(), i18n("the traces have too many nodes"), i18n("specify a shorter trace"));
        out.ranks.push_back(std::move(*trace));
    }
    if (groups.empty()) return out;
    const auto content = bytesOf(groups);
    if (!content) return tl::unexpected(content.error());
    auto read = readChakraGroups(*content, groups.string());
    if (!read) return tl::unexpected(read.error());
    out.groups = std::move(*read);
    for (const auto& [group, ranks] : out.groups)
        for (const auto rank : ranks)
            if (rank >= out.ranks.size())
                return fail(ErrorCode::Unreadable, groups.string() + ": " + group, i18n("rank {} has no trace: there are {}", rank, out.ranks.size()),
                            i18n("add its trace"));
    return out;
}

} // namespace hw::importers
