/** The pages of the settings, with their loaders. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { accountActivityOptions } from '#web/features/activity/activity.api.ts'
import { apiKeysOptions } from '#web/features/api-keys/api-keys.api.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { webhooksOptions } from '#web/features/webhooks/webhooks.api.ts'
import { ActivitySkeleton, CardsSkeleton, ManagersSkeleton, SettingsSkeleton } from '#web/shell/page-skeletons.tsx'
import { inBackground, loadServerList, memberRoute, nonEmptyText, unlessRestricted } from './base.tsx'

const accountPages = () => import('#web/pages/account-pages.ts')

const settings = createRoute({
  getParentRoute: () => memberRoute,
  path: '/settings',
  pendingComponent: SettingsSkeleton,
  component: lazyRouteComponent(accountPages, 'SettingsLayout'),
})

const loadActivity = unlessRestricted(({ context }) => inBackground(context.queryClient.ensureInfiniteQueryData(accountActivityOptions)))

const managers = {
  loader: loadActivity,
  pendingComponent: ManagersSkeleton,
  component: lazyRouteComponent(accountPages, 'SettingsManagersPage'),
}

const webhookPage = {
  pendingComponent: CardsSkeleton,
  loader: unlessRestricted(({ context: { queryClient } }) =>
    Promise.all([
      queryClient.ensureQueryData(webhooksOptions),
      queryClient.ensureQueryData(serverListOptions),
      queryClient.ensureQueryData(aboutOptions),
    ]),
  ),
}

const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  ...webhookPage,
  component: lazyRouteComponent(accountPages, 'SettingsWebhooksPage'),
})

const newWebhook = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks/new',
  validateSearch: ({ server: id }: Record<string, unknown>): { server?: string | undefined } => ({ server: nonEmptyText(id) }),
  ...webhookPage,
  component: lazyRouteComponent(accountPages, 'SettingsNewWebhookPage'),
})

const webhook = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks/$webhook_id',
  // `delivery` is the one whose panel is open.
  validateSearch: ({
    tab,
    status,
    delivery,
  }: Record<string, unknown>): { tab?: 'deliveries' | undefined; status?: 'failed' | undefined; delivery?: string | undefined } => ({
    tab: tab === 'deliveries' ? tab : undefined,
    status: status === 'failed' ? status : undefined,
    delivery: nonEmptyText(delivery),
  }),
  ...webhookPage,
  component: lazyRouteComponent(accountPages, 'SettingsWebhookPage'),
})

export const settingsRoutes = settings.addChildren([
  webhooks,
  newWebhook,
  webhook,
  createRoute({
    getParentRoute: () => settings,
    path: '/profile',
    pendingComponent: CardsSkeleton,
    loader: loadServerList,
    component: lazyRouteComponent(accountPages, 'SettingsProfilePage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/preferences',
    pendingComponent: CardsSkeleton,
    component: lazyRouteComponent(accountPages, 'SettingsPreferencesPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/sessions',
    pendingComponent: CardsSkeleton,
    component: lazyRouteComponent(accountPages, 'SettingsSessionsPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/notifications',
    pendingComponent: CardsSkeleton,
    component: lazyRouteComponent(accountPages, 'SettingsNotificationsPage'),
  }),
  createRoute({ getParentRoute: () => settings, path: '/', ...managers }),
  createRoute({ getParentRoute: () => settings, path: '/managers', ...managers }),
  createRoute({
    getParentRoute: () => settings,
    path: '/transfers',
    pendingComponent: CardsSkeleton,
    loader: loadServerList,
    component: lazyRouteComponent(accountPages, 'SettingsTransfersPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/api-keys',
    pendingComponent: CardsSkeleton,
    loader: unlessRestricted(({ context }) => inBackground(context.queryClient.ensureQueryData(apiKeysOptions))),
    component: lazyRouteComponent(accountPages, 'SettingsApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/activity',
    pendingComponent: ActivitySkeleton,
    loader: loadActivity,
    component: lazyRouteComponent(accountPages, 'SettingsActivityPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/delete-account',
    pendingComponent: CardsSkeleton,
    loader: loadServerList,
    component: lazyRouteComponent(accountPages, 'SettingsDeleteAccountPage'),
  }),
])
