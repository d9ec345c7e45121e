// SPDX-License-Identifier: GPL-3.0-or-later
// tacet-box make|open FILE: makes or reads the header of a box (common/box.h). The passphrase comes by standard input. The key of
// the box's data goes to standard output, to tacet-session, and is nowhere else. Exits with a BoxOutcome.
#include <libcryptsetup.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>

#include "common/box.h"

namespace {

using namespace tacet;

constexpr unsigned patience = 30; // seconds, for whoever sends the passphrase
constexpr std::uint64_t sector = 512;

struct Release {
    void operator()(crypt_device* device) const { crypt_free(device); }
};
using Header = std::unique_ptr<crypt_device, Release>;

// Only up to the end of the input it is a whole passphrase.
TACET_WIPES_FRAME bool read_passphrase(Passphrase& ret_passphrase)
{
    alarm(patience);
    ssize_t more = 0;
    std::size_t room = ret_passphrase.bytes.size();
    do {
        more = read(STDIN_FILENO, ret_passphrase.bytes.data() + ret_passphrase.size, room);
        ret_passphrase.size += static_cast<std::size_t>(more > 0 ? more : 0);
        room = ret_passphrase.bytes.size() - ret_passphrase.size;
    } while (more > 0 && room > 0);
    alarm(0);
    return more == 0 && ret_passphrase.size > 0;
}

// The key derivation takes about a second on the machine that makes the box, and at most 256 MiB.
TACET_WIPES_FRAME bool make_header(crypt_device* header, const Passphrase& passphrase)
{
    constexpr std::uint64_t metadata = 16U << 10; // twice
    const crypt_pbkdf_type derivation{.type = CRYPT_KDF_ARGON2ID,
                                      .hash = "sha256",
                                      .time_ms = 1000,
                                      .iterations = 0,
                                      .max_memory_kb = 256U << 10,
                                      .parallel_threads = 4,
                                      .flags = 0};
    crypt_params_luks2 parameters{};
    parameters.pbkdf = &derivation;
    parameters.sector_size = 4096;
    return crypt_set_metadata_size(header, metadata, box_header_size - 2 * metadata) == 0
           && crypt_set_data_offset(header, box_header_size / sector) == 0
           && crypt_format(header, CRYPT_LUKS2, "aes", "xts-plain64", nullptr, nullptr, store_key_size, &parameters) == 0
           && crypt_keyslot_add_by_volume_key(header, CRYPT_ANY_SLOT, nullptr, 0, passphrase.bytes.data(), passphrase.size) >= 0;
}

// tacet-session makes the device, which expects what make_header() has made.
bool is_as_made(crypt_device* header)
{
    return std::string_view(crypt_get_cipher(header)) == "aes" && std::string_view(crypt_get_cipher_mode(header)) == "xts-plain64"
           && crypt_get_volume_key_size(header) == static_cast<int>(store_key_size) && crypt_get_sector_size(header) == 4096
           && crypt_get_data_offset(header) == box_header_size / sector && crypt_get_iv_offset(header) == 0;
}

TACET_WIPES_FRAME BoxOutcome work(std::string_view what, const char* file)
{
    // tacet-session has locked the file. This library would lock it once more.
    crypt_metadata_locking(nullptr, 0);
    crypt_set_log_callback(nullptr, [](int, const char*, void*) {}, nullptr);
    Passphrase passphrase;
    crypt_device* made = nullptr;
    if (!read_passphrase(passphrase) || crypt_init(&made, file) != 0)
        return BoxOutcome::Failed;
    const Header header(made);
    if (what == "make" ? !make_header(made, passphrase) : crypt_load(made, CRYPT_LUKS2, nullptr) != 0 || !is_as_made(made))
        return BoxOutcome::Failed;
    StoreKeyBytes key;
    key.size = store_key_size;
    const int slot =
        crypt_volume_key_get(made, CRYPT_ANY_SLOT, key.bytes.data(), &key.size, passphrase.bytes.data(), passphrase.size);
    if (slot < 0 || key.size != store_key_size)
        return slot == -EPERM ? BoxOutcome::WrongPassphrase : BoxOutcome::Failed;
    const bool told = write(STDOUT_FILENO, key.bytes.data(), key.size) == static_cast<ssize_t>(key.size);
    return told ? BoxOutcome::Done : BoxOutcome::Failed;
}

} // namespace

int main(int argc, char** argv)
{
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    const std::string_view what = argc == 3 ? argv[1] : "";
    if (what != "make" && what != "open")
        return static_cast<int>(BoxOutcome::Failed);
    return static_cast<int>(work(what, argv[2]));
}
