/** Copies the rows of whole tables out of a database and into one, in the text format of COPY. */
import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Client } from 'pg'
import { from, to } from 'pg-copy-streams'
import type { TableInBackup } from './archive.ts'

/** Tables that describe the database or its nodes. A restored database has its own. */
const OWN_TABLES = ['schema_migrations', 'kysely_migration', 'kysely_migration_lock', 'migration_digests', 'nodes', 'leases']

/** Every table of the schema in use, with its columns that are not generated. */
export async function listTables(client: Client): Promise<TableInBackup[]> {
  const { rows } = await client.query<TableInBackup>(
    `select relname as name, array_agg(attname::text order by attnum) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
     where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname <> all ($1)
     group by relname order by relname`,
    [OWN_TABLES],
  )
  return rows
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
const listOf = ({ name, columns }: TableInBackup) => `${quote(name)} (${columns.map(quote).join(', ')})`

/** The rows of a table, in pieces of any size. */
export function copyOut(client: Client, table: TableInBackup): Readable {
  return client.query(to(`copy ${listOf(table)} to stdout`))
}

/** Takes the rows of one table after the other. */
export class TableLoader {
  readonly #client: Client
  #current: { readonly table: string; readonly stream: Writable; readonly loaded: Promise<void> } | undefined

  constructor(client: Client) {
    this.#client = client
  }

  /** Rejects if the database rejects these rows, or those of the table before. */
  async write(table: TableInBackup, bytes: Buffer): Promise<void> {
    if (this.#current?.table !== table.name) {
      await this.end()
      const stream = this.#client.query(from(`copy ${listOf(table)} from stdin`))
      const loaded = finished(stream).catch((error: unknown) => {
        throw new Error(`the database rejects the rows of ${table.name}`, { cause: error })
      })
      loaded.catch(() => undefined)
      this.#current = { table: table.name, stream, loaded }
    }
    const { stream, loaded } = this.#current
    const { promise: isTaken, resolve } = Promise.withResolvers<void>()
    // An error of the write is that of the whole stream.
    stream.write(bytes, (error) => (error ? undefined : resolve()))
    await Promise.race([isTaken, loaded])
  }

  /** Ends an unfinished COPY, so that the transaction can be rolled back. */
  async abort(): Promise<void> {
    this.#current?.stream.destroy(new Error('aborted'))
    await this.#current?.loaded.catch(() => undefined)
  }

  /** Resolves when the rows of the last table are in the database. */
  async end(): Promise<void> {
    const current = this.#current
    this.#current = undefined
    current?.stream.end()
    await current?.loaded
  }
}

/** Splits a stream into parts of exactly this size; the last one may be smaller. */
export async function* split(stream: Readable, size: number): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let length = 0
  for await (const piece of stream as AsyncIterable<Buffer>) {
    pieces.push(piece)
    length += piece.length
    while (length >= size) {
      const all = Buffer.concat(pieces)
      yield all.subarray(0, size)
      pieces = [all.subarray(size)]
      length -= size
    }
  }
  if (length > 0) yield Buffer.concat(pieces)
}
