/** Check of `doctor`: the daily backups. */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { MAX_BACKUP_AGE_MS } from '#backend/app/status/thresholds.ts'
import { systemClock } from '#backend/platform/clock.ts'
import type { Env } from '#backend/platform/env.ts'
import { listBackups } from '#backend/services/backup/daily-backup.ts'
import { type Check, type Finding, failed, ok, skipped, warning } from './check.ts'

const HOUR_MS = 3_600_000

export function createBackupCheck({ BACKUP_DIR }: Env): Check {
  return {
    id: 'backup',
    title: 'Daily backup',
    run: () => (BACKUP_DIR === undefined ? skipped('BACKUP_DIR is not set, so there is none.') : checkBackups(BACKUP_DIR)),
  }
}

async function checkBackups(folder: string): Promise<Finding> {
  const newest = (await listBackups(folder, systemClock.now()))[0]
  if (newest === undefined)
    return warning(
      `There is no backup in ${folder} yet.`,
      'Start Muster: it begins one at once. If there is none an hour later, read its log.',
    )
  const isWritable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable) return failed(`${folder} is not writable for this user.`, 'Run this command and Muster as the same user.')
  const age = systemClock.now() - newest.at
  const message = `The newest verified backup, ${newest.name}, is ${Math.round(age / HOUR_MS)} h old.`
  return age > MAX_BACKUP_AGE_MS ? warning(message, 'Look for "back-up" in the log, which says why newer ones failed.') : ok(message)
}
