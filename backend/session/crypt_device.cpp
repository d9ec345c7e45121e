// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/crypt_device.h"

#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <format>

namespace tacet {
namespace {

constexpr std::uint64_t sector = 512;
constexpr unsigned tries = 32; // others take loop devices too

Error failure(const std::string& what)
{
    return {errno == ENOSPC ? ErrorCode::DiskFull : ErrorCode::Failed, what + ": " + std::strerror(errno)};
}

// The loop device goes with its last user, and the file with it.
Result<UniqueFd> make_loop(const UniqueFd& file)
{
    const UniqueFd control(open("/dev/loop-control", O_RDWR | O_CLOEXEC));
    if (!control)
        return failure("no loop devices");
    loop_config config{};
    config.fd = static_cast<__u32>(file.get());
    config.block_size = 4096;
    for (unsigned i = 0; i < tries; ++i) {
        const int number = ioctl(control.get(), LOOP_CTL_GET_FREE);
        UniqueFd loop(open(std::format("/dev/loop{}", number).c_str(), O_RDWR | O_CLOEXEC));
        if (number < 0 || !loop)
            return failure("no loop device");
        for (const __u32 flags : {LO_FLAGS_AUTOCLEAR | LO_FLAGS_DIRECT_IO, LO_FLAGS_AUTOCLEAR | 0}) {
            config.info.lo_flags = flags;
            if (ioctl(loop.get(), LOOP_CONFIGURE, &config) == 0)
                return loop;
            if (errno == EBUSY)
                break;
        }
        if (errno != EBUSY)
            break;
    }
    return failure("no loop device");
}

// One request to the device mapper: the header, and the one line of a table.
struct MapperRequest {
    dm_ioctl header{};
    dm_target_spec target{};
    std::array<char, 256> parameters{};
};
static_assert(offsetof(MapperRequest, target) == sizeof(dm_ioctl));

class Mapper {
public:
    explicit Mapper(std::string name) : control_(open("/dev/mapper/control", O_RDWR | O_CLOEXEC)), name_(std::move(name)) {}

    bool create() { return call(DM_DEV_CREATE, 0); }
    bool load(std::uint64_t sectors, const std::string& parameters);
    // After this nothing looks for file systems on the device, and no desktop shows it.
    bool resume()
    {
        constexpr __u32 no_rules = 0x2 | 0x4 | 0x8; // libdevmapper's DM_UDEV_DISABLE_..._RULES_FLAG
        return call(DM_DEV_SUSPEND, 0, no_rules << 16);
    }
    bool remove(__u32 flags) { return call(DM_DEV_REMOVE, flags); }
    dev_t device() const { return device_; }
    explicit operator bool() const { return static_cast<bool>(control_); }

private:
    bool call(unsigned long command, __u32 flags, __u32 event = 0);
    bool send(unsigned long command, MapperRequest& request);

    UniqueFd control_;
    std::string name_;
    dev_t device_ = 0;
};

bool Mapper::send(unsigned long command, MapperRequest& request)
{
    dm_ioctl& header = request.header;
    header.version[0] = DM_VERSION_MAJOR;
    header.data_size = sizeof(request);
    header.data_start = sizeof(dm_ioctl);
    name_.copy(header.name, sizeof(header.name) - 1);
    if (ioctl(control_.get(), command, &request) != 0)
        return false;
    device_ = header.dev != 0 ? header.dev : device_;
    return true;
}

bool Mapper::call(unsigned long command, __u32 flags, __u32 event)
{
    MapperRequest request;
    request.header.flags = flags;
    request.header.event_nr = event;
    return send(command, request);
}

bool Mapper::load(std::uint64_t sectors, const std::string& parameters)
{
    MapperRequest request;
    request.header.target_count = 1;
    request.target.length = sectors;
    std::strcpy(request.target.target_type, "crypt");
    if (parameters.size() >= request.parameters.size())
        return false;
    parameters.copy(request.parameters.data(), parameters.size());
    request.target.next = sizeof(dm_target_spec) + sizeof(request.parameters);
    return send(DM_TABLE_LOAD, request);
}

} // namespace

Result<CryptDevice> make_crypt_device(const std::string& name, const UniqueFd& file, CryptExtent extent, const StoreKey& key)
{
    const auto loop = make_loop(file);
    struct stat status{};
    if (!loop || fstat(loop->get(), &status) != 0)
        return loop ? failure("no loop device") : loop.error();
    Mapper mapper(name);
    if (!key || !mapper || !mapper.create())
        return failure("no encrypted device");
    const std::string table = std::format("aes-xts-plain64 {} 0 {}:{} {} 1 sector_size:4096", key.reference(),
                                          major(status.st_rdev), minor(status.st_rdev), extent.start / sector);
    CryptDevice device;
    const bool ready = mapper.load(extent.size / sector, table) && mapper.resume();
    if (ready) {
        device.path = std::format("/dev/dm-{}", minor(mapper.device()));
        device.use = UniqueFd(open(device.path.c_str(), O_RDONLY | O_CLOEXEC));
    }
    // From here on the device goes with its last user: first this process, then the mount.
    if (!device.use || !mapper.remove(DM_DEFERRED_REMOVE)) {
        const Error why = failure("no encrypted device");
        device.use = UniqueFd();
        mapper.remove(0);
        return why;
    }
    return device;
}

void remove_crypt_device(const std::string& name)
{
    Mapper(name).remove(DM_DEFERRED_REMOVE);
}

} // namespace tacet
