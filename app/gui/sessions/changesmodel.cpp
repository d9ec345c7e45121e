// SPDX-License-Identifier: GPL-3.0-or-later
#include "changesmodel.h"

#include "base/sessionwords.h"
#include "base/untrusted.h"
#include "base/words.h"

#include <QFile>
#include <QHash>
#include <QIcon>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Tacet {

// A folder or a change; folders are made of the paths.
struct ChangesModel::Node
{
    QByteArray name;
    int change = -1; // none: a folder on the way
    Node *parent = nullptr;
    int row = 0;
    int files = 0;    // at or below it that can be kept
    quint64 size = 0; // of these
    std::vector<std::unique_ptr<Node>> children;
    QHash<QByteArray, Node *> named; // the children, while the tree is built

    Node *child(const QByteArray &wanted)
    {
        Node *&found = named[wanted];
        if (!found) {
            children.push_back(std::make_unique<Node>());
            found = children.back().get();
            found->name = wanted;
            found->parent = this;
        }
        return found;
    }

    // Folders with nothing but one folder in them are one line.
    void join()
    {
        named.clear();
        while (parent && change < 0 && children.size() == 1 && !children.front()->children.empty()) {
            const std::unique_ptr<Node> only = std::move(children.front());
            name += '/' + only->name;
            change = only->change;
            children = std::move(only->children);
        }
        for (std::size_t index = 0; index < children.size(); ++index) {
            children[index]->parent = this;
            children[index]->row = int(index);
            children[index]->join();
        }
    }
};

namespace {

// Settings, caches and histories: seldom what somebody wants to keep.
bool isHidden(const QByteArray &path)
{
    return path.contains("/.");
}

QIcon iconOf(const SessionChange *change)
{
    if (!change || change->kind == FileKind::Directory)
        return QIcon::fromTheme(u"folder"_s);
    if (change->type == ChangeType::Deleted)
        return QIcon::fromTheme(u"edit-delete"_s);
    return QIcon::fromTheme(change->kind == FileKind::Link ? u"emblem-symbolic-link"_s : u"text-x-generic"_s);
}

} // namespace

ChangesModel::ChangesModel(QObject *parent) : QAbstractItemModel(parent), m_root(std::make_unique<Node>()) {}

ChangesModel::~ChangesModel() = default;

void ChangesModel::setChanges(const QList<SessionChange> &changes)
{
    m_changes = changes;
    m_chosen.assign(std::size_t(changes.size()), false);
    m_hidden = int(std::ranges::count_if(changes, [](const SessionChange &change) { return isHidden(change.path); }));
    rebuild();
    Q_EMIT chosenChanged();
}

void ChangesModel::setFilter(const QString &text, bool hidden)
{
    m_filter = text;
    m_showHidden = hidden;
    rebuild();
}

void ChangesModel::rebuild()
{
    beginResetModel();
    m_root = std::make_unique<Node>();
    m_shown = 0;
    for (int index = 0; index < int(m_changes.size()); ++index) {
        const SessionChange &change = m_changes.at(index);
        if (isHidden(change.path) && !m_showHidden)
            continue;
        if (!m_filter.isEmpty() && !QFile::decodeName(change.path).contains(m_filter, Qt::CaseInsensitive))
            continue;
        ++m_shown;
        Node *node = m_root.get();
        const QList<QByteArray> names = change.path.sliced(1).split('/');
        for (const QByteArray &name : names) {
            node = node->child(name);
            node->files += change.canBeKept() ? 1 : 0;
            node->size += change.canBeKept() ? change.size : 0;
        }
        node->change = index;
    }
    m_root->join();
    endResetModel();
}

QList<int> ChangesModel::chosen() const
{
    QList<int> indices;
    for (std::size_t index = 0; index < m_chosen.size(); ++index) {
        if (m_chosen[index])
            indices.append(int(index));
    }
    return indices;
}

quint64 ChangesModel::chosenSize() const
{
    quint64 size = 0;
    const QList<int> indices = chosen();
    for (const int index : indices)
        size += m_changes.at(index).size;
    return size;
}

ChangesModel::Node *ChangesModel::nodeOf(const QModelIndex &index) const
{
    return index.isValid() ? static_cast<Node *>(index.internalPointer()) : m_root.get();
}

QModelIndex ChangesModel::index(int row, int column, const QModelIndex &parent) const
{
    const Node *node = nodeOf(parent);
    if (row < 0 || column < 0 || column >= ColumnCount || row >= int(node->children.size()))
        return {};
    return createIndex(row, column, node->children[std::size_t(row)].get());
}

QModelIndex ChangesModel::parent(const QModelIndex &index) const
{
    Node *parent = index.isValid() ? nodeOf(index)->parent : nullptr;
    return parent && parent != m_root.get() ? createIndex(parent->row, 0, parent) : QModelIndex();
}

int ChangesModel::rowCount(const QModelIndex &parent) const
{
    return parent.column() > 0 ? 0 : int(nodeOf(parent)->children.size());
}

int ChangesModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

Qt::ItemFlags ChangesModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const Qt::ItemFlags plain = Qt::ItemIsSelectable | Qt::ItemIsEnabled;
    return index.column() == Name && nodeOf(index)->files > 0 ? plain | Qt::ItemIsUserCheckable : plain;
}

Qt::CheckState ChangesModel::checkState(const Node &node) const
{
    if (node.change >= 0 && m_changes.at(node.change).canBeKept() && node.children.empty())
        return m_chosen[std::size_t(node.change)] ? Qt::Checked : Qt::Unchecked;
    bool some = false;
    bool all = true;
    for (const auto &child : node.children) {
        if (child->files == 0)
            continue;
        const Qt::CheckState state = checkState(*child);
        some = some || state != Qt::Unchecked;
        all = all && state == Qt::Checked;
    }
    return all ? Qt::Checked : some ? Qt::PartiallyChecked : Qt::Unchecked;
}

void ChangesModel::choose(const Node &node, bool chosen)
{
    if (node.change >= 0 && m_changes.at(node.change).canBeKept())
        m_chosen[std::size_t(node.change)] = chosen;
    for (const auto &child : node.children)
        choose(*child, chosen);
}

QString ChangesModel::text(const Node &node, int column) const
{
    const SessionChange *change = node.change >= 0 ? &m_changes.at(node.change) : nullptr;
    switch (column) {
    case Name:
        return shown(QFile::decodeName(node.parent == m_root.get() ? '/' + node.name : node.name), 200);
    case Type:
        return change ? SessionWords::type(change->type) : QString();
    case Kind:
        return SessionWords::kind(change ? change->kind : FileKind::Directory);
    case Size:
        return node.files > 0 ? Words::bytes(node.size) : QString();
    default:
        return {};
    }
}

QVariant ChangesModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Node &node = *nodeOf(index);
    const SessionChange *change = node.change >= 0 ? &m_changes.at(node.change) : nullptr;
    switch (role) {
    case Qt::DisplayRole:
        return text(node, index.column());
    case Qt::ToolTipRole:
        return change ? shown(QFile::decodeName(change->path), 4096) : QString();
    case Qt::CheckStateRole:
        return index.column() == Name && node.files > 0 ? QVariant(checkState(node)) : QVariant();
    case Qt::DecorationRole:
        return index.column() == Name ? QVariant(iconOf(change)) : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() == Size ? QVariant::fromValue(Qt::AlignTrailing | Qt::AlignVCenter) : QVariant();
    default:
        return {};
    }
}

bool ChangesModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!index.isValid() || role != Qt::CheckStateRole || index.column() != Name)
        return false;
    choose(*nodeOf(index), value.value<Qt::CheckState>() == Qt::Checked);
    // Folders above and files below look different now; nobody has that many on the screen.
    Q_EMIT dataChanged(this->index(0, 0), this->index(rowCount() - 1, ColumnCount - 1), {Qt::CheckStateRole});
    for (QModelIndex above = index; above.isValid(); above = above.parent())
        Q_EMIT dataChanged(above, above, {Qt::CheckStateRole});
    Q_EMIT chosenChanged();
    return true;
}

QVariant ChangesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Path");
    case Type:
        return tr("Change");
    case Kind:
        return tr("Kind");
    case Size:
        return tr("Size");
    default:
        return {};
    }
}

} // namespace Tacet
