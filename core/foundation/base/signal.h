// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace hw {

/// Calls every connected function in the order of connection, on the caller's thread.
/// A connection ends when its `Connection` is destroyed; the signal may die first.
template <class... Args>
class Signal {
    struct Slot {
        std::function<void(Args...)> call;
    };

public:
    using Connection = std::shared_ptr<void>;

    [[nodiscard]] Connection connect(std::function<void(Args...)> call)
    {
        auto slot = std::make_shared<Slot>(Slot{std::move(call)});
        m_slots.push_back(slot);
        return slot;
    }

    void notify(Args... args)
    {
        std::erase_if(m_slots, [](const auto& weak) { return weak.expired(); });
        for (const auto& weak : std::vector(m_slots))
            if (auto slot = weak.lock()) slot->call(args...);
    }

private:
    std::vector<std::weak_ptr<Slot>> m_slots;
};

} // namespace hw
