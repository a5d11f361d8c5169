/** The routes for every signed-in user, with their loaders. */
import { createRoute, redirect } from '@tanstack/react-router'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { benefitsOptions, benefitSettingsOptions } from '#web/features/benefits/benefits.api.ts'
import { requireBenefitSettingsKey, parseBenefitSettingsKey } from '#web/features/benefits/settings/settings-route.ts'
import { BenefitSettingsSkeleton, BenefitsSkeleton } from '#web/features/benefits/benefits-skeletons.tsx'
import { downloadsOptions } from '#web/features/downloads/downloads.api.ts'
import { DownloadsSkeleton } from '#web/features/downloads/downloads-skeleton.tsx'
import { issuesOfUserOptions, loadIssue } from '#web/features/protection/protection.api.ts'
import { findByVanity, serverLink } from '#web/features/servers/access.ts'
import { managedTabOf, tabOf } from '#web/features/servers/server-tabs.ts'
import { languagesOptions, managedServerOptions, serverListOptions, serverOptions } from '#web/features/servers/servers.api.ts'
import { webhooksOptions } from '#web/features/webhooks/webhooks.api.ts'
import { loadServersPage, ServersPage } from '#web/pages/servers-page.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { ServerPageSkeleton } from '#web/shell/page-skeletons.tsx'
import { inBackground, memberRoute, nonEmptyText, searchParam, unlessRestricted } from './base.tsx'
import { settingsRoutes } from './settings.tsx'

/** `with`: what the Connect tab and the wizard show, such as `python`. */
const connectionOf = (search: Record<string, unknown>) => searchParam('with', nonEmptyText(search['with']))

const serverList = {
  loader: unlessRestricted(({ context: { queryClient, me } }) => loadServersPage(queryClient, me.id)),
  component: ServersPage,
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
  component: lazyComponent(() => import('#web/pages/new-server-page.tsx').then((module) => module.NewServerPage)),
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
  component: lazyComponent(() => import('#web/pages/server-page.tsx').then((module) => module.ServerPage)),
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
  component: lazyComponent(() => import('#web/pages/managed-server-page.tsx').then((module) => module.ManagedServerPage)),
  errorComponent: lazyComponent(() => import('#web/pages/managed-server-page.tsx').then((module) => module.ManagedServerError)),
})

const inbox = createRoute({
  getParentRoute: () => memberRoute,
  path: '/inbox',
  // `item` is the notification to focus.
  validateSearch: ({ unread, item }: Record<string, unknown>): { unread?: true | undefined; item?: string | undefined } => ({
    unread: unread === 'true' || unread === true ? true : undefined,
    item: nonEmptyText(item),
  }),
  component: lazyComponent(() => import('#web/pages/inbox-page.tsx').then((module) => module.InboxPage)),
})

const benefits = createRoute({
  getParentRoute: () => memberRoute,
  path: '/benefits',
  pendingComponent: BenefitsSkeleton,
  loader: unlessRestricted(({ context }) => inBackground(context.queryClient.ensureQueryData(benefitsOptions))),
  component: lazyComponent(() => import('#web/pages/benefits-page.tsx').then((module) => module.BenefitsPage)),
})

const downloads = createRoute({
  getParentRoute: () => memberRoute,
  path: '/downloads',
  validateSearch: (search: Record<string, unknown>) => ({
    ...searchParam('branch', nonEmptyText(search['branch'])),
    ...searchParam('platform', nonEmptyText(search['platform'])),
  }),
  pendingComponent: DownloadsSkeleton,
  loader: unlessRestricted(({ context }) => context.queryClient.ensureQueryData(downloadsOptions)),
  component: lazyComponent(() => import('#web/pages/downloads-page.tsx').then((module) => module.DownloadsPage)),
})

const benefitSettings = createRoute({
  getParentRoute: () => memberRoute,
  path: '/benefits/$benefit_key',
  pendingComponent: BenefitSettingsSkeleton,
  beforeLoad: ({ context: { me, restricted }, params }) => {
    const held = me.benefits.map(({ key }) => key)
    if (!restricted) requireBenefitSettingsKey(params.benefit_key, held)
  },
  loader: unlessRestricted<{ benefit_key: string }>(({ context: { queryClient }, params }) => {
    const options = benefitSettingsOptions(parseBenefitSettingsKey(params.benefit_key), undefined)
    return Promise.all([queryClient.ensureQueryData(options), queryClient.ensureQueryData(serverListOptions)])
  }),
  component: lazyComponent(() => import('#web/pages/benefit-settings-page.tsx').then((module) => module.BenefitSettingsPage)),
})

/** Refetches on each visit, because repeats of a dismissed issue send no event to the panel. */
const issuesPage = createRoute({
  getParentRoute: () => memberRoute,
  path: '/protection-issues',
  loader: unlessRestricted(({ context: { queryClient, me } }) => inBackground(queryClient.fetchQuery(issuesOfUserOptions(me.id)))),
  component: lazyComponent(() => import('#web/pages/protection-issues-page.tsx').then((module) => module.ProtectionIssuesPage)),
})

const issuePage = createRoute({
  getParentRoute: () => memberRoute,
  path: '/protection-issues/$issue_id',
  loader: unlessRestricted<{ issue_id: string }>(({ context, params }) => loadIssue(context.queryClient, context.me.id, params.issue_id)),
  component: lazyComponent(() => import('#web/pages/protection-issue-page.tsx').then((module) => module.ProtectionIssuePage)),
})

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
] as const
