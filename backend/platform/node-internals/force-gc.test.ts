/** forceGc frees memory synchronously. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { forceGc } from './force-gc.ts'

test('frees unreachable objects at once', async () => {
  const reference = new WeakRef({ rows: Array.from({ length: 1000 }, (_, index) => ({ index })) })
  // A new WeakRef keeps its target alive until the end of the current turn.
  await nextTurn()
  forceGc()
  expect(reference.deref()).toBeUndefined()
})
