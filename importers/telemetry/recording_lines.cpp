// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/recording_lines.h"

#include "core/foundation/base/gunzip.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <zstd.h>

namespace hw::telemetry {

namespace {
constexpr std::size_t kLongest = std::size_t(256) << 20;
}

struct LineReader::State {
    std::filesystem::path file;
    std::FILE* handle = nullptr;
    ZSTD_DStream* stream = nullptr; ///< null: not so compressed
    std::optional<Gunzip> zip;      ///< of gzip
    bool more = false;              ///< what was read has more to unpack
    std::vector<char> packed;
    std::size_t packedAt = 0, packedEnd = 0;
    std::string text; ///< read and not yet given
    std::size_t at = 0;
    std::uint64_t line = 0;
    bool cut = false, over = false;

    ~State()
    {
        ZSTD_freeDStream(stream);
        if (handle) std::fclose(handle);
    }

    [[nodiscard]] tl::unexpected<Error> damaged(Text what) const
    {
        return fail(ErrorCode::Unreadable, fmt::format("{}:{}", file.string(), line + 1), std::move(what), i18n("use another copy of the file"));
    }

    Result<void> fill()
    {
        if (packedAt == packedEnd && !more) {
            packedAt = 0, packedEnd = std::fread(packed.data(), 1, packed.size(), handle);
            if (packedEnd == 0) {
                over = true;
                if (std::ferror(handle)) return damaged(i18n("cannot be read: {}", std::strerror(errno)));
                return {};
            }
        }
        return stream ? unpack()
               : zip  ? unzip()
                      : (text.append(packed.data() + packedAt, packedEnd - packedAt), packedAt = packedEnd, Result<void>());
    }

    Result<void> unpack()
    {
        char room[1 << 16];
        ZSTD_inBuffer in{packed.data(), packedEnd, packedAt};
        ZSTD_outBuffer out{room, sizeof room, 0};
        const std::size_t result = ZSTD_decompressStream(stream, &out, &in);
        packedAt = in.pos, more = out.pos == out.size;
        text.append(room, out.pos);
        if (ZSTD_isError(result)) return damaged(i18n("is damaged: {}", ZSTD_getErrorName(result)));
        return {};
    }

    Result<void> unzip()
    {
        std::string_view rest(packed.data() + packedAt, packedEnd - packedAt);
        const bool fine = zip->step(rest, text);
        packedAt = packedEnd - rest.size(), more = zip->more();
        if (!fine) return damaged(i18n("is damaged: {}", zip->damage()));
        return {};
    }
};

LineReader::LineReader(std::unique_ptr<State> state) : m_state(std::move(state)) {}
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader::~LineReader() = default;

Result<LineReader> LineReader::open(const std::filesystem::path& file)
{
    auto state = std::make_unique<State>();
    State& s = *state;
    s.file = file;
    s.handle = std::fopen(file.c_str(), "rbe");
    s.packed.resize(1 << 18);
    if (s.handle) s.packedEnd = std::fread(s.packed.data(), 1, s.packed.size(), s.handle);
    if (!s.handle || std::ferror(s.handle))
        return fail(ErrorCode::Unreadable, file.string(), i18n("cannot be read: {}", std::strerror(errno)), i18n("check the path"));
    if (s.packedEnd >= 4 && std::memcmp(s.packed.data(), "\x28\xB5\x2F\xFD", 4) == 0) s.stream = ZSTD_createDStream();
    if (isGzip({s.packed.data(), s.packedEnd})) s.zip.emplace();
    return LineReader(std::move(state));
}

Result<bool> LineReader::next(std::string& line)
{
    State& s = *m_state;
    std::size_t end = s.text.find('\n', s.at);
    while (end == std::string::npos && !s.over) {
        if (s.at > 0) s.text.erase(0, std::exchange(s.at, 0));
        const std::size_t searched = s.text.size();
        if (searched > kLongest) return s.damaged(i18n("contains a line longer than 256 MiB"));
        if (auto filled = s.fill(); !filled) return tl::unexpected(filled.error());
        end = s.text.find('\n', searched);
    }
    if (end == std::string::npos && s.at == s.text.size()) return false;
    s.cut = end == std::string::npos;
    if (s.cut) end = s.text.size();
    line.assign(s.text, s.at, end - s.at);
    if (line.ends_with('\r')) line.pop_back();
    s.at = std::min(end + 1, s.text.size());
    ++s.line;
    return true;
}

std::uint64_t LineReader::number() const { return m_state->line; }
bool LineReader::cut() const { return m_state->cut; }
std::string LineReader::place() const { return fmt::format("{}:{}", m_state->file.string(), m_state->line); }
const std::filesystem::path& LineReader::file() const { return m_state->file; }

} // namespace hw::telemetry
