/** The path to return to after sign-in. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storeNextPath, loginPath, safePath, takeNextPath } from './next-path.ts'

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('location', { origin: 'https://panel.example' })
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
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
])('%j leads to %j', (next, path) => {
  expect(safePath(next)).toBe(path)
})

test('the login path has a next parameter, except for the start page', () => {
  expect(loginPath('/')).toBe('/login')
  expect(loginPath('/servers/abc?tab=listing')).toBe('/login?next=%2Fservers%2Fabc%3Ftab%3Dlisting')
})

test('a stored path is taken once', () => {
  storeNextPath('/servers/abc')
  expect([takeNextPath(), takeNextPath()]).toEqual(['/servers/abc', '/'])
})

test('without storage the next path is the start page', () => {
  vi.stubGlobal('sessionStorage', undefined)
  storeNextPath('/servers/abc')
  expect(takeNextPath()).toBe('/')
})
