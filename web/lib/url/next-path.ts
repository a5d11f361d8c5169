/** The path to open after sign-in. Only paths of this origin are accepted. */
import { tabStorage } from '#web/lib/storage.ts'

const KEY = 'muster.next'
const LINKING = 'muster.linking'
const SIGN_OUT_REASON = 'muster.farewell'

export function safePath(path: string | null | undefined): string {
  if (!path?.startsWith('/')) return '/'
  try {
    const url = new URL(path, location.origin)
    const isSafe = url.origin === location.origin && !url.pathname.startsWith('/login') && !url.pathname.startsWith('//')
    return isSafe ? url.pathname + url.search + url.hash : '/'
  } catch {
    return '/'
  }
}

export function loginPath(from: string): string {
  const path = safePath(from)
  return path === '/' ? '/login' : `/login?next=${encodeURIComponent(path)}`
}

export function storeNextPath(path: string): void {
  tabStorage.write(KEY, path === '/' ? null : path)
}

export function takeNextPath(): string {
  return safePath(take(KEY))
}

/** Marks the sign-in that starts now as one that links to the account, and returns to this path. */
export function storeLinking(path: string): void {
  tabStorage.write(LINKING, path)
  storeNextPath(path)
}

/** The path to which a sign-in that links returns. Undefined for others. */
export function takeLinking(): string | undefined {
  const path = take(LINKING)
  return path === null ? undefined : safePath(path)
}

/** Stores why the visitor was signed out, for the login page. */
export function storeSignOutReason(text: string): void {
  tabStorage.write(SIGN_OUT_REASON, text)
}

export function takeSignOutReason(): string | undefined {
  return take(SIGN_OUT_REASON) ?? undefined
}

function take(key: string): string | null {
  const text = tabStorage.read(key)
  tabStorage.write(key, null)
  return text
}
