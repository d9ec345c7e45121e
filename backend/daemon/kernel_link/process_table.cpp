// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/kernel_link/process_table.h"

#include "common/process_stat.h"

namespace tacet {

bool ProcProcessTable::is_alive(const ProcessIdentity& process)
{
    return is_same_start(process.start, read_stat(process.pid).start);
}

} // namespace tacet
