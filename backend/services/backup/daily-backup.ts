/**
 * The daily backup into BACKUP_DIR: written, verified and only then given its name. Both run in a process of their own, at a lower
 * priority, so that they don't delay the list.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Deps } from '#backend/platform/deps.ts'
import { updateLedger } from './erasure-ledger.ts'

const MUSTER = join(import.meta.dirname, '../../cli/muster.ts')
/** Below everything that answers calls; 19 is the lowest. */
const LOW_PRIORITY = 15
/** A failure is rarely over in a minute, and each attempt costs. */
const RETRY_MS = 3_600_000
const DAY_MS = 86_400_000
const UNVERIFIED_SUFFIX = '.unverified'

const NAME = /^muster-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.zst$/
const nameOf = (at: number) => `muster-${new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '')}.tar.zst`

interface StoredBackup {
  readonly name: string
  /** When it was begun, in milliseconds. */
  readonly at: number
}

/** The verified backups in a folder, the newest first. Each node may have a folder of its own. */
export function listBackups(folder: string): StoredBackup[] {
  if (!existsSync(folder)) return []
  const backups = readdirSync(folder).flatMap((name) => {
    const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? []
    return year === undefined ? [] : [{ name, at: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) }]
  })
  return backups.toSorted((one, other) => other.at - one.at)
}

type BackupDeps = Pick<Deps, 'env' | 'clock' | 'db'>

export interface DailyBackup {
  /** When the newest verified backup was begun, in wall milliseconds. */
  newestAt(): number | undefined
  /** When the next one is due. */
  nextAt(): number
  /** The age of the newest verified backup in milliseconds; infinite without one. */
  ageMs(): number
  /** Backs up if the time of day has passed since the newest backup. Throws if it fails, and then waits for an hour. */
  runIfDue(stopping: AbortSignal): Promise<void>
  /** Adds recent erasures to the ledger. */
  updateLedger(): Promise<void>
}

/** Undefined without BACKUP_DIR. @param run a command of the command line; by default in a process of its own */
export function createDailyBackup({ env, clock, db }: BackupDeps, run = runCommand): DailyBackup | undefined {
  const folder = env.BACKUP_DIR
  if (folder === undefined) return undefined
  let retryAt = -Infinity
  const newestAt = () => listBackups(folder)[0]?.at ?? -Infinity

  const backUp = async (stopping: AbortSignal) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(folder)) if (name.includes(UNVERIFIED_SUFFIX)) await rm(join(folder, name), { force: true })
    const file = join(folder, nameOf(clock.now()))
    const unverified = `${file}${UNVERIFIED_SUFFIX}`
    await run(['backup', unverified], stopping)
    await run(['backup', '--verify', unverified], stopping)
    await rename(unverified, file)
    for (const { name } of listBackups(folder).slice(env.BACKUP_KEEP)) await rm(join(folder, name), { force: true })
  }

  return {
    newestAt: () => listBackups(folder)[0]?.at,
    nextAt: () => {
      const last = lastTimeOf(env.BACKUP_AT, clock.now())
      return newestAt() < last ? clock.now() + Math.max(0, Number.isFinite(retryAt) ? retryAt - clock.uptime() : 0) : last + DAY_MS
    },
    ageMs: () => clock.now() - newestAt(),
    async runIfDue(stopping) {
      if (newestAt() >= lastTimeOf(env.BACKUP_AT, clock.now()) || clock.uptime() < retryAt) return
      retryAt = clock.uptime() + RETRY_MS
      try {
        await backUp(stopping)
        retryAt = -Infinity
      } catch (error) {
        // A stopping program ends it. The next start begins again.
        if (!stopping.aborted) throw error
      }
    },
    async updateLedger() {
      if (existsSync(folder)) await updateLedger(db, folder)
    },
  }
}

/** When it was this time of day (UTC) the last time, in milliseconds. */
function lastTimeOf(time: string, now: number): number {
  const today = Date.parse(`${new Date(now).toISOString().slice(0, 10)}T${time}:00Z`)
  return today <= now ? today : today - DAY_MS
}

/** Rejects with what the command printed. */
function runCommand(args: readonly string[], signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = execFile(process.execPath, [MUSTER, ...args], { signal }, (error, _stdout, stderr) =>
    error === null ? resolve() : reject(new Error(stderr.trim() || error.message)),
  )
  if (child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY)
  return promise
}
