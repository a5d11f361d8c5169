/** Texts, and lists of them, that many servers have alike, such as a branch or a language: one text for all of them, where each row or announce brings its own. */

const MOST = 5000
const MOST_CHARACTERS = 64
const texts = new Map<string, string>()

/** The same text, as it was met first. Who fills this with texts of his own only makes it begin anew. */
export function shared(text: string): string {
  const known = texts.get(text)
  if (known !== undefined) return known
  if (text.length > MOST_CHARACTERS) return text
  if (texts.size >= MOST) texts.clear()
  texts.set(text, text)
  return text
}

const lists = new Map<string, readonly string[]>()

/** The same list, such as the tags of all who have these. */
export function sharedList(list: readonly string[]): readonly string[] {
  const key = list.join('\n')
  const known = lists.get(key)
  // A text may hold what joins them.
  if (known?.length === list.length && known.every((text, index) => text === list[index])) return known
  if (lists.size >= MOST) lists.clear()
  const kept = list.map(shared)
  lists.set(key, kept)
  return kept
}
