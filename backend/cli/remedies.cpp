// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/remedies.h"

#include "contract/codes.h"

namespace tacet::cli {
namespace {

std::string_view remedy_of(contract::ProtectionDetail detail)
{
    using contract::ProtectionDetail;
    switch (detail) {
    case ProtectionDetail::ModuleAbsent:
        return "sudo modprobe tacet; if that fails, install tacet-dkms";
    case ProtectionDetail::ModuleBusy:
        return "end the other program: sudo fuser -v /dev/tacet shows it";
    case ProtectionDetail::ModuleMismatch:
        return "sudo modprobe -r tacet; sudo modprobe tacet; or restart the computer";
    case ProtectionDetail::FeatureOff:
        return "start a kernel of Debian; sudo dmesg tells what this one lacks";
    case ProtectionDetail::Paused:
        return "tacet resume";
    case ProtectionDetail::NoAgent:
        return "log in to the desktop, or start tacet-app there";
    case ProtectionDetail::NoSwap:
        return "none needed: this computer has no swap";
    case ProtectionDetail::NotSwapped:
        return "none needed; tacet-swap.service would let private programs swap";
    case ProtectionDetail::NotAtBoot:
        return "start the computer with init_on_free=1 among the kernel's arguments";
    case ProtectionDetail::MemoryOff:
        return "tacet memory policy chosen";
    case ProtectionDetail::LayerOff:
        return "tacet memory layer LAYER on";
    case ProtectionDetail::NamesNotSeen:
        return "sudo systemctl restart tacet-names.socket tacet-names";
    case ProtectionDetail::StoreDamaged:
        return "move /var/lib/tacet/tacet.db.damaged-* away, and restart tacetd";
    case ProtectionDetail::BeingRebuilt:
        return "wait: the disks are looked through for sensitive files";
    case ProtectionDetail::FilesFailed:
        return "see `journalctl -u tacetd`: some sensitive files could not be looked at, which is tried again";
    case ProtectionDetail::NotEnabled:
        return "sudo systemctl enable tacetd";
    }
    return {};
}

} // namespace

std::string_view remedy_of(std::string_view detail)
{
    if (detail == daemon_absent)
        return "sudo systemctl start tacetd";
    if (detail == daemon_silent)
        return "sudo systemctl restart tacetd";
    const auto code = contract::parse_protection_detail(detail);
    return code ? remedy_of(*code) : std::string_view();
}

} // namespace tacet::cli
