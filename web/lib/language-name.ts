import { m } from '#messages'
let names: Intl.DisplayNames | undefined

/** `de` -> `German`. Returns an unknown code unchanged. */
export function languageName(code: string): string {
  if (code === 'all') return m.lib_language_all()
  names ??= new Intl.DisplayNames(['en'], { type: 'language' })
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}
