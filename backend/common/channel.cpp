// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/channel.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace tacet {
namespace {

constexpr int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;

Error failure(const char* what)
{
    return {ErrorCode::Failed, std::string(what) + ": " + std::strerror(errno)};
}

std::vector<UniqueFd> take_files(msghdr& header)
{
    std::vector<UniqueFd> files;
    for (cmsghdr* control = CMSG_FIRSTHDR(&header); control != nullptr; control = CMSG_NXTHDR(&header, control)) {
        if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS)
            continue;
        std::array<int, message_files_max> numbers{};
        const std::size_t count = (control->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        std::memcpy(numbers.data(), CMSG_DATA(control), count * sizeof(int));
        for (std::size_t i = 0; i < count; ++i)
            files.emplace_back(numbers[i]);
    }
    return files;
}

} // namespace

Result<std::pair<UniqueFd, UniqueFd>> make_channel()
{
    std::array<int, 2> ends{-1, -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return failure("no socket");
    return std::pair(UniqueFd(ends[0]), UniqueFd(ends[1]));
}

Result<void> send_message(int channel, std::string_view text, std::span<const int> files, SendMode mode)
{
    std::string copy(text);
    iovec content{copy.data(), copy.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(message_files_max * sizeof(int))> control{};
    msghdr header{};
    header.msg_iov = &content;
    header.msg_iovlen = 1;
    if (!files.empty()) {
        header.msg_control = control.data();
        header.msg_controllen = CMSG_SPACE(files.size_bytes());
        cmsghdr* rights = CMSG_FIRSTHDR(&header);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(files.size_bytes());
        std::memcpy(CMSG_DATA(rights), files.data(), files.size_bytes());
    }
    if (sendmsg(channel, &header, MSG_NOSIGNAL | (mode == SendMode::AtOnce ? MSG_DONTWAIT : 0)) < 0)
        return failure("message not sent");
    return {};
}

Result<Message> receive_message(int channel)
{
    Message message;
    message.text.resize(message_max);
    iovec content{message.text.data(), message.text.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(message_files_max * sizeof(int))> control{};
    msghdr header{};
    header.msg_iov = &content;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
    const ssize_t size = recvmsg(channel, &header, MSG_CMSG_CLOEXEC);
    if (size < 0)
        return failure("no message");
    message.text.resize(static_cast<std::size_t>(size));
    message.files = take_files(header);
    if ((header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0)
        return Error{ErrorCode::InvalidArgument, "message too long"};
    return message;
}

Result<UniqueFd> make_memory_file(const std::string& content)
{
    UniqueFd file(memfd_create("tacet", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file || write(file.get(), content.data(), content.size()) != static_cast<ssize_t>(content.size())
        || fcntl(file.get(), F_ADD_SEALS, seals) != 0)
        return failure("no memory file");
    return file;
}

Result<std::string> read_memory_file(int file, std::size_t size_max)
{
    struct stat status{};
    if (fstat(file, &status) != 0)
        return failure("no memory file");
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size > size_max)
        return Error{ErrorCode::InvalidArgument, "memory file too long"};
    std::string content(size, '\0');
    if (pread(file, content.data(), size, 0) != static_cast<ssize_t>(size))
        return failure("memory file not read");
    return content;
}

} // namespace tacet
