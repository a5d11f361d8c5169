/**
 * The live states in a file of this machine, beside a database whose own are lost where it crashes (they are not in its log, so that its
 * replicas need not follow every announce). After a power cut that took program and database the list still comes back.
 */
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, gunzip } from 'node:zlib'
import type { Deps } from '#backend/platform/deps.ts'
import { announcedOf } from '#backend/masterlist/registry/announced.ts'
import { isNewer } from '#backend/masterlist/registry/live-state.ts'
import type { Moment, Registry } from '#backend/masterlist/registry/registry.ts'
import type { EndedBy } from '#backend/masterlist/registry/server-record.ts'
import { syncFolder } from '#backend/platform/sync-folder.ts'
import type { PresenceRow } from './masterlist.writes.ts'
import { presenceOf } from './presence-row.ts'

const unpack = promisify(gunzip)

/** How often it is written: what a power cut may lose. */
const EVERY_MS = 30_000
/** The first line: what follows is rows of this form. */
const FORM = 'muster presence 1'
/** Lines of one chunk, between which announces are answered. */
const LINES_AT_ONCE = 200

type Source = Pick<Deps, 'clock' | 'log'> & { readonly env: Pick<Deps['env'], 'DATA_DIR'> }

export class PresenceFile {
  readonly #deps: Source
  readonly #registry: Registry
  readonly #path: string
  #dueAt: number
  #running: Promise<void> | undefined
  #hasFailed = false
  #writtenAt: number | undefined
  /** Whether what is in it is in the registry: before that it is not written over. */
  #isTakenIn = false

  constructor(deps: Source, registry: Registry) {
    this.#deps = deps
    this.#registry = registry
    this.#path = join(deps.env.DATA_DIR, 'presence.gz')
    this.#dueAt = deps.clock.uptime() + EVERY_MS
  }

  /** Seconds since the file was written; undefined where there is none. */
  get ageSeconds(): number | undefined {
    return this.#writtenAt === undefined ? undefined : Math.max(0, this.#deps.clock.now() - this.#writtenAt) / 1000
  }

  /** Makes the folder. Throws an error with a sentence where no file can be written to it. */
  async prepare(): Promise<void> {
    const folder = dirname(this.#path)
    try {
      await mkdir(folder, { recursive: true })
      await writeFile(this.#draft, '')
      await rm(this.#draft)
    } catch (error) {
      throw new Error(`The folder ${folder} can't be written to. Let DATA_DIR name one that this user may write to.`, { cause: error })
    }
  }

  /** Puts back what the file says of servers of which the database knows nothing newer. Answers how many. */
  async restore(at: Moment): Promise<number> {
    let restored = 0
    try {
      // All of them first: only then it is known that the file is whole.
      for (const row of await this.#read()) if (this.#takeIn(row, at)) restored += 1
      this.#writtenAt = (await stat(this.#path)).mtimeMs
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.#deps.log.info({ err: error }, 'The file with the live states can not be read; what the database says counts.')
    }
    this.#isTakenIn = true
    return restored
  }

  /** Begins to write it where its time has come. */
  beat(): void {
    if (this.#running !== undefined || this.#deps.clock.uptime() < this.#dueAt) return
    this.#dueAt = this.#deps.clock.uptime() + EVERY_MS
    this.#running = this.#write().finally(() => {
      this.#running = undefined
    })
  }

  /** The last one of this life. Of one that ended before it had read everything nothing is written. Never rejects. */
  async close(): Promise<void> {
    await this.#running
    if (this.#isTakenIn) await this.#write()
  }

  /** Several nodes may share the folder. */
  get #draft(): string {
    return `${this.#path}.${process.pid}`
  }

  async #write(): Promise<void> {
    const draft = this.#draft
    const at = this.#deps.clock.now()
    try {
      await pipeline(Readable.from(this.#chunks()), createGzip({ level: 1 }), createWriteStream(draft, { flush: true }))
      await rename(draft, this.#path)
      await syncFolder(dirname(this.#path))
      this.#hasFailed = false
      this.#writtenAt = at
    } catch (error) {
      if (!this.#hasFailed) this.#deps.log.warn({ err: error }, 'The file with the live states can not be written; it is tried again.')
      this.#hasFailed = true
      await rm(draft, { force: true }).catch(() => undefined)
    }
  }

  *#chunks(): Generator<string> {
    let lines = [FORM]
    for (const server of this.#registry.all()) {
      for (const row of presenceOf(server)) lines.push(JSON.stringify(row))
      if (lines.length < LINES_AT_ONCE) continue
      yield lines.join('\n')
      lines = ['']
    }
    yield lines.join('\n')
  }

  /** Throws where the file is not there, or its checksum is wrong. */
  async #read(): Promise<PresenceRow[]> {
    const [form, ...lines] = (await unpack(await readFile(this.#path))).toString().split('\n')
    return form === FORM ? lines.map((line) => JSON.parse(line) as PresenceRow) : []
  }

  /** Only of credentials that still work: whoever got the server since need not know from where its former owner announced. */
  #takeIn(row: PresenceRow, at: Moment): boolean {
    const server = this.#registry.get(row.server_id)
    if (server === undefined || !server.credentials.some((credential) => credential.id === row.credential_id)) return false
    const told = {
      announced: announcedOf(row.announce),
      address: row.address,
      online: row.online,
      endedBy: row.ended_by as EndedBy,
      since: row.since,
      lastAnnounceAt: row.last_announce_at,
      changedAt: row.changed_at,
      credentialId: row.credential_id ?? undefined,
    }
    if (!isNewer(told, server, at.now)) return false
    this.#registry.restore(server, told, at)
    this.#registry.unsaved.add(server)
    return true
  }
}
