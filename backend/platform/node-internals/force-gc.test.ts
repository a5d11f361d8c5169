import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { forceGc } from './force-gc.ts'

test('frees unreachable objects at once', async () => {
  const gone = new WeakRef({ rows: Array.from({ length: 1000 }, (_, index) => ({ index })) })
  // A new WeakRef keeps its target alive until the end of the current turn.
  await turn()
  forceGc()
  expect(gone.deref()).toBeUndefined()
})
