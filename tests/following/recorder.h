// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace lumped {

inline constexpr double kStepS = 0.5;

/// With two digits, as names have it.
[[nodiscard]] inline std::string two(int n) { return (n < 10 ? "0" : "") + std::to_string(n); }

/// Meters of a hall that is calculated by hand, each read every three seconds at a time of its own, with noise, as a recording.
class Recorder {
public:
    explicit Recorder(unsigned seed) : m_random(seed) {}

    struct Channel {
        std::string name, labels, unit; ///< labels: JSON without braces
        const double* value = nullptr;
        double relative = 0, absolute = 0, scale = 1; ///< noise, and what the unit makes of it
        int turn = 0;                                 ///< in steps
    };
    void add(Channel channel) { m_channels.push_back(std::move(channel)); }
    [[nodiscard]] int next() const { return int(m_channels.size()); }
    /// A sensor of DSX Exchange; `more`: further labels.
    void sensor(const std::string& name, const std::string& id, const std::string& object, const std::string& type, const std::string& unit,
                const double* value, double relative, double absolute, const std::string& more = {}, const std::string& idKey = "objectId");
    void read(int step);
    [[nodiscard]] std::string recording() const;

private:
    static constexpr int kEvery = 6; ///< steps
    double noise();

    std::mt19937 m_random;
    std::vector<Channel> m_channels;
    std::int64_t m_lastMs = 0;
    std::string m_samples;
};

} // namespace lumped
