/** The form in which searches compare texts: letter case, accents and extra spaces don't matter, and `İ`, `I`, `ı` and `i` are one letter. */
export function searchKey(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .trim()
    .replaceAll(/\s+/g, ' ')
}
