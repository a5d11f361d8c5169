import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EncodedBody } from './encoded-body.ts'

let now = 0

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function advance(milliseconds: number): void {
  now += milliseconds
  vi.advanceTimersByTime(milliseconds)
}

test('an uncompressed body is dropped after a second without a reader; a compressed one stays', async () => {
  let reads = 0
  const body = new EncodedBody('W/"x"', 2, () => {
    reads += 1
    return ['[', ']']
  })
  const read = async (encoding: 'identity' | 'gzip') => (await body.body(encoding)).length
  await read('gzip')
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await read('identity')).toBe(2)
    advance(900)
  }
  expect(reads).toBe(2)
  advance(200)
  await read('identity')
  await read('gzip')
  expect(reads).toBe(3)
})

test('a reader gets a body that took longer to encode than it is kept', async () => {
  const slow = Promise.withResolvers<string>()
  const body = new EncodedBody('W/"x"', 2, async function* () {
    yield await slow.promise
  })
  const read = body.body('identity')
  await Promise.resolve()
  advance(5000)
  slow.resolve('[]')
  expect((await read).toString()).toBe('[]')
})
