/** Drafts in the session storage. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deleteAllDrafts, deleteDraft, writeDraft, readDraft } from './drafts.ts'

/** Like the browser's `Storage`, its entries are own properties. */
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

test('a draft is stored under its key until it is deleted', () => {
  writeDraft('zoe.listing.a', { name: 'New', tags: ['x'] })
  writeDraft('adam.listing.a', { name: 'Other' })
  expect(readDraft('zoe.listing.a')).toEqual({ name: 'New', tags: ['x'] })
  deleteDraft('zoe.listing.a')
  expect(readDraft('zoe.listing.a')).toBeUndefined()
  expect(readDraft('adam.listing.a')).toEqual({ name: 'Other' })
})

test('deleteAllDrafts deletes drafts and nothing else', () => {
  writeDraft('zoe.listing.a', { name: 'New' })
  writeDraft('zoe.new-server', { name: 'New' })
  sessionStorage.setItem('muster.next', '/servers')
  deleteAllDrafts()
  expect([readDraft('zoe.listing.a'), readDraft('zoe.new-server')]).toEqual([undefined, undefined])
  expect(sessionStorage.getItem('muster.next')).toBe('/servers')
})

test.each(['', '{', '5', 'null', '"text"'])('the stored value %j is no draft', (stored) => {
  sessionStorage.setItem('muster.draft.x', stored)
  expect(readDraft('x')).toBeUndefined()
})

test('without storage, drafts are not stored and no call throws', () => {
  vi.stubGlobal('sessionStorage', undefined)
  writeDraft('x', { name: 'New' })
  deleteDraft('x')
  deleteAllDrafts()
  expect(readDraft('x')).toBeUndefined()
})
