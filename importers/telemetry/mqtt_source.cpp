// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/fence.h"
#include "core/foundation/base/log.h"
#include "importers/telemetry/mqtt_payload.h"
#include "importers/telemetry/mqtt_reader.h"
#include "importers/telemetry/source_thread.h"
#include "importers/telemetry/sources.h"

#include <cmath>
#include <condition_variable>
#include <limits>
#include <unordered_map>

namespace hw::telemetry {

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kSkewMs = 10'000; ///< clocks that differ by more are reported
constexpr std::size_t kTogether = 2000;  ///< samples for which the source's thread is woken; fewer wait a little
constexpr auto kGatherFor = 20ms;

struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

/// What is known of one value of one topic.
struct Known {
    bindings::ChannelNo number = 0;
    std::int64_t lastMs = std::numeric_limits<std::int64_t>::min();
    double lastValue = 0;
};

struct Topic {
    const TopicMapping* mapping = nullptr; ///< null: of no use
    std::vector<Known> values;             ///< in the order of the mapping's
};

class MqttSource final : public bindings::Source {
public:
    MqttSource(Url url, SourceOptions options, std::vector<Mapping> mappings)
        : m_url(std::move(url)), m_options(std::move(options)), m_mappings(std::move(mappings)), m_thread(m_url.text())
    {
    }
    ~MqttSource() override { end(); }

    [[nodiscard]] std::string name() const override { return m_thread.name(); }
    Result<void> start(bindings::Intake& intake) override;
    void stop() override { end(); }
    [[nodiscard]] bool ended() const override { return m_thread.ended(); }
    [[nodiscard]] Text trouble() const override { return m_thread.trouble(); }

private:
    void end()
    {
        m_stopping = true;
        m_changed.notify_all();
        m_thread.stop();
    }
    MqttAnswer connect(const std::stop_token& stop);
    void work(const std::stop_token& stop, MqttAnswer first);
    bool listen(const std::stop_token& stop, MqttAnswer& answer, BackOff& backOff);
    void heard(const std::vector<std::string>& refused);
    void waitForNews(const std::stop_token& stop);
    void deliver();
    [[nodiscard]] std::optional<Text> troubleOfNews();

    // by the client's thread
    void message(std::string_view topic, std::string_view payload, bool retained);
    [[nodiscard]] const TopicMapping* mappingOf(std::string_view topic) const;
    Topic& topicOf(std::string_view name);
    void number(Topic& topic, std::string_view name, const bindings::ChannelText& said);
    void describe(const TopicMapping& mapping, std::string_view topic, std::string_view payload);
    void keep(Known& known, bindings::Sample sample, bool retained, bool timed, std::int64_t nowMs);
    void pass();
    void misread(std::string_view topic, const std::string& fault = {}) noexcept;

    const Url m_url;
    const SourceOptions m_options;
    const std::vector<Mapping> m_mappings;
    bindings::Intake* m_intake = nullptr;
    std::unordered_map<std::string, Topic, Hash, std::equal_to<>> m_topics;
    Payload m_payload;
    std::vector<bindings::Sample> m_message; ///< samples of one
    std::optional<std::int64_t> m_messageLag;

    std::mutex m_mutex; ///< guards what follows
    std::condition_variable m_changed;
    std::vector<bindings::Sample> m_waiting;
    std::optional<std::int64_t> m_lag; ///< of what waits, the smallest; retained messages are old and say nothing
    std::optional<Text> m_lost;
    bool m_subscribed = false;
    std::int64_t m_lostMs = 0;
    std::uint64_t m_misread = 0;
    std::string m_misreadTopic;

    std::atomic<bool> m_stopping{false};
    std::unique_ptr<MqttReader> m_reader;
    SourceThread m_thread;
};

Result<void> MqttSource::start(bindings::Intake& intake)
{
    m_intake = &intake;
    m_stopping = false;
    auto answer = connect({});
    if (answer.refused) {
        m_reader.reset();
        return fail(ErrorCode::Unreadable, m_thread.name(), answer.why, i18n("see the credentials in docs/live.md"));
    }
    m_thread.start(intake, [this, answer](const std::stop_token& stop) { work(stop, answer); });
    if (answer.done) { // what is published from here on is heard, unless the broker takes long
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, 5s, [&] { return m_subscribed || m_lost; });
    }
    return {};
}

MqttAnswer MqttSource::connect(const std::stop_token& stop)
{
    m_reader.reset(); // no message of the old session comes any more
    {
        const std::lock_guard lock(m_mutex);
        m_lost.reset();
        m_subscribed = false;
    }
    m_reader = std::make_unique<MqttReader>(
        m_url, m_options.access,
        [this](auto topic, auto payload, bool retained) { // by a library that knows no exceptions
            if (const auto fault = faultIn([&] { message(topic, payload, retained); })) misread(topic, *fault);
        },
        [this](const Text& why) {
            const std::lock_guard lock(m_mutex);
            m_lost = why, m_lostMs = nowMs();
            m_changed.notify_all();
        });
    auto answer = m_reader->connect(stop);
    if (!answer.done) return answer;
    std::vector<std::string> filters;
    for (const bool describing : {true, false}) // units before values
        for (const auto& mapping : m_mappings)
            for (const auto& topic : mapping.topics)
                if (topic.describes.empty() != describing) filters.push_back(topic.subscribe);
    m_reader->subscribe(filters);
    return answer;
}

void MqttSource::work(const std::stop_token& stop, MqttAnswer answer)
{
    BackOff backOff(m_options.firstWait, m_options.longestWait);
    bool goesOn = true;
    while (goesOn && !stop.stop_requested())
        if (const auto fault = faultIn([&] { goesOn = listen(stop, answer, backOff); })) // as if the connection were lost
            answer = {false, false, faultOf(m_thread.name(), *fault)};
    m_reader.reset();
    deliver();
}

/// Connects where it is not, and passes on what has come since. False: to be stopped.
bool MqttSource::listen(const std::stop_token& stop, MqttAnswer& answer, BackOff& backOff)
{
    if (!answer.done) {
        m_thread.lost(nowMs(), answer.why);
        if (!backOff.wait(stop)) return false;
        answer = connect(stop);
        if (!answer.done) return true;
    }
    if (const auto refused = m_reader->answered(); refused) { // before this nothing comes: the gap goes on
        m_thread.back();
        backOff.reset();
        heard(*refused);
    }
    waitForNews(stop);
    deliver();
    const std::lock_guard lock(m_mutex);
    if (!m_lost) return true;
    answer = {false, false, *m_lost};
    m_thread.lost(m_lostMs, *m_lost);
    return true;
}

void MqttSource::heard(const std::vector<std::string>& refused)
{
    if (!refused.empty()) m_thread.trouble(i18n("topics rejected by the broker: {}", listedNames(refused)));
    const std::lock_guard lock(m_mutex);
    m_subscribed = true;
    m_changed.notify_all();
}

void MqttSource::waitForNews(const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, m_subscribed ? kGatherFor : 10ms, [&] { return m_waiting.size() >= kTogether || m_lost || stop.stop_requested(); });
}

void MqttSource::deliver()
{
    std::vector<bindings::Sample> samples;
    {
        const std::lock_guard lock(m_mutex);
        samples.swap(m_waiting);
        if (auto trouble = troubleOfNews()) m_thread.trouble(std::move(*trouble));
    }
    if (samples.size() >= m_options.mostWaiting) m_changed.notify_all(); // whoever waits for room
    if (!samples.empty()) m_intake->take(samples);
}

/// Nothing: what came says nothing new about it.
std::optional<Text> MqttSource::troubleOfNews()
{
    const auto lag = std::exchange(m_lag, std::nullopt);
    if (lag && *lag > kSkewMs) return i18n("timestamps are {} s behind the local clock", *lag / 1000);
    if (lag && *lag < -kSkewMs) return i18n("timestamps are {} s ahead of the local clock", -*lag / 1000);
    if (m_misread > 0)
        return i18np(m_misread, "{:L} message could not be parsed, on {}", "{:L} messages could not be parsed, most recently on {}", m_misreadTopic);
    return lag ? std::optional<Text>(Text()) : std::nullopt;
}

void MqttSource::message(std::string_view name, std::string_view payload, bool retained)
{
    if (m_stopping) return;
    const auto found = m_topics.find(name);
    if (found == m_topics.end())
        if (const auto* mapping = mappingOf(name); mapping && !mapping->describes.empty()) return describe(*mapping, name, payload);
    Topic& topic = found == m_topics.end() ? topicOf(name) : found->second;
    if (!topic.mapping || payload.empty()) return; // an empty one takes a retained value away
    if (!readPayload(*topic.mapping, payload, m_payload)) return misread(name);
    const std::int64_t now = nowMs();
    for (const auto& value : m_payload.values) {
        Known& known = topic.values[value.place];
        keep(known, {known.number, m_payload.timeMs.value_or(now), value.value, m_payload.good}, retained, m_payload.timeMs.has_value(), now);
    }
    pass();
}

const TopicMapping* MqttSource::mappingOf(std::string_view topic) const
{
    for (const auto& mapping : m_mappings)
        for (const auto& candidate : mapping.topics)
            if (matches(candidate.subscribe, topic)) return &candidate;
    return nullptr;
}

Topic& MqttSource::topicOf(std::string_view name)
{
    if (const auto found = m_topics.find(name); found != m_topics.end()) return found->second;
    Topic topic;
    if (const auto* mapping = mappingOf(name); mapping && mapping->describes.empty()) {
        topic.mapping = mapping;
        topic.values.resize(mapping->values.size());
        number(topic, name, {});
    }
    return m_topics.emplace(std::string(name), std::move(topic)).first->second;
}

/// Tells the intake what is known of the channels of a topic.
void MqttSource::number(Topic& topic, std::string_view name, const bindings::ChannelText& said)
{
    std::size_t place = 0;
    for (const auto& [pointer, unit] : topic.mapping->values) {
        bindings::ChannelText text{std::string(name), said.labels, unit.empty() ? said.unit : unit};
        if (topic.values.size() > 1) text.name += '#' + pointer;
        topic.values[place++].number = m_intake->channel(text);
    }
}

void MqttSource::describe(const TopicMapping& mapping, std::string_view name, std::string_view payload)
{
    const auto said = payload.empty() ? bindings::ChannelText() : readDescription(mapping, payload);
    if (!said) return misread(name);
    const std::string described = describedTopic(mapping, name);
    if (Topic& topic = topicOf(described); topic.mapping) number(topic, described, *said);
}

/// A broker sends what it retains again with every session: that is nothing new. All else is passed on as it came, also twice or late.
void MqttSource::keep(Known& known, bindings::Sample sample, bool retained, bool timed, std::int64_t nowMs)
{
    const bool again =
        timed ? sample.timeMs <= known.lastMs : known.lastMs != std::numeric_limits<std::int64_t>::min() && sample.value == known.lastValue;
    if (retained && again) return;
    known.lastMs = std::max(known.lastMs, sample.timeMs), known.lastValue = sample.value;
    if (timed && !retained) {
        const std::int64_t lag = nowMs - sample.timeMs;
        if (!m_messageLag || std::abs(lag) < std::abs(*m_messageLag)) m_messageLag = lag;
    }
    m_message.push_back(sample);
}

/// One lock for all of a message, and no wake-up but for many: at 100,000 messages a second each would cost more than its work.
void MqttSource::pass()
{
    if (m_message.empty()) return;
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_waiting.size() < m_options.mostWaiting || m_stopping; });
    const std::size_t before = m_waiting.size();
    if (!m_stopping) m_waiting.insert(m_waiting.end(), m_message.begin(), m_message.end());
    m_message.clear();
    const auto lag = std::exchange(m_messageLag, std::nullopt);
    if (lag && (!m_lag || std::abs(*lag) < std::abs(*m_lag))) m_lag = lag;
    if (before < kTogether && m_waiting.size() >= kTogether) m_changed.notify_all();
}

void MqttSource::misread(std::string_view topic, const std::string& fault) noexcept
{
    if (!fault.empty()) logging::error(logging::Id::SourceFault, "{}: message on {}: {}", m_thread.name(), topic, fault);
    (void)faultIn([&] {
        const std::lock_guard lock(m_mutex);
        ++m_misread;
        m_misreadTopic = topic;
        m_changed.notify_all();
    });
}

} // namespace

Result<std::unique_ptr<bindings::Source>> makeMqttSource(SourceOptions options)
{
    const auto url = parseUrl(options.url);
    if (!url) return tl::unexpected(url.error());
    if (url->scheme != "mqtt" && url->scheme != "mqtts")
        return fail(ErrorCode::Usage, url->text(), i18n("is not an MQTT broker address"), i18n("use mqtt://HOST:PORT or mqtts://HOST:PORT"));
    if (!url->path.empty())
        return fail(ErrorCode::Usage, url->text(), i18n("contains a path, which MQTT broker addresses do not have"),
                    i18n("specify topics in a mapping"));
    auto mappings = mappingsOf(Mapping::Kind::Mqtt, options.mappings);
    if (!mappings) return tl::unexpected(mappings.error());
    return std::make_unique<MqttSource>(*url, std::move(options), std::move(*mappings));
}

} // namespace hw::telemetry
