// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/jobs.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <exception>

namespace hw::views {

Jobs::Jobs(QObject* parent) : QObject(parent) { m_pool.setMaxThreadCount(4); }

Jobs::~Jobs()
{
    for (auto& job : m_jobs) job.stop.request_stop();
    m_pool.waitForDone();
}

int Jobs::launch(const QString& slot, const QString& name, std::function<void(const Progress&)> work, std::function<void()> done)
{
    cancelSlot(slot);
    Job job{m_nextId++, slot, name, {}, -1, {}};
    const int id = job.id;
    Progress progress{job.stop.get_token(), [this, id](double fraction, std::string_view step) {
                          const auto text = QString::fromUtf8(step.data(), qsizetype(step.size()));
                          QMetaObject::invokeMethod(this, [=, this] { onProgress(id, fraction, text); }, Qt::QueuedConnection);
                      }};
    m_jobs.push_back(std::move(job));
    m_pool.start([this, id, progress, work = std::move(work), done = std::move(done)] {
        QString fault;
        try {
            work(progress);
        } catch (const std::exception& e) {
            fault = QString::fromUtf8(e.what());
        }
        QMetaObject::invokeMethod(this, [=, this] { onFinished(id, fault, done); }, Qt::QueuedConnection);
    });
    emit changed();
    return id;
}

void Jobs::cancel(int id)
{
    const auto job = std::ranges::find(m_jobs, id, &Job::id);
    if (job == m_jobs.end()) return;
    job->stop.request_stop();
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
    if (job == m_jobs.end()) return; // replaced or cancelled meanwhile
    const QString name = job->name;
    m_jobs.erase(job);
    if (!fault.isEmpty()) {
        spdlog::error("[jobs] E101 {}: {}", name.toStdString(), fault.toStdString());
        emit faulted(name, fault);
    } else {
        done();
    }
    emit changed();
}

} // namespace hw::views
