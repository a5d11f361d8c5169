/** The table of all endpoints; larger groups are in account-endpoints.ts and list-endpoints.ts. */
import { accountCalls } from './account-endpoints.ts'
import * as activity from './events/activity.ts'
import * as apiKeys from './users/api-keys.ts'
import * as audit from './events/audit.ts'
import * as benefitSettings from './benefits/benefit-settings.ts'
import * as deletedServers from './servers/deleted-servers.ts'
import * as downloads from './public-site/downloads.ts'
import type { Endpoint } from './api/endpoint.ts'
import * as feeds from './public-site/feeds.ts'
import * as groups from './servers/groups.ts'
import * as history from './history/history.ts'
import * as images from './servers/images.ts'
import * as leaks from './users/leaks.ts'
import { listEndpointGroups } from './list-endpoints.ts'
import * as live from './masterlist/live.ts'
import * as managers from './servers/managers.ts'
import * as pins from './servers/pins.ts'
import * as protection from './protection/protection.ts'
import * as reports from './protection/reports.ts'
import * as servers from './servers/servers.ts'
import * as serverEndpoint from './servers/endpoint.ts'
import * as serversAdmin from './servers/servers-admin.ts'
import * as statistics from './history/statistics.ts'
import * as status from './status/status.ts'
import * as supporters from './users/supporters.ts'
import * as transfers from './servers/transfers.ts'
import * as usersAdmin from './users/users-admin.ts'
import * as webhooks from './webhooks/webhooks.ts'

/** The endpoints by tag, in the order of a reader. The key of a call is its `operationId`, which never changes. */
export const endpointGroups = [
  ...listEndpointGroups,
  {
    tag: 'Account',
    description: 'Signing in, the signed-in user and their data.',
    calls: accountCalls,
  },
  {
    tag: 'Servers',
    description: 'The servers that a user owns. Paths call a server a token.',
    calls: {
      listOwnServers: servers.list,
      createServer: servers.create,
      listLanguages: servers.languages,
      getServer: servers.get,
      changeServer: servers.change,
      deleteServer: servers.remove,
      listDeletedServers: deletedServers.list,
      restoreServer: deletedServers.restore,
      reissueCredential: servers.reissue,
      resetBoundAddress: servers.resetAddress,
      pinServer: pins.pin,
      unpinServer: pins.unpin,
      listAnnounceAttempts: servers.announces,
      getServerEndpoint: serverEndpoint.get,
      testServerEndpoint: serverEndpoint.test,
      listServerActivity: activity.ofServer,
      getServerHistory: history.ofServer,
      getServerEvents: history.eventsOfServer,
      getDayHistory: history.ofDay,
      streamChanges: live.events,
    },
  },
  {
    tag: 'Transfers',
    description: 'Giving a server to another user.',
    calls: {
      offerTransfer: transfers.offer,
      acceptTransfer: transfers.accept,
      cancelTransfer: transfers.cancel,
    },
  },
  {
    tag: 'Managers',
    description: 'Letting another user manage your servers.',
    calls: {
      grantManagement: managers.grant,
      revokeManagement: managers.revoke,
      resignManagement: managers.resign,
      getManagedServer: managers.managed,
      changeManagedServer: managers.changeManaged,
      reissueManagedCredential: managers.reissueManaged,
      resetManagedBoundAddress: managers.resetManagedAddress,
      getAppearanceOptions: managers.appearance,
    },
  },
  {
    tag: 'Benefits',
    description: 'What a tier or a grant unlocks: settings, images, groups and downloads.',
    calls: {
      listBenefits: benefitSettings.overview,
      getBenefitSettings: benefitSettings.settings,
      replaceBenefitSettings: benefitSettings.changeSettings,
      previewFeed: feeds.preview,
      uploadImage: images.upload,
      listGroups: groups.list,
      createGroup: groups.create,
      renameGroup: groups.rename,
      deleteGroup: groups.remove,
      listDownloads: downloads.downloads,
      receiveSupporterWebhook: supporters.webhook,
    },
  },
  {
    tag: 'Webhooks',
    description: 'Sends events about your servers and your account to your own URL, or to a Discord channel.',
    calls: {
      listWebhooks: webhooks.list,
      createWebhook: webhooks.create,
      changeWebhook: webhooks.change,
      deleteWebhook: webhooks.remove,
      testWebhook: webhooks.sendTest,
      rotateWebhookSecret: webhooks.rotateSecret,
      listWebhookDeliveries: webhooks.deliveries,
      retryWebhookDelivery: webhooks.retry,
    },
  },
  {
    tag: 'Protection',
    description: 'What the checks of the master list find about a server, and what players report.',
    calls: {
      listUserIssues: protection.issuesOfUser,
      getIssue: protection.issue,
      acknowledgeIssue: protection.acknowledgeIssue,
      replyToIssue: protection.replyToIssue,
      reportServer: reports.report,
    },
  },
  {
    tag: 'API keys',
    description: 'Secrets that programs use to call this API, and reports of leaked secrets. No API key can make these calls.',
    calls: {
      listApiKeys: apiKeys.list,
      createApiKey: apiKeys.create,
      revokeApiKey: apiKeys.revoke,
      reportLeaks: leaks.report,
    },
  },
  {
    tag: 'Administration',
    description: 'For users with the ADMIN benefit. Every change is in the audit log.',
    calls: {
      adminListServers: serversAdmin.adminServers,
      adminGetServer: serversAdmin.adminServer,
      adminChangeServer: serversAdmin.changeAdminServer,
      adminDeleteServer: serversAdmin.removeAdminServer,
      adminResetBoundAddress: serversAdmin.resetAdminServerAddress,
      adminBanServer: serversAdmin.banServer,
      adminListAnnounceAttempts: serversAdmin.adminAnnounces,
      adminGetServerHistory: history.ofAdminServer,
      adminGetServerEvents: history.eventsOfAdminServer,
      adminListUsers: usersAdmin.adminUsers,
      adminGetUser: usersAdmin.adminUser,
      adminBanUser: usersAdmin.banUser,
      adminChangeLimits: usersAdmin.changeLimits,
      adminForceTier: usersAdmin.forceTier,
      adminGrantBenefit: usersAdmin.grantBenefit,
      adminTakeBenefit: usersAdmin.takeBenefit,
      adminListBenefits: benefitSettings.adminOverview,
      adminGetBenefitSettings: benefitSettings.adminSettings,
      adminReplaceBenefitSettings: benefitSettings.changeAdminSettings,
      adminListIssues: protection.issues,
      adminModerateIssue: protection.changeIssue,
      adminGetIssueReports: reports.ofIssue,
      adminListAuditLog: audit.audit,
      adminGetListHistory: history.ofList,
      adminGetStatistics: statistics.statistics,
      adminGetStatus: status.status,
    },
  },
] as const satisfies readonly EndpointGroup[]

interface EndpointGroup {
  readonly tag: string
  readonly description: string
  readonly calls: Readonly<Record<string, Endpoint>>
}

type ValueOf<T> = T extends unknown ? T[keyof T] : never
type Listed = ValueOf<(typeof endpointGroups)[number]['calls']>

export const endpoints: readonly Listed[] = endpointGroups.flatMap(({ calls }): Listed[] => Object.values(calls))

/** Endpoint types by route text, for callers that need only types. */
export type Api = { [E in Listed as E['route']]: E }
