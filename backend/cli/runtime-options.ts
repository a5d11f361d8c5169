/** Flags and variables that limit Node's memory, also in the benchmarks and in the Docker image. Their effects are in docs/benchmarks.md. */

/** Small young generation, early garbage collection. */
export const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=8', '--heap-growing-percent=60']

/** For glibc: one memory pool, large blocks returned to the system. Other C libraries ignore them. */
export const ENVIRONMENT: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' }
