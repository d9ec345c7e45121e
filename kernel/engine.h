/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the interposition engine share. */
#ifndef _TACET_ENGINE_H
#define _TACET_ENGINE_H

#include <linux/ptrace.h>
#include <linux/syscalls.h>

#include "call.h"
#include "channel.h"
#include "entry.h"
#include "pair.h"
#include "ring.h"
#include "run.h"
#include "symbol.h"

/* original.c: the original's side of a paired call, and calls of watched and tainted tasks. */
long tacet_original_call(struct tacet_entry *entry);
long tacet_watched_call(struct tacet_entry *entry);
/* Ends the watching of the current task. False: meanwhile derived data came to it; it is watched, and a call is to be restarted. */
bool tacet_let_go(struct tacet_task *context);
long tacet_tainted_call(struct tacet_entry *entry);
/* Runs a call that changes the address space, one at a time, and numbers it. */
long tacet_run_in_order(struct tacet_entry *entry, struct tacet_step *step);
/* Ends a call of the original: remembers a restart, notes pending signals, publishes. Returns the result. */
long tacet_original_finish(struct tacet_entry *entry, struct tacet_step *step, long result);
/* The same of a call that its double has compared, and waits in. */
long tacet_original_finish_compared(struct tacet_entry *entry, struct tacet_step *step, long result);
/* A step filled with the call and its arguments; NULL: the pair is gone, fall back. */
struct tacet_step *tacet_original_step(struct tacet_entry *entry);

/* realign.c: only writes, and returns how much. */
bool tacet_only_writes(unsigned int number);
/* Of any process the same: the doppelganger may ask for itself. How often is a matter of luck where threads wait for each other. */
bool tacet_asks_the_time(unsigned int number);
/*
 * The doppelganger has come to a call that is not the original's @step. False: it is
 * to look at the next step; true: @result is its call's.
 */
bool tacet_realign(struct tacet_entry *entry, struct tacet_step *step, long *result);

/* Adds to what the process has read, also for whoever traces it and for files that it has mapped. 0 or -errno. */
int tacet_entry_add_label(const struct tacet_entry *entry, struct tacet_labelset *set, struct tacet_origin *origin);
/* The same for what was, or is about to be, read from @file. */
int tacet_entry_add_file(const struct tacet_entry *entry, struct tacet_labelset *set, struct file *file);

/* access.c: the current task gets at the memory of @task. Atomic; 0, or -ENOMEM: it must not. */
int tacet_access_seen(struct task_struct *task);
/* The current task's parent, which traces it or is about to, sees what the process of @pair has read. */
int tacet_access_by_parent(struct tacet_pair *pair);

/* output.c: data leaves the process. */
long tacet_original_output(struct tacet_entry *entry);
long tacet_tainted_output(struct tacet_entry *entry);
/* How many bytes a call that only writes is to write; those of another size where memory is not readable. */
size_t tacet_output_length(const struct tacet_entry *entry);

/* doppelganger.c */
long tacet_doppelganger_call(struct tacet_entry *entry);
/* The two have gone different ways. Returns what the doppelganger's call returns on its way to death. */
long tacet_doppelganger_diverge(struct tacet_entry *entry, const char *reason);

/* futex.c: calls of threads that take turns. */
/* It may wait; so may giving up the processor. */
bool tacet_futex_waits(const struct tacet_entry *entry);
bool tacet_futex_lends_priority(const struct tacet_entry *entry);
bool tacet_futex_writes(const struct tacet_entry *entry);
/* Sets @blob to what in memory the call's result depends on. 0 or -ENOMEM. */
int tacet_futex_gather(const struct tacet_entry *entry, struct tacet_blob *blob);

/* special.c: calls that neither replaying nor running twice can deal with. */
long tacet_original_special(struct tacet_entry *entry);
long tacet_doppelganger_special(struct tacet_entry *entry, struct tacet_step *step);
/* The files that the current process has mapped such that its stores are not seen count as written. 0 or -errno. */
int tacet_label_shared_mappings(struct tacet_pair *pair);
/* The label of the file that the call maps is the process's, and the file's that of the process if it can store there. 0 or -errno. */
int tacet_label_mapping(struct tacet_entry *entry, struct file *file);
/* An ioctl that clones the content of one file into another. */
bool tacet_ioctl_transfers(const struct tacet_entry *entry);
/* Plain replay, with the row of @entry. */
long tacet_original_replay(struct tacet_entry *entry);
/* Whether the call's in data are those of the original's. */
bool tacet_doppelganger_equals(struct tacet_entry *entry, const struct tacet_step *step);
/* Writes result and out data of @step into the doppelganger. Returns the result. */
long tacet_doppelganger_replay(struct tacet_entry *entry, struct tacet_step *step);
/* The doppelganger's thread waits until it is the turn of @step among such calls. False: it has to die. */
bool tacet_memory_wait(struct tacet_pair *pair, const struct tacet_step *step);
void tacet_memory_pass_on(struct tacet_pair *pair, const struct tacet_step *step);
/* Runs the call in the doppelganger too and compares the results. */
long tacet_doppelganger_both(struct tacet_entry *entry, struct tacet_step *step);

/* mapping.c: the current process's mappings that give way to private ones of their shadows, or of nothing. False: not all. */
bool tacet_mapping_replace(bool (*gives_way)(const struct vm_area_struct *area));
bool tacet_mapping_is_labelled(const struct vm_area_struct *area);
/* The file of the current process's next mapping from *@address on that @fits, a reference; NULL: none. Moves *@address behind it. */
struct file *tacet_mapping_next_file(unsigned long *address, bool (*fits)(const struct vm_area_struct *area));

/* memory.c: both halves' memory, in the original while the doppelganger waits in a call. */
/* A reference (mmput), or NULL. */
struct mm_struct *tacet_memory_of_doppelganger(struct tacet_pair *pair);
/* The page at @address has another content. @own, @theirs: copies. False ends the comparison. */
typedef bool tacet_page_differs(unsigned long address, const u8 *own, const u8 *theirs, void *data);
/*
 * Compares the current process's private memory with that of @mm, but for what the kernel writes there. @patience: jiffies,
 * and a signal ends it; 0: as long as it takes. False: not all was compared, as @differs said so or for want of time or memory.
 */
bool tacet_memory_compare(struct mm_struct *mm, unsigned long patience, tacet_page_differs *differs, void *data);
/* The same of whole pages from @start to @end. */
bool tacet_memory_compare_range(struct mm_struct *mm, unsigned long start, unsigned long end, tacet_page_differs *differs,
				void *data);

/* state.c: what the kernel keeps of both, registers and signals, in the original while @doppelganger waits in the same call. */
bool tacet_state_same(struct task_struct *doppelganger);
/* The set of registers that a core file has as a note of @type (NT_PRSTATUS, NT_X86_XSTATE); NULL: none. */
const struct user_regset *tacet_state_regset(unsigned int type);
/* @task has said that it sleeps, and is about to leave the processor. False: it did not in time. */
bool tacet_state_wait_off_cpu(struct task_struct *task);

/* merge.c: in the original after an output, while its double waits for the result: if both are the same again it goes on alone. True: it does. */
bool tacet_merge(struct tacet_entry *entry);

/* takeover.c: the doppelganger takes the original's place. */
/* Whether it could, at this call. Sleeps. */
bool tacet_takeover_possible(const struct tacet_entry *entry);
/*
 * In the original, while its double waits at @step for the result: PASS, the task
 * is the doppelganger now and makes its call; -EPERM, nothing has changed;
 * -EINTR, it failed half-way and the task dies.
 */
long tacet_takeover(struct tacet_entry *entry, struct tacet_step *step);
/* In the doppelganger, when step->taken_by is there: its registers are given away; then it has to die. */
void tacet_takeover_give(struct tacet_entry *entry, struct tacet_step *step);
/* The file that the call reads becomes its shadow where the process goes on on scrubbed data. */
void tacet_takeover_redirect(struct tacet_entry *entry);

/* fork.c, exec.c */
long tacet_original_fork(struct tacet_entry *entry);
long tacet_doppelganger_fork(struct tacet_entry *entry, struct tacet_step *step);
/* Makes the child's context ready for a task without a doppelganger. 0 or -errno for the call. */
int tacet_fork_prepare(struct tacet_entry *entry);
/* Called with the child known, preemption off. */
void tacet_fork_publish(struct tacet_task *parent, struct task_struct *child);
long tacet_original_exec(struct tacet_entry *entry);
long tacet_doppelganger_exec(struct tacet_entry *entry, struct tacet_step *step);
long tacet_unpaired_exec(struct tacet_entry *entry);

/* transfer.c: sendfile, splice and the like. */
long tacet_transfer(struct tacet_entry *entry);
/* The labelled data that @source holds, as a reference; with the file that it comes from. */
struct tacet_labelset *tacet_source_label(struct file *source);

/* clone.c: the making of a doppelganger. */
void tacet_clone_doppelganger(struct tacet_entry *entry);
void tacet_clone_prepare(struct tacet_task *parent, struct task_struct *child);
/* A doppelganger that does not run yet becomes nobody's child: no wait() sees it, and it vanishes by itself. */
void tacet_clone_adopt(struct task_struct *leader);
/* First entry of a doppelganger: arranges its surroundings. False: it has to die. */
bool tacet_clone_arrange(struct tacet_entry *entry);
void tacet_clone_exit(void);
int tacet_clone_init(void);
/* Rings of requests (io_uring, aio), which are worked off with no call to see. Atomic. */
bool tacet_has_asynchronous_input(struct task_struct *process);

/* thread.c: the other threads of an original that gets its doppelganger. */
/* Parks them where they are, in pair->parked. 0, or -errno with none parked. */
int tacet_thread_park_all(struct tacet_pair *pair);
/* Lets them go on: as halves of pairs, or tainted. */
void tacet_thread_release_all(struct tacet_pair *pair);
/* In the doppelganger: a double for each that was parked. 0 or -errno. */
int tacet_thread_clone_all(struct tacet_entry *entry);
void tacet_thread_forget(struct tacet_pair *pair);
void tacet_thread_prepare(struct tacet_parked *parked, struct task_struct *child);

/* vdso.c: makes the vDSO's functions real system calls in the current process. 0 or -errno. */
int tacet_vdso_patch(void);

/* signal.c */
/* Gives the doppelganger the signal that the original handled here. False: it has got it already. */
bool tacet_signal_mirror(struct tacet_step *step);
/* The original had one pending when it went to user mode: the doppelganger gets it there too. */
void tacet_signal_mirror_next(struct tacet_ring *ring);

/* emit.c: writes bytes of the kernel's own copy as the call would. Result like the call's. */
long tacet_emit(struct tacet_entry *entry, struct file *file, const u8 *data, size_t length);

/* hook.c */
int tacet_hook_init(void);
void tacet_hook_exit(void);
int tacet_hook_overlay_init(void);
void tacet_hook_overlay_exit(void);

#endif
