// SPDX-License-Identifier: GPL-3.0-or-later
// storage_victim FILE SEED recover|discard: edits the project without end, saves now and then, and
// prints one line per durable revision. Its edits follow from the file and the seed alone.
#include "core/foundation/storage/project_file.h"
#include "tests/storage/random_document.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

using namespace hw;

namespace {

void say(const char* word, std::uint64_t revision)
{
    char line[64];
    const int length = std::snprintf(line, sizeof line, "%s %llu\n", word, static_cast<unsigned long long>(revision));
    if (::write(STDOUT_FILENO, line, std::size_t(length)) != length) std::_Exit(1); // one write per line: nothing is lost in a buffer
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 4) return 2;
    ProjectFile::Callbacks callbacks{[](std::uint64_t revision) { say("durable", revision); }, [](std::uint64_t revision) { say("saved", revision); },
                                     [](const Error& error) { std::fprintf(stderr, "error: %s\n", error.text().c_str()); }};
    auto file = ProjectFile::open(argv[1], std::move(callbacks));
    if (!file) return std::fprintf(stderr, "error: %s\n", file.error().text().c_str()), 4;
    ProjectFile& project = **file;
    Document document(project.loaded().snapshot);
    if (std::strcmp(argv[3], "discard") == 0) {
        project.discardJournal();
        if (!project.flush()) return 4;
        document.load(project.loaded().saved);
        say("discarded", document.snapshot()->revision);
    }
    const auto following = project.follow(document);
    test::Random random{std::strtoull(argv[2], nullptr, 10)}, other{random()};
    for (;;) {
        test::randomEdit(document, random);
        if (other() % 16 == 0) project.save(document.snapshot());
        if (other() % 4 == 0 && !project.flush()) return 4;
    }
}
