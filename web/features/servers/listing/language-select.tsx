import type { ComponentProps } from 'react'

export interface Language {
  readonly code: string
  readonly name: string
  readonly native_name: string
}

/** The language players speak there. The browser's own list: it is searched by typing and good on phones. */
export function LanguageSelect({ languages, ...rest }: ComponentProps<'select'> & { languages: readonly Language[] }) {
  return (
    <select {...rest} className="field-input">
      {languages.map((language) => (
        <option key={language.code} value={language.code}>
          {language.name === language.native_name ? language.name : `${language.name} (${language.native_name})`}
        </option>
      ))}
    </select>
  )
}

export function languageName(languages: readonly Language[], code: string): string {
  return languages.find((language) => language.code === code)?.name ?? code
}

/** The reader's own language where a server can be listed under it, else English. */
export function likelyLanguage(languages: readonly Language[], preferred: readonly string[]): string {
  const codes = new Set(languages.map((language) => language.code))
  return preferred.map((tag) => tag.split('-')[0] ?? '').find((code) => codes.has(code)) ?? 'en'
}
