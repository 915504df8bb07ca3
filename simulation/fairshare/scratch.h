// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace hw::sim {
inline namespace fairshare {

/// An array that is sized over and over: it never shrinks, and its elements start out uninitialized.
template <class T>
class Scratch {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    void resize(size_t size)
    {
        if (size > m_room) {
            m_room = size + size / 4;
            m_data = std::make_unique_for_overwrite<T[]>(m_room);
        }
        m_size = size;
    }
    void assign(size_t size, T value)
    {
        resize(size);
        std::fill_n(m_data.get(), size, value);
    }
    void swap(Scratch& other) noexcept
    {
        m_data.swap(other.m_data);
        std::swap(m_room, other.m_room);
        std::swap(m_size, other.m_size);
    }

    size_t size() const { return m_size; }
    T* data() { return m_data.get(); }
    const T* data() const { return m_data.get(); }
    T& operator[](size_t i) { return m_data[i]; }
    const T& operator[](size_t i) const { return m_data[i]; }
    std::span<T> span() { return {m_data.get(), m_size}; }
    std::span<const T> span() const { return {m_data.get(), m_size}; }

private:
    std::unique_ptr<T[]> m_data;
    size_t m_room = 0;
    size_t m_size = 0;
};

} // namespace fairshare
} // namespace hw::sim
