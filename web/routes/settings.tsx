/** The pages of the settings, with their loaders. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { accountActivityOptions } from '#web/features/activity/activity.api.ts'
import { apiKeysOptions } from '#web/features/api-keys/api-keys.api.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { webhooksOptions } from '#web/features/webhooks/webhooks.api.ts'
import { ActivitySkeleton, CardsSkeleton, ManagersSkeleton, SettingsSkeleton } from '#web/shell/page-skeletons.tsx'
import { inBackground, loadServerList, memberRoute, nonEmptyText, unlessRestricted } from './base.tsx'

const settings = createRoute({
  getParentRoute: () => memberRoute,
  path: '/settings',
  pendingComponent: SettingsSkeleton,
  component: lazyRouteComponent(() => import('#web/pages/settings/settings-layout.tsx'), 'SettingsLayout'),
})

const loadActivity = unlessRestricted(({ context }) => inBackground(context.queryClient.ensureInfiniteQueryData(accountActivityOptions)))

const managers = {
  loader: loadActivity,
  pendingComponent: ManagersSkeleton,
  component: lazyRouteComponent(() => import('#web/pages/settings/settings-managers-page.tsx'), 'SettingsManagersPage'),
}

const webhookPages = () => import('#web/pages/settings/settings-webhook-page.tsx')

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
  component: lazyRouteComponent(webhookPages, 'SettingsWebhooksPage'),
})

const newWebhook = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks/new',
  validateSearch: ({ server: id }: Record<string, unknown>): { server?: string | undefined } => ({ server: nonEmptyText(id) }),
  ...webhookPage,
  component: lazyRouteComponent(webhookPages, 'SettingsNewWebhookPage'),
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
  component: lazyRouteComponent(webhookPages, 'SettingsWebhookPage'),
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
    component: lazyRouteComponent(() => import('#web/pages/settings/settings-profile-page.tsx'), 'SettingsProfilePage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/preferences',
    pendingComponent: CardsSkeleton,
    component: lazyRouteComponent(() => import('#web/pages/settings/settings-preferences-page.tsx'), 'SettingsPreferencesPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/sessions',
    pendingComponent: CardsSkeleton,
    component: lazyRouteComponent(() => import('#web/pages/settings/settings-sessions-page.tsx'), 'SettingsSessionsPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/notifications',
    pendingComponent: CardsSkeleton,
    component: lazyRouteComponent(() => import('#web/pages/settings/settings-notifications-page.tsx'), 'SettingsNotificationsPage'),
  }),
  createRoute({ getParentRoute: () => settings, path: '/', ...managers }),
  createRoute({ getParentRoute: () => settings, path: '/managers', ...managers }),
  createRoute({
    getParentRoute: () => settings,
    path: '/transfers',
    pendingComponent: CardsSkeleton,
    loader: loadServerList,
    component: lazyRouteComponent(() => import('#web/pages/settings/settings-transfers-page.tsx'), 'SettingsTransfersPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/api-keys',
    pendingComponent: CardsSkeleton,
    loader: unlessRestricted(({ context }) => inBackground(context.queryClient.ensureQueryData(apiKeysOptions))),
    component: lazyRouteComponent(() => import('#web/pages/settings/settings-api-keys-page.tsx'), 'SettingsApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/activity',
    pendingComponent: ActivitySkeleton,
    loader: loadActivity,
    component: lazyRouteComponent(() => import('#web/pages/settings/settings-activity-page.tsx'), 'SettingsActivityPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '/delete-account',
    pendingComponent: CardsSkeleton,
    loader: loadServerList,
    component: lazyRouteComponent(() => import('#web/pages/settings/settings-delete-account-page.tsx'), 'SettingsDeleteAccountPage'),
  }),
])
