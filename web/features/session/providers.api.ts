/** The ways to sign in that this installation has, and leaving the page to use one. */
import { queryOptions } from '@tanstack/react-query'
import type { SignInProvider } from '#contract/users/auth.ts'
import { call } from '#web/lib/http/call.ts'

export const DISCORD = 'discord'

export const providersOptions = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => call('GET /api/auth/providers', { signal }),
  // Only a restart changes them.
  staleTime: Infinity,
})

/** Without the list, the page still works for most. The button of Discord has its own text. */
export const DISCORD_ONLY: readonly SignInProvider[] = [{ id: DISCORD, label: '' }]

/** The address of the provider's sign-in page. */
export const fetchAuthorizeUrl = (id: string): Promise<string> =>
  id === DISCORD ? call('GET /api/auth/discord') : call('GET /api/auth/oidc/{id}', { params: { id } })
