/** A streaming replica of the cluster's database that can take over, as in a failover of a managed Postgres. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#backend/platform/database/embedded-postgres.ts'
import { discard, temporaryFolder, until } from '#tests/program.ts'

export interface Replica {
  readonly folder: string
  /** Waits until it has everything committed so far. */
  caughtUp(): Promise<void>
  /** Ends recovery and accepts writes. */
  promote(): Promise<void>
  close(): Promise<void>
}

const clientIn = async (folder: string) => {
  const client = new pg.Client({ host: folder, user: 'postgres', database: 'postgres' })
  await client.connect()
  return client
}

/** @param primary the folder of the database that it replicates */
export async function startReplica(primary: string): Promise<Replica> {
  const folder = temporaryFolder()
  const data = join(folder, 'pg18')
  const source = await clientIn(primary)
  await source.query(`select pg_backup_start('replica', true)`)
  cpSync(join(primary, 'pg18'), data, { recursive: true, filter: (path) => !/postmaster\.(?:pid|opts)$/.test(path) })
  const label = await source.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  writeFileSync(join(data, 'backup_label'), label.rows[0]?.labelfile ?? '')
  writeFileSync(join(data, 'standby.signal'), '')
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = 'host=${primary} user=postgres'\n`)
  // Postgres needs the same owner and mode 700.
  execFileSync('chown', ['-R', `--reference=${join(primary, 'pg18')}`, data])
  execFileSync('chmod', ['700', data])
  // Resolves once it accepts writes.
  const starting: Promise<EmbeddedPostgres> = startEmbeddedPostgres(folder)
  starting.catch(() => undefined)
  let replica: pg.Client | undefined
  await until(async () => {
    replica = await clientIn(folder).catch(() => undefined)
    return replica !== undefined
  })
  return {
    folder,
    async caughtUp() {
      const { rows } = await source.query<{ at: string }>('select pg_current_wal_lsn()::text as at')
      await until(async () => {
        const result = await replica?.query<{ is: boolean }>('select pg_last_wal_replay_lsn() >= $1::pg_lsn as is', [rows[0]?.at])
        return result?.rows[0]?.is === true
      })
      await source.end()
    },
    async promote() {
      await replica?.query('select pg_promote()')
      await starting
    },
    async close() {
      await replica?.end().catch(() => undefined)
      await starting.then((postgres) => postgres.stop()).catch(() => undefined)
      discard(folder)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
