let names: Intl.DisplayNames | undefined

/** `de` -> `German`; an unknown code stays itself. */
export function languageName(code: string): string {
  if (code === 'all') return 'Multilingual'
  names ??= new Intl.DisplayNames(['en'], { type: 'language' })
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}
