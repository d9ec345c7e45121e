// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/file_tree.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <format>
#include <fstream>
#include <sstream>

#include "session/box_store.h"
#include "session/disk_store.h"
#include "session/mount.h"
#include "session/mount_plan.h"
#include "session/outside_sockets.h"

namespace tacet {
namespace {

const std::string base = "/run/tacet/session"; // only the session's namespace has something mounted here
const std::string root = base + "/root";
const std::string box = base + "/box";

Error failure(const std::string& what)
{
    return {errno == ENOSPC ? ErrorCode::DiskFull : ErrorCode::Failed, what + ": " + std::strerror(errno)};
}

bool make_directory(const std::string& path, mode_t mode, uid_t uid = 0, gid_t gid = 0)
{
    // The owner comes first, as changing it would take the set-id bits away.
    return (mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) && chown(path.c_str(), uid, gid) == 0
           && chmod(path.c_str(), mode) == 0;
}

UniqueFd open_directory(const std::string& path)
{
    return UniqueFd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

// The name of a mount's folder in the store. It is the same in each session, as a box has the folders of earlier ones.
std::string folder_name(std::string_view point)
{
    std::string name;
    for (const char letter : point) {
        const auto byte = static_cast<unsigned char>(letter);
        name += std::isalnum(byte) != 0 ? std::string(1, letter) : std::format("%{:02X}", byte);
    }
    return name;
}

// Mounts the tree at lower, so that writes go to its folder in store.
Result<Layer> copy_on_write(const std::string& lower, const std::string& store, const std::string& point)
{
    const std::string folder = store + "/" + folder_name(lower);
    struct stat status{};
    if (stat(lower.c_str(), &status) != 0 || !make_directory(folder, 0700)
        || !make_directory(folder + "/upper", status.st_mode & 07777, status.st_uid, status.st_gid)
        || !make_directory(folder + "/work", 0700))
        return failure("no store for " + lower);
    // The upper folder has all files that were written, under their names.
    auto mounted = mount_fresh("overlay",
                               {{"source", "tacet"},
                                {"lowerdir+", lower},
                                {"upperdir", folder + "/upper"},
                                {"workdir", folder + "/work"},
                                {"redirect_dir", "off"},
                                {"metacopy", "off"}},
                               plain, point);
    if (!mounted)
        return mounted.error();
    Layer layer{lower, open_directory(folder + "/upper"), open_directory(lower)};
    return layer.upper && layer.lower ? Result<Layer>(std::move(layer)) : failure("no folder " + lower);
}

// Mounts of outside. The kernel module knows them by these, as no member can give a mount back its access times.
constexpr unsigned of_outside = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOATIME;

std::string read_mountinfo()
{
    std::ostringstream text;
    text << std::ifstream("/proc/self/mountinfo").rdbuf();
    return text.str();
}

std::string_view home_of(const SessionRequest& request)
{
    constexpr std::string_view name = "HOME=";
    const auto found =
        std::ranges::find_if(request.environment, [&](const std::string& entry) { return entry.starts_with(name); });
    return found == request.environment.end() ? std::string_view() : std::string_view(*found).substr(name.size());
}

// The session may only read file systems without overlays (FAT, network), and nobody learns when it did.
Result<std::vector<Layer>> cover_mounts(const std::string& store, const SessionRequest& request)
{
    const auto points = plan_mounts(read_mountinfo(), home_of(request), request.options.network);
    std::vector<Layer> layers;
    auto whole = copy_on_write("/", store, root);
    if (!whole)
        return whole.error();
    layers.push_back(std::move(*whole));
    for (const std::string& point : points) {
        struct stat status{};
        // The place is hidden below another mount, or gone.
        if (stat((root + point).c_str(), &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode)) {
            if (auto layer = copy_on_write(point, store, root + point)) {
                layers.push_back(std::move(*layer));
                continue;
            }
        }
        if (auto done = bind(point, root + point, plain | of_outside); !done)
            return done.error();
    }
    return layers;
}

Result<void> place(const std::string& name, mode_t mode, const std::string& point)
{
    if (!make_directory(base + "/" + name, mode))
        return failure("no folder " + name);
    return bind(base + "/" + name, root + point, plain);
}

// The session's own file for a device. With the one of outside it would share locks, and the times of the terminal.
Result<void> make_device(const std::string& path)
{
    struct stat status{};
    const std::string copy = root + path;
    if (stat(path.c_str(), &status) != 0 || mknod(copy.c_str(), S_IFCHR, status.st_rdev) != 0
        || chown(copy.c_str(), status.st_uid, status.st_gid) != 0 || chmod(copy.c_str(), status.st_mode & 07777) != 0)
        return failure("no " + path);
    return {};
}

Result<void> fill_devices(const SessionRequest& request)
{
    if (auto done =
            mount_fresh("tmpfs", {{"mode", "0755"}, {"size", "64k"}}, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC, root + "/dev");
        !done)
        return done;
    for (const char* device : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"}) {
        if (auto done = make_device(device); !done)
            return done;
    }
    const std::array<std::array<const char*, 2>, 5> links{{{"pts/ptmx", "/dev/ptmx"},
                                                           {"/proc/self/fd", "/dev/fd"},
                                                           {"/proc/self/fd/0", "/dev/stdin"},
                                                           {"/proc/self/fd/1", "/dev/stdout"},
                                                           {"/proc/self/fd/2", "/dev/stderr"}}};
    for (const auto& [target, link] : links) {
        if (symlink(target, (root + link).c_str()) != 0)
            return failure(link);
    }
    for (const char* folder : {"/dev/pts", "/dev/shm", "/dev/mqueue"}) {
        if (!make_directory(root + folder, 0755))
            return failure(folder);
    }
    if (request.options.audio && make_directory(root + "/dev/snd", 0755))
        static_cast<void>(bind("/dev/snd", root + "/dev/snd", MOUNT_ATTR_NOSUID | of_outside));
    if (auto done = place("shm", 01777, "/dev/shm"); !done)
        return done;
    constexpr const char* terminals = "5";
    if (auto done = mount_fresh("devpts", {{"ptmxmode", "0666"}, {"mode", "0620"}, {"gid", terminals}}, MOUNT_ATTR_NOSUID,
                                root + "/dev/pts");
        !done)
        return done;
    return mount_fresh("mqueue", {}, plain, root + "/dev/mqueue");
}

Result<void> fill_run(const SessionRequest& request)
{
    if (auto done = place("run", 0755, "/run"); !done)
        return done;
    const std::string own = root + "/run/user/" + std::to_string(request.uid);
    if (!make_directory(root + "/run/user", 0755) || !make_directory(own, 0700, request.uid, request.gid)
        || !make_directory(root + "/run/lock", 01777))
        return failure("no runtime directory");
    return {};
}

Result<void> fill(const SessionRequest& request, int kernel_session)
{
    if (auto done = mount_fresh("proc", {}, plain | MOUNT_ATTR_NOEXEC, root + "/proc"); !done)
        return done;
    if (auto done = bind("/sys", root + "/sys", plain | MOUNT_ATTR_NOEXEC | of_outside, true); !done)
        return done;
    if (auto done = fill_devices(request); !done)
        return done;
    if (auto done = fill_run(request); !done)
        return done;
    if (auto done = place("tmp", 01777, "/tmp"); !done)
        return done;
    if (auto done = request.options.audio ? bring_audio_in(request, root, kernel_session) : Result<void>(); !done)
        return done;
    if (auto done = request.options.ssh_agent.empty() ? Result<void>() : bring_ssh_agent_in(request, root, kernel_session); !done)
        return done;
    return request.options.display.empty() ? Result<void>() : bring_display_in(request, root, kernel_session);
}

// Large pages where a file fills them make the store quicker. A kernel built without them refuses the option.
Result<UniqueFd> make_memory_store(std::uint64_t bytes)
{
    const std::string size = bytes == 0 ? "50%" : std::to_string(bytes);
    auto store = make_mount("tmpfs", {{"size", size}, {"mode", "0700"}, {"huge", "within_size"}}, plain);
    return store ? std::move(store) : make_mount("tmpfs", {{"size", size}, {"mode", "0700"}}, plain);
}

// Returns the path of the store in which mounts have their folders. What is fresh in each session lies beside a box, in memory.
Result<std::string> make_store(const SessionRequest& request, int kernel_session, const UniqueFd& passphrase)
{
    if (mount("", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
        return failure("mounts are not private");
    if (!make_directory("/run/tacet", 0700) || !make_directory(base, 0700))
        return failure("no " + base);
    const bool has_box = !request.options.box.empty();
    const auto store = request.on_disk && !has_box ? make_disk_store(request.id, request.options.size, kernel_session)
                                                   : make_memory_store(has_box ? 0 : request.options.size);
    if (!store)
        return store.error();
    if (auto done = attach(*store, base); !done)
        return done.error();
    if (!make_directory(base, 0700) || !make_directory(root, 0755) || (has_box && !make_directory(box, 0700)))
        return failure("no store");
    if (!has_box)
        return base;
    const auto opened = open_box_store(request, passphrase);
    const auto attached = opened ? attach(*opened, box) : opened.error();
    return attached ? Result<std::string>(box) : attached.error();
}

Result<void> enter()
{
    if (chdir(root.c_str()) != 0 || syscall(SYS_pivot_root, ".", ".") != 0 || umount2(".", MNT_DETACH) != 0 || chdir("/") != 0)
        return failure("root not changed");
    return {};
}

} // namespace

Result<FileTree> enter_file_tree(const SessionRequest& request, int kernel_session, const UniqueFd& passphrase)
{
    const auto store = make_store(request, kernel_session, passphrase);
    if (!store)
        return store.error();
    FileTree tree;
    tree.store = open_directory(*store);
    auto layers = cover_mounts(*store, request);
    if (!layers)
        return layers.error();
    tree.layers = std::move(*layers);
    if (auto filled = fill(request, kernel_session); !filled)
        return filled.error();
    if (auto copied = tree.resolver.copy_into(root); !copied)
        return copied.error();
    if (auto entered = enter(); !entered)
        return entered.error();
    tree.root = open_directory("/");
    return tree;
}

} // namespace tacet
