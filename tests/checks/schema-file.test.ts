/** schema.sql and the types of columns are what the migrations make. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startApp } from '#tests/harness.ts'
import { SCHEMA_FILE, TYPES_FILE, describeSchema, describeTypes } from './schema-file.ts'

test('schema.sql and tables.generated.ts are up to date (to update them: npm run schema)', async () => {
  const { db } = await startApp()
  expect(await describeSchema(db)).toBe(readFileSync(SCHEMA_FILE, 'utf8'))
  expect(await describeTypes(db)).toBe(readFileSync(TYPES_FILE, 'utf8'))
})
