import { useSuspenseQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { languagesOptions } from '#web/features/servers/servers.api.ts'
import { compareTexts } from '#web/lib/lists.ts'
import { languageName } from '#web/lib/language-name.ts'

/** The native list, because it supports typing and works well on phones. */
export function LanguageSelect(props: ComponentProps<'select'>) {
  const { data: languages } = useSuspenseQuery(languagesOptions)
  return (
    <select {...props} className="field-input">
      {languages
        .map(({ code, name, native_name }) => ({ code, name: languageName(code, name), native_name }))
        .toSorted((a, b) => Number(b.code === 'all') - Number(a.code === 'all') || compareTexts(a.name, b.name))
        .map(({ code, name, native_name }) => (
          <option key={code} value={code}>
            {code === 'all' || name === native_name ? name : `${name} (${native_name})`}
          </option>
        ))}
    </select>
  )
}

/** The user's first browser language that servers can use, or English. */
export function useLikelyLanguage(): string {
  const { data: languages } = useSuspenseQuery(languagesOptions)
  const codes = new Set(languages.map(({ code }) => code))
  return navigator.languages.map((tag) => tag.split('-')[0] ?? '').find((code) => codes.has(code)) ?? 'en'
}
