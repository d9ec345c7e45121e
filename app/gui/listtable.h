// SPDX-License-Identifier: GPL-3.0-or-later
// How the window's pages show their lists.
#pragma once

class QTableView;

namespace Tacet {

// Rows are selected, striped and roomy; there is no grid; Tab leaves the table.
void setUpListTable(QTableView *table);

} // namespace Tacet
