// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/history/embedded_store.h"

#include "core/foundation/base/fence.h"
#include "core/foundation/base/log.h"
#include "core/operations/history/packing.h"

#include <algorithm>
#include <stdexcept>

namespace hw::history {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kSlow = 1s, kTryAgain = 500ms;
constexpr int kTries = 3;                                 ///< to write all, after faults of the program
constexpr std::size_t kBlock = 200'000;                   ///< samples of a row of the tail
constexpr std::int64_t kLastTimeMs = 253'402'300'799'999; ///< 9999-12-31
constexpr std::uint64_t kLogBytes = 8 << 20, kLongLog = 128 << 20;

std::int64_t wallMs() { return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count(); }

std::uint64_t sizeOf(const std::filesystem::path& path)
{
    std::error_code none;
    const auto size = std::filesystem::file_size(path, none);
    return none ? 0 : size;
}

} // namespace

std::filesystem::path Store::besides(const std::filesystem::path& project) { return std::filesystem::path(project).replace_extension(".telemetry"); }

Result<std::unique_ptr<Store>> Store::open(const std::filesystem::path& file, const Retention& retention)
{
    return EmbeddedStore::open(file, retention);
}

Result<std::unique_ptr<EmbeddedStore>> EmbeddedStore::open(const std::filesystem::path& path, const Retention& retention, const Pace& pace)
{
    auto contents = std::make_unique<Contents>();
    auto file = TelemetryFile::open(path, *contents);
    if (!file) return tl::unexpected(file.error());
    auto toRead = openToRead(path);
    if (!toRead) return tl::unexpected(toRead.error());
    std::unique_ptr<EmbeddedStore> store(new EmbeddedStore(std::move(*file), std::move(contents), retention, pace));
    store->m_reading = std::make_unique<Reading>(*store->m_contents, std::move(*toRead), path);
    store->m_savedNames = store->m_loaded = ChannelId(store->m_contents->names.size());
    store->m_loadedNewestMs = store->m_contents->newestMs;
    store->prune();
    store->m_writer = std::thread([raw = store.get()] { raw->run(); });
    store->m_folder = std::jthread([raw = store.get()](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            const auto fault = faultIn([&] { raw->fold(stop); });
            if (!fault) return;
            raw->fell(*fault, "folder"); // no text
            std::this_thread::sleep_for(kTryAgain);
        }
    });
    return store;
}

EmbeddedStore::EmbeddedStore(TelemetryFile file, std::unique_ptr<Contents> contents, const Retention& retention, const Pace& pace)
    : m_file(std::move(file)), m_contents(std::move(contents)), m_retention(retention), m_pace(pace)
{
}

EmbeddedStore::~EmbeddedStore()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_came.notify_all();
    if (m_writer.joinable()) m_writer.join();
    m_folder = {}; // stops and joins
    m_reading.reset();
    (void)m_file.close();
}

void EmbeddedStore::append(std::span<const bindings::Sample> samples, std::span<const bindings::ChannelText> channels)
{
    std::unique_lock lock(m_mutex);
    for (; m_named < channels.size(); ++m_named) m_newNames.push_back(channels[m_named].name);
    m_figures.appended += samples.size();
    // A writer that keeps up is waited for, one that is stuck is not.
    while (!hasRoom() && !m_failing && Clock::now() - m_progress < kSlow) m_went.wait_for(lock, 50ms);
    if (!hasRoom()) {
        m_figures.lost += samples.size();
        if (m_figures.trouble.empty()) {
            m_figures.trouble = i18n("disk too slow for telemetry history: samples are lost");
            logging::error(logging::Id::HistoryNotWritten, "{}: the disk is too slow: {} samples are lost", m_file.path().string(), m_figures.lost);
        }
        return;
    }
    if (const auto fault = faultIn([&] { m_incoming.insert(m_incoming.end(), samples.begin(), samples.end()); })) {
        m_figures.lost += samples.size();
        ++m_figures.faults, m_figures.fault = *fault;
        return;
    }
    if (m_incoming.size() > m_pace.most / 4) m_came.notify_one();
}

bool EmbeddedStore::hasRoom() const { return m_incoming.size() < m_pace.most; }

void EmbeddedStore::together(std::span<const std::uint32_t> groups)
{
    const std::lock_guard lock(m_mutex);
    m_newGroups.assign(groups.begin(), groups.end());
}

Result<void> EmbeddedStore::flush()
{
    std::unique_lock lock(m_mutex);
    const std::uint64_t asked = ++m_flushAsked;
    m_came.notify_one();
    m_went.wait(lock, [&] { return m_flushDone >= asked; });
    if (!m_failing) return {};
    return fail(ErrorCode::Unreadable, m_file.path().string(), m_figures.trouble);
}

StoreFigures EmbeddedStore::figures() const
{
    StoreFigures figures;
    {
        const std::lock_guard lock(m_contents->mutex);
        figures.samples = m_contents->samples;
        figures.oldestMs = m_contents->oldestMs;
        figures.newestMs = m_contents->newestMs;
    }
    const std::lock_guard lock(m_mutex);
    figures.appended = m_figures.appended;
    figures.stored = m_figures.stored;
    figures.duplicate = m_figures.duplicate;
    figures.lost = m_figures.lost;
    figures.waiting = figures.appended - figures.stored - figures.duplicate - figures.lost;
    figures.faults = m_figures.faults;
    figures.fault = m_figures.fault;
    figures.trouble = m_figures.trouble;
    if (figures.trouble.empty() && m_wrongDates > 0)
        figures.trouble = i18np(m_wrongDates, "{:L} sample with a timestamp outside 1970 to 9999 was discarded",
                                "{:L} samples with timestamps outside 1970 to 9999 were discarded");
    figures.bytes = sizeOf(m_file.path()) + sizeOf(m_file.path().string() + "-wal");
    return figures;
}

void EmbeddedStore::run()
{
    for (bool stopping = false; !stopping;) {
        std::uint64_t asked = 0, done = 0;
        {
            std::unique_lock lock(m_mutex);
            m_came.wait_for(lock, m_failing ? kTryAgain : m_pace.tick,
                            [&] { return m_stopping || m_flushAsked > m_flushDone || (!m_failing && m_incoming.size() > m_pace.most / 4); });
            stopping = m_stopping;
            asked = m_flushAsked;
            done = m_flushDone;
        }
        const bool all = stopping || asked > done;
        for (int tries = all ? kTries : 1; tries > 0; --tries) {
            const auto fault = faultIn([&] { work(stopping, all); });
            if (!fault) break;
            failed(*fault);
        }
        {
            const std::lock_guard lock(m_mutex);
            m_flushDone = std::max(m_flushDone, asked);
        }
        m_went.notify_all();
    }
    const std::lock_guard lock(m_mutex);
    m_figures.lost += m_toWrite.size() + m_incoming.size(); // could not be written to the end
    m_toWrite.clear();
    m_incoming.clear();
}

void EmbeddedStore::work(bool stopping, bool all)
{
    do {
        tick();
        packIfDue(!stopping);
    } while (all && more());
    if (Clock::now() >= m_pruneNext && !stopping) prune();
}

/// The writer goes on. What is in memory is written with the next; what of the portion it had not got to is lost, for it may be the reason.
void EmbeddedStore::failed(const std::string& fault)
{
    fell(fault, "writer"); // no text
    const std::lock_guard lock(m_mutex);
    m_figures.lost += m_taken.size() - std::min(m_dealtWith, m_taken.size());
    m_taken.clear();
    m_dealtWith = 0;
    m_failing = true;
    m_figures.trouble = i18n("history cannot be written: {}; {}", fault, i18n("it is retried"));
}

void EmbeddedStore::fell(const std::string& fault, const char* thread)
{
    logging::error(logging::Id::HistoryFault, "{}: the {} goes on after: {}", m_file.path().string(), thread, fault);
    const std::lock_guard lock(m_mutex);
    ++m_figures.faults;
    m_figures.fault = fault;
}

void EmbeddedStore::packIfDue(bool early)
{
    const auto now = Clock::now();
    const std::size_t held = m_contents->active.samples();
    const bool due = held >= 2 * m_pace.packAt || (early && (held >= m_pace.packAt || now - m_packFrom > m_pace.packEvery));
    if (due && m_toWrite.empty() && now >= m_packAgain) packMemory();
}

/// Whether something is there that can be written.
bool EmbeddedStore::more() const
{
    const std::lock_guard lock(m_mutex);
    return !m_failing && (!m_incoming.empty() || !m_toWrite.empty());
}

void EmbeddedStore::tick()
{
    m_lastTick = Clock::now();
    if (m_toWrite.empty() && m_contents->active.samples() < 2 * m_pace.packAt && collect()) { // else: first what is to be written, and packed
        constexpr std::size_t slice = 16'384;                                                 // readers wait no longer than for this
        for (std::size_t at = 0; at < m_taken.size(); at += slice) keep(std::span(m_taken).subspan(at, std::min(slice, m_taken.size() - at)));
        m_taken.clear();
        m_dealtWith = 0;
    }
    if (!m_toWrite.empty()) writeTail();
    const std::lock_guard lock(m_mutex);
    if (m_toWrite.empty()) m_progress = Clock::now();
}

bool EmbeddedStore::collect()
{
    const std::lock_guard lock(m_mutex);
    m_names.reserve(m_names.size() + m_newNames.size()); // all of them or none: numbers are their places
    m_ids.reserve(m_names.size() + m_newNames.size());
    if (m_incoming.size() <= kBlock)
        m_taken.swap(m_incoming);
    else { // in portions, so that each is written soon
        m_taken.assign(m_incoming.begin(), m_incoming.begin() + kBlock);
        m_incoming.erase(m_incoming.begin(), m_incoming.begin() + kBlock);
    }
    std::ranges::move(m_newNames, std::back_inserter(m_names));
    m_newNames.clear();
    m_ids.resize(m_names.size(), 0);
    if (!m_newGroups.empty()) {
        m_groups = std::move(m_newGroups);
        m_newGroups.clear();
        const std::lock_guard contents(m_contents->mutex);
        for (std::size_t i = 0; i < std::min(m_groups.size(), m_ids.size()); ++i)
            if (m_ids[i] != 0 && m_contents->channels[m_ids[i]].place == 0) m_contents->channels[m_ids[i]].group = m_groups[i];
    }
    m_went.notify_all();
    return !m_taken.empty();
}

/// The id of a channel, which it gets with its first sample. Contents are locked.
ChannelId EmbeddedStore::idOf(bindings::ChannelNo number)
{
    if (m_ids[number] != 0) return m_ids[number];
    const auto known = m_contents->ids.find(m_names[number]);
    const ChannelId id = known != m_contents->ids.end() ? known->second : m_contents->add(m_names[number]);
    if (m_contents->channels[id].place == 0 && number < m_groups.size()) m_contents->channels[id].group = m_groups[number];
    return m_ids[number] = id;
}

bool EmbeddedStore::there(ChannelId channel, std::int64_t timeMs)
{
    if (m_contents->active.has(channel, timeMs) || m_contents->frozen.has(channel, timeMs)) return true;
    const PlaceId place = m_contents->channels[channel].place;
    const auto packed = m_contents->finish.find({place, timeMs / kHour});
    if (place == 0 || packed == m_contents->finish.end() || packed->second < timeMs) return false;
    const auto held = m_file.holds(channel, place, timeMs);
    return held && *held; // a row that cannot be read has nothing
}

void EmbeddedStore::keep(std::span<const bindings::Sample> samples)
{
    std::uint64_t duplicate = 0, wrong = 0;
    const auto fault = faultIn([&] {
        m_toWrite.reserve(m_toWrite.size() + samples.size()); // what is in memory is among what is to be written, whatever happens
        const std::lock_guard lock(m_contents->mutex);
        for (const auto& sample : samples) {
            if (sample.timeMs < 0 || sample.timeMs > kLastTimeMs || sample.channel >= m_ids.size()) {
                ++wrong, ++m_dealtWith;
                continue;
            }
            const ChannelId id = idOf(sample.channel);
            auto& channel = m_contents->channels[id];
            if (sample.timeMs <= channel.newestMs && there(id, sample.timeMs)) {
                ++duplicate, ++m_dealtWith;
                continue;
            }
            const bool first = channel.newestMs == std::numeric_limits<std::int64_t>::max();
            channel.newestMs = std::max(first ? (id <= m_loaded ? m_loadedNewestMs : 0) : channel.newestMs, sample.timeMs);
            const Held held = Held::of(sample.timeMs, sample.value, sample.good);
            m_contents->active.add(id, held);
            m_toWrite.push_back({id, held});
            ++m_dealtWith;
            m_contents->oldestMs = m_contents->samples == 0 ? sample.timeMs : std::min(m_contents->oldestMs, sample.timeMs);
            m_contents->newestMs = std::max(m_contents->newestMs, sample.timeMs);
            ++m_contents->samples;
        }
    });
    {
        const std::lock_guard lock(m_mutex);
        m_figures.duplicate += duplicate;
        m_figures.lost += wrong;
        m_wrongDates += wrong;
    }
    if (fault) throw std::runtime_error(*fault);
}

void EmbeddedStore::writeTail()
{
    const auto start = Clock::now();
    std::vector<std::string> blocks;
    std::vector<std::uint64_t> counts;
    for (std::size_t at = 0; at < m_toWrite.size(); at += kBlock) {
        const auto block = std::span(m_toWrite).subspan(at, std::min(kBlock, m_toWrite.size() - at));
        blocks.push_back(packLoose(block));
        counts.push_back(block.size());
    }
    const auto last = m_file.append(blocks, counts, *m_contents, m_savedNames + 1);
    complain(last ? nullptr : &last.error());
    if (!last) return;
    m_savedNames = ChannelId(m_contents->names.size());
    const std::lock_guard lock(m_mutex);
    m_figures.stored += m_toWrite.size();
    if (const std::chrono::duration<double> took = Clock::now() - start; took > kSlow)
        m_figures.trouble = i18n("slow disk: writing history took {:.1f} s", took.count());
    m_toWrite.clear();
}

void EmbeddedStore::complain(const Error* error)
{
    const std::lock_guard lock(m_mutex);
    if (error && !m_failing) logging::error(logging::Id::HistoryNotWritten, "{}", error->text());
    if (!error && m_failing) logging::info(logging::Id::HistoryWrittenAgain, "{}: {} samples lost so far", m_file.path().string(), m_figures.lost);
    m_failing = error != nullptr;
    m_figures.trouble = error ? i18n("history cannot be written: {}; {}", error->what, error->todo) : Text();
}

void EmbeddedStore::packMemory()
{
    Contents& contents = *m_contents;
    if (contents.frozen.samples() == 0) { // else: what could not be packed before
        const std::lock_guard lock(contents.mutex);
        std::swap(contents.active, contents.frozen);
        m_frozenTail = m_file.lastTail();
        m_packFrom = Clock::now();
    }
    if (contents.frozen.samples() == 0) return;
    auto packed = pack(contents, m_file, [this] {
        if (Clock::now() - m_lastTick > m_pace.tick) tick();
    });
    if (packed) {
        m_placed.insert(m_placed.end(), packed->placed.begin(), packed->placed.end());
        packed->placed = m_placed;
        packed->lastTail = m_frozenTail;
        auto transaction = m_file.write(*packed, contents);
        const std::lock_guard lock(contents.mutex);
        const auto done = transaction ? transaction->commit() : Result<void>(tl::unexpected(transaction.error()));
        if (done) {
            contents.frozen.clear();
            m_placed.clear();
            for (const auto& chunk : packed->chunks) {
                auto& finish = contents.finish[{chunk.place, chunk.hour}];
                finish = std::max(finish, chunk.finishMs);
            }
            return;
        }
        packed = tl::unexpected(done.error());
    }
    m_packAgain = Clock::now() + 5s;
    complain(&packed.error());
}

void EmbeddedStore::prune()
{
    m_pruneNext = Clock::now() + 10min;
    Contents& contents = *m_contents;
    const std::int64_t now = std::min(contents.newestMs, wallMs()); // by the samples, so that an old recording is not thrown away at once
    const std::int64_t rawFrom = std::max<std::int64_t>(now - m_retention.rawMs, 0) / kHour * kHour;
    const std::int64_t minutesFrom = std::max<std::int64_t>(now - m_retention.minutesMs, 0) / kHour * kHour;
    if (rawFrom > contents.rawFromMs) {
        const auto gone = m_file.prune(rawFrom, minutesFrom);
        if (!gone) return complain(&gone.error());
        logging::info(logging::Id::HistoryPruned, "{}: {} samples older than {} h", m_file.path().string(), *gone, m_retention.rawMs / kHour);
        const std::lock_guard lock(contents.mutex);
        contents.rawFromMs = rawFrom;
        contents.samples -= *gone;
        if (*gone > 0) contents.oldestMs = std::max(contents.oldestMs, rawFrom);
        std::erase_if(contents.finish, [&](const auto& row) { return row.first.hour < rawFrom / kHour; });
    }
    (void)m_file.shrink();
}

/// SQLite's log goes into the file beside the writer, so that nobody waits for the disk.
void EmbeddedStore::fold(const std::stop_token& stop)
{
    auto database = storage::Database::open(m_file.path().string(), false);
    if (!database || !database->run("PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000")) return; // no text
    const std::filesystem::path log = m_file.path().string() + "-wal";
    std::mutex mutex;
    std::condition_variable_any wait;
    while (!stop.stop_requested()) {
        std::unique_lock lock(mutex);
        (void)wait.wait_for(lock, stop, 1s, [] { return false; });
        if (const auto bytes = sizeOf(log); bytes > kLongLog)
            (void)database->run("PRAGMA wal_checkpoint(RESTART)"); // the writer waits: it was never quiet for long enough // no text
        else if (bytes > kLogBytes)
            (void)database->run("PRAGMA wal_checkpoint(PASSIVE)"); // no text
    }
}

} // namespace hw::history
