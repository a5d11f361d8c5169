/** Letters that differ from a plain one by more than a mark. */
const PLAIN: Readonly<Record<string, string>> = { ı: 'i', ł: 'l', ø: 'o', đ: 'd', ß: 'ss' }

/** The form in which searches compare texts: letter case, accents and extra spaces don't matter. */
export function searchKey(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[ıłøđß]/g, (letter) => PLAIN[letter] ?? letter)
    .trim()
    .replaceAll(/\s+/g, ' ')
}
