/** Splits and validates the text of a tags input. */
import { m } from '#messages'

export interface TagRules {
  readonly max: number
  /** In code points. */
  readonly maxLength: number
  /** If false, tags that differ only in case are duplicates. */
  readonly allowDuplicates: boolean
  /** Single characters. Newlines and tabs always separate tags. */
  readonly delimiters: readonly string[]
}

/** Drops blank pieces, except the last one. */
export function splitTags(text: string, delimiters: readonly string[]): string[] {
  const separators = new Set([...delimiters, '\n', '\r', '\t'])
  const pieces = ['']
  for (const char of text) {
    if (separators.has(char)) pieces.push('')
    else pieces.push((pieces.pop() ?? '') + char)
  }
  return pieces.filter((piece, index) => index === pieces.length - 1 || piece.trim() !== '')
}

/** `reason` says why the first rejected text was rejected. */
export function addTags(current: readonly string[], texts: readonly string[], rules: TagRules) {
  const tags = [...current]
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
  if (length > maxLength) return m.ui_tags_long({ tag: truncate(text), length, max: maxLength })
  if (!allowDuplicates && tags.some((other) => other.toLowerCase() === text.toLowerCase())) return m.ui_tags_duplicate({ tag: text })
  if (tags.length >= max) return m.ui_tags_limit({ max, tag: text })
  return undefined
}

function truncate(text: string): string {
  const chars = Array.from(text)
  return chars.length > 24 ? `${chars.slice(0, 24).join('')}…` : text
}
