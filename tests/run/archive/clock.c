/* Loaded into PostgreSQL by a test: its clock shows the time with the seconds that a file holds added. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>

static volatile long *ahead(void) {
    static volatile long *held;
    if (!held) {
        int file = open(getenv("CLOCK_AHEAD"), O_RDONLY);
        held = mmap(0, sizeof(long), PROT_READ, MAP_SHARED, file, 0);
    }
    return held;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    static int (*real)(struct timeval *, void *);
    if (!real) real = dlsym(RTLD_NEXT, "gettimeofday");
    int result = real(now, zone);
    now->tv_sec += *ahead();
    return result;
}
