// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/following/recorder.h"

#include <cstdio>

namespace lumped {

namespace {
constexpr std::int64_t kFromMs = 1'790'000'000'000;
}

void Recorder::sensor(const std::string& name, const std::string& id, const std::string& object, const std::string& type, const std::string& unit,
                      const double* value, double relative, double absolute, const std::string& more, const std::string& idKey)
{
    add({name,
         "\"" + idKey + "\":\"" + id + R"(","objectType":")" + object + R"(","pointType":")" + type + "\"" +
             (unit.empty() ? "" : R"(,"engUnit":")" + unit + "\"") + more,
         unit, value, relative, absolute, unit == "kW" ? 1e-3 : 1, next()});
}

double Recorder::noise()
{
    double sum = 0; // of four even throws
    for (int i = 0; i < 4; ++i) sum += double(m_random() % 20001) / 10000 - 1;
    return sum / 2;
}

void Recorder::read(int step)
{
    std::string samples;
    m_lastMs = kFromMs + std::int64_t(step * kStepS * 1000);
    char text[64];
    for (std::size_t c = 0; c < m_channels.size(); ++c) {
        const Channel& one = m_channels[c];
        if ((step + one.turn) % kEvery != 0) continue;
        double value = *one.value;
        if (value != 0) value *= 1 + one.relative * noise();
        if (*one.value != 0) value += one.absolute * noise();
        std::snprintf(text, sizeof text, "%s[%zu,%lld,%.6g]", samples.empty() ? "" : ",", c, static_cast<long long>(m_lastMs), value * one.scale);
        samples += text;
    }
    if (!samples.empty()) m_samples += "{\"t\":" + std::to_string(m_lastMs + 120) + ",\"s\":[" + samples + "]}\n";
}

std::string Recorder::recording() const
{
    std::string file = "{\"hallwright\":\"recording/1\"}\n";
    for (std::size_t c = 0; c < m_channels.size(); ++c)
        file += "{\"c\":" + std::to_string(c) + ",\"name\":\"BMS/v1/PUB/Value/" + m_channels[c].name + "\",\"labels\":{" + m_channels[c].labels +
                "},\"unit\":\"" + m_channels[c].unit + "\"}\n";
    return file + m_samples + "{\"t\":" + std::to_string(m_lastMs) + ",\"end\":true}\n";
}

} // namespace lumped
