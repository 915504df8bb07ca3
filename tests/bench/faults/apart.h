// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace hw::bench {

/// How many processes may work at a time, over all that share it by fork.
class Tokens {
public:
    explicit Tokens(std::size_t count);
    ~Tokens();
    Tokens(const Tokens&) = delete;
    Tokens& operator=(const Tokens&) = delete;
    [[nodiscard]] bool take(); ///< does not wait
    void give();
    [[nodiscard]] int readable() const { return m_ends[0]; } ///< for poll: one may be there

private:
    int m_ends[2];
};

using Work = std::function<std::string()>;

/// Does each work in a process of its own, a copy of this one by fork, as soon as a token is free. What it returns comes to `done`, in the order of
/// `works`; empty: the process ended before.
void apart(std::span<const Work> works, Tokens& tokens, const std::function<void(std::size_t, const std::string&)>& done);

/// Does one work in a copy of this process, and waits for it.
[[nodiscard]] std::string inCopy(const Work& work);

} // namespace hw::bench
