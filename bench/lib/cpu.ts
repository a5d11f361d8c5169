/** CPU time of processes, from /proc. */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** The cores of the measured server, of the load generator, and all. */
export const SERVER_CORE = '0'
export const GENERATOR_CORE = '1'
/** Read before pinning, because pinning changes the result. */
export const ALL_CORES = `0-${availableParallelism() - 1}`
/** The unit of /proc/stat: USER_HZ is 100. */
const NANOSECONDS_PER_TICK = 10_000_000

/** User and system time of all threads in nanoseconds. Source: first field of /proc/<pid>/task/<tid>/schedstat. */
export function cpuOf(...pids: readonly (number | undefined)[]): number {
  const threads = pids.flatMap((pid) => globSync(`/proc/${pid}/task/*/schedstat`))
  return threads.reduce((sum, file) => sum + threadCpu(file), 0)
}

/** A thread may exit after it was listed. */
function threadCpu(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0])
  } catch {
    return 0
  }
}

/** Busy nanoseconds of all cores since boot, including steal time. */
export function cpuOfMachine(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(/\s+/).map(Number)
  return (user + nice + system + irq + softirq + steal) * NANOSECONDS_PER_TICK
}

/** Pins every thread of a process, if the machine has these cores and `taskset`. New children inherit it. */
export function pin(pid: number | undefined, cores: string): void {
  spawnSync('taskset', ['-a', '-cp', cores, String(pid)], { stdio: 'ignore' })
}
