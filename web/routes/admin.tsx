/** The routes for administrators, with their loaders. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { adminBenefitsOptions, benefitSettingsOptions } from '#web/features/benefits/benefits.api.ts'
import { requireBenefitSettingsKey, parseBenefitSettingsKey } from '#web/features/benefits/settings/settings-route.ts'
import { issuesOfUserOptions, loadAdminIssue } from '#web/features/protection/protection.api.ts'
import { adminServerTabOf } from '#web/features/servers/server-tabs.ts'
import { adminServerOptions } from '#web/features/servers/servers.api.ts'
import { requireAdmin } from '#web/features/session/session.api.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { NotFoundPage } from '#web/shell/error-page.tsx'
import { orNotFound } from '#web/lib/http/or-not-found.ts'
import { CardsSkeleton, ServerPageSkeleton } from '#web/shell/page-skeletons.tsx'
import { inBackground, memberRoute, searchParam, unlessRestricted } from './base.tsx'

const adminPages = () => import('#web/pages/admin-pages.ts')

/** List pages parse their own search params. */
const admin = createRoute({
  getParentRoute: () => memberRoute,
  path: '/admin',
  beforeLoad: ({ context }) => requireAdmin(context),
  component: lazyRouteComponent(adminPages, 'AdminArea'),
})

const page = (name: keyof Awaited<ReturnType<typeof adminPages>>) => ({ component: lazyRouteComponent(adminPages, name) })

/** Refetches on each visit, because the event stream does not report changes of other accounts. */
const adminUser = createRoute({
  getParentRoute: () => admin,
  path: '/users/$user_id',
  loader: unlessRestricted<{ user_id: string }>(({ context, params }) => context.queryClient.fetchQuery(adminUserOptions(params.user_id))),
  component: lazyRouteComponent(adminPages, 'AdminUserLayout'),
})

const userPage = (name: Parameters<typeof page>[0]) => ({ pendingComponent: CardsSkeleton, ...page(name) })

/** Both pages preview the effect of another tier. */
const loadGrants = unlessRestricted<{ user_id: string }>(({ context, params }) =>
  inBackground(context.queryClient.fetchQuery(adminBenefitsOptions(params.user_id))),
)

const loadIssues = unlessRestricted<{ user_id: string }>(({ context, params }) =>
  inBackground(context.queryClient.fetchQuery(issuesOfUserOptions(params.user_id))),
)

const adminUserRoutes = adminUser.addChildren([
  createRoute({ getParentRoute: () => adminUser, path: '/', ...userPage('AdminUserServersPage') }),
  createRoute({ getParentRoute: () => adminUser, path: '/servers', ...userPage('AdminUserServersPage') }),
  createRoute({ getParentRoute: () => adminUser, path: '/benefits', loader: loadGrants, ...userPage('AdminUserBenefitsPage') }),
  createRoute({ getParentRoute: () => adminUser, path: '/settings', loader: loadGrants, ...userPage('AdminUserSettingsPage') }),
  createRoute({ getParentRoute: () => adminUser, path: '/activity', ...userPage('AdminUserActivityPage') }),
  createRoute({ getParentRoute: () => adminUser, path: '/protection', loader: loadIssues, ...userPage('AdminUserProtectionPage') }),
])

const benefitSettingsPage = {
  loader: unlessRestricted<{ benefit_key: string; user_id: string }>(
    async ({ context: { queryClient }, params: { benefit_key, user_id } }) => {
      parseBenefitSettingsKey(benefit_key)
      const user = await queryClient.fetchQuery(adminUserOptions(user_id))
      const held = user.benefits.map(({ key }) => key)
      await queryClient.fetchQuery(benefitSettingsOptions(requireBenefitSettingsKey(benefit_key, held), user_id))
    },
  ),
  component: lazyRouteComponent(adminPages, 'AdminBenefitSettingsPage'),
}

const benefitSettingsRoutes = [
  createRoute({ getParentRoute: () => admin, path: '/benefits/$benefit_key/users/$user_id', ...benefitSettingsPage }),
  createRoute({ getParentRoute: () => admin, path: '/users/$user_id/benefits/$benefit_key', ...benefitSettingsPage }),
] as const

const adminIssue = createRoute({
  getParentRoute: () => admin,
  path: '/protection-issues/$issue_id/users/$user_id',
  loader: unlessRestricted<{ issue_id: string; user_id: string }>(({ context, params }) =>
    loadAdminIssue(context.queryClient, params.user_id, params.issue_id),
  ),
  component: lazyRouteComponent(adminPages, 'AdminProtectionIssuePage'),
})

const adminServer = createRoute({
  getParentRoute: () => admin,
  path: '/servers/$server_id',
  validateSearch: (search: Record<string, unknown>) => searchParam('tab', adminServerTabOf(search['tab'])),
  pendingComponent: ServerPageSkeleton,
  loader: unlessRestricted<{ server_id: string }>(({ context: { queryClient }, params }) =>
    Promise.all([orNotFound(queryClient.fetchQuery(adminServerOptions(params.server_id))), queryClient.ensureQueryData(aboutOptions)]),
  ),
  component: lazyRouteComponent(adminPages, 'AdminServerPage'),
})

export const adminRoutes = admin.addChildren([
  createRoute({ getParentRoute: () => admin, path: '/audit', ...page('AdminAuditPage') }),
  createRoute({ getParentRoute: () => admin, path: '/servers', ...page('AdminServersPage') }),
  adminServer,
  createRoute({ getParentRoute: () => admin, path: '/protection-issues', ...page('AdminProtectionIssuesPage') }),
  adminIssue,
  createRoute({ getParentRoute: () => admin, path: '/users', ...page('AdminUsersPage') }),
  adminUserRoutes,
  createRoute({ getParentRoute: () => admin, path: '/statistics', ...page('AdminStatisticsPage') }),
  createRoute({ getParentRoute: () => admin, path: '/status', ...page('AdminStatusPage') }),
  ...benefitSettingsRoutes,
  createRoute({ getParentRoute: () => admin, path: '$', component: NotFoundPage }),
])
