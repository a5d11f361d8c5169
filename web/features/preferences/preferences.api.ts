/** The user's preferences, which follow their account to every device. */
import { mutationOptions, type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import type { PreferencesChange } from '#contract/users/preferences.ts'
import { m } from '#messages'
import { call, detailsOf, messageOf } from '#web/lib/http/call.ts'
import { applyAccountLanguage } from '#web/lib/language-choice.ts'
import { setTheme } from '#web/lib/theme.ts'
import { setTimeZone } from '#web/lib/time.ts'
import { toastError } from '#web/ui/toast.ts'

export const preferencesOptions = queryOptions({
  queryKey: ['preferences'],
  queryFn: ({ signal }) => call('GET /api/users/preferences', { signal }),
})

const MUTATION_KEY = ['preferences']

/** A change shows at once, and is undone if it fails. */
const mutationOptionsOf = (client: QueryClient) =>
  mutationOptions({
    mutationKey: MUTATION_KEY,
    // One after the other, so that the last choice is stored.
    scope: { id: 'preferences' },
    mutationFn: (body: PreferencesChange) => call('PATCH /api/users/preferences', { body }),
    onMutate: async ({ notifications, ...change }) => {
      await client.cancelQueries({ queryKey: preferencesOptions.queryKey })
      client.setQueryData(
        preferencesOptions.queryKey,
        (stored) => stored && Object.assign({}, stored, change, { notifications: { ...stored.notifications, ...notifications } }),
      )
    },
    onSuccess: (saved) => {
      // A later change is already shown.
      if (client.isMutating({ mutationKey: MUTATION_KEY }) === 1) client.setQueryData(preferencesOptions.queryKey, saved)
    },
    onError: (error) => {
      toastError(m.preferences_failed(), messageOf(error), detailsOf(error))
      void client.invalidateQueries({ queryKey: preferencesOptions.queryKey })
    },
  })

export function useChangePreferences() {
  return useMutation(mutationOptionsOf(useQueryClient()))
}

/** The same outside of a component. A failure shows a toast. */
export async function changePreferences(client: QueryClient, change: PreferencesChange): Promise<void> {
  const mutation = client.getMutationCache().build(client, mutationOptionsOf(client))
  await mutation.execute(change).catch(() => {})
}

/** Applies the account's preferences to this page, also when another tab or device changes them. The language waits for the next page. */
export function AppliedPreferences(): null {
  const { language, theme, time_zone } = useQuery(preferencesOptions).data ?? {}
  useLayoutEffect(() => {
    if (theme !== undefined) setTheme(theme)
    if (time_zone !== undefined) setTimeZone(time_zone)
  }, [theme, time_zone])
  useLayoutEffect(() => {
    if (language !== undefined) applyAccountLanguage(language)
  }, [language])
  return null
}
