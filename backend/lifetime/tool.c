/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A Valgrind tool: how long data lives on the heap, after table 1 of "Shredding Your Garbage". For each byte of the heap it knows
 * when it was first written, when it was last read, and whether its block is free. The program keeps its own allocator, so that
 * freed memory is used again as it would be without the tool.
 *
 *   ideal		from the first write to the last read before the block is freed
 *   secure		from the first write to the free
 *   natural		from the first write to the first write after the free, also by the allocator
 *
 * Each process appends one line to the file of --lifetime-file. See write_line().
 */
#include <valgrind/pub_tool_basics.h>
/* Uses what is above. */
#include <valgrind/pub_tool_clientstate.h>
#include <valgrind/pub_tool_hashtable.h>
#include <valgrind/pub_tool_libcassert.h>
#include <valgrind/pub_tool_libcbase.h>
#include <valgrind/pub_tool_libcfile.h>
#include <valgrind/pub_tool_libcprint.h>
#include <valgrind/pub_tool_libcproc.h>
#include <valgrind/pub_tool_machine.h>
#include <valgrind/pub_tool_mallocfree.h>
#include <valgrind/pub_tool_options.h>
#include <valgrind/pub_tool_threadstate.h>
#include <valgrind/pub_tool_tooliface.h>
#include <valgrind/pub_tool_vki.h>

#include "requests.h"

enum state {
    NO_HEAP,
    EMPTY,     /* allocated, and not written */
    INHERITED, /* allocated, and not written; it has the data of the block before */
    WRITTEN,   /* allocated and written */
    FREED,     /* free, and its data is still there */
};

/* Shadow memory is made for pieces of this size in which there is a heap. */
#define PIECE_BITS 16
#define PIECE (1UL << PIECE_BITS)
#define GROUP_BITS 15
#define GROUP (1UL << GROUP_BITS)
#define GROUPS (1UL << (47 - PIECE_BITS - GROUP_BITS))

/* Times are counted by the processor, in units of so many ticks. */
#define TICK_BITS 16

struct piece {
    UInt first_write[PIECE];
    UInt last_read[PIECE];
    UChar state[PIECE];
};

struct span {
    ULong bytes;
    double sum;     /* of times */
    double squares; /* of times */
};

struct block {
    VgHashNode node; /* its key is the address */
    SizeT size;
};

static struct piece** groups[GROUPS];
static VgHashTable* blocks;
static struct span ideal, secure, natural;
static ULong allocated, unwritten, given_back;
static UInt began;
static UInt began_ms;
static const HChar* file_name;

static UInt now(void)
{
    return (UInt)(__builtin_ia32_rdtsc() >> TICK_BITS);
}

static struct piece* find_piece(Addr address)
{
    struct piece** group;

    if (address >> 47 != 0)
        return NULL;
    group = groups[address >> (PIECE_BITS + GROUP_BITS)];
    return group == NULL ? NULL : group[(address >> PIECE_BITS) % GROUP];
}

static struct piece* make_piece(Addr address)
{
    struct piece*** group = &groups[address >> (PIECE_BITS + GROUP_BITS)];
    struct piece** piece;

    if (*group == NULL)
        *group = VG_(calloc)("lifetime.group", GROUP, sizeof(**group));
    piece = &(*group)[(address >> PIECE_BITS) % GROUP];
    if (*piece == NULL)
        *piece = VG_(calloc)("lifetime.piece", 1, sizeof(**piece));
    return *piece;
}

static void add(struct span* span, UInt time)
{
    span->bytes++;
    span->sum += time;
    span->squares += (double)time * time;
}

static void write_byte(struct piece* piece, UWord at, UInt time)
{
    switch (piece->state[at]) {
    case INHERITED:
    case FREED:
        add(&natural, time - piece->first_write[at]);
        if (piece->state[at] == FREED) {
            /* The allocator's own data is no matter. */
            piece->state[at] = NO_HEAP;
            break;
        }
        /* fall through */
    case EMPTY:
        piece->state[at] = WRITTEN;
        piece->first_write[at] = time;
        piece->last_read[at] = time;
        break;
    default:
        break;
    }
}

static VG_REGPARM(2) void on_write(Addr address, SizeT size)
{
    UInt time = 0;

    for (; size > 0; size--, address++) {
        struct piece* piece = find_piece(address);
        const UWord at = address % PIECE;

        if (piece == NULL || piece->state[at] == NO_HEAP || piece->state[at] == WRITTEN)
            continue;
        if (time == 0)
            time = now();
        write_byte(piece, at, time);
    }
}

static VG_REGPARM(2) void on_read(Addr address, SizeT size)
{
    UInt time = 0;

    for (; size > 0; size--, address++) {
        struct piece* piece = find_piece(address);
        const UWord at = address % PIECE;

        if (piece == NULL || piece->state[at] != WRITTEN)
            continue;
        if (time == 0)
            time = now();
        piece->last_read[at] = time;
    }
}

static void allocate(Addr address, SizeT size)
{
    allocated += size;
    for (; size > 0; size--, address++) {
        struct piece* piece = make_piece(address);
        const UWord at = address % PIECE;

        piece->state[at] = piece->state[at] == FREED ? INHERITED : EMPTY;
    }
}

static void release(Addr address, SizeT size)
{
    const UInt time = now();

    for (; size > 0; size--, address++) {
        struct piece* piece = make_piece(address);
        const UWord at = address % PIECE;

        if (piece->state[at] == WRITTEN) {
            add(&ideal, piece->last_read[at] - piece->first_write[at]);
            add(&secure, time - piece->first_write[at]);
            piece->state[at] = FREED;
        } else {
            unwritten += piece->state[at] == EMPTY || piece->state[at] == INHERITED;
            piece->state[at] = piece->state[at] == INHERITED ? FREED : NO_HEAP;
        }
    }
}

static void add_block(Addr address, SizeT size)
{
    struct block* block = VG_(HT_remove)(blocks, address);

    /* Wrappers may lie in one another, as when an allocator's function calls that of another object. */
    if (block != NULL) {
        if (size > block->size)
            allocate(address + block->size, size - block->size);
        else
            release(address + size, block->size - size);
    } else {
        block = VG_(malloc)("lifetime.block", sizeof(*block));
        allocate(address, size);
    }
    block->node.key = address;
    block->size = size;
    VG_(HT_add_node)(blocks, block);
}

static void remove_block(Addr address)
{
    struct block* block = VG_(HT_remove)(blocks, address);

    if (block == NULL)
        return;
    release(address, block->size);
    VG_(free)(block);
}

/* The allocator has copied the block already. */
static void move_block(Addr from, Addr to, SizeT size)
{
    struct block* block = VG_(HT_lookup)(blocks, from);
    const SizeT copied = block == NULL || block->size > size ? size : block->size;

    if (from == to) {
        add_block(to, size);
        return;
    }
    remove_block(from);
    if (to == 0)
        return;
    add_block(to, size);
    on_write(to, copied);
}

static Bool on_request(ThreadId thread, UWord* words, UWord* result)
{
    switch (words[0]) {
    case REQUEST_ALLOCATED:
        add_block(words[1], words[2]);
        break;
    case REQUEST_FREED:
        remove_block(words[1]);
        break;
    case REQUEST_MOVED:
        move_block(words[1], words[2], words[3]);
        break;
    default:
        return False;
    }
    *result = 0;
    return True;
}

/* The kernel clears what is given back, before another process has it. */
static void on_unmap(Addr address, SizeT size)
{
    const UInt time = now();

    for (; size > 0; size--, address++) {
        struct piece* piece = find_piece(address);
        const UWord at = address % PIECE;

        if (piece == NULL) {
            const SizeT rest = PIECE - at - 1;

            size -= rest < size - 1 ? rest : size - 1;
            address += rest;
            continue;
        }
        if (piece->state[at] == FREED || piece->state[at] == INHERITED) {
            given_back++;
            add(&natural, time - piece->first_write[at]);
        }
        piece->state[at] = NO_HEAP;
    }
}

static void on_system_call_read(CorePart part, ThreadId thread, const HChar* name, Addr address, SizeT size)
{
    on_read(address, size);
}

static void on_system_call_read_text(CorePart part, ThreadId thread, const HChar* name, Addr address)
{
    on_read(address, VG_(strlen)((const HChar*)address) + 1);
}

static void on_system_call_write(CorePart part, ThreadId thread, Addr address, SizeT size)
{
    on_write(address, size);
}

static void call(IRSB* block, Bool writes, IRExpr* address, Int size)
{
    IRExpr** arguments = mkIRExprVec_2(address, mkIRExpr_HWord(size));
    IRDirty* dirty = unsafeIRDirty_0_N(2, writes ? "on_write" : "on_read",
                                       VG_(fnptr_to_fnentry)(writes ? (void*)on_write : (void*)on_read), arguments);

    addStmtToIRSB(block, IRStmt_Dirty(dirty));
}

/* The same, if the guard holds. */
static void call_if(IRSB* block, Bool writes, IRExpr* address, Int size, IRExpr* guard)
{
    call(block, writes, address, size);
    block->stmts[block->stmts_used - 1]->Ist.Dirty.details->guard = guard;
}

static void add_calls_of_dirty(IRSB* block, const IRDirty* dirty)
{
    if (dirty->mFx == Ifx_Read || dirty->mFx == Ifx_Modify)
        call_if(block, False, dirty->mAddr, dirty->mSize, dirty->guard);
    if (dirty->mFx == Ifx_Write || dirty->mFx == Ifx_Modify)
        call_if(block, True, dirty->mAddr, dirty->mSize, dirty->guard);
}

static void add_calls_of_swap(IRSB* block, const IRTypeEnv* types, const IRCAS* swap)
{
    const Int size = sizeofIRType(typeOfIRExpr(types, swap->dataLo)) * (swap->dataHi == NULL ? 1 : 2);

    call(block, False, swap->addr, size);
    call(block, True, swap->addr, size);
}

static void add_guarded_load(IRSB* block, IRLoadG* load)
{
    IRType result = Ity_INVALID, loaded = Ity_INVALID;

    typeOfIRLoadGOp(load->cvt, &result, &loaded);
    call_if(block, False, load->addr, sizeofIRType(loaded), load->guard);
}

static void add_calls(IRSB* block, const IRTypeEnv* types, const IRStmt* statement)
{
    switch (statement->tag) {
    case Ist_WrTmp:
        if (statement->Ist.WrTmp.data->tag == Iex_Load)
            call(block, False, statement->Ist.WrTmp.data->Iex.Load.addr, sizeofIRType(statement->Ist.WrTmp.data->Iex.Load.ty));
        break;
    case Ist_Store:
        call(block, True, statement->Ist.Store.addr, sizeofIRType(typeOfIRExpr(types, statement->Ist.Store.data)));
        break;
    case Ist_StoreG:
        call_if(block, True, statement->Ist.StoreG.details->addr,
                sizeofIRType(typeOfIRExpr(types, statement->Ist.StoreG.details->data)), statement->Ist.StoreG.details->guard);
        break;
    case Ist_LoadG:
        add_guarded_load(block, statement->Ist.LoadG.details);
        break;
    case Ist_Dirty:
        add_calls_of_dirty(block, statement->Ist.Dirty.details);
        break;
    case Ist_CAS:
        add_calls_of_swap(block, types, statement->Ist.CAS.details);
        break;
    default:
        break;
    }
}

static IRSB* instrument(VgCallbackClosure* closure, IRSB* in, const VexGuestLayout* layout, const VexGuestExtents* extents,
                        const VexArchInfo* machine, IRType guest_word, IRType host_word)
{
    IRSB* out = deepCopyIRSBExceptStmts(in);
    Int i = 0;

    for (; i < in->stmts_used && in->stmts[i]->tag != Ist_IMark; i++)
        addStmtToIRSB(out, in->stmts[i]);
    for (; i < in->stmts_used; i++) {
        add_calls(out, in->tyenv, in->stmts[i]);
        addStmtToIRSB(out, in->stmts[i]);
    }
    return out;
}

/* What is still in use at the end, and what is free and was not overwritten. */
static void finish(ULong* in_use, ULong* left)
{
    UWord group, index, at;

    for (group = 0; group < GROUPS; group++) {
        for (index = 0; groups[group] != NULL && index < GROUP; index++) {
            struct piece* piece = groups[group][index];

            for (at = 0; piece != NULL && at < PIECE; at++) {
                if (piece->state[at] == WRITTEN) {
                    add(&ideal, piece->last_read[at] - piece->first_write[at]);
                    ++*in_use;
                }
                *left += piece->state[at] == FREED || piece->state[at] == INHERITED;
                unwritten += piece->state[at] == EMPTY || piece->state[at] == INHERITED;
            }
        }
    }
}

/* In microseconds. */
static ULong mean(const struct span* span, double unit)
{
    return span->bytes == 0 ? 0 : (ULong)(span->sum / (double)span->bytes * unit);
}

static ULong deviation(const struct span* span, double unit)
{
    double average, value, root = 1;
    Int i;

    if (span->bytes == 0)
        return 0;
    average = span->sum / (double)span->bytes;
    value = span->squares / (double)span->bytes - average * average;
    /* Newton's way, as there is no library for mathematics. */
    for (i = 0; value > 0 && i < 64; i++)
        root = (root + value / root) / 2;
    return value > 0 ? (ULong)(root * unit) : 0;
}

/*
 * The program's name, its process number, milliseconds that it ran; bytes that were allocated, and of these were never written;
 * then bytes, mean and deviation in microseconds of the ideal, the secure and the natural lifetime; then bytes that were in use
 * at the end, that were given back to the kernel with their data, and that were free with their data at the end. By tabs.
 */
static void write_line(void)
{
    const UInt milliseconds = VG_(read_millisecond_timer)() - began_ms;
    const UInt ticks = now() - began;
    const double unit = ticks == 0 ? 0 : milliseconds * 1000.0 / ticks;
    ULong in_use = 0, left = 0;
    HChar line[1024];
    Int fd;

    finish(&in_use, &left);
    VG_(snprintf)(line, sizeof(line),
                  "%.200s\t%d\t%u\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\n",
                  VG_(args_the_exename), VG_(getpid)(), milliseconds, allocated, unwritten, ideal.bytes, mean(&ideal, unit),
                  deviation(&ideal, unit), secure.bytes, mean(&secure, unit), deviation(&secure, unit), natural.bytes,
                  mean(&natural, unit), deviation(&natural, unit), in_use, given_back, left);
    fd = VG_(fd_open)(file_name, VKI_O_WRONLY | VKI_O_APPEND | VKI_O_CREAT, 0600);
    if (fd < 0 || VG_(write)(fd, line, VG_(strlen)(line)) != (Int)VG_(strlen)(line))
        VG_(umsg)("lifetimes cannot be written to %s\n", file_name);
    if (fd >= 0)
        VG_(close)(fd);
}

/* The child counts for itself, with the heap that it has from its parent. */
static void on_fork(ThreadId thread)
{
    ideal = secure = natural = (struct span){0, 0, 0};
    allocated = unwritten = given_back = 0;
    began = now();
    began_ms = VG_(read_millisecond_timer)();
}

static void on_end(Int status)
{
    write_line();
}

static Bool take_option(const HChar* option)
{
    return VG_STR_CLO(option, "--lifetime-file", file_name);
}

static void print_usage(void)
{
    VG_(printf)("    --lifetime-file=<file>    each process appends a line to it\n");
}

static void print_no_usage(void) {}

static void check_options(void)
{
    if (file_name == NULL)
        VG_(fmsg_bad_option)("--lifetime-file", "It is missing.\n");
    began = now();
    began_ms = VG_(read_millisecond_timer)();
}

static void init(void)
{
    VG_(details_name)("lifetime");
    VG_(details_version)(NULL);
    VG_(details_description)("how long data lives on the heap");
    VG_(details_copyright_author)("Tacet");
    VG_(details_bug_reports_to)("Tacet");
    VG_(basic_tool_funcs)(check_options, instrument, on_end);
    VG_(needs_command_line_options)(take_option, print_usage, print_no_usage);
    VG_(needs_client_requests)(on_request);
    VG_(atfork)(NULL, NULL, on_fork);
    VG_(track_die_mem_munmap)(on_unmap);
    VG_(track_die_mem_brk)(on_unmap);
    VG_(track_pre_mem_read)(on_system_call_read);
    VG_(track_pre_mem_read_asciiz)(on_system_call_read_text);
    VG_(track_post_mem_write)(on_system_call_write);
    blocks = VG_(HT_construct)("lifetime.blocks");
}

VG_DETERMINE_INTERFACE_VERSION(init)
