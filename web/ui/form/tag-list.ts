/** Which texts become tags, and why others do not. */
import { m } from '#messages'

export interface TagRules {
  readonly max: number
  /** In code points. */
  readonly maxLength: number
  /** Otherwise tags that differ only in case are the same. */
  readonly allowDuplicates: boolean
  /** Single characters that end a tag. In pasted text lines and tabs do, too. */
  readonly delimiters: readonly string[]
}

/** Only the last piece may be blank. */
export function splitTags(text: string, delimiters: readonly string[]): string[] {
  const ends = new Set([...delimiters, '\n', '\r', '\t'])
  const pieces = ['']
  for (const sign of text) {
    if (ends.has(sign)) pieces.push('')
    else pieces.push((pieces.pop() ?? '') + sign)
  }
  return pieces.filter((piece, index) => index === pieces.length - 1 || piece.trim() !== '')
}

/** `reason` is why the first of the rejected texts is no tag. */
export function addTags(before: readonly string[], texts: readonly string[], rules: TagRules) {
  const tags = [...before]
  const added: string[] = []
  const rejected: string[] = []
  let reason: string | undefined
  for (const text of texts.map((each) => each.trim()).filter(Boolean)) {
    const rejection = rejectionOf(text, tags, rules)
    if (rejection === undefined) {
      tags.push(text)
      added.push(text)
    } else {
      rejected.push(text)
      reason ??= rejection
    }
  }
  return { tags, added, rejected, reason }
}

function rejectionOf(text: string, tags: readonly string[], { max, maxLength, allowDuplicates }: TagRules): string | undefined {
  const length = Array.from(text).length
  if (length > maxLength) return m.ui_tags_long({ tag: shortened(text), length, max: maxLength })
  if (!allowDuplicates && tags.some((other) => other.toLowerCase() === text.toLowerCase())) return m.ui_tags_duplicate({ tag: text })
  if (tags.length >= max) return m.ui_tags_limit({ max, tag: text })
  return undefined
}

function shortened(text: string): string {
  const signs = Array.from(text)
  return signs.length > 24 ? `${signs.slice(0, 24).join('')}…` : text
}
