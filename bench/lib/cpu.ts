/** CPU time and memory of processes from Linux' own books. Elsewhere it answers NaN and the benches show rates only. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** The cores of the measured server and of its clients. */
export const SERVER_CORE = 0
export const GENERATOR_CORE = 1
/** Of /proc/stat on every Linux that Node runs on. */
const NANOSECONDS_A_TICK = 10_000_000
/** Asked before anybody is put anywhere: from then on the system says how many this process may use. */
const CORES = availableParallelism()

/** Nanoseconds of CPU, user and system, that all threads of a process have used. Source: /proc/<pid>/task/<tid>/schedstat, first figure. */
export function cpuOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadCpu(`/proc/${pid}/task/${thread}/schedstat`), 0)
  } catch {
    return Number.NaN
  }
}

/** A thread may end between the listing and the look. */
function threadCpu(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0])
  } catch {
    return 0
  }
}

/** Nanoseconds of CPU of a process and its children. */
export function cpuOfFamily(pid: number): number {
  return cpuOf(pid) + childrenOf(pid).reduce((sum, child) => sum + (cpuOf(child) || 0), 0)
}

export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter((text) => text !== '')
      .map(Number)
  } catch {
    return []
  }
}

/** Nanoseconds in which any core did anything since the machine started, what the hypervisor took away included. */
export function cpuOfMachine(): number {
  try {
    const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (
      readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? ''
    )
      .split(/\s+/)
      .map(Number)
    return (user + nice + system + irq + softirq + steal) * NANOSECONDS_A_TICK
  } catch {
    return Number.NaN
  }
}

/** Kilobytes of memory of a process: all that is resident, and its share of what it has in common with others (0 where the system does not say). */
export function memoryOf(pid: number): { rss: number; pss: number } {
  const read = (file: string, name: string) => {
    try {
      return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1] ?? 0)
    } catch {
      return 0
    }
  }
  return { rss: read('status', 'VmRSS'), pss: read('smaps_rollup', 'Pss') }
}

/** Puts every thread of a process on one core, where the machine has several and `taskset` exists. Its children begin there. */
export function pin(pid: number, core: number): void {
  place(pid, String(core))
}

/** Lets it run on every core, as it does where nobody measures. */
export function unpin(pid: number): void {
  place(pid, `0-${CORES - 1}`)
}

function place(pid: number, cores: string): void {
  if (CORES < 2 || !existsSync('/usr/bin/taskset')) return
  spawnSync('taskset', ['-a', '-cp', cores, String(pid)], { stdio: 'ignore' })
}

/** The machine's load before anything is measured: figures taken while it is busy are worth little. */
export function loadOfMachine(): number {
  try {
    return Number(execFileSync('cat', ['/proc/loadavg'], { encoding: 'utf8' }).split(' ')[0])
  } catch {
    return Number.NaN
  }
}
