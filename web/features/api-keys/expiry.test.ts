import { expect, test } from 'vitest'
import { expiryOf } from './api-keys-panel.tsx'

test('a key expires soon in its last seven days', () => {
  const now = Date.parse('2026-11-01T12:00:00Z')
  const after = (ms: number) => expiryOf({ expires_at: new Date(now + ms).toISOString() }, now)
  expect(after(7 * 86_400_000)).toBe('later')
  expect(after(7 * 86_400_000 - 1)).toBe('soon')
  expect(after(1)).toBe('soon')
  expect(after(0)).toBe('expired')
})
