// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/operations/bindings/channel.h"
#include "core/operations/bindings/point.h"

#include <memory>
#include <span>
#include <vector>

namespace hw::bindings {

/// Binds channels to points of a design: by its exceptions (`Bindings`), then its rules (`BindingRules`), then the shipped rule sets, which are
/// asked for channels that no rule of the project fits. Names are compared letter by letter; what no rule says stays unbound, and two
/// channels for one point are both ambiguous. Keeps what it found, so that another call costs what is new. Belongs to one thread.
class Binder {
public:
    explicit Binder(FiguresPtr design);
    ~Binder();
    Binder(Binder&&) noexcept;
    Binder& operator=(Binder&&) noexcept;

    /// The design after an edit. What was found stays where names, rules and exceptions are the same.
    void design(FiguresPtr design);
    /// All channels by their numbers. Those that were not there at the last call are looked at, and those of `changed` once more.
    [[nodiscard]] BoundPtr bind(std::span<const ChannelText> channels, std::span<const ChannelNo> changed = {});
    /// Rules that cannot be understood, with their names.
    [[nodiscard]] const std::vector<Text>& troubles() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// All at once.
[[nodiscard]] BoundPtr bind(FiguresPtr design, std::span<const ChannelText> channels);

} // namespace hw::bindings
