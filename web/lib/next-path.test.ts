import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storeNextPath, loginPath, safePath, takeNextPath } from './next-path.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('location', { origin: 'https://panel.example' })
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})
afterEach(() => void vi.unstubAllGlobals())

test.each([
  ['/servers/abc?tab=listing#x', '/servers/abc?tab=listing#x'],
  ['https://evil.example/', '/'],
  ['//evil.example/', '/'],
  ['/\\evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/login', '/'],
  ['/login/discord/callback?code=x', '/'],
  [null, '/'],
])('%j leads to %j', (asked, path) => {
  expect(safePath(asked)).toBe(path)
})

test('the login page knows the way back where there is one worth keeping', () => {
  expect(loginPath('/')).toBe('/login')
  expect(loginPath('/servers/abc?tab=listing')).toBe('/login?next=%2Fservers%2Fabc%3Ftab%3Dlisting')
})

test('the way back is kept while the provider has the visitor, and used once', () => {
  storeNextPath('/servers/abc')
  expect([takeNextPath(), takeNextPath()]).toEqual(['/servers/abc', '/'])
})

test('without storage the way leads home', () => {
  vi.stubGlobal('sessionStorage', undefined)
  storeNextPath('/servers/abc')
  expect(takeNextPath()).toBe('/')
})
