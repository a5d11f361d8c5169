/** The addresses of administrators, each with what is loaded before it is entered. */
import { createRoute } from '@tanstack/react-router'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { adminBenefitsOptions } from '#web/features/benefits/admin/admin-benefits.api.ts'
import { BenefitSettingsPending } from '#web/features/benefits/settings/settings-pending.tsx'
import { settingsOptions } from '#web/features/benefits/settings/settings.api.ts'
import { settingsKeyFor, settingsKeyNamed } from '#web/features/benefits/settings/settings-route.ts'
import { loadIssue } from '#web/features/protection/load-issue.ts'
import { issuesOfUserOptions } from '#web/features/protection/protection.api.ts'
import { adminServerTabOf } from '#web/features/servers/server-tabs.ts'
import { adminServerOptions } from '#web/features/servers/servers.api.ts'
import { requireAdmin } from '#web/features/session/guard.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { NotFoundPage } from '#web/shell/error-page.tsx'
import { orNotFound } from '#web/lib/or-not-found.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { ActivityPending, PartPending, ServerPagePending } from '#web/shell/page-pending.tsx'
import { type Context, given, member } from './base.tsx'

/** The administrators’ pages. Each list’s page reads its own address, so that the first page loads none of that. */
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
    await Promise.all([orNotFound(queryClient.fetchQuery(adminServerOptions(params.server_id))), queryClient.ensureQueryData(aboutOptions)])
  },
  component: lazyPart(() => import('#web/pages/admin-server-page.tsx').then((part) => part.AdminServerPage)),
})

const adminAudit = createRoute({
  getParentRoute: () => admin,
  path: '/audit',
  component: lazyPart(() => import('#web/pages/admin-audit-page.tsx').then((part) => part.AdminAuditPage)),
})

const adminStatistics = createRoute({
  getParentRoute: () => admin,
  path: '/statistics',
  component: lazyPart(() => import('#web/pages/admin-statistics-page.tsx').then((part) => part.AdminStatisticsPage)),
})

export const adminPages = admin.addChildren([
  adminAudit,
  adminServers,
  adminServer,
  adminIssues,
  adminIssue,
  adminUsers,
  adminUserPages,
  adminStatistics,
  ...adminBenefitSettings,
  createRoute({ getParentRoute: () => admin, path: '$', component: NotFoundPage }),
])
