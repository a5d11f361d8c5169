/** Credentials: checksum, format, and protection against printing. */
import { inspect } from 'node:util'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checksumOf } from '#backend/platform/secret-text.ts'
import { checkCredential, newCredential } from './credential.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test('the checksum is CRC-32 in base62, most significant digit first, six places', () => {
  // The check value of CRC-32/ISO-HDLC (IEEE) is 0xCBF43926 for "123456789".
  expect(crc32('123456789')).toBe(0xcbf43926)
  const value = Array.from(checksumOf('123456789')).reduce((sum, digit) => sum * 62 + DIGITS.indexOf(digit), 0)
  expect(value).toBe(0xcbf43926)
  fc.assert(
    fc.property(fc.string(), (text) => {
      const sum = checksumOf(text)
      expect(sum).toHaveLength(6)
      expect(Array.from(sum).reduce((total, digit) => total * 62 + DIGITS.indexOf(digit), 0)).toBe(crc32(text))
    }),
  )
})

test('a credential with one wrong character is malformed', () => {
  const text = newCredential('AbCdEf1').reveal()
  expect(checkCredential(text)).toBe('ok')
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.constantFrom(...DIGITS), (at, digit) => {
      const changed = text.slice(0, at) + digit + text.slice(at + 1)
      expect(checkCredential(changed)).toBe(changed === text ? 'ok' : 'malformed')
    }),
  )
  expect(checkCredential(text.slice(0, -2))).toBe('malformed')
  expect(checkCredential(` ${text}`)).toBe('malformed')
})

test('a credential cannot be printed, joined or serialized by accident', () => {
  const credential = newCredential('AbCdEf1')
  const secret = credential.reveal().slice(12, 42)
  const prints = [
    String(credential),
    credential.toString(),
    JSON.stringify({ credential }),
    inspect({ credential }),
    inspect(credential, { showHidden: true, depth: 9 }),
  ]
  for (const print of prints) expect(print).not.toContain(secret)
})
