import { expect, test } from 'vitest'
import { regionName } from './code-names.ts'

test('a region has a name, and any other code is its own', () => {
  expect(['eu-west', 'constructor', 'valueOf', '__proto__', '', null].map(regionName)).toEqual([
    'Europe (west)',
    'constructor',
    'valueOf',
    '__proto__',
    '',
    '',
  ])
})
