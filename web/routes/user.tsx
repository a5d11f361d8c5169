/** The routes for every signed-in user, with their loaders. */
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { benefitsOptions, benefitSettingsOptions } from '#web/features/benefits/benefits.api.ts'
import { requireBenefitSettingsKey, parseBenefitSettingsKey } from '#web/features/benefits/settings/settings-route.ts'
import { downloadsOptions } from '#web/features/downloads/downloads.api.ts'
import { issuesOfUserOptions, loadIssue } from '#web/features/protection/protection.api.ts'
import { findByVanity, serverLink } from '#web/features/servers/access.ts'
import { managedTabOf, tabOf } from '#web/features/servers/server-tabs.ts'
import { languagesOptions, managedServerOptions, serverListOptions, serverOptions } from '#web/features/servers/servers.api.ts'
import { webhooksOptions } from '#web/features/webhooks/webhooks.api.ts'
import { NotFoundPage } from '#web/shell/error-page.tsx'
import { ServerPageSkeleton, CardsSkeleton, SettingsSkeleton } from '#web/shell/page-skeletons.tsx'
import { accountActivityOptions } from '#web/features/activity/activity.api.ts'
import { identitiesOptions } from '#web/features/account/sign-in-ways.tsx'
import { providersOptions } from '#web/features/session/providers.api.ts'
import { apiKeysOptions } from '#web/features/api-keys/api-keys.api.ts'
import { inBackground, loadServerList, memberPages, memberRoute, nonEmptyText, searchParam, unlessRestricted } from './base.tsx'

const accountPages = () => import('#web/pages/account-pages.ts')
const serverPages = () => import('#web/pages/server-pages.ts')

/** `with`: what the Connect tab and the wizard show, such as `python`. */
const connectionOf = (search: Record<string, unknown>) => searchParam('with', nonEmptyText(search['with']))

const serverList = {
  loader: loadServerList,
  component: lazyRouteComponent(memberPages, 'ServersPage'),
}

const home = createRoute({ getParentRoute: () => memberRoute, path: '/', ...serverList })
const servers = createRoute({ getParentRoute: () => memberRoute, path: '/servers', ...serverList })

const newServer = createRoute({
  getParentRoute: () => memberRoute,
  path: '/servers/new',
  // `server` is the server just created. Without a `step`, the page waits for its first announce.
  validateSearch: (search: Record<string, unknown>) => ({
    ...searchParam('server', nonEmptyText(search['server'])),
    ...searchParam('step', search['step'] === 'credential' ? search['step'] : undefined),
    ...connectionOf(search),
  }),
  loaderDeps: ({ search: { server } }) => ({ server }),
  loader: async ({ context: { queryClient, restricted }, deps }) => {
    if (restricted) return
    await Promise.all([
      queryClient.ensureQueryData(languagesOptions),
      queryClient.ensureQueryData(aboutOptions),
      deps.server !== undefined && queryClient.ensureQueryData(serverOptions(deps.server)),
    ])
  },
  component: lazyRouteComponent(serverPages, 'NewServerPage'),
})

const server = createRoute({
  getParentRoute: () => memberRoute,
  path: '/servers/$server_id',
  validateSearch: (search: Record<string, unknown>) => ({ ...searchParam('tab', tabOf(search['tab'])), ...connectionOf(search) }),
  loader: unlessRestricted<{ server_id: string }>(async ({ context: { queryClient, me }, params }) => {
    if (params.server_id.startsWith('@')) {
      const match = findByVanity(await queryClient.ensureQueryData(serverListOptions), params.server_id)
      // An unknown vanity ID is fetched as a server ID, which answers 404.
      if (match) throw redirect({ ...serverLink(match), search: true, replace: true })
    }
    await Promise.all([
      queryClient.ensureQueryData(serverOptions(params.server_id)),
      queryClient.ensureQueryData(aboutOptions),
      // The issues are above the tabs. Loaded later, they would shift the page.
      queryClient.ensureQueryData(issuesOfUserOptions(me.id)).catch(() => {}),
      // So are the alerts above the other cards.
      queryClient.ensureQueryData(webhooksOptions).catch(() => {}),
    ])
  }),
  pendingComponent: ServerPageSkeleton,
  component: lazyRouteComponent(serverPages, 'ServerPage'),
})

const managedServer = createRoute({
  getParentRoute: () => memberRoute,
  path: '/management/$user_id/servers/$server_id',
  validateSearch: (search: Record<string, unknown>) => ({ ...searchParam('tab', managedTabOf(search['tab'])), ...connectionOf(search) }),
  loader: unlessRestricted<{ user_id: string; server_id: string }>(({ context: { queryClient }, params }) => {
    const options = managedServerOptions(params.user_id, params.server_id)
    // Access may have been granted since this error.
    if (queryClient.getQueryState(options.queryKey)?.status === 'error') queryClient.removeQueries({ queryKey: options.queryKey })
    return Promise.all([queryClient.ensureQueryData(options), queryClient.ensureQueryData(aboutOptions)])
  }),
  pendingComponent: ServerPageSkeleton,
  component: lazyRouteComponent(serverPages, 'ManagedServerPage'),
  errorComponent: lazyRouteComponent(serverPages, 'ManagedServerError'),
})

const inbox = createRoute({
  getParentRoute: () => memberRoute,
  path: '/inbox',
  // `item` is the notification to focus.
  validateSearch: ({ unread, item }: Record<string, unknown>): { unread?: true | undefined; item?: string | undefined } => ({
    unread: unread === 'true' || unread === true ? true : undefined,
    item: nonEmptyText(item),
  }),
  component: lazyRouteComponent(serverPages, 'InboxPage'),
})

const benefits = createRoute({
  getParentRoute: () => memberRoute,
  path: '/benefits',
  loader: unlessRestricted(({ context }) => inBackground(context.queryClient.ensureQueryData(benefitsOptions))),
  component: lazyRouteComponent(accountPages, 'BenefitsPage'),
})

const downloads = createRoute({
  getParentRoute: () => memberRoute,
  path: '/downloads',
  validateSearch: (search: Record<string, unknown>) => ({
    ...searchParam('branch', nonEmptyText(search['branch'])),
    ...searchParam('platform', nonEmptyText(search['platform'])),
  }),
  loader: unlessRestricted(({ context }) => context.queryClient.ensureQueryData(downloadsOptions)),
  component: lazyRouteComponent(accountPages, 'DownloadsPage'),
})

const benefitSettings = createRoute({
  getParentRoute: () => memberRoute,
  path: '/benefits/$benefit_key',
  beforeLoad: ({ context: { me, restricted }, params }) => {
    const held = me.benefits.map(({ key }) => key)
    if (!restricted) requireBenefitSettingsKey(params.benefit_key, held)
  },
  loader: unlessRestricted<{ benefit_key: string }>(({ context: { queryClient }, params }) => {
    const options = benefitSettingsOptions(parseBenefitSettingsKey(params.benefit_key), undefined)
    return Promise.all([queryClient.ensureQueryData(options), queryClient.ensureQueryData(serverListOptions)])
  }),
  component: lazyRouteComponent(accountPages, 'BenefitSettingsPage'),
})

/** Refetches on each visit, because repeats of a dismissed issue send no event to the panel. */
const issuesPage = createRoute({
  getParentRoute: () => memberRoute,
  path: '/protection-issues',
  loader: unlessRestricted(({ context: { queryClient, me } }) => inBackground(queryClient.fetchQuery(issuesOfUserOptions(me.id)))),
  component: lazyRouteComponent(serverPages, 'ProtectionIssuesPage'),
})

const issuePage = createRoute({
  getParentRoute: () => memberRoute,
  path: '/protection-issues/$issue_id',
  loader: unlessRestricted<{ issue_id: string }>(({ context, params }) => loadIssue(context.queryClient, context.me.id, params.issue_id)),
  component: lazyRouteComponent(serverPages, 'ProtectionIssuePage'),
})

/** A page of the settings. */
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
  validateSearch: ({ tab, status, delivery }: Record<string, unknown>) => ({
    ...searchParam('tab', tab === 'deliveries' ? tab : undefined),
    ...searchParam('status', status === 'failed' ? status : undefined),
    ...searchParam('delivery', nonEmptyText(delivery)),
  }),
  loader: loadWebhooks,
  ...page('SettingsWebhookPage'),
})

const managers = { loader: loadActivity, ...page('SettingsManagersPage') }
const loadApiKeys = unlessRestricted(({ context }) => inBackground(context.queryClient.ensureQueryData(apiKeysOptions)))

const loadProfile = unlessRestricted(({ context: { queryClient } }) =>
  Promise.all([
    queryClient.ensureQueryData(serverListOptions),
    queryClient.ensureQueryData(identitiesOptions),
    queryClient.ensureQueryData(providersOptions),
  ]),
)

const settingsRoutes = settings.addChildren([
  createRoute({ getParentRoute: () => settings, path: '/', ...managers }),
  createRoute({ getParentRoute: () => settings, path: '/managers', ...managers }),
  createRoute({ getParentRoute: () => settings, path: '/profile', loader: loadProfile, ...page('SettingsProfilePage') }),
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

const notFound = createRoute({ getParentRoute: () => memberRoute, path: '$', component: NotFoundPage })

export const userRoutes = [
  home,
  servers,
  newServer,
  server,
  managedServer,
  settingsRoutes,
  inbox,
  benefits,
  benefitSettings,
  downloads,
  issuesPage,
  issuePage,
  notFound,
] as const
