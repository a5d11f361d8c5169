/** CPU time of processes from Linux' own books. Elsewhere it answers NaN and the benches show rates only. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'

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
  return cpuOf(pid) + childrenOf(pid).reduce((sum, child) => sum + cpuOf(child), 0)
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter((text) => text !== '')
      .map(Number)
  } catch {
    return []
  }
}

/** Puts every thread of a process on one core, where the machine has several and `taskset` exists. */
export function pin(pid: number, core: number): void {
  if (availableParallelism() < 2 || !existsSync('/usr/bin/taskset')) return
  spawnSync('taskset', ['-a', '-cp', String(core), String(pid)], { stdio: 'ignore' })
}

/** What the rest of the machine does, in cores, over half a second: figures taken while it is busy are worth little. */
export function loadOfOthers(): number {
  try {
    return Number(execFileSync('cat', ['/proc/loadavg'], { encoding: 'utf8' }).split(' ')[0])
  } catch {
    return Number.NaN
  }
}
