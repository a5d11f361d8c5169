/** Interns strings and lists of strings, because many servers have the same branch, language or tags. */

const MAX_INTERNED = 5000
const MAX_CHARACTERS = 64
const texts = new Map<string, string>()
const lists = new Map<string, readonly string[]>()

/** Returns the cached value for this key, or a new one. A full cache is cleared, so hostile values do no harm. */
export function intern<T>(cache: Map<string, T>, key: string, create: () => T): T {
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  if (cache.size >= MAX_INTERNED) cache.clear()
  const created = create()
  cache.set(key, created)
  return created
}

export function sharedText(text: string): string {
  return text.length > MAX_CHARACTERS ? text : intern(texts, text, () => text)
}

export function sharedList(list: readonly string[]): readonly string[] {
  return intern(lists, JSON.stringify(list), () => list.map(sharedText))
}
