/** The root with the panel's context, and the guard of all that needs a person. */
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute } from '@tanstack/react-router'
import type { Me } from '#contract/users.ts'
import { requireMember } from '#web/features/session/guard.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { ErrorPage, NotFoundPage } from '#web/shell/error-page.tsx'
import { RootLayout } from '#web/shell/root-layout.tsx'

export interface Context {
  queryClient: QueryClient
}

export const root = createRootRouteWithContext<Context>()({
  component: RootLayout,
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage,
})

/** A banned or leaving account gets no further than the root. */
export const member = createRoute({
  getParentRoute: () => root,
  id: 'member',
  beforeLoad: ({ context }) => requireMember(context.queryClient),
})

export interface Entering<P> {
  context: Context & { me: Me; restricted: boolean }
  params: P
}

/** A loader that does nothing for an account that the backend would refuse everything. */
export function unlessRestricted<P>(load: (at: Entering<P>) => Promise<unknown> | undefined) {
  return (at: Entering<P>) => (at.context.restricted ? undefined : load(at))
}

/** Begins a read without waiting: its place on the page says how it goes. */
export function begin(read: Promise<unknown>): undefined {
  read.catch(() => {})
}

export const loadServerList = unlessRestricted(({ context }) => context.queryClient.ensureQueryData(serverListOptions))

export const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Names what is missing as undefined: left out, the router would keep what the address says. */
export function given<K extends string, V>(key: K, value: V | undefined): { [N in K]?: V | undefined } {
  return { [key]: value } as { [N in K]?: V | undefined }
}
