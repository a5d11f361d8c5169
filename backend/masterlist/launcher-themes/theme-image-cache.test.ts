/** The cache of theme images: each file is read once, within a memory limit. */
import { Readable } from 'node:stream'
import { beforeEach, expect, test } from 'vitest'
import { ThemeImageCache, base64Length } from './theme-image-cache.ts'

let opened: string[]
beforeEach(() => {
  opened = []
})

/** A storage where a file has as many bytes as the number in its name. `lost` files do not exist, `failing` files cannot be read. */
const storage = {
  open(file: string) {
    opened.push(file)
    if (file.startsWith('failing')) return Promise.reject(new Error('failing'))
    if (file.startsWith('lost')) return Promise.resolve(undefined)
    const bytes = contentOf(file)
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(at * 7, at * 7 + 7))
    return Promise.resolve({ bytes: bytes.length, body: Readable.from(pieces) })
  },
}

const sizeOf = (file: string) => Number(/\d+/.exec(file)?.[0] ?? 0)
const contentOf = (file: string) => Buffer.alloc(sizeOf(file), file)
const filesOf = (...files: (string | undefined)[]) => files.map((file) => (file === undefined ? undefined : { file, bytes: sizeOf(file) }))

test('images are encoded in base64 regardless of chunk sizes; a missing file and one of the wrong size are undefined, and no file is empty', async () => {
  const cache = new ThemeImageCache(storage)
  const files = ['a1', 'b2', 'c3', 'd7', 'e8', 'f21', 'g1000']
  const acquired = await cache.acquire(filesOf(...files))
  expect(acquired?.value.map(String)).toEqual(files.map((file) => contentOf(file).toString('base64')))
  expect(acquired?.value.map((image) => image?.length)).toEqual(files.map((file) => base64Length(sizeOf(file))))
  const tooLong = { file: 'long10', bytes: 9 }
  const tooShort = { file: 'short10', bytes: 11 }
  const invalid = await cache.acquire([undefined, ...filesOf('lost5'), tooLong, tooShort])
  expect(invalid?.value).toEqual([Buffer.alloc(0), undefined, undefined, undefined])
})

test('each file is read once for concurrent and later callers, which share one buffer', async () => {
  const cache = new ThemeImageCache(storage)
  const concurrent = await Promise.all(Array.from({ length: 20 }, () => cache.acquire(filesOf('a30', 'b30'))))
  const later = await cache.acquire(filesOf('b30', undefined, 'a30', 'a30'))
  expect(opened).toEqual(['a30', 'b30'])
  for (const acquired of concurrent) expect(acquired?.value[0]).toBe(later?.value[2])
  expect(later?.value[3]).toBe(later?.value[2])
})

test('unused entries are evicted, least recently used first; entries in use stay, and files that do not fit are not read', async () => {
  const cache = new ThemeImageCache(storage, 100)
  const first = await cache.acquire(filesOf('a30'))
  ;(await cache.acquire(filesOf('b30')))?.release()
  // 40 bytes of base64 each: this one evicts b, which is not in use.
  const third = await cache.acquire(filesOf('c30'))
  expect(await cache.acquire(filesOf('b30'))).toBeUndefined()
  expect(await cache.acquire(filesOf('a30', 'b30'))).toBeUndefined()
  expect(opened).toEqual(['a30', 'b30', 'c30'])
  // Any number of readers can share acquired entries.
  const shared = await cache.acquire(filesOf('a30', 'c30'))
  shared?.release()
  third?.release()
  const reloaded = await cache.acquire(filesOf('b30', 'a30'))
  expect(opened).toEqual(['a30', 'b30', 'c30', 'b30'])
  reloaded?.release()
  first?.release()
  expect(await cache.acquire(filesOf('huge90'))).toBeUndefined()
  expect(await cache.acquire(filesOf('x36', 'y36'))).toBeDefined()
})

test('a failed or missing file uses no memory and is retried', async () => {
  const cache = new ThemeImageCache(storage, 100)
  for (const _ of [1, 2, 3]) {
    await expect(cache.acquire(filesOf('failing60'))).rejects.toThrow('failing')
    expect((await cache.acquire(filesOf('lost60')))?.value).toEqual([undefined])
  }
  expect(opened).toHaveLength(6)
  expect(await cache.acquire(filesOf('a75'))).toBeDefined()
})

test('a compressed theme is built once, and counts with its actual size towards the memory limit', async () => {
  const cache = new ThemeImageCache(storage, 100)
  let buildCalls = 0
  const build = (bytes: number) => () => {
    buildCalls += 1
    return Promise.resolve(Buffer.alloc(bytes, bytes))
  }
  const [first, second] = await Promise.all([cache.acquireBuilt('gzip x', 90, build(30)), cache.acquireBuilt('gzip x', 90, build(30))])
  expect(first?.value).toBe(second?.value)
  expect([buildCalls, first?.value.length]).toEqual([1, 30])
  // 70 bytes are left.
  const acquired = await cache.acquire(filesOf('a50'))
  expect(acquired?.value[0]?.length).toBe(68)
  expect(await cache.acquireBuilt('gzip y', 3, build(3))).toBeUndefined()
  acquired?.release()
  first?.release()
  second?.release()
  expect((await cache.acquireBuilt('gzip x', 90, build(30)))?.value).toBe(first?.value)
  expect(buildCalls).toBe(1)
})

test('one theme is compressed at a time, and a failed or empty one uses no memory and is retried', async () => {
  const cache = new ThemeImageCache(storage, 100)
  let finish: (built: Buffer) => void = () => undefined
  const slow = cache.acquireBuilt('gzip x', 10, () => new Promise((resolve) => (finish = resolve)))
  expect(await cache.acquireBuilt('gzip y', 10, () => Promise.resolve(Buffer.alloc(5)))).toBeUndefined()
  finish(Buffer.alloc(5))
  ;(await slow)?.release()
  for (const _ of [1, 2, 3]) {
    await expect(cache.acquireBuilt('br z', 95, () => Promise.reject(new Error('failing')))).rejects.toThrow('failing')
    expect(await cache.acquireBuilt('br z', 95, () => Promise.resolve(undefined))).toBeUndefined()
  }
  expect((await cache.acquireBuilt('br z', 100, () => Promise.resolve(Buffer.alloc(100))))?.value.length).toBe(100)
})
