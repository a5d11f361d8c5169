import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deleteAllDrafts, deleteDraft, writeDraft, readDraft } from './drafts.ts'

/** As the browser's: what is kept are its own properties. */
class Storage {
  [key: string]: unknown
  getItem(key: string) {
    return (this[key] as string | undefined) ?? null
  }
  setItem(key: string, value: string) {
    this[key] = value
  }
  removeItem(key: string) {
    delete this[key]
  }
}

beforeEach(() => void vi.stubGlobal('sessionStorage', new Storage()))
afterEach(() => void vi.unstubAllGlobals())

test('a draft is there until it is dropped, each under its own key', () => {
  writeDraft('zoe.listing.a', { name: 'New', tags: ['x'] })
  writeDraft('adam.listing.a', { name: 'Other' })
  expect(readDraft('zoe.listing.a')).toEqual({ name: 'New', tags: ['x'] })
  deleteDraft('zoe.listing.a')
  expect(readDraft('zoe.listing.a')).toBeUndefined()
  expect(readDraft('adam.listing.a')).toEqual({ name: 'Other' })
})

test('logging out drops all of them and nothing else', () => {
  writeDraft('zoe.listing.a', { name: 'New' })
  writeDraft('zoe.new-server', { name: 'New' })
  sessionStorage.setItem('muster.next', '/servers')
  deleteAllDrafts()
  expect([readDraft('zoe.listing.a'), readDraft('zoe.new-server')]).toEqual([undefined, undefined])
  expect(sessionStorage.getItem('muster.next')).toBe('/servers')
})

test.each(['', '{', '5', 'null', '"text"'])('%j is no draft', (kept) => {
  sessionStorage.setItem('muster.draft.x', kept)
  expect(readDraft('x')).toBeUndefined()
})

test('without storage nothing is kept and nothing breaks', () => {
  vi.stubGlobal('sessionStorage', undefined)
  writeDraft('x', { name: 'New' })
  deleteDraft('x')
  deleteAllDrafts()
  expect(readDraft('x')).toBeUndefined()
})
