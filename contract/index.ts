/** The table of endpoints: every call of the product, named once. The only barrel in the house. */
import * as about from './about.ts'
import * as account from './account.ts'
import * as activity from './activity.ts'
import * as audit from './audit.ts'
import * as auth from './auth.ts'
import * as benefitSettings from './benefit-settings.ts'
import * as cloudAuth from './cloud-auth.ts'
import * as downloads from './downloads.ts'
import type { Endpoint } from './endpoint.ts'
import * as feeds from './feeds.ts'
import * as groups from './groups.ts'
import * as history from './history.ts'
import * as images from './images.ts'
import * as live from './live.ts'
import * as managers from './managers.ts'
import * as masterlist from './masterlist.ts'
import * as protection from './protection.ts'
import * as servers from './servers.ts'
import * as serversAdmin from './servers-admin.ts'
import * as supporters from './supporters.ts'
import * as transfers from './transfers.ts'
import * as users from './users.ts'
import * as usersAdmin from './users-admin.ts'

export const endpoints = [
  about.about,
  auth.authorizeUrl,
  auth.signIn,
  auth.logOut,
  users.me,
  account.requestDeletion,
  account.cancelDeletion,
  account.exportData,
  users.publicUser,
  users.publicUserByName,
  activity.ofAccount,
  servers.list,
  servers.create,
  servers.languages,
  servers.get,
  servers.change,
  servers.remove,
  servers.reissue,
  servers.resetAddress,
  servers.announces,
  activity.ofServer,
  live.events,
  transfers.offer,
  transfers.accept,
  transfers.cancel,
  benefitSettings.overview,
  benefitSettings.settings,
  benefitSettings.changeSettings,
  feeds.preview,
  images.upload,
  groups.list,
  groups.create,
  groups.rename,
  groups.remove,
  downloads.downloads,
  supporters.webhook,
  managers.grant,
  managers.revoke,
  managers.resign,
  managers.managed,
  managers.changeManaged,
  managers.reissueManaged,
  managers.resetManagedAddress,
  managers.appearance,
  serversAdmin.adminServers,
  serversAdmin.adminServer,
  serversAdmin.changeAdminServer,
  serversAdmin.removeAdminServer,
  serversAdmin.resetAdminServerAddress,
  serversAdmin.banServer,
  serversAdmin.adminAnnounces,
  usersAdmin.adminUsers,
  usersAdmin.adminUser,
  usersAdmin.banUser,
  usersAdmin.changeLimits,
  usersAdmin.forceTier,
  usersAdmin.grantBenefit,
  usersAdmin.takeBenefit,
  benefitSettings.adminOverview,
  benefitSettings.adminSettings,
  benefitSettings.changeAdminSettings,
  audit.audit,
  protection.issues,
  protection.changeIssue,
  protection.issuesOfUser,
  protection.issue,
  protection.acknowledgeIssue,
  protection.replyToIssue,
  masterlist.announce,
  masterlist.leave,
  masterlist.servers,
  masterlist.stream,
  masterlist.info,
  masterlist.server,
  masterlist.averagePlayers,
  masterlist.highestPlayers,
  masterlist.skin,
  history.ofDay,
  history.ofServer,
  history.ofAdminServer,
  history.ofList,
  cloudAuth.configuration,
  cloudAuth.ticket,
  cloudAuth.verify,
  cloudAuth.keys,
] as const satisfies readonly Endpoint[]

type Listed = (typeof endpoints)[number]

/** Every endpoint by its route text, for callers that name a call by its route and need only its types. */
export type Api = { [E in Listed as E['route']]: E }
