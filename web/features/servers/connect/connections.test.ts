import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { IN_CODE, WITHOUT_CODE } from './connections.ts'

const EXAMPLES = join(import.meta.dirname, '../../../../examples')
const IN_FILES = IN_CODE.filter(({ files }) => files !== undefined)

test('every file of the guide exists', () => {
  const files = [...WITHOUT_CODE, ...IN_CODE].flatMap((connection) => connection.files ?? [])
  expect(files.filter((file) => !existsSync(join(EXAMPLES, file)))).toEqual([])
})

test.each(IN_FILES)('the guide starts the example in $label as its comment says', ({ files = [], run = '' }) => {
  const command = run.split('\n').at(-1) ?? ''
  expect(readFileSync(join(EXAMPLES, files[0] ?? ''), 'utf8')).toContain(command)
})
