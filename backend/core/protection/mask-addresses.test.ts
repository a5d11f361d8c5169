/** Masking of addresses that are not the owner's. */
import { describe, expect, test } from 'vitest'
import { maskAddress } from '#backend/platform/http/mask-address.ts'
import { maskAddressesIn } from './mask-addresses.ts'

const own = new Set(['198.51.100.1'])

describe('a foreign address', () => {
  test.each([
    ['203.0.113.5', '203.0.113.•'],
    ['::ffff:203.0.113.5', '203.0.113.•'],
    ['::ffff:cb00:7105', '203.0.113.•'],
    ['2001:db8:1:2::5', '2001:db8:1:•'],
    ['64:ff9b::203.0.113.5', '64:ff9b:0:•'],
  ])('%s is masked as %s, alone and in a sentence', (address, masked) => {
    expect(maskAddress(address, own)).toBe(masked)
    expect(maskAddressesIn(`Seen at ${address}, twice: ${address}.`, own)).toBe(`Seen at ${masked}, twice: ${masked}.`)
  })
})

test('own addresses and other numbers stay', () => {
  const text = 'From 198.51.100.1 and ::ffff:198.51.100.1 at 12:30:45, version 1.2.3.'
  expect(maskAddressesIn(text, own)).toBe(text)
})
