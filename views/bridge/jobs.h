// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <memory>
#include <vector>

namespace hw::views {

/// Long work beside the window: runs on worker threads, brings its value back to the GUI thread, and
/// shows up in the status line with progress and a way to cancel. A job of a slot replaces the one
/// before it: that one is asked to stop and its value is dropped. Lives on the GUI thread.
class Jobs : public QObject {
    Q_OBJECT
public:
    struct Job {
        int id = 0;
        QString slot, name, step; ///< a job without a name is not worth a line to the user
        double fraction = -1;     ///< -1 = unknown
        std::stop_source stop;
    };

    explicit Jobs(QObject* parent = nullptr);
    ~Jobs() override; ///< asks everything to stop and waits for it

    /// `work` runs on a worker and must touch nothing but what it holds; `done` gets its value here.
    template <class R>
    int start(const QString& slot, const QString& name, std::function<R(const Progress&)> work, std::function<void(R)> done)
    {
        auto value = std::make_shared<std::unique_ptr<R>>();
        return launch(
            slot, name, [value, work = std::move(work)](const Progress& progress) { *value = std::make_unique<R>(work(progress)); },
            [value, done = std::move(done)] {
                if (*value) done(std::move(**value));
            });
    }
    void cancel(int id);
    void cancelSlot(const QString& slot);
    [[nodiscard]] const std::vector<Job>& running() const { return m_jobs; }
    [[nodiscard]] bool busy(const QString& slot) const;

signals:
    void changed();
    void faulted(const QString& job, const QString& what); ///< an exception escaped from a job: a bug

private:
    int launch(const QString& slot, const QString& name, std::function<void(const Progress&)> work, std::function<void()> done);
    void onProgress(int id, double fraction, const QString& step);
    void onFinished(int id, const QString& fault, const std::function<void()>& done);

    std::vector<Job> m_jobs;
    QThreadPool m_pool;
    int m_nextId = 1;
};

} // namespace hw::views
