// SPDX-License-Identifier: GPL-3.0-or-later
// Whose freed memory is cleared: who may say so, what the kernel is told, and what stays after a restart.
#include "service_fixture.h"

namespace tacet {
namespace {

using contract::MemoryLayer;
using contract::MemoryScope;

class Memory : public Service {
protected:
    MemoryService& service() { return running->daemon.services().memory; }

    Result<void> set_scope(MemoryScope scope, const Caller& caller = user)
    {
        Result<void> outcome = Error{ErrorCode::Failed, "no reply"};
        service().set_scope(caller, scope, [&](Result<void> reply) { outcome = std::move(reply); });
        return outcome;
    }
    Result<void> set_layer(MemoryLayer layer, bool cleared, const Caller& caller = user)
    {
        Result<void> outcome = Error{ErrorCode::Failed, "no reply"};
        service().set_layer(caller, layer, cleared, [&](Result<void> reply) { outcome = std::move(reply); });
        return outcome;
    }
    Result<void> add(const std::string& path, const Caller& caller = user)
    {
        Result<void> outcome = Error{ErrorCode::Failed, "no reply"};
        service().add_program(caller, path, [&](Result<void> reply) { outcome = std::move(reply); });
        return outcome;
    }
    Result<void> remove(const std::string& path, const Caller& caller = user)
    {
        Result<void> outcome = Error{ErrorCode::Failed, "no reply"};
        service().remove_program(caller, path, [&](Result<void> reply) { outcome = std::move(reply); });
        return outcome;
    }
    MemoryPolicy policy(const Caller& caller = user)
    {
        MemoryPolicy policy;
        service().policy(caller, [&](Result<MemoryPolicy> reply) { policy = *reply; });
        return policy;
    }
};

TEST_F(Memory, ChosenProgramsAreCoveredFromTheStart)
{
    EXPECT_EQ(policy().scope, MemoryScope::Chosen);
    EXPECT_EQ(world.kernel.memory.scope, MemoryScope::Chosen);
}

TEST_F(Memory, ScopeNeedsAnAdministratorAndStays)
{
    EXPECT_EQ(set_scope(MemoryScope::Off).error().code, ErrorCode::AccessDenied);
    EXPECT_EQ(world.kernel.memory.scope, MemoryScope::Chosen);
    world.authority.allowed.insert("org.tacet.tacet1.memory");
    ASSERT_TRUE(set_scope(MemoryScope::Everything));
    EXPECT_EQ(world.kernel.memory.scope, MemoryScope::Everything);
    stop();
    world.kernel.memory.scope = MemoryScope::Off;
    start();
    EXPECT_EQ(world.kernel.memory.scope, MemoryScope::Everything);
    EXPECT_EQ(policy().scope, MemoryScope::Everything);
}

TEST_F(Memory, LayersNeedAnAdministratorAndStay)
{
    EXPECT_THAT(world.kernel.memory.layers, SizeIs(4));
    EXPECT_EQ(set_layer(MemoryLayer::Heap, false).error().code, ErrorCode::AccessDenied);
    EXPECT_THAT(policy().layers, SizeIs(4));
    world.authority.allowed.insert("org.tacet.tacet1.memory");
    ASSERT_TRUE(set_layer(MemoryLayer::Heap, false));
    ASSERT_TRUE(set_layer(MemoryLayer::Heap, false));
    ASSERT_TRUE(set_layer(MemoryLayer::Pages, false));
    EXPECT_THAT(world.kernel.memory.layers, ElementsAre(MemoryLayer::Buffers, MemoryLayer::Stack));
    stop();
    world.kernel.memory = {};
    start();
    EXPECT_THAT(world.kernel.memory.layers, ElementsAre(MemoryLayer::Buffers, MemoryLayer::Stack));
    ASSERT_TRUE(set_layer(MemoryLayer::Pages, true));
    EXPECT_THAT(policy().layers, ElementsAre(MemoryLayer::Pages, MemoryLayer::Buffers, MemoryLayer::Stack));
}

TEST_F(Memory, EachPersonChoosesProgramsAndAllCount)
{
    ASSERT_TRUE(add("/usr/bin/gpg"));
    ASSERT_TRUE(add("/usr/bin/gpg"));
    ASSERT_TRUE(add("/usr/bin/gpg", other));
    ASSERT_TRUE(add("/usr/bin/firefox", other));
    EXPECT_THAT(policy().programs, ElementsAre("/usr/bin/gpg"));
    EXPECT_THAT(policy(other).programs, ElementsAre("/usr/bin/firefox", "/usr/bin/gpg"));
    EXPECT_THAT(world.kernel.memory.programs, ElementsAre("/usr/bin/firefox", "/usr/bin/gpg"));
    EXPECT_EQ(remove("/usr/bin/gpg").error().code, ErrorCode::AccessDenied);
    world.authority.allowed.insert("org.tacet.tacet1.memory-remove");
    EXPECT_EQ(remove("/usr/bin/firefox").error().code, ErrorCode::NotFound);
    ASSERT_TRUE(remove("/usr/bin/gpg"));
    EXPECT_THAT(policy().programs, IsEmpty());
    EXPECT_THAT(world.kernel.memory.programs, ElementsAre("/usr/bin/firefox", "/usr/bin/gpg"));
}

TEST_F(Memory, PathsThatNameNoProgramAreRefused)
{
    for (const char* path : {"", "gpg", "/", "/usr/bin/", "/usr/../bin/gpg", "/usr//bin/gpg"})
        EXPECT_EQ(add(path).error().code, ErrorCode::InvalidPath) << path;
    EXPECT_EQ(add("/" + std::string(5000, 'x')).error().code, ErrorCode::InvalidPath);
    EXPECT_THAT(policy().programs, IsEmpty());
}

TEST_F(Memory, APersonHas64Programs)
{
    for (std::size_t number = 0; number < MemoryService::programs_max; ++number)
        ASSERT_TRUE(add("/usr/bin/program" + std::to_string(number)));
    EXPECT_EQ(add("/usr/bin/more").error().code, ErrorCode::TooMany);
    EXPECT_THAT(policy().programs, SizeIs(MemoryService::programs_max));
    EXPECT_TRUE(add("/usr/bin/more", other));
    EXPECT_EQ(add("/" + std::string(4090, 'x'), other).error().code, ErrorCode::TooMany);
}

TEST_F(Memory, WithoutTheModuleItComesIntoForceLater)
{
    world.kernel.enter(ModuleState::Absent);
    EXPECT_EQ(service().in_force().scope, MemoryScope::Off);
    ASSERT_TRUE(add("/usr/bin/gpg"));
    EXPECT_THAT(world.kernel.memory.programs, IsEmpty());
    world.kernel.enter(ModuleState::Active);
    EXPECT_THAT(world.kernel.memory.programs, ElementsAre("/usr/bin/gpg"));
    EXPECT_EQ(service().in_force().scope, MemoryScope::Chosen);
}

TEST_F(Memory, WhatTheKernelRefusesIsNotKept)
{
    world.kernel.refuses_memory = true;
    EXPECT_EQ(add("/usr/bin/gpg").error().code, ErrorCode::Failed);
    EXPECT_THAT(policy().programs, IsEmpty());
}

TEST_F(Memory, StampsAreCountedByTagsOfTheKernel)
{
    std::vector<std::uint64_t> tags;
    service().make_tags(2, [&](Result<std::vector<std::uint64_t>> reply) { tags = *reply; });
    ASSERT_THAT(tags, SizeIs(2));
    world.kernel.stamps[tags[1]] = 17;
    std::vector<std::uint64_t> counts;
    service().count_stamps(tags, [&](Result<std::vector<std::uint64_t>> reply) { counts = *reply; });
    EXPECT_THAT(counts, ElementsAre(0, 17));
    ErrorCode code = ErrorCode::Failed;
    const auto keep_code = [&](const Result<std::vector<std::uint64_t>>& reply) { code = reply.error().code; };
    service().count_stamps({4711}, keep_code);
    EXPECT_EQ(code, ErrorCode::NotFound);
    for (const std::uint32_t count : {0U, 17U}) {
        service().make_tags(count, keep_code);
        EXPECT_EQ(code, ErrorCode::InvalidArgument);
        service().count_stamps(std::vector<std::uint64_t>(count, tags[0]), keep_code);
        EXPECT_EQ(code, ErrorCode::InvalidArgument);
    }
}

} // namespace
} // namespace tacet
