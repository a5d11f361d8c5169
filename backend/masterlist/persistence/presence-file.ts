/** A local file of live states, because the shared database's unlogged table loses them in a crash (docs/decisions/0006). */
import { createWriteStream } from 'node:fs'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, gunzip } from 'node:zlib'
import { createDataFolder, explainFolder } from '#backend/platform/data-folder.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { supersedes } from '#backend/masterlist/registry/live-state.ts'
import type { Moment, Registry } from '#backend/masterlist/registry/registry.ts'
import { syncFolder } from '#backend/platform/sync-folder.ts'
import { liveStateOf } from './registry-loader.ts'
import { type PresenceRow, presenceOf } from './presence-row.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'

const unpack = promisify(gunzip)

/** A power cut loses at most this much. */
const INTERVAL_MS = 30_000
/** The first line of the file: the format of its rows. */
const FORMAT = 'muster presence 1'
/** Announces are handled between two chunks. */
const LINES_PER_CHUNK = 200

type Source = Pick<Deps, 'clock' | 'log'> & { readonly env: Pick<Deps['env'], 'DATA_DIR'> }

export class PresenceFile {
  readonly #deps: Source
  readonly #registry: Registry
  readonly #path: string
  /** Contains the process id, because several processes may share the folder. */
  readonly #temporaryPath: string
  #dueAt: number
  #running: Promise<void> | undefined
  readonly #outage: OutageLog
  #writtenAt: number | undefined
  /** The file is only overwritten after it was restored. */
  #isRestored = false

  constructor(deps: Source, registry: Registry) {
    this.#deps = deps
    this.#registry = registry
    this.#outage = new OutageLog({
      log: deps.log,
      level: 'warn',
      begin: 'writing the presence file failed, will retry',
      end: 'writing the presence file works again',
    })
    this.#path = join(deps.env.DATA_DIR, 'presence.gz')
    this.#temporaryPath = `${this.#path}.${process.pid}`
    this.#dueAt = deps.clock.uptime() + INTERVAL_MS
  }

  /** Seconds since the file was written; undefined if there is none. */
  get ageSeconds(): number | undefined {
    return this.#writtenAt === undefined ? undefined : Math.max(0, this.#deps.clock.now() - this.#writtenAt) / 1000
  }

  /** Creates the folder. Throws if it is not writable. */
  async prepare(): Promise<void> {
    const folder = dirname(this.#path)
    createDataFolder(folder)
    try {
      await writeFile(this.#temporaryPath, '')
      await rm(this.#temporaryPath)
    } catch (error) {
      throw explainFolder(folder, error)
    }
  }

  /** Restores servers unless the database has a newer state. */
  async restore(at: Moment): Promise<void> {
    try {
      // Reads all rows first, because the checksum is verified at the end.
      for (const row of await this.#read()) this.#restoreRow(row, at)
      this.#writtenAt = (await stat(this.#path)).mtimeMs
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.#deps.log.info({ err: error }, 'presence file unreadable, using the database only')
    }
    this.#isRestored = true
  }

  onCycle(): void {
    if (this.#running !== undefined || this.#deps.clock.uptime() < this.#dueAt) return
    this.#dueAt = this.#deps.clock.uptime() + INTERVAL_MS
    this.#running = this.#write().finally(() => {
      this.#running = undefined
    })
  }

  /** Writes the file one last time. Never rejects. */
  async close(): Promise<void> {
    await this.#running
    if (this.#isRestored) await this.#write()
  }

  async #write(): Promise<void> {
    const at = this.#deps.clock.now()
    try {
      await pipeline(Readable.from(this.#chunks()), createGzip({ level: 1 }), createWriteStream(this.#temporaryPath, { flush: true }))
      await rename(this.#temporaryPath, this.#path)
      await syncFolder(dirname(this.#path))
      this.#outage.succeeded()
      this.#writtenAt = at
    } catch (error) {
      this.#outage.failed({ err: error })
      await rm(this.#temporaryPath, { force: true }).catch(() => undefined)
    }
  }

  *#chunks(): Generator<string> {
    let lines = [FORMAT]
    for (const server of this.#registry.all()) {
      const row = presenceOf(server)
      if (row !== undefined) lines.push(JSON.stringify(row))
      if (lines.length < LINES_PER_CHUNK) continue
      yield lines.join('\n')
      lines = ['']
    }
    yield lines.join('\n')
  }

  /** Throws if the file is missing or its checksum is wrong. */
  async #read(): Promise<PresenceRow[]> {
    const [format, ...lines] = (await unpack(await readFile(this.#path))).toString().split('\n')
    return format === FORMAT ? lines.map((line) => JSON.parse(line) as PresenceRow) : []
  }

  /** Restores only states of valid credentials: a new owner must not see the former owner's address. */
  #restoreRow(row: PresenceRow, at: Moment): void {
    const server = this.#registry.get(row.server_id)
    if (server === undefined || !server.credentials.some((credential) => credential.id === row.credential_id)) return
    const saved = liveStateOf(row)
    if (!supersedes(saved, server, at.now)) return
    this.#registry.restore(server, saved, at)
    this.#registry.unsaved.add(server)
  }
}
