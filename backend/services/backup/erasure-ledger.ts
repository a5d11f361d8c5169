/**
 * Erased users must not return with a backup. The database remembers the digest of each erased user's ID (a trigger of `users`). The
 * ledger is the same list as a file beside the backups, because a lost database takes its own list with it.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { eraseLocked } from '#backend/services/account/erasure.ts'

export const LEDGER = 'erasures.txt'

/** The digests in a ledger, hexadecimal; undefined without the file. Throws a sentence if a line is not an entry. */
export async function readLedger(file: string): Promise<ReadonlySet<string> | undefined> {
  if (!existsSync(file)) return undefined
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  const wrong = lines.find((line) => !/^[0-9a-f]{64}$/.test(line))
  if (wrong !== undefined) throw new Error(`${file} is not a ledger of erasures: each line must be 64 hexadecimal digits.`)
  return new Set(lines)
}

/** Adds the erasures of the database to the ledger in this folder. What the ledger has stays, because a restored database lacks it. */
export async function updateLedger(db: Db, folder: string): Promise<void> {
  const file = join(folder, LEDGER)
  const known = await readLedger(file)
  const all = new Set([...(known ?? []), ...(await listErased(db))])
  if (all.size === known?.size) return
  const partial = `${file}.${randomBytes(6).toString('hex')}`
  const text = [...all]
    .toSorted()
    .map((digest) => `${digest}\n`)
    .join('')
  await writeFile(partial, text, { flag: 'wx', mode: 0o600, flush: true })
  // Root backs up for another user, whose program must read it, too.
  const { uid, gid } = await stat(folder)
  if (process.getuid?.() === 0) await chown(partial, uid, gid)
  await rename(partial, file)
}

/** None before the migration that creates the table. */
async function listErased(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ exists: boolean }>`select to_regclass('erased_users') is not null as exists`.execute(db)
  if (tables[0]?.exists !== true) return []
  const { rows } = await sql<{ digest: string }>`select encode(digest, 'hex') as digest from erased_users`.execute(db)
  return rows.map(({ digest }) => digest)
}

/** Erases the users in the ledger again, in this transaction. Returns how many there were. */
export async function replayErasures(trx: Db, digests: ReadonlySet<string>): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from users where encode(sha256(convert_to(id::text, 'UTF8')), 'hex') = any (${[...digests]}) for update`.execute(trx)
  for (const { id } of rows) await eraseLocked(trx, id)
  return rows.length
}
