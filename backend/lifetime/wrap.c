/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Valgrind loads this into the program. The wrappers tell the tool what the program's own allocator has given and got, be it
 * glibc's or one that the program brings along under the same names.
 */
#include <stddef.h>

#include "requests.h"

/* Za is the pattern *: any object. */
#define WRAP(function) I_WRAP_SONAME_FNNAME_ZU(Za, function)

static void tell_allocated(void* block, size_t size)
{
    if (block != NULL)
        VALGRIND_DO_CLIENT_REQUEST_STMT(REQUEST_ALLOCATED, block, size, 0, 0, 0);
}

static void tell_freed(void* block)
{
    if (block != NULL)
        VALGRIND_DO_CLIENT_REQUEST_STMT(REQUEST_FREED, block, 0, 0, 0, 0);
}

void* WRAP(malloc)(size_t size);
void* WRAP(malloc)(size_t size)
{
    OrigFn original;
    void* block = NULL;

    VALGRIND_GET_ORIG_FN(original);
    CALL_FN_W_W(block, original, size);
    tell_allocated(block, size);
    return block;
}

void* WRAP(calloc)(size_t count, size_t size);
void* WRAP(calloc)(size_t count, size_t size)
{
    OrigFn original;
    void* block = NULL;

    VALGRIND_GET_ORIG_FN(original);
    CALL_FN_W_WW(block, original, count, size);
    tell_allocated(block, count * size);
    return block;
}

#define WRAP_ALIGNED(function)                                                                                                   \
    void* WRAP(function)(size_t alignment, size_t size);                                                                         \
    void* WRAP(function)(size_t alignment, size_t size)                                                                          \
    {                                                                                                                            \
        OrigFn original;                                                                                                         \
        void* block = NULL;                                                                                                      \
                                                                                                                                 \
        VALGRIND_GET_ORIG_FN(original);                                                                                          \
        CALL_FN_W_WW(block, original, alignment, size);                                                                          \
        tell_allocated(block, size);                                                                                             \
        return block;                                                                                                            \
    }

WRAP_ALIGNED(memalign)
WRAP_ALIGNED(aligned_alloc)

int WRAP(posix_memalign)(void** block, size_t alignment, size_t size);
int WRAP(posix_memalign)(void** block, size_t alignment, size_t size)
{
    OrigFn original;
    int result = 0;

    VALGRIND_GET_ORIG_FN(original);
    CALL_FN_W_WWW(result, original, block, alignment, size);
    if (result == 0)
        tell_allocated(*block, size);
    return result;
}

void* WRAP(realloc)(void* block, size_t size);
void* WRAP(realloc)(void* block, size_t size)
{
    OrigFn original;
    void* moved = NULL;

    VALGRIND_GET_ORIG_FN(original);
    CALL_FN_W_WW(moved, original, block, size);
    if (block == NULL)
        tell_allocated(moved, size);
    else if (moved != NULL || size == 0)
        VALGRIND_DO_CLIENT_REQUEST_STMT(REQUEST_MOVED, block, moved, size, 0, 0);
    return moved;
}

void WRAP(free)(void* block);
void WRAP(free)(void* block)
{
    OrigFn original;

    VALGRIND_GET_ORIG_FN(original);
    tell_freed(block);
    CALL_FN_v_W(original, block);
}
