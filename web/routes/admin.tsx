/** The routes for administrators, with their loaders. */
import { createRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { adminBenefitsOptions, benefitSettingsOptions } from '#web/features/benefits/benefits.api.ts'
import { BenefitSettingsSkeleton } from '#web/features/benefits/benefits-skeletons.tsx'
import { requireBenefitSettingsKey, parseBenefitSettingsKey } from '#web/features/benefits/settings/settings-route.ts'
import { issuesOfUserOptions, loadAdminIssue } from '#web/features/protection/protection.api.ts'
import { adminServerTabOf } from '#web/features/servers/server-tabs.ts'
import { adminServerOptions } from '#web/features/servers/servers.api.ts'
import { requireAdmin } from '#web/features/session/guard.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { NotFoundPage } from '#web/shell/error-page.tsx'
import { orNotFound } from '#web/lib/http/or-not-found.ts'
import { ActivitySkeleton, CardsSkeleton, ServerPageSkeleton } from '#web/shell/page-skeletons.tsx'
import { inBackground, memberRoute, searchParam, unlessRestricted } from './base.tsx'

const adminPages = () => import('#web/pages/admin-pages.ts')

/** List pages parse their own search params. */
const admin = createRoute({
  getParentRoute: () => memberRoute,
  path: '/admin',
  beforeLoad: ({ context }) => requireAdmin(context),
  component: lazyRouteComponent(adminPages, 'AdminArea'),
})

/** A route without a loader. The page fetches its own data. */
function adminPage<P extends string>(path: P, component: RouteComponent) {
  return createRoute({ getParentRoute: () => admin, path, component })
}

/** Refetches on each visit, because the event stream does not report changes of other accounts. */
const adminUser = createRoute({
  getParentRoute: () => admin,
  path: '/users/$user_id',
  loader: unlessRestricted<{ user_id: string }>(({ context, params }) => context.queryClient.fetchQuery(adminUserOptions(params.user_id))),
  component: lazyRouteComponent(adminPages, 'AdminUserLayout'),
})

const userServersPage = {
  pendingComponent: CardsSkeleton,
  component: lazyRouteComponent(adminPages, 'AdminUserServersPage'),
}

/** Both pages preview the effect of another tier. */
const loadGrants = unlessRestricted<{ user_id: string }>(({ context, params }) =>
  inBackground(context.queryClient.fetchQuery(adminBenefitsOptions(params.user_id))),
)

const adminUserRoutes = adminUser.addChildren([
  createRoute({ getParentRoute: () => adminUser, path: '/', ...userServersPage }),
  createRoute({ getParentRoute: () => adminUser, path: '/servers', ...userServersPage }),
  createRoute({
    getParentRoute: () => adminUser,
    path: '/benefits',
    pendingComponent: CardsSkeleton,
    loader: loadGrants,
    component: lazyRouteComponent(adminPages, 'AdminUserBenefitsPage'),
  }),
  createRoute({
    getParentRoute: () => adminUser,
    path: '/settings',
    pendingComponent: CardsSkeleton,
    loader: loadGrants,
    component: lazyRouteComponent(adminPages, 'AdminUserSettingsPage'),
  }),
  createRoute({
    getParentRoute: () => adminUser,
    path: '/activity',
    pendingComponent: ActivitySkeleton,
    component: lazyRouteComponent(adminPages, 'AdminUserActivityPage'),
  }),
  createRoute({
    getParentRoute: () => adminUser,
    path: '/protection',
    pendingComponent: CardsSkeleton,
    loader: unlessRestricted<{ user_id: string }>(({ context, params }) =>
      inBackground(context.queryClient.fetchQuery(issuesOfUserOptions(params.user_id))),
    ),
    component: lazyRouteComponent(adminPages, 'AdminUserProtectionPage'),
  }),
])

const benefitSettingsPage = {
  pendingComponent: BenefitSettingsSkeleton,
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
  adminPage('/audit', lazyRouteComponent(adminPages, 'AdminAuditPage')),
  adminPage('/servers', lazyRouteComponent(adminPages, 'AdminServersPage')),
  adminServer,
  adminPage('/protection-issues', lazyRouteComponent(adminPages, 'AdminProtectionIssuesPage')),
  adminIssue,
  adminPage('/users', lazyRouteComponent(adminPages, 'AdminUsersPage')),
  adminUserRoutes,
  adminPage('/statistics', lazyRouteComponent(adminPages, 'AdminStatisticsPage')),
  ...benefitSettingsRoutes,
  createRoute({ getParentRoute: () => admin, path: '$', component: NotFoundPage }),
])
