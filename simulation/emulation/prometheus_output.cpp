// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/fence.h"
#include "core/foundation/base/log.h"
#include "simulation/emulation/output.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>

namespace hw::emulation {

namespace {

/// A label's value between quotes.
std::string escaped(const std::string& text)
{
    std::string out;
    for (const char c : text) {
        if (c == '\\' || c == '"') out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out;
}

class PrometheusOutput final : public Output {
public:
    PrometheusOutput(const Hall& hall, std::uint16_t port) : m_hall(hall), m_naming(hall), m_port(port)
    {
        m_now.assign(hall.sensors().size(), 0), m_answers.assign(hall.sensors().size(), 0);
        m_names.resize(hall.sensors().size()), m_renamed.assign(hall.sensors().size(), 0);
        m_order.resize(hall.sensors().size());
        std::iota(m_order.begin(), m_order.end(), SensorNo(0));
        std::vector<std::string> metrics;
        for (SensorNo no = 0; no < m_order.size(); ++no) metrics.push_back(m_naming.metric(no));
        std::ranges::stable_sort(m_order, {}, [&](SensorNo no) -> const std::string& { return metrics[no]; });
    }
    ~PrometheusOutput() override
    {
        m_stop = true;
        if (m_thread.joinable()) m_thread.join();
        if (m_socket >= 0) ::close(m_socket);
    }
    PrometheusOutput(const PrometheusOutput&) = delete;
    PrometheusOutput& operator=(const PrometheusOutput&) = delete;

    Result<void> begin() override
    {
        m_socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const int yes = 1;
        ::setsockopt(m_socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        sockaddr_in here{};
        here.sin_family = AF_INET, here.sin_port = htons(m_port), here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (m_socket < 0 || ::bind(m_socket, reinterpret_cast<const sockaddr*>(&here), sizeof here) != 0 || ::listen(m_socket, 8) != 0)
            return fail(ErrorCode::Unreadable, fmt::format("--prometheus {}", m_port),
                        i18n("cannot listen on this address: {}", std::strerror(errno)), i18n("choose a free port"));
        m_thread = std::thread([this] { serve(); });
        return {};
    }

    Result<void> say(std::span<const Value> values) override
    {
        const std::lock_guard lock(m_mutex);
        for (const SensorNo no : m_hall.fellSilent()) m_answers[no] = 0;
        for (const Value& value : values) {
            m_now[value.sensor] = m_naming.said(value.sensor, value.value), m_answers[value.sensor] = 1;
            std::string& name = m_names[value.sensor];
            const char renamed = !m_hall.renamed(value.sensor).empty();
            if (name.empty() || renamed != m_renamed[value.sensor]) name = nameOf(value.sensor), m_renamed[value.sensor] = renamed;
        }
        m_counts.values += values.size();
        return {};
    }
    Result<void> sayJob(const JobEmulation& job, std::span<const JobEmulation::Reading> readings) override
    {
        const std::lock_guard lock(m_mutex);
        for (const auto& reading : readings) m_job[job.series(reading.channel)] = reading.value;
        m_counts.values += readings.size();
        return {};
    }
    Result<void> end() override { return {}; }
    [[nodiscard]] Counts counts() const override { return m_counts; }

private:
    std::string nameOf(SensorNo no) const
    {
        std::string out = m_naming.metric(no) + '{';
        for (const auto& [name, value] : m_naming.labels(no)) out += fmt::format("{}{}=\"{}\"", out.back() == '{' ? "" : ",", name, escaped(value));
        return out + "} ";
    }

    std::string metrics()
    {
        const std::lock_guard lock(m_mutex);
        std::string out, last;
        for (const SensorNo no : m_order) {
            if (!m_answers[no]) continue;
            if (const std::string metric = m_names[no].substr(0, m_names[no].find('{')); metric != last)
                out += fmt::format("# TYPE {} {}\n", last = metric, m_naming.isCounter(no) ? "counter" : "gauge");
            if (std::isnan(m_now[no]))
                out += m_names[no] + "NaN\n";
            else
                out += fmt::format("{}{}\n", m_names[no], m_now[no]);
        }
        for (const auto& [series, value] : m_job) {
            if (const std::string metric = series.substr(0, series.find('{')); metric != last) out += fmt::format("# TYPE {} gauge\n", last = metric);
            out += fmt::format("{} {}\n", series, value);
        }
        return out;
    }

    std::string answer(const std::string& request)
    {
        const auto reply = [](const char* status, const char* type, const std::string& body) {
            const char* pattern = "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}"; // no text
            return fmt::format(fmt::runtime(pattern), status, type, body.size(), body);
        };
        if (!request.starts_with("GET ")) return reply("405 Method Not Allowed", "text/plain", "GET\n");
        const std::string path = request.substr(4, request.find_first_of(" ?\r\n", 4) - 4);
        const char* text = "text/plain; version=0.0.4; charset=utf-8"; // no text
        return path == "/metrics" ? reply("200 OK", text, metrics()) : reply("404 Not Found", "text/plain", "/metrics\n");
    }

    /// One connection after the other; whoever says nothing for a second is left.
    void serve()
    {
        while (!m_stop) {
            pollfd waiting{m_socket, POLLIN, 0};
            if (::poll(&waiting, 1, 100) <= 0) continue;
            const int client = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC);
            if (client < 0) continue;
            const timeval most{1, 0};
            ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
            ::setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
            std::string request;
            char part[4096];
            while (request.size() < 65536 && request.find("\r\n\r\n") == std::string::npos) {
                const auto got = ::recv(client, part, sizeof part, 0);
                if (got <= 0) break;
                request.append(part, std::size_t(got));
            }
            std::string text; // what fails is an answer without words: the next one is served
            if (const auto fault = faultIn([&] { text = answer(request); })) logging::error(logging::Id::EmulatorFault, "Prometheus: {}", *fault);
            for (std::size_t at = 0; at < text.size();) {
                const auto sent = ::send(client, text.data() + at, text.size() - at, MSG_NOSIGNAL);
                if (sent <= 0) break;
                at += std::size_t(sent);
            }
            ::close(client);
        }
    }

    const Hall& m_hall;
    Naming m_naming;
    std::uint16_t m_port;
    int m_socket = -1;
    std::thread m_thread;
    std::atomic<bool> m_stop{false};
    std::mutex m_mutex;
    std::vector<double> m_now;           ///< by sensor
    std::vector<char> m_answers;         ///< by sensor; 0: it is silent
    std::vector<std::string> m_names;    ///< by sensor, with labels; empty until it is said
    std::vector<char> m_renamed;         ///< by sensor
    std::vector<SensorNo> m_order;       ///< by metric
    std::map<std::string, double> m_job; ///< by series, so that those of a metric follow each other
    Counts m_counts;
};

} // namespace

std::unique_ptr<Output> prometheusOutput(const Hall& hall, std::uint16_t port) { return std::make_unique<PrometheusOutput>(hall, port); }

} // namespace hw::emulation
