/** schema.sql is what the migrations make. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startApp } from '#tests/harness.ts'
import { SCHEMA_FILE, describeSchema } from './schema-file.ts'

test('schema.sql is up to date (to update it: npm run schema)', async () => {
  const { db } = await startApp()
  expect(await describeSchema(db)).toBe(readFileSync(SCHEMA_FILE, 'utf8'))
})
