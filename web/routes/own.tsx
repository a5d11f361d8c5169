/** The addresses of what is one's own, or managed for others: each with what is loaded before it is entered. */
import { createRoute, redirect } from '@tanstack/react-router'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { accountActivityOptions } from '#web/features/activity/activity.api.ts'
import { benefitsOptions } from '#web/features/benefits/benefits.api.ts'
import { BenefitSettingsPending } from '#web/features/benefits/settings/settings-pending.tsx'
import { settingsOptions } from '#web/features/benefits/settings/settings.api.ts'
import { settingsKeyFor, settingsKeyNamed } from '#web/features/benefits/settings/settings-route.ts'
import { BenefitsPending } from '#web/features/benefits/benefits-pending.tsx'
import { downloadsOptions } from '#web/features/downloads/downloads.api.ts'
import { DownloadsPending } from '#web/features/downloads/downloads-pending.tsx'
import { loadIssue } from '#web/features/protection/load-issue.ts'
import { issuesOfUserOptions } from '#web/features/protection/protection.api.ts'
import { findByVanity, pageOf } from '#web/features/servers/access.ts'
import { managedTabOf, tabOf } from '#web/features/servers/server-tabs.ts'
import { languagesOptions, managedOptions, serverListOptions, serverOptions } from '#web/features/servers/servers.api.ts'
import { ServersPage } from '#web/pages/servers-page.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { ActivityPending, ManagersPending, PartPending, ServerPagePending, SettingsPending } from '#web/shell/page-pending.tsx'
import { type Context, given, member, text } from './base.tsx'

const serverList = {
  validateSearch: (search: Record<string, unknown>) => given('q', text(search['q'])),
  component: ServersPage,
}

const home = createRoute({
  getParentRoute: () => member,
  path: '/',
  ...serverList,
  loader: ({ context }) => context.restricted || context.queryClient.ensureQueryData(serverListOptions),
})

const servers = createRoute({
  getParentRoute: () => member,
  path: '/servers',
  ...serverList,
  loader: ({ context }) => context.restricted || context.queryClient.ensureQueryData(serverListOptions),
})

const newServer = createRoute({
  getParentRoute: () => member,
  path: '/servers/new',
  validateSearch: (search: Record<string, unknown>) => given('server', text(search['server'])),
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient, restricted }, deps }) => {
    if (restricted) return
    await Promise.all([
      queryClient.ensureQueryData(languagesOptions),
      queryClient.ensureQueryData(aboutOptions),
      deps.server !== undefined && queryClient.ensureQueryData(serverOptions(deps.server)),
    ])
  },
  component: lazyPart(() => import('#web/pages/new-server-page.tsx').then((part) => part.NewServerPage)),
})

const server = createRoute({
  getParentRoute: () => member,
  path: '/servers/$server_id',
  validateSearch: (search: Record<string, unknown>) => given('tab', tabOf(search['tab'])),
  loader: async ({ context: { queryClient, me, restricted }, params }) => {
    if (restricted) return
    if (params.server_id.startsWith('@')) {
      const named = findByVanity(await queryClient.ensureQueryData(serverListOptions), params.server_id)
      // What no server is called is asked for like any other id, and is not there like any other.
      if (named) throw redirect({ ...pageOf(named), search: true, replace: true })
    }
    await Promise.all([
      queryClient.ensureQueryData(serverOptions(params.server_id)),
      queryClient.ensureQueryData(aboutOptions),
      // Stands over the tabs, which a later answer would push down; the page does without where there is none.
      queryClient.ensureQueryData(issuesOfUserOptions(me.id)).catch(() => {}),
    ])
  },
  pendingComponent: ServerPagePending,
  component: lazyPart(() => import('#web/pages/server-page.tsx').then((part) => part.ServerPage)),
})

const managedServer = createRoute({
  getParentRoute: () => member,
  path: '/management/$user_id/servers/$server_id',
  validateSearch: (search: Record<string, unknown>) => given('tab', managedTabOf(search['tab'])),
  loader: async ({ context: { queryClient, restricted }, params }) => {
    if (restricted) return
    const options = managedOptions(params.user_id, params.server_id)
    // Who was refused before may have been let in again since.
    if (queryClient.getQueryState(options.queryKey)?.status === 'error') queryClient.removeQueries({ queryKey: options.queryKey })
    await Promise.all([queryClient.ensureQueryData(options), queryClient.ensureQueryData(aboutOptions)])
  },
  pendingComponent: ServerPagePending,
  component: lazyPart(() => import('#web/pages/managed-server-page.tsx').then((part) => part.ManagedServerPage)),
  errorComponent: lazyPart(() => import('#web/pages/managed-server-page.tsx').then((part) => part.ManagedServerError)),
})

const settings = createRoute({
  getParentRoute: () => member,
  path: '/settings',
  pendingComponent: SettingsPending,
  component: lazyPart(() => import('#web/pages/settings-layout.tsx').then((part) => part.SettingsLayout)),
})

/** Begun with the page but not waited for: it has a place of its own, which says how it goes. */
function beginActivity({ context: { queryClient, restricted } }: { context: Context & { restricted: boolean } }): void {
  if (!restricted) void queryClient.ensureInfiniteQueryData(accountActivityOptions).catch(() => {})
}

const managers = {
  // Who they are stands in `me`, which the guard has read.
  loader: beginActivity,
  pendingComponent: ManagersPending,
  component: lazyPart(() => import('#web/pages/settings-managers-page.tsx').then((part) => part.SettingsManagersPage)),
}

const settingsPages = settings.addChildren([
  createRoute({ getParentRoute: () => settings, path: '/', ...managers }),
  createRoute({ getParentRoute: () => settings, path: '/managers', ...managers }),
  createRoute({
    getParentRoute: () => settings,
    path: '/transfers',
    pendingComponent: PartPending,
    loader: ({ context }) => context.restricted || context.queryClient.ensureQueryData(serverListOptions),
    component: lazyPart(() => import('#web/pages/settings-transfers-page.tsx').then((part) => part.SettingsTransfersPage)),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/activity',
    pendingComponent: ActivityPending,
    loader: beginActivity,
    component: lazyPart(() => import('#web/pages/settings-activity-page.tsx').then((part) => part.SettingsActivityPage)),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/delete-account',
    pendingComponent: PartPending,
    loader: ({ context }) => context.restricted || context.queryClient.ensureQueryData(serverListOptions),
    component: lazyPart(() => import('#web/pages/settings-delete-account-page.tsx').then((part) => part.SettingsDeleteAccountPage)),
  }),
])

const benefits = createRoute({
  getParentRoute: () => member,
  path: '/benefits',
  pendingComponent: BenefitsPending,
  loader: ({ context: { queryClient, restricted } }) => {
    if (!restricted) void queryClient.ensureQueryData(benefitsOptions).catch(() => {})
  },
  component: lazyPart(() => import('#web/pages/benefits-page.tsx').then((part) => part.BenefitsPage)),
})

const downloads = createRoute({
  getParentRoute: () => member,
  path: '/downloads',
  validateSearch: (search: Record<string, unknown>) => ({
    ...given('branch', text(search['branch'])),
    ...given('platform', text(search['platform'])),
  }),
  pendingComponent: DownloadsPending,
  loader: ({ context }) => context.restricted || context.queryClient.ensureQueryData(downloadsOptions),
  component: lazyPart(() => import('#web/pages/downloads-page.tsx').then((part) => part.DownloadsPage)),
})

const benefitSettings = createRoute({
  getParentRoute: () => member,
  path: '/benefits/$benefit_key',
  pendingComponent: BenefitSettingsPending,
  beforeLoad: ({ context: { me, restricted }, params }) => {
    const held = me.benefits.map(({ key }) => key)
    if (!restricted) settingsKeyFor(params.benefit_key, held)
  },
  loader: async ({ context: { queryClient, restricted }, params }) => {
    if (restricted) return
    const options = settingsOptions(settingsKeyNamed(params.benefit_key), undefined)
    await Promise.all([queryClient.ensureQueryData(options), queryClient.ensureQueryData(serverListOptions)])
  },
  component: lazyPart(() => import('#web/pages/benefit-settings-page.tsx').then((part) => part.BenefitSettingsPage)),
})

/** Much of what is found about a server comes without the panel: read anew each time. */
const issues = createRoute({
  getParentRoute: () => member,
  path: '/protection-issues',
  loader: ({ context: { queryClient, me, restricted } }) => {
    if (!restricted) void queryClient.fetchQuery(issuesOfUserOptions(me.id)).catch(() => {})
  },
  component: lazyPart(() => import('#web/pages/protection-issues-page.tsx').then((part) => part.ProtectionIssuesPage)),
})

const issue = createRoute({
  getParentRoute: () => member,
  path: '/protection-issues/$issue_id',
  loader: async ({ context: { queryClient, me, restricted }, params }) => {
    if (!restricted) await loadIssue(queryClient, me.id, params.issue_id)
  },
  component: lazyPart(() => import('#web/pages/protection-issue-page.tsx').then((part) => part.ProtectionIssuePage)),
})

/** All of them. */
export const ownPages = [
  home,
  servers,
  newServer,
  server,
  managedServer,
  settingsPages,
  benefits,
  benefitSettings,
  downloads,
  issues,
  issue,
] as const
