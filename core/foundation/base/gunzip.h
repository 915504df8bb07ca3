// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hw {

/// Whether gzip packed what begins so.
[[nodiscard]] bool isGzip(std::string_view head);

/// Unpacks gzip piece by piece; members that were joined into one file follow each other.
class Gunzip {
public:
    Gunzip();
    Gunzip(Gunzip&&) noexcept;
    ~Gunzip();
    /// Takes bytes off the front of `packed` and appends at most 64 KiB to `out`. False: damaged, see `damage`.
    [[nodiscard]] bool step(std::string_view& packed, std::string& out);
    [[nodiscard]] bool more() const;  ///< what was taken has more to unpack: call again, with no bytes left, too
    [[nodiscard]] bool ended() const; ///< at the end of a member: a whole file ends so
    [[nodiscard]] std::string damage() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// All of it; nothing where it is damaged, cut off or larger than `most` bytes.
[[nodiscard]] std::optional<std::string> gunzipped(std::string_view packed, std::size_t most);

} // namespace hw
