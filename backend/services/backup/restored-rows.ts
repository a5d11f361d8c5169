/** The rows of a backup while it is restored. */
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '#backend/platform/database/open.ts'
import { MANIFEST, type Manifest, SEQUENCES, Sequences, type TableInBackup, parseJson, tableOf, tablePart } from './archive.ts'
import { type Part, unknownPart } from './archive-reader.ts'
import { TableLoader, copyOut, listTables } from './copy-tables.ts'
import type { RestoreOptions } from './restore-backup.ts'
import { RowFingerprint } from './row-fingerprint.ts'

/** A foreign key. */
interface Reference {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/** Loads the tables and the sequences, and then compares each table with the archive. */
export class RestoredRows {
  readonly #client: pg.Client
  readonly #trx: Db
  readonly #options: RestoreOptions
  readonly #tables: ReadonlyMap<string, TableInBackup>
  readonly #loader: TableLoader
  readonly #expected = new Map<string, RowFingerprint>()
  /** Tables that someone added to the database. No migration creates them. */
  readonly foreignTables: readonly string[]
  #references: readonly Reference[] = []
  #nextPart = tablePart('', 0)
  #isFinished = false

  static async begin(client: pg.Client, trx: Db, manifest: Manifest, options: RestoreOptions): Promise<RestoredRows> {
    const tables = await listTables(client)
    for (const { name, columns } of tables) {
      const saved = manifest.tables.find((table) => table.name === name)
      if (saved === undefined) throw new Error(`${options.file} is damaged: ${MANIFEST} lacks the table ${name}.`)
      if (!isDeepStrictEqual(saved.columns.toSorted(), columns.toSorted()))
        throw new Error(
          `${options.file} has other columns of the table ${name} than migrations create: ${saved.columns.join(', ')}. Drop added columns from the database, and back up again.`,
        )
    }
    const own = new Set(tables.map(({ name }) => name))
    const rows = new RestoredRows(client, trx, manifest, own, options)
    // The rows are final: triggers must not change them.
    await rows.#setTriggers('disable')
    // Migrations insert some.
    await sql`truncate ${sql.join([...own].map((name) => sql.table(name)))}`.execute(trx)
    await rows.#dropReferences()
    return rows
  }

  private constructor(client: pg.Client, trx: Db, { tables }: Manifest, own: ReadonlySet<string>, options: RestoreOptions) {
    this.#client = client
    this.#trx = trx
    this.#options = options
    this.#tables = new Map(tables.filter(({ name }) => own.has(name)).map((table) => [table.name, table]))
    this.foreignTables = tables.map(({ name }) => name).filter((name) => !own.has(name))
    this.#loader = new TableLoader(client)
  }

  get count(): number {
    return [...this.#expected.values()].reduce((sum, { rows }) => sum + rows, 0)
  }

  /** False if the part has no rows. */
  async take(part: Part): Promise<boolean> {
    if (part.name === SEQUENCES) {
      await this.#finish(part)
      return true
    }
    const place = tableOf(part.name)
    if (place === undefined) return false
    if (this.foreignTables.includes(place.table)) return true
    const table = this.#tables.get(place.table)
    if (table === undefined || this.#isFinished || (place.index > 0 && part.name !== this.#nextPart))
      throw unknownPart(this.#options.file, part)
    this.#nextPart = tablePart(place.table, place.index + 1)
    this.#options.onProgress(table.name)
    const fingerprint = this.#expected.get(table.name) ?? new RowFingerprint()
    this.#expected.set(table.name, fingerprint)
    fingerprint.add(part.bytes)
    await this.#loaded(this.#loader.write(table, part.bytes))
    return true
  }

  /** Does nothing after the last row. */
  abort(): Promise<void> {
    return this.#loader.abort()
  }

  expectFinished(): void {
    if (!this.#isFinished) throw new Error(`${this.#options.file} is damaged: ${SEQUENCES} is missing.`)
  }

  async #finish(part: Part): Promise<void> {
    const sequences = Sequences.safeParse(parseJson(part.bytes))
    if (!sequences.success || this.#isFinished) throw unknownPart(this.#options.file, part)
    await this.#loaded(this.#loader.end())
    await this.#createReferences()
    for (const table of this.#tables.values()) await this.#compare(table)
    for (const [name, last] of Object.entries(sequences.data))
      if (last !== null)
        await sql`
          select setval(quote_ident(sequencename)::regclass, ${last}::bigint) from pg_sequences
          where schemaname = current_schema() and sequencename = ${name}`.execute(this.#trx)
    await this.#setTriggers('enable')
    this.#isFinished = true
  }

  async #loaded(loading: Promise<void>): Promise<void> {
    await loading.catch((error: Error) => {
      throw new Error(`${this.#options.file} can't be restored: ${error.message}.`, { cause: error.cause })
    })
  }

  async #compare(table: TableInBackup): Promise<void> {
    this.#options.onProgress(`comparing ${table.name}`)
    const restored = new RowFingerprint()
    for await (const bytes of copyOut(this.#client, table)) restored.add(bytes as Buffer)
    const expected = this.#expected.get(table.name) ?? new RowFingerprint()
    if (restored.value !== expected.value)
      throw new Error(`The restored table ${table.name} differs from the backup: ${restored.value} instead of ${expected.value}.`)
  }

  /** Checking all rows of a table at once takes a fraction of the time, and tables can be in any order. */
  async #dropReferences(): Promise<void> {
    const { rows } = await sql<Reference>`
      select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(this.#trx)
    this.#references = rows
    for (const { table, name } of rows) await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(this.#trx)
  }

  async #createReferences(): Promise<void> {
    for (const { table, name, definition } of this.#references) {
      this.#options.onProgress(`checking references of ${table}`)
      const adding = sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(this.#trx)
      await adding.catch((error: unknown) => {
        throw new Error(`${this.#options.file} is damaged: rows that ${table} refers to are missing.`, { cause: error })
      })
    }
  }

  async #setTriggers(verb: 'enable' | 'disable'): Promise<void> {
    for (const name of this.#tables.keys()) await sql`alter table ${sql.table(name)} ${sql.raw(verb)} trigger user`.execute(this.#trx)
  }
}
