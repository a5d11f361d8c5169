const YEAR_SECONDS = 31_536_000

export function readCookie(name: string): string | undefined {
  const pair = document.cookie.split('; ').find((each) => each.startsWith(`${name}=`))
  return pair?.slice(name.length + 1)
}

/** For choices that the backend reads too. Null removes the cookie. */
export function writeCookie(name: string, value: string | null): void {
  const attributes = `path=/; samesite=lax; max-age=${value === null ? 0 : YEAR_SECONDS}`
  // oxlint-disable-next-line unicorn/no-document-cookie -- Not all browsers have the Cookie Store API.
  document.cookie = `${name}=${value ?? ''}; ${attributes}${location.protocol === 'https:' ? '; secure' : ''}`
}
