// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include <array>

#include "common/channel.h"
#include "common/session_request.h"
#include "common/x_authority.h"
#include "session/mount_plan.h"

namespace tacet {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

SessionRequest make_request()
{
    SessionRequest request;
    request.id = 7;
    request.uid = 1000;
    request.gid = 1001;
    request.user = "anna";
    request.directory = "/home/anna/Do\xff\n";
    request.command = {"sh", "-c", "", "echo \"=\"\n"};
    request.environment = {"A=1", "B=\xc3\x28"};
    request.options.size = 1ULL << 40;
    request.options.network = false;
    request.options.display = ":60";
    request.options.cookie = "00112233445566778899aabbccddeeff";
    return request;
}

TEST(SessionRequest, GoesThroughTextUnchanged)
{
    const SessionRequest request = make_request();
    const auto text = to_text(request);
    ASSERT_TRUE(text);
    const auto parsed = parse_request(*text);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->id, request.id);
    EXPECT_EQ(parsed->uid, request.uid);
    EXPECT_EQ(parsed->gid, request.gid);
    EXPECT_EQ(parsed->user, request.user);
    EXPECT_EQ(parsed->directory, request.directory);
    EXPECT_EQ(parsed->command, request.command);
    EXPECT_EQ(parsed->environment, request.environment);
    EXPECT_EQ(parsed->options.size, request.options.size);
    EXPECT_FALSE(parsed->options.network);
    EXPECT_EQ(parsed->options.display, request.options.display);
    EXPECT_EQ(parsed->options.cookie, request.options.cookie);
}

TEST(SessionRequest, NulAndExcessAreRefused)
{
    SessionRequest request = make_request();
    request.command.emplace_back("a\0b", 3);
    EXPECT_EQ(to_text(request).error().code, ErrorCode::InvalidArgument);
    request = make_request();
    request.environment.emplace_back(SessionRequest::text_max, 'x');
    EXPECT_EQ(to_text(request).error().code, ErrorCode::InvalidArgument);
}

TEST(SessionRequest, HalfOfOneIsRefused)
{
    const std::string text = *to_text(make_request());
    EXPECT_FALSE(parse_request(""));
    EXPECT_FALSE(parse_request(text.substr(0, text.size() - 1)));
    EXPECT_FALSE(parse_request(text + std::string("unknown\0x\0", 10)));
    EXPECT_FALSE(parse_request(std::string("uid\0-1\0", 7)));
    SessionRequest root = make_request();
    root.uid = 0;
    EXPECT_FALSE(parse_request(*to_text(root)));
}

TEST(MountPlan, TakesRealFileSystemsParentsFirst)
{
    EXPECT_THAT(plan_mounts("22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
                            "30 22 8:3 / /home/anna/My\\040disk rw shared:2 - vfat /dev/sdb1 rw\n"
                            "23 22 8:2 / /home rw,noatime shared:1 - ext4 /dev/sda2 rw\n"
                            "24 22 0:5 / /proc rw - proc proc rw\n"
                            "25 22 0:6 / /dev/shm rw - tmpfs tmpfs rw\n"
                            "26 22 0:7 / /run/media/anna/stick rw - exfat /dev/sdc1 rw\n"
                            "27 22 0:8 / /run/user/1000 rw - tmpfs tmpfs rw\n"
                            "28 22 0:9 / /var/lib/nfs/rpc_pipefs rw - rpc_pipefs sunrpc rw\n"
                            "29 22 0:10 / /tmpfiles rw - tmpfs tmpfs rw\n",
                            "/home/anna", true),
                ElementsAre("/home", "/home/anna/My disk", "/run/media/anna/stick", "/tmpfiles"));
}

TEST(MountPlan, LeavesOutWhatAServerOfOutsideIsAskedFor)
{
    const std::string mounts = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
                               "23 22 0:40 / /mnt/own rw - fuse.sshfs host: rw,user_id=1000,group_id=1000\n"
                               "24 22 0:41 / /mnt/unknown rw - fuse served rw\n"
                               "25 22 0:42 / /mnt/system rw - fuse.mergerfs disks rw,user_id=0,group_id=0,allow_other\n"
                               "26 22 8:2 / /mnt/disk rw - fuseblk /dev/sdb1 rw,user_id=0,group_id=0,blksize=4096\n"
                               "27 22 0:43 / /mnt/server rw - nfs4 host:/ rw,vers=4.2\n"
                               "28 22 8:3 / /mnt/hidden rw - ext4 /dev/sdc1 rw\n"
                               "29 22 0:44 / /mnt/hidden rw - fuse.encfs encfs rw,user_id=1000,group_id=1000\n"
                               "30 22 8:4 / /mnt/nameless rw - ext4 /dev/sdd1 rw\n"
                               "31 22 0:45 / /mnt/nameless rw - fuse  rw,user_id=1000,group_id=1000\n"
                               "32 22 0:46 / /mnt/plain rw - tmpfs  rw,size=4k\n";
    EXPECT_THAT(plan_mounts(mounts, "/home/anna", true), ElementsAre("/mnt/disk", "/mnt/plain", "/mnt/server", "/mnt/system"));
    EXPECT_THAT(plan_mounts(mounts, "/home/anna", false), ElementsAre("/mnt/disk", "/mnt/plain"));
    EXPECT_THAT(plan_mounts(mounts, "/mnt/own/anna", true),
                ElementsAre("/mnt/disk", "/mnt/own", "/mnt/plain", "/mnt/server", "/mnt/system"));
}

TEST(MountPlan, IgnoresWhatItCannotRead)
{
    EXPECT_THAT(plan_mounts("", "", true), IsEmpty());
    EXPECT_THAT(plan_mounts("garbage\n\n1 2 3\n", "", true), IsEmpty());
}

TEST(SessionChannel, CarriesTextAndFiles)
{
    auto channel = make_channel();
    ASSERT_TRUE(channel);
    const auto file = make_memory_file("content");
    ASSERT_TRUE(file);
    const std::array files{file->get(), channel->first.get()};
    ASSERT_TRUE(send_message(channel->first.get(), "start", files));
    const auto message = receive_message(channel->second.get());
    ASSERT_TRUE(message);
    EXPECT_EQ(message->text, "start");
    ASSERT_EQ(message->files.size(), 2U);
    EXPECT_EQ(*read_memory_file(message->files[0].get(), 7), "content");
    EXPECT_FALSE(read_memory_file(message->files[0].get(), 6));
}

TEST(SessionChannel, EndIsAnEmptyMessage)
{
    auto channel = make_channel();
    ASSERT_TRUE(channel);
    channel->first = UniqueFd();
    const auto message = receive_message(channel->second.get());
    ASSERT_TRUE(message);
    EXPECT_EQ(message->text, "");
    EXPECT_FALSE(send_message(channel->second.get(), "end"));
}

TEST(XAuthority, IsOneEntryThatFitsEveryAddress)
{
    const XCookie cookie = parse_cookie("00112233445566778899aabbccddeeff");
    EXPECT_EQ(to_hexadecimal(cookie), "00112233445566778899aabbccddeeff");
    const std::string entry = x_authority(cookie);
    EXPECT_EQ(entry.substr(0, 8), std::string("\xff\xff\0\0\0\0\0\x12", 8));
    EXPECT_EQ(entry.substr(8, 20), std::string("MIT-MAGIC-COOKIE-1\0\x10", 20));
    EXPECT_EQ(entry.substr(28), std::string(cookie.begin(), cookie.end()));
}

} // namespace
} // namespace tacet
