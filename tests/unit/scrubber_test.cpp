// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "common/unique_fd.h"
#include "daemon/labels/scrub_worker.h"
#include "scrub/scrubber.h"

namespace tacet {
namespace {

std::string scrubbed(std::string text)
{
    scrub(text);
    return text;
}

TEST(Scrubber, KeepsSizeAndWhiteSpaceOnly)
{
    EXPECT_EQ(scrubbed("name, 47\t11\r\n\v\f"), "xxxxx xx\txx\r\n\v\f");
    EXPECT_EQ(scrubbed(std::string("\0\x01\xff\x85", 4)), "xxxx");
    EXPECT_EQ(scrubbed(scrubbed("a b")), scrubbed("a b"));
    EXPECT_EQ(scrubbed(""), "");
}

TEST(Scrubber, KeepsNothingOfAnyOtherByte)
{
    std::string all;
    for (int byte = 0; byte < 256; ++byte)
        all.push_back(static_cast<char>(byte));
    for (const char byte : scrubbed(all))
        EXPECT_TRUE(byte == 'x' || byte == ' ' || (byte >= '\t' && byte <= '\r'));
}

UniqueFd memory_file(const std::string& content)
{
    UniqueFd fd(memfd_create("test", MFD_CLOEXEC));
    EXPECT_EQ(write(fd.get(), content.data(), content.size()), static_cast<ssize_t>(content.size()));
    lseek(fd.get(), 0, SEEK_SET);
    return fd;
}

bool run_worker(std::vector<ScrubFile> files)
{
    EventLoop loop;
    ScrubProcess process(loop, std::getenv("TACET_SCRUB"));
    bool result = false;
    const auto running = process.start(files, [&](bool succeeded) {
        result = succeeded;
        loop.exit(0);
    });
    EXPECT_TRUE(running);
    loop.run();
    return result;
}

TEST(ScrubWorker, StreamsAFileLargerThanItsBuffer)
{
    const std::string content(1'000'000, 'q');
    const UniqueFd input = memory_file(content + "\n");
    const UniqueFd output = memory_file("");
    ASSERT_TRUE(run_worker({{input.get(), output.get()}}));
    std::string result(content.size() + 2, '\0');
    result.resize(static_cast<std::size_t>(pread(output.get(), result.data(), result.size(), 0)));
    EXPECT_EQ(result, std::string(content.size(), 'x') + "\n");
}

TEST(ScrubWorker, TakesManyFilesAndGoesOnAfterABadOne)
{
    const UniqueFd directory(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    std::vector<UniqueFd> inputs;
    std::vector<UniqueFd> outputs;
    std::vector<ScrubFile> files;
    for (std::size_t number = 0; number < ScrubWorker::files_max; ++number) {
        inputs.push_back(memory_file("secret " + std::to_string(number)));
        outputs.push_back(memory_file(""));
        files.push_back({number == 5 ? directory.get() : inputs.back().get(), outputs.back().get()});
    }
    EXPECT_FALSE(run_worker(files));
    for (std::size_t number = 0; number < ScrubWorker::files_max; ++number) {
        std::array<char, 16> bytes{};
        const ssize_t size = pread(outputs[number].get(), bytes.data(), bytes.size(), 0);
        const std::string expected = "xxxxxx " + std::string(std::to_string(number).size(), 'x');
        EXPECT_EQ(std::string(bytes.data(), static_cast<std::size_t>(size)), number == 5 ? "" : expected);
    }
}

TEST(ScrubWorker, FailsOnADirectory)
{
    const UniqueFd input(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const UniqueFd output = memory_file("");
    EXPECT_FALSE(run_worker({{input.get(), output.get()}}));
}

TEST(ScrubWorker, MissingProgramIsAnError)
{
    EventLoop loop;
    ScrubProcess process(loop, "/nonexistent/tacet-scrub");
    EXPECT_FALSE(process.start(std::vector<ScrubFile>{{0, 1}}, [](bool) {}));
}

} // namespace
} // namespace tacet
