// SPDX-License-Identifier: GPL-3.0-or-later
// Prints what saving and opening cost: bench_storage [SERVERS [LINKS_PER_SERVER]]
#include "core/foundation/storage/project_file.h"
#include "core/foundation/storage/text_form.h"
#include "core/foundation/storage/validate.h"
#include "tests/storage/random_document.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace hw;

namespace {

template <class F>
auto timed(const char* what, F&& f)
{
    const auto start = std::chrono::steady_clock::now();
    auto result = f();
    const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
    std::printf("%-14s %8.1f ms\n", what, passed.count());
    if (!result) std::exit((std::fprintf(stderr, "error: %s\n", result.error().text().c_str()), 1));
    return result;
}

} // namespace

int main(int argc, char** argv)
{
    const int servers = argc > 1 ? std::atoi(argv[1]) : 2040, links = argc > 2 ? std::atoi(argv[2]) : 24;
    const SnapshotPtr design = test::makeDesign(servers, links);
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "bench_storage.hall", textPath = path.string() + ".txt";
    std::printf("%u ports, %u links\n", design->ports.size(), design->links.size());
    timed("write", [&] { return writeProject(*design, path); });
    std::printf("file           %8.1f MB\n", double(std::filesystem::file_size(path)) / 1e6);
    timed("read", [&] { return readProject(path); });
    timed("validate", [&] { return findInconsistency(*design) ? Result<void>(fail(ErrorCode::Fault, "", {})) : Result<void>(); });
    timed("export text", [&] { return exportText(*design, textPath); });
    timed("import text", [&] { return importText(textPath); });
    auto file = timed("open", [&] { return ProjectFile::open(path); });
    Document document((*file)->loaded().snapshot);
    const auto following = (*file)->follow(document);
    test::Random random(1);
    for (int i = 0; i < 3; ++i)
        timed("small commit", [&] {
            auto transaction = document.begin("Move");
            transaction->racks.along.set(RackId(std::uint32_t(i)), Millimeters(i + 5));
            transaction.commit();
            return (*file)->flush();
        });
    timed("large commit", [&] {
        auto transaction = document.begin("All ports");
        for (const auto id : transaction->ports.ids()) transaction->ports.number.set(id, std::uint16_t(random()));
        transaction.commit();
        return (*file)->flush();
    });
    timed("fold", [&] {
        (*file)->save(document.snapshot());
        return (*file)->flush();
    });
    timed("close", [&] { return (*file)->close(); });
    std::filesystem::remove(path);
    std::filesystem::remove(textPath);
}
