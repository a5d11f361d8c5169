/** One connection for COPY and for queries, so that both are in the same transaction. */
import { Kysely, PostgresDialect } from 'kysely'
import * as pg from 'pg'
import type { Db } from '#backend/platform/database/open.ts'
import type { Tables } from '#backend/platform/database/tables.ts'

export interface Connection {
  /** For COPY. */
  readonly client: pg.Client
  /** For queries. Its transactions are those of the client. */
  readonly db: Db
  readonly close: () => Promise<void>
}

/** The same value has the same text on every server, and no limit of time ends a long statement. */
const SETTINGS = `
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set extra_float_digits = 1; set bytea_output = 'hex';
  set client_encoding = 'UTF8';
  select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'`

export async function openConnection(config: pg.ClientConfig): Promise<Connection> {
  const client = new pg.Client({ ...config, application_name: 'muster backup', keepAlive: true })
  // The statement that waits for an answer reports it.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(SETTINGS)
  const lent = Object.assign(client, { release: () => undefined })
  const pool = { options: {}, connect: () => Promise.resolve(lent), end: () => Promise.resolve() }
  return { client, db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), close: () => client.end() }
}

/** Whether the error is for the operator. Those of Postgres and of the system have codes. */
export const isSentence = (error: unknown) => error instanceof Error && !('code' in error)
