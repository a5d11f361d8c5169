/** How the API's messages about a field begin, in the panel's language: its name, or a whole sentence. */
export type Beginnings<F extends string> = readonly (readonly [field: F, ...texts: readonly (() => string)[]])[]

/** The field that a message of the API is about. The longest match counts, because one name may begin another. */
export function fieldOfMessage<F extends string>(message: string, beginnings: Beginnings<F>): F | undefined {
  const matches = beginnings.flatMap(([field, ...texts]) =>
    texts.flatMap((text) => (beginsWith(message, text()) ? [{ field, length: text().length }] : [])),
  )
  return matches.toSorted((a, b) => b.length - a.length)[0]?.field
}

/** Whether the text begins with these whole words. */
function beginsWith(text: string, words: string): boolean {
  if (words === '' || !text.startsWith(words)) return false
  return !/\p{L}$/u.test(words) || !/^[\p{L}_]/u.test(text.slice(words.length))
}

/** The part of a message before its parameter. */
export function textBefore<P extends string>(parameter: P, message: (values: Record<P, string>) => string): string {
  return message({ [parameter]: '\0' } as Record<P, string>).split('\0', 1)[0] ?? ''
}
