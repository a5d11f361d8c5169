/**
 * The daily backup into BACKUP_DIR: written, verified and only then given its name. Both run in a process of their own, at a lower
 * priority, so that they don't delay the list.
 */
import { spawn } from 'node:child_process'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Deps } from '#backend/platform/deps.ts'
import { updateLedger } from './erasure-ledger.ts'

const MUSTER = join(import.meta.dirname, '../../cli/muster.ts')
/** Below everything that answers calls; 19 is the lowest. */
const LOW_PRIORITY = 15
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A failure is rarely over in a minute, and each attempt costs. */
const RETRY_MS = HOUR_MS
/** A command that takes longer hangs, such as on a disk that does not answer. */
const COMMAND_TIMEOUT_MS = 12 * HOUR_MS
const UNVERIFIED_SUFFIX = '.unverified'

const NAME = /^muster-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.zst$/
const nameOf = (at: number) => `muster-${new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '')}.tar.zst`

interface StoredBackup {
  readonly name: string
  /** When it was begun, in milliseconds. */
  readonly at: number
}

/** The verified backups in a folder, the newest first; without those that a wrong clock dated into the future. */
export async function listBackups(folder: string, now: number): Promise<StoredBackup[]> {
  const backups = (await filesIn(folder)).flatMap((name) => {
    const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? []
    const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    return at <= now + HOUR_MS ? [{ name, at }] : []
  })
  return backups.toSorted((one, other) => other.at - one.at)
}

async function filesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

type BackupDeps = Pick<Deps, 'env' | 'clock' | 'db' | 'log'>

export interface DailyBackup {
  /** When the newest verified backup was begun, in milliseconds, as of the last `measure`. */
  newestAt(): number | undefined
  /** When the next one is due, in milliseconds. */
  nextAt(): number
  /** The age of the newest verified backup in milliseconds as of the last `measure`; infinite without one, NaN before. */
  ageMs(): number
  measure(): Promise<void>
  /** Backs up if the time of day has passed since the newest backup. Throws if that failed, and for an hour after. */
  runIfDue(stopping: AbortSignal): Promise<void>
  /** Adds recent erasures to the ledger. */
  updateLedger(): Promise<void>
}

/** Undefined without BACKUP_DIR. @param run a command of the command line; by default in a process of its own. Resolves with its warnings. */
export function createDailyBackup({ env, clock, db, log }: BackupDeps, run = runCommand): DailyBackup | undefined {
  const folder = env.BACKUP_DIR
  if (folder === undefined) return undefined
  let newestAt = NaN
  let failed: { readonly error: unknown; readonly retryAt: number } | undefined

  const measure = async () => {
    newestAt = (await listBackups(folder, clock.now()))[0]?.at ?? -Infinity
  }
  const backUp = async (stopping: AbortSignal) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await removeAbandoned(folder, clock.now())
    const file = join(folder, nameOf(clock.now()))
    const unverified = `${file}${UNVERIFIED_SUFFIX}`
    const warnings = await run(['backup', unverified], stopping)
    if (warnings !== '') log.warn({ warnings }, 'backup is incomplete')
    await run(['backup', '--verify', unverified], stopping)
    await rename(unverified, file)
    for (const { name } of (await listBackups(folder, clock.now())).slice(env.BACKUP_KEEP)) await rm(join(folder, name), { force: true })
    await measure()
  }

  return {
    newestAt: () => (Number.isFinite(newestAt) ? newestAt : undefined),
    nextAt() {
      const last = lastTimeOf(env.BACKUP_AT, clock.now())
      if (newestAt >= last) return last + DAY_MS
      return clock.now() + Math.max(0, (failed?.retryAt ?? -Infinity) - clock.uptime())
    },
    ageMs: () => clock.now() - newestAt,
    measure,
    async runIfDue(stopping) {
      if (failed !== undefined && clock.uptime() < failed.retryAt) throw failed.error
      await measure()
      if (newestAt >= lastTimeOf(env.BACKUP_AT, clock.now())) return
      try {
        await backUp(stopping)
        failed = undefined
      } catch (error) {
        // A stopping program ends it. The next start begins again.
        if (stopping.aborted) return
        failed = { error, retryAt: clock.uptime() + RETRY_MS }
        throw error
      }
    },
    async updateLedger() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await updateLedger(db, folder)
    },
  }
}

/** Of killed programs. Another node may be writing a newer one. */
async function removeAbandoned(folder: string, now: number): Promise<void> {
  for (const name of (await filesIn(folder)).filter((each) => each.includes(UNVERIFIED_SUFFIX))) {
    const file = join(folder, name)
    if ((await stat(file)).mtimeMs < now - DAY_MS) await rm(file, { force: true })
  }
}

/** When it was this time of day (UTC) the last time, in milliseconds. */
function lastTimeOf(time: string, now: number): number {
  const today = Date.parse(`${new Date(now).toISOString().slice(0, 10)}T${time}:00Z`)
  return today <= now ? today : today - DAY_MS
}

/** Resolves with what the command printed as warnings, and rejects with what it printed as its failure, once it has ended. */
function runCommand(args: readonly string[], signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const child = spawn(process.execPath, [MUSTER, ...args], { stdio: ['ignore', 'ignore', 'pipe'], timeout: COMMAND_TIMEOUT_MS })
  if (child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY)
  // It removes its scratch database before it ends.
  const stop = () => child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.on('error', reject)
  child.on('close', (code) => {
    signal.removeEventListener('abort', stop)
    if (code === 0) resolve(output.trim())
    else reject(new Error(output.trim() || `"muster ${args[0]}" exited with ${code}.`))
  })
  return promise
}
