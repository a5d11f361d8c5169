/** Native lists, because they support typing and work well on phones. */
import { useSuspenseQuery } from '@tanstack/react-query'
import type { FieldValues } from 'react-hook-form'
import { ADDRESS_POLICIES } from '#contract/servers/server-fields.ts'
import { REGIONS } from '#contract/text/regions.ts'
import { m } from '#messages'
import { languagesOptions } from '#web/features/servers/servers.api.ts'
import { languageName, policyName, regionName } from '#web/lib/code-names.ts'
import { compareTexts } from '#web/lib/lists.ts'
import { type ChoiceProps, SelectField } from '#web/ui/form/fields.tsx'

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

/** In the order of the contract, which keeps neighbouring regions together. */
export function RegionField<T extends FieldValues>(props: ChoiceProps<T>) {
  return (
    <SelectField {...props}>
      <option value="">{m.servers_listing_region_none()}</option>
      {REGIONS.map((code) => (
        <option key={code} value={code}>
          {regionName(code)}
        </option>
      ))}
    </SelectField>
  )
}

export function ChoiceField<T extends FieldValues>(props: ChoiceProps<T>) {
  return (
    <SelectField {...props}>
      {ADDRESS_POLICIES.map((policy) => (
        <option key={policy} value={policy}>
          {policyName(policy)}
        </option>
      ))}
    </SelectField>
  )
}
