/** The listing form of a server with a value that an earlier rule allowed. */
import { expect, test } from 'vitest'
import { INITIAL_FIELDS } from '#contract/servers/server-field-shapes.ts'
import type { ListingInput } from './listing-input.ts'
import { listingResolver } from './listing-resolver.ts'

const stored: ListingInput = {
  name: 'Twin\u2065',
  ...INITIAL_FIELDS,
  icon_url: null,
}

const errorsOf = async (changes: Partial<ListingInput>) => {
  const { errors } = await listingResolver(stored)({ ...stored, ...changes }, undefined, { fields: {}, shouldUseNativeValidation: false })
  return Object.keys(errors)
}

test('can be saved if another field changed, and still rejects invalid new values', async () => {
  expect(await errorsOf({ description: 'New' })).toEqual([])
  expect(await errorsOf({ name: 'Fine name' })).toEqual([])
  expect(await errorsOf({ name: 'Other\u2065' })).toEqual(['name'])
  expect(await errorsOf({ description: 'x'.repeat(281) })).toEqual(['description'])
})
