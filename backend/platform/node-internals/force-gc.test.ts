import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { forceGc } from './force-gc.ts'

test('what nobody holds any more is swept up at once', async () => {
  const gone = new WeakRef({ rows: Array.from({ length: 1000 }, (_, index) => ({ index })) })
  // A reference that was just made holds what it is of until the end of the turn.
  await turn()
  forceGc()
  expect(gone.deref()).toBeUndefined()
})
