// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/gunzip.h"

#include <algorithm>
#include <array>

#include <zlib.h>

namespace hw {

bool isGzip(std::string_view head) { return head.starts_with("\x1F\x8B"); }

struct Gunzip::State {
    z_stream stream{};
    bool ready = false, more = false, ended = false;
    int result = Z_OK;
    ~State()
    {
        if (ready) inflateEnd(&stream);
    }
};

Gunzip::Gunzip() : m_state(std::make_unique<State>())
{
    m_state->result = inflateInit2(&m_state->stream, 15 + 16);
    m_state->ready = m_state->result == Z_OK;
}
Gunzip::Gunzip(Gunzip&&) noexcept = default;
Gunzip::~Gunzip() = default;

bool Gunzip::step(std::string_view& packed, std::string& out)
{
    State& s = *m_state;
    if (!s.ready) return false;
    std::array<char, 65536> room;
    const std::size_t given = std::min<std::size_t>(packed.size(), std::size_t(1) << 30);
    s.stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data())); // zlib only reads it
    s.stream.avail_in = uInt(given);
    s.stream.next_out = reinterpret_cast<Bytef*>(room.data()), s.stream.avail_out = uInt(room.size());
    s.result = inflate(&s.stream, Z_NO_FLUSH);
    packed.remove_prefix(given - s.stream.avail_in);
    out.append(room.data(), room.size() - s.stream.avail_out);
    s.more = s.stream.avail_out == 0;
    if (s.result == Z_STREAM_END) {
        s.ended = true, s.more = false;
        return inflateReset(&s.stream) == Z_OK;
    }
    if (given > 0) s.ended = false;
    return s.result == Z_OK || s.result == Z_BUF_ERROR;
}

bool Gunzip::more() const { return m_state->more; }
bool Gunzip::ended() const { return m_state->ended; }
std::string Gunzip::damage() const { return m_state->stream.msg ? m_state->stream.msg : zError(m_state->result); }

std::optional<std::string> gunzipped(std::string_view packed, std::size_t most)
{
    Gunzip gzip;
    std::string out;
    while (!packed.empty() || gzip.more())
        if (!gzip.step(packed, out) || out.size() > most) return std::nullopt;
    return gzip.ended() ? std::optional(std::move(out)) : std::nullopt;
}

} // namespace hw
