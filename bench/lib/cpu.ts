/** CPU time and memory of processes, from /proc. On other systems the figures are NaN. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'

/** The cores of the measured server and of the load generator. */
export const SERVER_CORE = 0
export const GENERATOR_CORE = 1
/** The unit of /proc/stat: USER_HZ is 100. */
const NANOSECONDS_PER_TICK = 10_000_000
/** Read before pinning, because pinning changes the result. */
const CORES = availableParallelism()

/** User and system time of all threads in nanoseconds. Source: first field of /proc/<pid>/task/<tid>/schedstat. */
export function cpuOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadCpu(`/proc/${pid}/task/${thread}/schedstat`), 0)
  } catch {
    return Number.NaN
  }
}

/** A thread may exit after it was listed. */
function threadCpu(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0])
  } catch {
    return 0
  }
}

/** Nanoseconds of CPU of a process and its children. */
export function cpuOfProcessTree(pid: number): number {
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

/** Busy nanoseconds of all cores since boot, including steal time. */
export function cpuOfMachine(): number {
  try {
    const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (
      readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? ''
    )
      .split(/\s+/)
      .map(Number)
    return (user + nice + system + irq + softirq + steal) * NANOSECONDS_PER_TICK
  } catch {
    return Number.NaN
  }
}

/** Resident memory of a process in kilobytes. */
export function memoryOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return Number.NaN
  }
}

/** Pins every thread of a process to one core, if the machine has several and `taskset` exists. New children inherit it. */
export function pin(pid: number, core: number): void {
  setAffinity(pid, String(core))
}

/** Allows a process to use every core again. */
export function unpin(pid: number): void {
  setAffinity(pid, `0-${CORES - 1}`)
}

function setAffinity(pid: number, cores: string): void {
  if (CORES < 2 || !existsSync('/usr/bin/taskset')) return
  spawnSync('taskset', ['-a', '-cp', cores, String(pid)], { stdio: 'ignore' })
}

/** One-minute load average: a busy machine makes the results unreliable. */
export const loadAverage = (): number => Math.round((loadavg()[0] ?? Number.NaN) * 10) / 10
