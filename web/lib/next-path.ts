/** Where a visitor wanted to go before signing in. Only a path of this origin is ever followed. */
import { tabStorage } from './storage.ts'

const KEY = 'muster.next'
const FAREWELL = 'muster.farewell'

/** The path if it is one of ours, else the front page. */
export function safePath(path: string | null | undefined): string {
  if (!path?.startsWith('/')) return '/'
  try {
    const url = new URL(path, location.origin)
    const same = url.origin === location.origin && !url.pathname.startsWith('/login') && !url.pathname.startsWith('//')
    return same ? url.pathname + url.search + url.hash : '/'
  } catch {
    return '/'
  }
}

/** The address of the login page, with the way back where there is one worth keeping. */
export function loginPath(from: string): string {
  const path = safePath(from)
  return path === '/' ? '/login' : `/login?next=${encodeURIComponent(path)}`
}

/** Keeps the way back while the identity provider has the visitor. */
export function keepNext(path: string): void {
  tabStorage.write(KEY, path === '/' ? null : path)
}

/** The kept way back, once. */
export function takeNext(): string {
  return safePath(take(KEY))
}

/** What the login page says to somebody who did not leave the panel on purpose. */
export function keepFarewell(text: string): void {
  tabStorage.write(FAREWELL, text)
}

/** The kept words, once. */
export function takeFarewell(): string | undefined {
  return take(FAREWELL) ?? undefined
}

function take(key: string): string | null {
  const text = tabStorage.read(key)
  tabStorage.write(key, null)
  return text
}
