/** Every address of the panel in one tree, each with its guard and what is loaded before it is entered. */
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { accountActivityOptions } from '#web/features/activity/activity.api.ts'
import { adminBenefitsOptions } from '#web/features/benefits/admin/admin-benefits.api.ts'
import { benefitsOptions } from '#web/features/benefits/benefits.api.ts'
import { BenefitSettingsPending } from '#web/features/benefits/settings/settings-pending.tsx'
import { settingsOptions } from '#web/features/benefits/settings/settings.api.ts'
import { settingsKeyFor, settingsKeyNamed } from '#web/features/benefits/settings/settings-route.ts'
import { BenefitsPending } from '#web/features/benefits/benefits-pending.tsx'
import { downloadsOptions } from '#web/features/downloads/downloads.api.ts'
import { DownloadsPending } from '#web/features/downloads/downloads-pending.tsx'
import { loadIssue } from '#web/features/protection/load-issue.ts'
import { issuesOfUserOptions } from '#web/features/protection/protection.api.ts'
import { pageOf } from '#web/features/servers/access.ts'
import { adminServerTabOf } from '#web/features/servers/admin/admin-server-tabs.ts'
import { adminServerOptions } from '#web/features/servers/admin/admin-server.api.ts'
import { findByVanity } from '#web/features/servers/by-vanity.ts'
import { managedTabOf, tabOf } from '#web/features/servers/server-tabs.ts'
import { languagesOptions, managedOptions, serverListOptions, serverOptions } from '#web/features/servers/servers.api.ts'
import { requireAdmin, requireMember } from '#web/features/session/guard.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { parseSearch, stringifySearch } from '#web/lib/search-params.ts'
import { ServersPage } from '#web/pages/servers-page.tsx'
import { ErrorPage, NotFoundPage } from '#web/shell/error-page.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { RootLayout } from '#web/shell/root-layout.tsx'
import { ActivityPending, ManagersPending, PagePending, PartPending, ServerPagePending, SettingsPending } from '#web/shell/page-pending.tsx'

interface Context {
  queryClient: QueryClient
}

const root = createRootRouteWithContext<Context>()({
  component: RootLayout,
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage,
})

/** All that needs a person. A banned or leaving account gets no further than the root: nothing is loaded for it. */
const member = createRoute({
  getParentRoute: () => root,
  id: 'member',
  beforeLoad: ({ context }) => requireMember(context.queryClient),
})

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** What is not there, or not right, is named as undefined: left out, the router would keep what the address says. */
function given<K extends string, V>(key: K, value: V | undefined): { [N in K]?: V | undefined } {
  return { [key]: value } as { [N in K]?: V | undefined }
}

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
  loader: async ({ context: { queryClient, restricted }, params }) => {
    if (restricted) return
    if (params.server_id.startsWith('@')) {
      const named = findByVanity(await queryClient.ensureQueryData(serverListOptions), params.server_id)
      // What no server is called is asked for like any other id, and is not there like any other.
      if (named) throw redirect({ ...pageOf(named), search: true, replace: true })
    }
    await Promise.all([queryClient.ensureQueryData(serverOptions(params.server_id)), queryClient.ensureQueryData(aboutOptions)])
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

/**
 * All that needs an administrator. What is not there is told apart only for them. What the address of a long list says is read by its
 * page (`useList`), which has the words for it: nothing of that is fetched with the first page.
 */
const admin = createRoute({
  getParentRoute: () => member,
  path: '/admin',
  beforeLoad: ({ context }) => requireAdmin(context),
  component: lazyPart(() => import('#web/shell/admin-area.tsx').then((part) => part.AdminArea)),
})

const adminUsers = createRoute({
  getParentRoute: () => admin,
  path: '/users',
  component: lazyPart(() => import('#web/pages/admin-users-page.tsx').then((part) => part.AdminUsersPage)),
})

/** Nothing tells an administrator of what somebody else changes: these pages are read anew each time. */
const adminUser = createRoute({
  getParentRoute: () => admin,
  path: '/users/$user_id',
  loader: async ({ context: { queryClient, restricted }, params }) => {
    if (!restricted) await queryClient.fetchQuery(adminUserOptions(params.user_id))
  },
  component: lazyPart(() => import('#web/pages/admin-user-layout.tsx').then((part) => part.AdminUserLayout)),
})

const adminUserServers = {
  pendingComponent: PartPending,
  component: lazyPart(() => import('#web/pages/admin-user-servers-page.tsx').then((part) => part.AdminUserServersPage)),
}

/** Begun with the page but not waited for: it has a place of its own, which says how it goes. What a tier changes is said by it, too. */
function beginGrants({
  context: { queryClient, restricted },
  params,
}: {
  context: Context & { restricted: boolean }
  params: { user_id: string }
}): void {
  if (!restricted) void queryClient.fetchQuery(adminBenefitsOptions(params.user_id)).catch(() => {})
}

const adminUserPages = adminUser.addChildren([
  createRoute({ getParentRoute: () => adminUser, path: '/', ...adminUserServers }),
  createRoute({ getParentRoute: () => adminUser, path: '/servers', ...adminUserServers }),
  createRoute({
    getParentRoute: () => adminUser,
    path: '/benefits',
    pendingComponent: PartPending,
    loader: beginGrants,
    component: lazyPart(() => import('#web/pages/admin-user-benefits-page.tsx').then((part) => part.AdminUserBenefitsPage)),
  }),
  createRoute({
    getParentRoute: () => adminUser,
    path: '/settings',
    pendingComponent: PartPending,
    loader: beginGrants,
    component: lazyPart(() => import('#web/pages/admin-user-settings-page.tsx').then((part) => part.AdminUserSettingsPage)),
  }),
  createRoute({
    getParentRoute: () => adminUser,
    path: '/activity',
    pendingComponent: ActivityPending,
    component: lazyPart(() => import('#web/pages/admin-user-activity-page.tsx').then((part) => part.AdminUserActivityPage)),
  }),
  createRoute({
    getParentRoute: () => adminUser,
    path: '/protection',
    pendingComponent: PartPending,
    loader: ({ context: { queryClient, restricted }, params }) => {
      if (!restricted) void queryClient.fetchQuery(issuesOfUserOptions(params.user_id)).catch(() => {})
    },
    component: lazyPart(() => import('#web/pages/admin-user-protection-page.tsx').then((part) => part.AdminUserProtectionPage)),
  }),
])

const givenBenefitSettings = {
  pendingComponent: BenefitSettingsPending,
  loader: async ({
    context: { queryClient, restricted },
    params: { benefit_key, user_id },
  }: {
    context: Context & { restricted: boolean }
    params: { benefit_key: string; user_id: string }
  }) => {
    if (restricted) return
    settingsKeyNamed(benefit_key)
    const user = await queryClient.fetchQuery(adminUserOptions(user_id))
    const held = user.benefits.map(({ key }) => key)
    await queryClient.fetchQuery(settingsOptions(settingsKeyFor(benefit_key, held), user_id))
  },
  component: lazyPart(() => import('#web/pages/benefit-settings-page.tsx').then((part) => part.AdminBenefitSettingsPage)),
}

const adminBenefitSettings = [
  createRoute({ getParentRoute: () => admin, path: '/benefits/$benefit_key/users/$user_id', ...givenBenefitSettings }),
  createRoute({ getParentRoute: () => admin, path: '/users/$user_id/benefits/$benefit_key', ...givenBenefitSettings }),
] as const

const adminIssues = createRoute({
  getParentRoute: () => admin,
  path: '/protection-issues',
  component: lazyPart(() => import('#web/pages/admin-protection-issues-page.tsx').then((part) => part.AdminProtectionIssuesPage)),
})

const adminIssue = createRoute({
  getParentRoute: () => admin,
  path: '/protection-issues/$issue_id/users/$user_id',
  loader: async ({ context: { queryClient, restricted }, params }) => {
    if (!restricted) await loadIssue(queryClient, params.user_id, params.issue_id)
  },
  component: lazyPart(() => import('#web/pages/admin-protection-issue-page.tsx').then((part) => part.AdminProtectionIssuePage)),
})

const adminServers = createRoute({
  getParentRoute: () => admin,
  path: '/servers',
  component: lazyPart(() => import('#web/pages/admin-servers-page.tsx').then((part) => part.AdminServersPage)),
})

const adminServer = createRoute({
  getParentRoute: () => admin,
  path: '/servers/$server_id',
  validateSearch: (search: Record<string, unknown>) => given('tab', adminServerTabOf(search['tab'])),
  pendingComponent: ServerPagePending,
  loader: async ({ context: { queryClient, restricted }, params }) => {
    if (restricted) return
    await Promise.all([queryClient.fetchQuery(adminServerOptions(params.server_id)), queryClient.ensureQueryData(aboutOptions)])
  },
  component: lazyPart(() => import('#web/pages/admin-server-page.tsx').then((part) => part.AdminServerPage)),
})

const adminAudit = createRoute({
  getParentRoute: () => admin,
  path: '/audit',
  component: lazyPart(() => import('#web/pages/admin-audit-page.tsx').then((part) => part.AdminAuditPage)),
})

const adminPages = admin.addChildren([
  adminAudit,
  adminServers,
  adminServer,
  adminIssues,
  adminIssue,
  adminUsers,
  adminUserPages,
  ...adminBenefitSettings,
  createRoute({ getParentRoute: () => admin, path: '$', component: NotFoundPage }),
])

const routeTree = root.addChildren([
  member.addChildren([
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
    adminPages,
  ]),
])

/** The panel's router over its cache. */
export function createPanelRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    defaultPendingComponent: PagePending,
    defaultPendingMs: 150,
    defaultPendingMinMs: 200,
    defaultPreload: 'intent',
    // The query cache knows what is fresh.
    defaultPreloadStaleTime: 0,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPanelRouter>
  }
}
