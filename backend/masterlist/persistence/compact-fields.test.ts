/** Compact storage of owner fields keeps every value. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type OwnerFields, NO_COSMETICS } from '#backend/masterlist/registry/server-record.ts'
import { fieldsOf } from '#backend/masterlist/registry/test-registry.ts'
import { NO_ENFORCEMENT, NO_FINDING_NOTICES } from '#backend/features/protection/enforcement.ts'
import { compactFields } from './compact-fields.ts'

const ban = { reason: 'Testing', at: 1, until: undefined }

/** Each field with its most common value and with another one. */
const anyFields = fc
  .record({
    name: fc.constantFrom('a', 'b'),
    description: fc.constantFrom('', 'd'),
    language: fc.constantFrom('en', 'de'),
    region: fc.constantFrom('', 'sa'),
    tags: fc.constantFrom([], ['t']),
    gameMode: fc.constantFrom('', 'g'),
    website: fc.constantFrom('', 'w'),
    createdAt: fc.nat(3),
    updatedAt: fc.nat(3),
    ownerId: fc.constantFrom('o', 'p'),
    visible: fc.boolean(),
    vanityUrl: fc.constantFrom('', 'v'),
    promoted: fc.boolean(),
    cosmetics: fc.constantFrom(NO_COSMETICS, { ...NO_COSMETICS, hasTheme: true }),
    verified: fc.boolean(),
    ban: fc.constantFrom(undefined, ban),
    ownerBan: fc.constantFrom(undefined, ban),
    hiddenAt: fc.constantFrom(undefined, 5),
    enforcement: fc.constantFrom(NO_ENFORCEMENT, { ...NO_ENFORCEMENT, isUnlisted: true }),
    findingNotices: fc.constantFrom(NO_FINDING_NOTICES, [{ kind: 'UNREACHABLE', summary: 'x', page: 'y' }] as const),
    cloudAuth: fc.boolean(),
  })
  .map((fields) => fieldsOf('s', fields))
const names = Object.keys(fieldsOf('s')) as (keyof OwnerFields)[]

test('each field keeps its value, regardless of other servers', () => {
  fc.assert(
    fc.property(fc.array(anyFields, { minLength: 1, maxLength: 20 }), (all) => {
      const compacted = all.map((fields) => compactFields(fields))
      for (const [index, fields] of all.entries()) for (const name of names) expect(compacted[index]?.[name]).toBe(fields[name])
    }),
  )
})

test('two servers serialize equally if and only if all their fields are equal', () => {
  const serialized = (fields: OwnerFields) => JSON.stringify(fields)
  fc.assert(
    fc.property(anyFields, anyFields, fc.constantFrom(...names), (fields, others, name) => {
      const changed = { ...fields, [name]: others[name] }
      expect(serialized(compactFields(changed)) === serialized(compactFields(fields))).toBe(serialized(changed) === serialized(fields))
    }),
  )
})
