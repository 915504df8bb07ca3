// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/mqtt_reader.h"

#include "importers/telemetry/curl_setup.h"
#include "importers/telemetry/mqtt_packets.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

namespace hw::telemetry {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kLongestWait = 5s;
constexpr int kKeepAliveS = 20;
constexpr auto kPingEvery = 10s, kPatience = 30s;              ///< without a word of the broker, after which it counts as gone
constexpr auto kGather = 2ms;                                  ///< after a piece, so that many messages are one wake-up
constexpr std::size_t kPiece = std::size_t(256) << 10;         ///< read at once
constexpr std::size_t kLargestMessage = std::size_t(64) << 20; ///< a packet beyond is refused, whatever length it states
constexpr int kSocketBuffer = 1 << 20;
constexpr std::uint16_t kSubscription = 1;

std::string newId()
{
    std::random_device random;
    return fmt::format("hallwright-{:08x}{:08x}", random(), random());
}

/// MQTT 3.1.1, table 3.1.
std::optional<Text> refusal(int code)
{
    switch (code) {
    case 1: return i18n("broker does not support MQTT 3.1.1");
    case 2: return i18n("client identifier rejected by the broker");
    case 4: return i18n("user name or password rejected by the broker");
    case 5: return i18n("not authorized by the broker");
    default: return std::nullopt;
    }
}

std::size_t ignored(char*, std::size_t, std::size_t size, void*) { return size; }

} // namespace

struct MqttReader::State {
    Url broker;
    Access access;
    Message message;
    Lost lost;

    std::mutex guard; ///< of the connection, which one thread uses at a time, and of `filters` and `codes`
    CURL* curl = nullptr;
    CURLM* multi = nullptr; ///< the connection is kept by it
    curl_socket_t socket = CURL_SOCKET_BAD;
    char error[CURL_ERROR_SIZE] = {};
    std::vector<std::string> filters;
    std::optional<std::vector<std::uint8_t>> codes; ///< of the broker's answer, by filter
    std::vector<char> received;
    std::size_t first = 0, end = 0; ///< of `received`, that is not read yet
    std::jthread thread;

    ~State() { close(); }
    void close();
    [[nodiscard]] CURLcode open(const std::stop_token& stop);
    void await(short events, std::chrono::milliseconds most) const;
    [[nodiscard]] bool send(std::string_view bytes);
    /// What is there, a piece at most. False: the connection is closed.
    [[nodiscard]] bool receive(bool& any);
    [[nodiscard]] std::optional<mqtt::Packet> next(bool& malformed);
    void listen(const std::stop_token& stop);
    [[nodiscard]] Text work(const std::stop_token& stop);
};

void MqttReader::State::close()
{
    if (curl && multi) curl_multi_remove_handle(multi, curl);
    if (curl) curl_easy_cleanup(curl);
    if (multi) curl_multi_cleanup(multi);
    curl = nullptr, multi = nullptr, socket = CURL_SOCKET_BAD;
}

/// Connects, with TLS where the address says so: certificates are checked as those of web servers are.
CURLcode MqttReader::State::open(const std::stop_token& stop)
{
    close();
    curl = curl_easy_init(), multi = curl_multi_init();
    if (!curl || !multi) return CURLE_OUT_OF_MEMORY;
    setUpCurl(curl, access, long(kLongestWait.count()), ignored, error);
    error[0] = 0;
    Url place = broker;
    place.scheme = broker.scheme == "mqtts" ? "https" : "http"; // no HTTP is spoken
    curl_easy_setopt(curl, CURLOPT_URL, place.address().c_str());
    curl_easy_setopt(curl, CURLOPT_CONNECT_ONLY, 1L);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_SSLVERSION, long(CURL_SSLVERSION_TLSv1_2));
    curl_easy_setopt(curl, CURLOPT_SSL_ENABLE_ALPN, 0L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, long(kLongestWait.count()));
    curl_multi_add_handle(multi, curl);
    for (int running = 1; running > 0;) {
        if (stop.stop_requested()) return CURLE_ABORTED_BY_CALLBACK;
        if (curl_multi_perform(multi, &running) != CURLM_OK) return CURLE_FAILED_INIT;
        if (running > 0) curl_multi_poll(multi, nullptr, 0, 50, nullptr);
    }
    int left = 0;
    while (const CURLMsg* said = curl_multi_info_read(multi, &left))
        if (said->msg == CURLMSG_DONE) {
            if (said->data.result != CURLE_OK) return said->data.result;
            curl_easy_getinfo(curl, CURLINFO_ACTIVESOCKET, &socket);
            ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &kSocketBuffer, sizeof kSocketBuffer);
            return CURLE_OK;
        }
    return CURLE_FAILED_INIT;
}

void MqttReader::State::await(short events, std::chrono::milliseconds most) const
{
    pollfd one{socket, events, 0};
    if (one.fd == CURL_SOCKET_BAD || ::poll(&one, 1, int(most.count())) < 0) std::this_thread::sleep_for(1ms);
}

bool MqttReader::State::send(std::string_view bytes)
{
    const auto until = Clock::now() + kLongestWait;
    while (!bytes.empty() && Clock::now() < until) {
        std::size_t sent = 0;
        const CURLcode code = curl_easy_send(curl, bytes.data(), bytes.size(), &sent);
        bytes.remove_prefix(std::min(sent, bytes.size()));
        if (code == CURLE_AGAIN)
            await(POLLOUT, 50ms);
        else if (code != CURLE_OK)
            return false;
    }
    return bytes.empty();
}

bool MqttReader::State::receive(bool& any)
{
    if (received.size() - end < kPiece) { // a packet goes on in the next piece
        std::memmove(received.data(), received.data() + first, end - first);
        end -= first, first = 0;
        received.resize(std::max(received.size(), 2 * end + kPiece));
    }
    std::size_t got = 0;
    const CURLcode code = curl_easy_recv(curl, received.data() + end, kPiece, &got);
    any = code == CURLE_OK && got > 0;
    if (any) end += got;
    return any || code == CURLE_AGAIN;
}

std::optional<mqtt::Packet> MqttReader::State::next(bool& malformed)
{
    const std::string_view rest(received.data() + first, end - first);
    const auto packet = mqtt::firstPacket(rest, malformed);
    if (packet) first += packet->size;
    malformed = malformed || (!packet && rest.size() > kLargestMessage);
    return packet;
}

/// Passes on what comes until the connection is lost, or it is asked to stop; why it was lost.
Text MqttReader::State::work(const std::stop_token& stop)
{
    auto heard = Clock::now(), asked = heard;
    const Text closed = i18n("connection closed by the broker");
    while (!stop.stop_requested()) {
        bool malformed = false, any = false, got = false, open = true;
        while (const auto packet = next(malformed)) {
            if (stop.stop_requested()) return {};
            if (packet->type == mqtt::Type::Publish) {
                const auto one = mqtt::messageOf(*packet);
                if (one)
                    message(one->topic, one->payload, one->retained);
                else
                    malformed = true;
            } else if (packet->type == mqtt::Type::Subscribed && packet->body.size() >= 2) {
                const std::lock_guard lock(guard);
                codes.emplace(packet->body.begin() + 2, packet->body.end());
            }
            if (malformed) break;
        }
        if (malformed) return i18n("invalid MQTT packet received from the broker");
        {
            const std::lock_guard lock(guard);
            do open = receive(any), got = got || any; // with TLS it comes in records of 16 KiB
            while (any && end - first < kPiece);
            const auto now = Clock::now();
            if (got) heard = now;
            if (open && now - asked >= kPingEvery) asked = now, open = send(mqtt::emptyPacket(mqtt::Type::Ping));
        }
        if (!open) return closed;
        if (Clock::now() - heard > kPatience) return i18n("broker does not respond");
        if (!got)
            await(POLLIN, 50ms);
        else if (!any)
            std::this_thread::sleep_for(kGather);
    }
    return {};
}

void MqttReader::State::listen(const std::stop_token& stop)
{
    if (const Text why = work(stop); !why.empty() && !stop.stop_requested()) lost(why);
}

MqttReader::MqttReader(const Url& broker, const Access& access, Message message, Lost lost) : m_state(std::make_unique<State>())
{
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    State& s = *m_state;
    s.broker = broker, s.access = access, s.message = std::move(message), s.lost = std::move(lost);
}

MqttReader::~MqttReader() { disconnect(); }

MqttAnswer MqttReader::connect(const std::stop_token& stop)
{
    State& s = *m_state;
    const bool secure = s.broker.scheme == "mqtts";
    if (const CURLcode code = s.open(stop); code != CURLE_OK) {
        if (code == CURLE_OPERATION_TIMEDOUT && !s.error[0]) return {false, false, i18n("broker does not respond")};
        return {false, isAboutTrust(code), verbatim(s.error[0] ? s.error : curl_easy_strerror(code))};
    }
    const MqttAnswer closed{false, false,
                            secure ? i18n("connection rejected by the broker; it may require a client certificate")
                                   : i18n("connection rejected by the broker; it may require TLS (mqtts)")};
    if (!s.send(mqtt::connectPacket(newId(), s.access.user, s.access.password, kKeepAliveS))) return closed;
    const auto until = Clock::now() + kLongestWait;
    while (!stop.stop_requested() && Clock::now() < until) {
        bool malformed = false, any = false;
        if (const auto packet = s.next(malformed)) {
            if (packet->type != mqtt::Type::Answer || packet->body.size() != 2)
                return {false, false, i18n("invalid MQTT packet received from the broker")};
            const int code = std::uint8_t(packet->body[1]);
            if (code == 0) {
                s.thread = std::jthread([&s](const std::stop_token& ends) { s.listen(ends); });
                return {true, false, {}};
            }
            if (const auto refused = refusal(code)) return {false, true, *refused};
            return {false, false, i18n("connection rejected by the broker (code {})", code)};
        }
        if (malformed) return {false, false, i18n("invalid MQTT packet received from the broker")};
        if (!s.receive(any)) return closed;
        if (!any) s.await(POLLIN, 50ms);
    }
    return {false, false, i18n("broker does not respond")};
}

void MqttReader::subscribe(const std::vector<std::string>& filters)
{
    const std::lock_guard lock(m_state->guard);
    m_state->filters = filters, m_state->codes.reset();
    (void)m_state->send(mqtt::subscribePacket(kSubscription, filters)); // where the connection is lost, that is reported
}

std::optional<std::vector<std::string>> MqttReader::answered()
{
    const std::lock_guard lock(m_state->guard);
    const auto codes = std::exchange(m_state->codes, std::nullopt);
    if (!codes) return std::nullopt;
    std::vector<std::string> out;
    for (std::size_t i = 0; i < std::min(codes->size(), m_state->filters.size()); ++i)
        if ((*codes)[i] >= 0x80) out.push_back(m_state->filters[i]);
    return out;
}

void MqttReader::disconnect()
{
    State& s = *m_state;
    if (s.thread.joinable()) {
        s.thread.request_stop();
        s.thread.join();
        (void)s.send(mqtt::emptyPacket(mqtt::Type::Disconnect));
    }
    s.close();
}

} // namespace hw::telemetry
