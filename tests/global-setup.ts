/** What tests copy instead of creating it: a migrated data folder, and one Postgres for the whole run with a migrated template. */
import { rmSync } from 'node:fs'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { connectionTo } from '#backend/platform/database/embedded-host.ts'
import { startEmbeddedPostgres } from '#backend/platform/database/embedded-postgres.ts'
import { migrateToLatest } from '#backend/platform/database/migrate.ts'
import { connect } from '#backend/platform/database/open.ts'
import { createLog } from '#backend/platform/log.ts'
import { copyFolder, temporaryFolder } from './program.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly socketFolder: string
    /** A stopped data folder with a migrated database. */
    readonly preparedFolder: string
  }
}

export const TEMPLATE = 'muster_template'

/**
 * Trades durability for speed. Kill and crash tests use their own databases. Autovacuum visits every database once per naptime, and a
 * run creates hundreds.
 */
const FAST_SETTINGS = ['fsync = off', 'synchronous_commit = off', 'full_page_writes = off', "autovacuum_naptime = '5min'"]

/** The test file of each worker may start several programs. */
const CONNECTIONS = 400

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prepared = temporaryFolder()
  const first = await startEmbeddedPostgres(prepared)
  const db = connect(connectionTo(first), createLog('warn'))
  await migrateToLatest(db)
  await db.destroy()
  await first.stop()
  const folder = copyFolder(prepared)
  const postgres = await startEmbeddedPostgres(folder, CONNECTIONS)
  // A database without connections can be copied.
  const client = new pg.Client({ ...connectionTo(postgres), database: 'template1' })
  await client.connect()
  for (const setting of FAST_SETTINGS) await client.query(`alter system set ${setting}`)
  await client.query('select pg_reload_conf()')
  await client.query(`create database ${TEMPLATE} template postgres`)
  await client.end()
  project.provide('socketFolder', postgres.socketFolder)
  project.provide('preparedFolder', prepared)
  return async () => {
    await postgres.stop()
    for (const each of [folder, prepared]) rmSync(each, { recursive: true, force: true })
  }
}
