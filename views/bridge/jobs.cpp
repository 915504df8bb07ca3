// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/jobs.h"

#include "core/foundation/base/fence.h"
#include "core/foundation/base/log.h"

#include <algorithm>
#include <atomic>
#include <chrono>

namespace hw::views {

namespace {
constexpr std::int64_t kReportMs = 400; ///< between two messages of one job
}

Jobs::Jobs(QObject* parent) : QObject(parent) { m_pool.setMaxThreadCount(4); }

Jobs::~Jobs()
{
    for (auto& job : m_jobs) job.stop.request_stop();
    m_pool.waitForDone();
}

int Jobs::launch(const QString& slot, const QString& name, std::function<void(const Progress&)> work, std::function<void()> done)
{
    cancelSlot(slot);
    logging::debug(logging::Id::JobStarted, "{}", slot.toStdString());
    Job job{m_nextId++, slot, name, {}, -1, {}};
    const int id = job.id;
    // Each message makes the window draw; more than a few a second would take the processor from the job itself.
    auto next = std::make_shared<std::atomic<std::int64_t>>(0);
    Progress progress{job.stop.get_token(), [this, id, next](double fraction, std::string_view step) {
                          const auto now =
                              std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
                          auto due = next->load(std::memory_order_relaxed);
                          if (now < due || !next->compare_exchange_strong(due, now + kReportMs)) return;
                          const auto text = QString::fromStdString(words(resourceText(std::string(step))));
                          QMetaObject::invokeMethod(
                              this, [=, this] { onProgress(id, fraction, text); }, Qt::QueuedConnection);
                      }};
    m_jobs.push_back(std::move(job));
    m_pool.start([this, id, progress, work = std::move(work), done = std::move(done)] {
        QString fault;
        if (const auto said = faultIn([&] { work(progress); })) fault = said->empty() ? QStringLiteral("?") : QString::fromStdString(*said);
        QMetaObject::invokeMethod(
            this, [=, this] { onFinished(id, fault, done); }, Qt::QueuedConnection);
    });
    emit changed();
    return id;
}

void Jobs::cancel(int id)
{
    const auto job = std::ranges::find(m_jobs, id, &Job::id);
    if (job == m_jobs.end()) return;
    job->stop.request_stop();
    logging::debug(logging::Id::JobCanceled, "{}", job->slot.toStdString());
    m_jobs.erase(job);
    emit changed();
}

void Jobs::cancelSlot(const QString& slot)
{
    const auto job = std::ranges::find(m_jobs, slot, &Job::slot);
    if (job != m_jobs.end()) cancel(job->id);
}

bool Jobs::busy(const QString& slot) const { return std::ranges::find(m_jobs, slot, &Job::slot) != m_jobs.end(); }

void Jobs::onProgress(int id, double fraction, const QString& step)
{
    const auto job = std::ranges::find(m_jobs, id, &Job::id);
    if (job == m_jobs.end()) return;
    job->fraction = fraction;
    job->step = step;
    emit changed();
}

void Jobs::onFinished(int id, const QString& fault, const std::function<void()>& done)
{
    const auto job = std::ranges::find(m_jobs, id, &Job::id);
    if (job == m_jobs.end()) return; // replaced or canceled meanwhile
    const QString name = job->name, slot = job->slot;
    m_jobs.erase(job);
    if (!fault.isEmpty()) {
        logging::error(logging::Id::JobFaulted, "{} ({}): {}", slot.toStdString(), name.toStdString(), fault.toStdString());
        emit faulted(name, fault);
    } else {
        logging::debug(logging::Id::JobDone, "{}", slot.toStdString());
        done();
    }
    emit changed();
}

} // namespace hw::views
