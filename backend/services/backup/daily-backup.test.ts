/** When the daily backup runs, what it keeps, and what it says about itself. The real one is in tests/system/backup.system.test.ts. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { readEnv } from '#backend/platform/env.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { memoryLog } from '#tests/memory-log.ts'
import { createDailyBackup } from './daily-backup.ts'

const NIGHT = Date.parse('2026-11-28T03:30:00Z')
const DAY_MS = 86_400_000
const never = new AbortController().signal

let app: TestApp
let folder: string
let now: number
let commands: string[]
let failure: Error | undefined
let warnings: string
let logs: () => string

beforeAll(async () => {
  app = await startApp()
})

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-daily-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  now = NIGHT
  commands = []
  failure = undefined
  warnings = ''
})

function dailyBackup(variables: Readonly<Record<string, string>> = {}) {
  const env = readEnv({ NODE_ENV: 'test', BACKUP_DIR: folder, BACKUP_AT: '03:30', ...variables })
  const clock = { now: () => now, uptime: () => now - NIGHT }
  // In the place of the commands: the real ones take seconds.
  const run = (args: readonly string[]) => {
    const file = args.at(-1) ?? ''
    commands.push(args.join(' ').replace(folder, 'BACKUP_DIR'))
    if (failure !== undefined) return Promise.reject(failure)
    writeFileSync(file, '')
    return Promise.resolve(warnings)
  }
  const log = memoryLog('warn')
  logs = log.allLogs
  const created = createDailyBackup({ env, clock, db: app.db, log: log.log }, run)
  if (created === undefined) throw new Error('BACKUP_DIR is set.')
  return created
}

test('without BACKUP_DIR there is no daily backup', () => {
  expect(createDailyBackup({ ...memoryLog('warn'), env: readEnv({ NODE_ENV: 'test' }), clock: app.clock, db: app.db })).toBeUndefined()
})

test('a backup is written and verified before it gets its name', async () => {
  const daily = dailyBackup()
  expect(daily.ageMs()).toBeNaN()
  await daily.measure()
  expect(daily.ageMs()).toBe(Infinity)
  await daily.runIfDue(never)
  expect(commands).toEqual([
    'backup BACKUP_DIR/muster-20261128T033000Z.tar.zst.unverified',
    'backup --verify BACKUP_DIR/muster-20261128T033000Z.tar.zst.unverified',
  ])
  expect(readdirSync(folder)).toEqual(['muster-20261128T033000Z.tar.zst'])
  now += 5000
  expect(daily.ageMs()).toBe(5000)
})

test('it runs once a day at the time of day, and at once if that was missed', async () => {
  const daily = dailyBackup()
  await daily.runIfDue(never)
  const ranAt: string[] = []
  for (now = NIGHT; now < NIGHT + 3 * DAY_MS; now += 600_000) {
    commands = []
    await daily.runIfDue(never)
    if (commands.length > 0) ranAt.push(new Date(now).toISOString())
  }
  expect(ranAt).toEqual(['2026-11-29T03:30:00.000Z', '2026-11-30T03:30:00.000Z'])
  now = Date.parse('2026-12-03T17:11:00Z')
  await daily.runIfDue(never)
  await daily.runIfDue(never)
  expect(readdirSync(folder).filter((name) => name.includes('202612'))).toEqual(['muster-20261203T171100Z.tar.zst'])
})

test('the newest BACKUP_KEEP backups are kept, and files of others are never deleted', async () => {
  writeFileSync(join(folder, 'before-upgrade.tar.zst'), '')
  const abandoned = join(folder, 'muster-20261126T033000Z.tar.zst.unverified.part')
  const ofAnotherNode = join(folder, 'muster-20261128T032900Z.tar.zst.unverified')
  for (const file of [abandoned, ofAnotherNode]) writeFileSync(file, '')
  utimesSync(abandoned, NIGHT / 1000, NIGHT / 1000 - 100_000)
  utimesSync(ofAnotherNode, NIGHT / 1000, NIGHT / 1000 - 60)
  const daily = dailyBackup({ BACKUP_KEEP: '2' })
  await daily.runIfDue(never)
  expect([existsSync(abandoned), existsSync(ofAnotherNode)]).toEqual([false, true])
  for (let day = 1; day < 4; day += 1) {
    now += DAY_MS
    await daily.runIfDue(never)
  }
  expect(readdirSync(folder).toSorted()).toEqual([
    'before-upgrade.tar.zst',
    'muster-20261130T033000Z.tar.zst',
    'muster-20261201T033000Z.tar.zst',
  ])
})

test('a failed backup is reported until the next attempt an hour later, and leaves the former ones', async () => {
  const daily = dailyBackup({ BACKUP_KEEP: '1' })
  await daily.runIfDue(never)
  failure = new Error('the disk is full')
  now += DAY_MS
  await expect(daily.runIfDue(never)).rejects.toThrow('the disk is full')
  expect(readdirSync(folder)).toEqual(['muster-20261128T033000Z.tar.zst'])
  commands = []
  now += 3_599_000
  await expect(daily.runIfDue(never)).rejects.toThrow('the disk is full')
  expect(commands).toEqual([])
  now += 2000
  failure = undefined
  await daily.runIfDue(never)
  expect(readdirSync(folder)).toEqual(['muster-20261129T043001Z.tar.zst'])
})

test('a backup that a wrong clock dated into the future neither counts nor goes', async () => {
  writeFileSync(join(folder, 'muster-20300101T033000Z.tar.zst'), '')
  writeFileSync(join(folder, 'muster-20261399T993000Z.tar.zst'), '')
  const daily = dailyBackup({ BACKUP_KEEP: '1' })
  await daily.measure()
  expect(daily.ageMs()).toBe(Infinity)
  await daily.runIfDue(never)
  expect(readdirSync(folder)).toContain('muster-20261128T033000Z.tar.zst')
  expect(readdirSync(folder)).toHaveLength(3)
})

test('what is missing in a backup is logged', async () => {
  warnings = '3 images had no file in the storage: a, b, c.'
  await dailyBackup().runIfDue(never)
  expect(logs()).toContain('backup is incomplete')
  expect(logs()).toContain(warnings)
})

test('a backup that ends with the program is no failure', async () => {
  const stopping = new AbortController()
  stopping.abort()
  failure = new Error('The operation was aborted')
  await dailyBackup().runIfDue(stopping.signal)
  expect(commands).toHaveLength(1)
})

test('erasures reach the ledger beside the backups, and what it has stays', async () => {
  const daily = dailyBackup()
  const ledger = join(folder, 'erasures.txt')
  const former = 'f'.repeat(64)
  writeFileSync(ledger, `${former}\n`)
  await sql`insert into erased_users (digest) values (sha256('one')), (sha256('two'))`.execute(app.db)
  await daily.updateLedger()
  const lines = readFileSync(ledger, 'utf8').trimEnd().split('\n')
  expect(lines).toHaveLength(3)
  expect(lines).toContain(former)
  await sql`delete from erased_users`.execute(app.db)
  await daily.updateLedger()
  expect(readFileSync(ledger, 'utf8').trimEnd().split('\n')).toEqual(lines)
  writeFileSync(ledger, 'not a digest\n')
  await expect(daily.updateLedger()).rejects.toThrow(`${ledger} is not a ledger of erasures: each line must be 64 hexadecimal digits.`)
})

test('the age of the newest backup is a metric', async () => {
  now = Date.now()
  await dailyBackup({ BACKUP_AT: '00:00' }).runIfDue(never)
  const other = await startApp({ BACKUP_DIR: folder, BACKUP_AT: '00:00' })
  onTestFinished(() => other.close())
  const age = async () => Number(/^muster_backup_age_seconds (\S+)$/m.exec(await (await fetch(`${other.panelUrl}/metrics`)).text())?.[1])
  await other.runJob('measure-backups')
  expect(await age()).toBeLessThan(60)
  other.clock.advance(7_200_000)
  expect(Math.round((await age()) / 3600)).toBe(2)
})

test.each([
  [{ BACKUP_AT: '24:00' }, 'BACKUP_AT must be a time of day such as 03:30.'],
  [{ BACKUP_AT: '3 am' }, 'BACKUP_AT must be a time of day such as 03:30.'],
  [{ BACKUP_KEEP: '0' }, 'BACKUP_KEEP must be at least 1.'],
  [{ BACKUP_KEEP: '1.5' }, 'BACKUP_KEEP must be a whole number of backups.'],
])('%o is rejected', (variables, sentence) => {
  expect(() => readEnv({ NODE_ENV: 'test', ...variables })).toThrow(sentence)
})
