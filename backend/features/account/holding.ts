/** What it takes to say of a table which rows are a person's, and what becomes of them. The list of them all: `holdings.ts`. */
import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '#backend/platform/database/tables.ts'

/**
 * - `deleted`: the rows go
 * - `revoked`: the rows end, let go of their server and stay, so that a late announce is told "revoked"
 * - `anonymised`: the rows stay for the others in them; an id that leads to nobody stands in for his, and what was about his own
 *   things says no more than that it happened
 * - `unnamed`: the rows stay and name nobody
 */
export type Fate = 'deleted' | 'revoked' | 'anonymised' | 'unnamed'

export interface Holding {
  readonly table: keyof Tables
  /** The columns that name a person; none where the rows are his because the server is. */
  readonly people: readonly string[]
  readonly his: (userId: string) => RawBuilder<boolean>
  /** Which of them his export shows, where it does not show all. */
  readonly shown?: (userId: string) => RawBuilder<boolean>
  readonly fate: Fate
  readonly exported: readonly string[]
  /** What never leaves: secrets, and what is only a hash of one. */
  readonly withheld: readonly string[]
}

/** Rows that name the person himself. */
export function naming(...people: readonly string[]): Pick<Holding, 'people' | 'his'> {
  return {
    people,
    his: (userId) =>
      sql.join(
        people.map((column) => sql`${sql.ref(column)} = ${userId}::uuid`),
        sql` or `,
      ),
  }
}

const hisServers = (userId: string) => sql`(select public_id from servers where owner_id = ${userId}::uuid)`
export const hisCredentials = (userId: string) => sql`(select id from credentials where server_id in ${hisServers(userId)})`

/** Rows of his servers. */
export const OF_HIS_SERVERS: Pick<Holding, 'people' | 'his'> = { people: [], his: (userId) => sql`server_id in ${hisServers(userId)}` }

/** Tables that hold nothing on anybody. A state of a sign-in is a hash of random letters that nobody's name stands beside. */
export const OF_NOBODY: readonly string[] = [
  'used_sign_in_states',
  'doomed_files',
  // A hash of a notice leads to nobody.
  'supporter_notices',
  'cloud_auth_keys',
  'cloud_auth_secret',
  'migration_digests',
  'schema_migrations',
  'nodes',
  'leases',
  'presence_life',
  // Sums of the whole list.
  'list_samples',
  'list_history',
]
