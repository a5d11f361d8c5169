/** Verifies a backup: restores it into a database that is deleted afterwards. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as pg from 'pg'
import { connectionTo } from '#backend/platform/database/embedded-host.ts'
import { startEmbeddedPostgres } from '#backend/platform/database/embedded-postgres.ts'
import { isEmbeddedInstalled } from '#backend/platform/database/embedded-programs.ts'
import type { Env } from '#backend/platform/env.ts'
import { onStopSignal } from '#backend/platform/stop-signals.ts'
import { type RestoreSummary, restoreBackup } from './restore-backup.ts'

/** Throws a sentence if the backup can't be restored as it was made. */
export async function verifyBackup(
  env: Pick<Env, 'DATABASE_URL'>,
  file: string,
  onProgress: (text: string) => void,
  hasEmbedded = isEmbeddedInstalled(),
): Promise<RestoreSummary> {
  const scratch = await createScratchDatabase(env, hasEmbedded)
  const forgetSignals = onStopSignal(() => {
    void scratch.delete().finally(() => process.exit(1))
  })
  try {
    const { connection } = scratch
    // The archive's checksums cover the images. Only their names need the database.
    return await restoreBackup({ file, connection, storeImage: () => Promise.resolve(), erased: new Set(), onProgress })
  } finally {
    forgetSignals()
    await scratch.delete()
  }
}

interface ScratchDatabase {
  readonly connection: pg.ClientConfig
  delete(): Promise<void>
}

/** An embedded Postgres of its own. The image has none, so there it is another database on the server of DATABASE_URL. */
async function createScratchDatabase({ DATABASE_URL }: Pick<Env, 'DATABASE_URL'>, hasEmbedded: boolean): Promise<ScratchDatabase> {
  if (DATABASE_URL !== undefined && !hasEmbedded) return await createOnServer(DATABASE_URL)
  const folder = mkdtempSync(join(tmpdir(), 'muster-verify-'))
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  try {
    const postgres = await startEmbeddedPostgres(folder)
    return { connection: connectionTo(postgres), delete: () => postgres.stop().then(removeFolder) }
  } catch (error) {
    await removeFolder()
    throw error
  }
}

async function createOnServer(url: string): Promise<ScratchDatabase> {
  const name = `muster_verify_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: url, application_name: 'muster backup' })
  await client.connect()
  try {
    await client.query(`create database ${name} encoding 'UTF8' template template0`)
  } catch (error) {
    await client.end()
    throw new Error(
      'The backup could not be verified: the user of DATABASE_URL may not create a database. Run "alter role USER createdb" as an administrator of Postgres.',
      { cause: error },
    )
  }
  const { host, port, user, password, ssl } = client
  return {
    connection: { host, port, user, password, ssl, database: name },
    async delete() {
      await client.query(`drop database ${name} with (force)`)
      await client.end()
    },
  }
}
