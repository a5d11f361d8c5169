import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EN } from './en.ts'
import { sentence } from './message.ts'

const BACKEND = join(import.meta.dirname, '../..')

test('a sentence has its parameters and its plural', () => {
  expect(sentence('SERVER_LIMIT_REACHED', { max: 3 })).toBe('You have reached your limit of 3 servers.')
  expect(sentence('TOO_MANY_REQUESTS', { count: 1 })).toBe('Too many requests. Try again in 1 second.')
  expect(sentence('TOO_MANY_REQUESTS', { count: 2 })).toBe('Too many requests. Try again in 2 seconds.')
})

test('a parameter is never read as a template', () => {
  expect(sentence('FIELD_UNKNOWN', { name: '{name} $& {0}' })).toBe('Unknown field “{name} $& {0}”. Leave it out.')
})

test('every code of the catalogue is in use', () => {
  const files = globSync('**/*.ts', { cwd: BACKEND, exclude: ['platform/messages/**'] })
  const source = files.map((file) => readFileSync(join(BACKEND, file), 'utf8')).join('\n')
  expect(Object.keys(EN).filter((code) => !source.includes(`'${code}'`))).toEqual([])
})
