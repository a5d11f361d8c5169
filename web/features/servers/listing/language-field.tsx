import { useSuspenseQuery } from '@tanstack/react-query'
import type { FieldValues } from 'react-hook-form'
import { languagesOptions } from '#web/features/servers/servers.api.ts'
import { languageName } from '#web/lib/language-name.ts'
import { compareTexts } from '#web/lib/lists.ts'
import { type ChoiceProps, SelectField } from '#web/ui/form/fields.tsx'

/** The native list, because it supports typing and works well on phones. */
export function LanguageField<T extends FieldValues>(props: ChoiceProps<T>) {
  const { data: languages } = useSuspenseQuery(languagesOptions)
  return (
    <SelectField {...props}>
      {languages
        .map(({ code, name, native_name }) => ({ code, name: languageName(code, name), native_name }))
        .toSorted((a, b) => Number(b.code === 'all') - Number(a.code === 'all') || compareTexts(a.name, b.name))
        .map(({ code, name, native_name }) => (
          <option key={code} value={code}>
            {code === 'all' || name === native_name ? name : `${name} (${native_name})`}
          </option>
        ))}
    </SelectField>
  )
}

/** The user's first browser language that servers can use, or English. */
export function useLikelyLanguage(): string {
  const { data: languages } = useSuspenseQuery(languagesOptions)
  const codes = new Set(languages.map(({ code }) => code))
  return navigator.languages.map((tag) => tag.split('-')[0] ?? '').find((code) => codes.has(code)) ?? 'en'
}
