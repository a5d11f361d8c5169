/** The pages of the settings, with their loaders. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { accountActivityOptions } from '#web/features/activity/activity.api.ts'
import { apiKeysOptions } from '#web/features/api-keys/api-keys.api.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { webhooksOptions } from '#web/features/webhooks/webhooks.api.ts'
import { CardsSkeleton, SettingsSkeleton } from '#web/shell/page-skeletons.tsx'
import { inBackground, loadServerList, memberRoute, nonEmptyText, unlessRestricted } from './base.tsx'

const accountPages = () => import('#web/pages/account-pages.ts')

const page = (name: keyof Awaited<ReturnType<typeof accountPages>>) => ({
  pendingComponent: CardsSkeleton,
  component: lazyRouteComponent(accountPages, name),
})

const settings = createRoute({
  getParentRoute: () => memberRoute,
  path: '/settings',
  pendingComponent: SettingsSkeleton,
  component: lazyRouteComponent(accountPages, 'SettingsLayout'),
})

const loadActivity = unlessRestricted(({ context }) => inBackground(context.queryClient.ensureInfiniteQueryData(accountActivityOptions)))

const loadWebhooks = unlessRestricted(({ context: { queryClient } }) =>
  Promise.all([
    queryClient.ensureQueryData(webhooksOptions),
    queryClient.ensureQueryData(serverListOptions),
    queryClient.ensureQueryData(aboutOptions),
  ]),
)

const newWebhook = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks/new',
  validateSearch: ({ server: id }: Record<string, unknown>): { server?: string | undefined } => ({ server: nonEmptyText(id) }),
  loader: loadWebhooks,
  ...page('SettingsNewWebhookPage'),
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
  loader: loadWebhooks,
  ...page('SettingsWebhookPage'),
})

const managers = { loader: loadActivity, ...page('SettingsManagersPage') }
const loadApiKeys = unlessRestricted(({ context }) => inBackground(context.queryClient.ensureQueryData(apiKeysOptions)))

export const settingsRoutes = settings.addChildren([
  createRoute({ getParentRoute: () => settings, path: '/', ...managers }),
  createRoute({ getParentRoute: () => settings, path: '/managers', ...managers }),
  createRoute({ getParentRoute: () => settings, path: '/profile', loader: loadServerList, ...page('SettingsProfilePage') }),
  createRoute({ getParentRoute: () => settings, path: '/preferences', ...page('SettingsPreferencesPage') }),
  createRoute({ getParentRoute: () => settings, path: '/sessions', ...page('SettingsSessionsPage') }),
  createRoute({ getParentRoute: () => settings, path: '/notifications', ...page('SettingsNotificationsPage') }),
  createRoute({ getParentRoute: () => settings, path: '/transfers', loader: loadServerList, ...page('SettingsTransfersPage') }),
  createRoute({ getParentRoute: () => settings, path: '/api-keys', loader: loadApiKeys, ...page('SettingsApiKeysPage') }),
  createRoute({ getParentRoute: () => settings, path: '/webhooks', loader: loadWebhooks, ...page('SettingsWebhooksPage') }),
  newWebhook,
  webhook,
  createRoute({ getParentRoute: () => settings, path: '/activity', loader: loadActivity, ...page('SettingsActivityPage') }),
  createRoute({ getParentRoute: () => settings, path: '/delete-account', loader: loadServerList, ...page('SettingsDeleteAccountPage') }),
])
