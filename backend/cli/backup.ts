/** `backup` and `restore`: the whole installation in one file. `help.ts` describes the options. */
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '#backend/platform/database/open.ts'
import { readEnv } from '#backend/platform/env.ts'
import { type ImageStorage, createStorage } from '#backend/core/images/storage.ts'
import { LEDGER, readLedger, updateLedger } from '#backend/services/backup/erasure-ledger.ts'
import { type RestoreSummary, restoreBackup } from '#backend/services/backup/restore-backup.ts'
import { verifyBackup } from '#backend/services/backup/verify-backup.ts'
import { readImage, writeBackup } from '#backend/services/backup/write-backup.ts'
import { withDatabase } from './database.ts'

export const BACKUP_OPTIONS = { verify: { type: 'boolean', default: false } } as const
export const RESTORE_OPTIONS = { erasures: { type: 'string' }, 'without-erasures': { type: 'boolean', default: false } } as const

const MAX_NAMED = 10

export async function backup(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: BACKUP_OPTIONS })
  const file = oneFile(positionals, 'npm run muster -- backup [--verify] FILE')
  await (values.verify ? verify(file) : write(file))
}

async function write(file: string): Promise<void> {
  const { tables, images, missingImages } = await withDatabase(async ({ connection, db }, env) => {
    const summary = await writeBackup({ connection, storage: createStorage(env) }, file, progress)
    await updateLedger(db, dirname(file))
    return summary
  })
  print(`Backed up ${tables} tables and ${count(images, 'image')} to ${file}. Keep it secret: it contains sessions and keys.`)
  if (missingImages.length === 0) return
  const named = missingImages.slice(0, MAX_NAMED).join(', ')
  const more = missingImages.length > MAX_NAMED ? ` and ${missingImages.length - MAX_NAMED} more` : ''
  process.stderr.write(`${count(missingImages.length, 'image')} had no file in the storage: ${named}${more}.\n`)
}

async function verify(file: string): Promise<void> {
  const summary = await verifyBackup(readEnv(), file, progress)
  const { created_at: at, release, schema_level: level } = summary.manifest
  print(`${file} is intact: it was restored into a scratch database, and every row is the same.`)
  print(`${contentOf(summary)}, of ${at}, by release ${release} with schema level ${level}.`)
}

export async function restore(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: RESTORE_OPTIONS })
  const file = oneFile(positionals, 'npm run muster -- restore [--erasures LEDGER | --without-erasures] FILE')
  const ledger = values.erasures ?? join(dirname(file), LEDGER)
  const erased = values['without-erasures'] ? new Set<string>() : await readLedger(ledger)
  if (erased === undefined)
    throw new Error(
      `There is no ledger of erasures at ${ledger}. Name one with --erasures. With --without-erasures, users who were erased since the backup come back.`,
    )
  const summary = await withDatabase(
    ({ connection }, env) => restoreBackup({ file, connection, storeImage: storeInto(createStorage(env)), erased, onProgress: progress }),
    openDatabase,
  )
  print(`Restored ${file} of ${summary.manifest.created_at}: ${contentOf(summary)}. Every row and file was compared.`)
  if (summary.applied.length > 0) print(`Applied migrations: ${summary.applied.join(', ')}.`)
  if (!values['without-erasures']) print(`Erased ${count(summary.erasedAgain, 'account')} again, as ${ledger} says.`)
  print('Start Muster now.')
}

function oneFile(positionals: readonly string[], usage: string): string {
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new Error(`Usage: ${usage}`)
  return resolve(file)
}

/** A file never changes, so one with the same bytes stays. */
const storeInto = (storage: ImageStorage) => async (file: string, bytes: Buffer) => {
  if ((await readImage(storage, file))?.equals(bytes) === true) return
  await storage.put(file, bytes, `image/${file.endsWith('.jpg') ? 'jpeg' : file.slice(file.lastIndexOf('.') + 1)}`)
  if ((await readImage(storage, file))?.equals(bytes) !== true)
    throw new Error(`The image storage returned different bytes for ${file} than it got.`)
}

function contentOf({ rows, images, missingImages, foreignTables }: RestoreSummary): string {
  const missing = missingImages === 0 ? '' : ` (${missingImages} more had no file)`
  const foreign = foreignTables.length === 0 ? '' : `, without the tables that are not Muster's: ${foreignTables.join(', ')}`
  return `${count(rows, 'row')} and ${count(images, 'image')}${missing}${foreign}`
}

const count = (number: number, noun: string) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`

/** One line at a terminal, replaced as the work goes on. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`)
}

function print(line: string): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K')
  process.stdout.write(`${line}\n`)
}
