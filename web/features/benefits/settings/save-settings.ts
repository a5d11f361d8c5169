/** Saving the settings of a benefit: what was changed here goes over what is saved by then. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SettingsKey } from '#contract/benefits.ts'
import { adminBenefitsOptions } from '#web/features/benefits/admin/admin-benefits.api.ts'
import { benefitsOptions } from '#web/features/benefits/benefits.api.ts'
import { call } from '#web/lib/call.ts'
import { bodyOver } from './form-values.ts'
import { settingsOptions, type Whose } from './settings.api.ts'

/**
 * Saves the fields that were changed. The call replaces everything, so the settings are read anew first: what somebody else saved
 * since they were shown stays, and shows in the form.
 */
export function useSaveSettings(key: SettingsKey, whose: Whose) {
  const client = useQueryClient()
  const options = settingsOptions(key, whose)
  return useMutation({
    mutationFn: async (changed: Readonly<Record<string, unknown>>) => {
      // One that is on its way may have been answered before.
      await client.cancelQueries({ queryKey: options.queryKey })
      const body = bodyOver(await client.fetchQuery({ ...options, staleTime: 0 }), changed)
      return whose === undefined
        ? await call('PUT /api/users/benefits/{key}/settings', { params: { key }, body })
        : await call('PUT /api/admin/users/{id}/benefits/{key}/settings', { params: { id: whose, key }, body })
    },
    onSuccess: (saved) => {
      client.setQueryData(options.queryKey, saved)
      // Which servers use it is said elsewhere.
      void client.invalidateQueries({ queryKey: (whose === undefined ? benefitsOptions : adminBenefitsOptions(whose)).queryKey })
    },
  })
}
