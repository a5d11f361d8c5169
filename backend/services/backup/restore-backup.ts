/**
 * Restores a backup into an empty database, in one transaction: the schema of the backup, its rows, a comparison of both, the migrations
 * since then, and the erasures since then. Anything wrong with the file rolls it back.
 */
import { sql } from 'kysely'
import type pg from 'pg'
import { applySteps } from '#backend/platform/database/migrate.ts'
import { MIGRATIONS, type MigrationStep, SCHEMA_LEVEL, readSteps } from '#backend/platform/database/migration-steps.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import {
  MANIFEST,
  MISSING_IMAGES,
  type Manifest,
  SEQUENCES,
  Sequences,
  type TableInBackup,
  imageOf,
  parseJson,
  parseManifest,
  tableOf,
  tablePart,
} from './archive.ts'
import { type Part, readParts } from './archive-reader.ts'
import { type Connection, openConnection } from './connection.ts'
import { TableLoader, copyOut, listTables } from './copy-tables.ts'
import { replayErasures } from './erasure-ledger.ts'
import { RowFingerprint } from './row-fingerprint.ts'

export interface RestoreSummary {
  readonly manifest: Manifest
  readonly rows: number
  /** Tables of the backup that are not Muster's. They are not restored. */
  readonly foreignTables: readonly string[]
  readonly images: number
  /** Images that the storage didn't have when the backup was made. */
  readonly missingImages: number
  /** Migrations since the backup. */
  readonly applied: readonly string[]
  readonly erasedAgain: number
}

export interface RestoreOptions {
  readonly file: string
  readonly connection: pg.ClientConfig
  /** Stores an image, and throws if it can't be read back. */
  storeImage(file: string, bytes: Buffer): Promise<void>
  /** Digests of users to erase again. */
  readonly erased: ReadonlySet<string>
  /** What is being restored now. */
  onProgress(text: string): void
}

/** Throws a sentence, and leaves the database empty, if the file is damaged, of another program or newer, or the database is not empty. */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreSummary> {
  const connection = await openConnection(options.connection)
  try {
    return await transaction(connection.db, (trx) => restoreIn(connection, trx, options))
  } finally {
    await connection.close()
  }
}

async function restoreIn(connection: Connection, trx: Db, options: RestoreOptions): Promise<RestoreSummary> {
  let restored: Restored | undefined
  try {
    for await (const part of readParts(options.file)) {
      // The first part is always the manifest.
      if (restored === undefined) restored = await begin(connection, trx, options, part)
      else if (!(await restored.rows.take(part)) && !(await restored.images.take(part))) throw unknownPart(options.file, part)
    }
  } finally {
    await restored?.rows.abort()
  }
  if (restored === undefined) throw new Error(`${options.file} is empty.`)
  const { manifest, rows, images, later } = restored
  rows.expectFinished()
  await images.compare(trx)
  await applySteps(trx, later)
  const erasedAgain = await replayErasures(trx, options.erased)
  return {
    manifest,
    rows: rows.count,
    foreignTables: rows.foreignTables,
    images: images.stored.size,
    missingImages: images.missing.size,
    applied: later.map(({ name }) => name),
    erasedAgain,
  }
}

interface Restored {
  readonly manifest: Manifest
  readonly rows: RestoredRows
  readonly images: RestoredImages
  /** The migrations since the backup. */
  readonly later: readonly MigrationStep[]
}

/** Creates the schema of the backup. */
async function begin({ client }: Connection, trx: Db, options: RestoreOptions, first: Part): Promise<Restored> {
  const manifest = parseManifest(options.file, first.bytes)
  const { former, later } = await splitSteps(options.file, manifest)
  await expectEmpty(trx)
  await applySteps(trx, former)
  const rows = await RestoredRows.begin(client, trx, manifest, options)
  return { manifest, rows, images: new RestoredImages(options), later }
}

const unknownPart = (file: string, { name }: Part) =>
  new Error(`${file} is damaged: ${name} is not a part of a backup, or not in its place.`)

/** The migrations that the backup has, and those since then. Throws a sentence if this program doesn't know all that it has. */
async function splitSteps(file: string, { migrations, release, schema_level: level }: Manifest) {
  const steps = await readSteps(MIGRATIONS)
  const known = new Map(steps.map((step) => [step.name, step]))
  const unknown = migrations.find(({ name }) => !known.has(name))
  if (unknown !== undefined)
    throw new Error(
      `${file} is from a newer release, ${release}, with schema level ${level}. This program has level ${SCHEMA_LEVEL}. Restore it with that release or a newer one.`,
    )
  const edited = migrations.find(({ name, digest }) => known.get(name)?.digest !== digest)
  if (edited !== undefined)
    throw new Error(`${file} has another text of the migration ${edited.name} than this program. Restore it with release ${release}.`)
  const isFormer = ({ name }: MigrationStep) => migrations.some((migration) => migration.name === name)
  return { former: steps.filter(isFormer), later: steps.filter((step) => !isFormer(step)) }
}

async function expectEmpty(db: Db): Promise<void> {
  const { rows } = await sql<{ has_tables: boolean }>`
    select exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')) as has_tables`.execute(db)
  if (rows[0]?.has_tables === true)
    throw new Error(
      'The database is not empty. A restore needs an empty one: choose another DATA_DIR, or another database in DATABASE_URL.',
    )
}

/** A foreign key. */
interface Reference {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/** Loads the tables and the sequences, and then compares each table with the archive. */
class RestoredRows {
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
    const own = new Set((await listTables(client)).map(({ name }) => name))
    const lacking = [...own].find((name) => manifest.tables.every((table) => table.name !== name))
    if (lacking !== undefined) throw new Error(`${options.file} is damaged: ${MANIFEST} lacks the table ${lacking}.`)
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
      if (last !== null) await sql`select setval(quote_ident(${name})::regclass, ${last}::bigint)`.execute(this.#trx)
    await this.#setTriggers('enable')
    this.#isFinished = true
  }

  async #loaded(loading: Promise<void>): Promise<void> {
    await loading.catch((error: Error) => {
      throw new Error(`${this.#options.file} is damaged: ${error.message}.`, { cause: error.cause })
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
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`.execute(this.#trx)
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

/** Stores the images, and compares their names with those in the database. */
class RestoredImages {
  readonly #options: RestoreOptions
  readonly stored = new Set<string>()
  readonly missing = new Set<string>()

  constructor(options: RestoreOptions) {
    this.#options = options
  }

  /** False if the part is not about images. */
  async take(part: Part): Promise<boolean> {
    if (part.name === MISSING_IMAGES) {
      for (const [file] of part.bytes.toString().matchAll(/.+/g)) this.missing.add(file)
      return true
    }
    const file = imageOf(part.name)
    if (file === undefined) return false
    this.#options.onProgress(`image ${this.stored.size + 1}`)
    await this.#options.storeImage(file, part.bytes)
    this.stored.add(file)
    return true
  }

  async compare(db: Db): Promise<void> {
    const rows = await db.selectFrom('images').select('file').distinct().execute()
    const absent = rows.find(({ file }) => !this.stored.has(file) && !this.missing.has(file))
    if (absent !== undefined) throw new Error(`${this.#options.file} is damaged: the image ${absent.file} is missing.`)
  }
}
