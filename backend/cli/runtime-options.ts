/** How Node runs Muster: the memory settings that the benchmarks and the image use too (decision 0008 says what each one saves). */

/** Small young generation, early garbage collection. */
export const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=8', '--heap-growing-percent=60']

/** For glibc: one memory pool, large blocks returned to the system. Other C libraries ignore them. */
export const ENVIRONMENT: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' }
