/** A database with the schema of an earlier program, to test migrations with. */
import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { migrateToLatest } from '#backend/platform/database/migrate.ts'
import { MIGRATIONS, levelOf } from '#backend/platform/database/migration-steps.ts'
import { type Db, connect } from '#backend/platform/database/open.ts'
import { createLog } from '#backend/platform/log.ts'

interface FormerDatabase {
  readonly db: Db
  readonly connection: pg.ClientConfig
}

/** Without a schema. */
export async function createDatabase(): Promise<pg.ClientConfig> {
  const server = { host: inject('socketFolder'), user: 'postgres' }
  const database = `test_${randomBytes(8).toString('hex')}`
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  await client.query(`create database ${database}`)
  await client.end()
  return { ...server, database }
}

/** Both end with the test. @param level of its schema */
export async function formerDatabase(level: number): Promise<FormerDatabase> {
  const connection = await createDatabase()
  const db = connect({ ...connection, idleTimeoutMillis: 200 }, createLog('silent'), 2)
  onTestFinished(() => db.destroy())
  await migrateToLatest(db, stepsUpTo(level))
  return { db, connection }
}

/** The folder with the migrations up to this level, as the program of that time has. It is deleted after the test. */
export function stepsUpTo(level: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-steps-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const file of readdirSync(MIGRATIONS)) if (levelOf(file) <= level) cpSync(join(MIGRATIONS, file), join(folder, file))
  return folder
}
