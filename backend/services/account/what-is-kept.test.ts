/** docs/operating.md says of every table what it holds about whom, and for how long. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Variables } from '#backend/platform/env.ts'
import { IMPERSONAL_TABLES, PERSONAL_DATA } from './personal-data.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
const section = /\n## What is kept\n([\s\S]*?)\n## /.exec(page)?.[1] ?? ''
const rows = section.split('\n').flatMap((line) => {
  const [, names = '', what = '', time = ''] = /^\| (.+) \| (.+) \| (.+) \|$/.exec(line) ?? []
  return Array.from(names.matchAll(/`([a-z_]+)`/g), ([, table = '']) => ({ table, what, time }))
})
const tables = PERSONAL_DATA.map(({ table }) => table as string)

test('every table is in it once', () => {
  expect(rows.map(({ table }) => table).toSorted()).toEqual([...tables, ...IMPERSONAL_TABLES].toSorted())
})

test('exactly the tables with personal data say whom they are about', () => {
  const aboutPeople = rows.filter(({ what }) => !what.startsWith('nobody:')).map(({ table }) => table)
  expect(aboutPeople.toSorted()).toEqual(tables.toSorted())
})

test('every row says for how long, by variables that exist', () => {
  for (const { table, time } of rows) expect(time, table).toMatch(/\w/)
  const named = Array.from(section.matchAll(/`([A-Z]+_(?:DAYS|KEEP))\b/g), ([, name = '']) => name)
  expect([...new Set(named)].toSorted()).toEqual(['AUDIT_DAYS', 'BACKUP_KEEP', 'DELIVERY_DAYS', 'SESSION_DAYS'])
  for (const name of named) expect(Object.keys(Variables.shape)).toContain(name)
})

test('it names what is kept outside of the database', () => {
  for (const place of ['images in `DATA_DIR`', '`DATA_DIR/uploads`', 'backups in `BACKUP_DIR`', '`erasures.txt`', 'the log'])
    expect(section).toContain(`| ${place}`)
})
