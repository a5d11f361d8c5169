/** Texts that many servers have alike, such as a branch or a language: one text for all of them, where each row or announce brings its own. */

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
