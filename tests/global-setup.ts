/** One Postgres for the whole run, with a migrated template that each test copies in about 40 ms. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '#backend/platform/database/embedded-postgres.ts'
import { migrateToLatest } from '#backend/platform/database/migrate.ts'
import { connect } from '#backend/platform/database/open.ts'
import { createLog } from '#backend/platform/log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly socketFolder: string
  }
}

export const TEMPLATE = 'muster_template'

/**
 * Trades durability for speed. Kill and crash tests use their own databases. Autovacuum visits every database once per naptime, and a
 * run creates hundreds.
 */
const FAST_SETTINGS = ['fsync = off', 'synchronous_commit = off', 'full_page_writes = off', "autovacuum_naptime = '5min'"]

/** The test file of each worker may start several programs. */
const CONNECTIONS = 250

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-test-'))
  const postgres = await startEmbeddedPostgres(folder, CONNECTIONS)
  const connection = { host: postgres.socketFolder, user: 'postgres' }
  const client = new pg.Client({ ...connection, database: 'postgres' })
  await client.connect()
  for (const setting of FAST_SETTINGS) await client.query(`alter system set ${setting}`)
  await client.query('select pg_reload_conf()')
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const template = connect({ ...connection, database: TEMPLATE }, createLog('warn'))
  await migrateToLatest(template)
  await template.destroy()
  project.provide('socketFolder', postgres.socketFolder)
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
