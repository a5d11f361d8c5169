/** The calls about signing in, the signed-in user and their data, for the table of all endpoints. */
import * as activity from '#contract/events/activity.ts'
import * as statistics from '#contract/history/statistics.ts'
import * as about from '#contract/public-site/about.ts'
import * as connection from '#contract/servers/connection.ts'
import * as account from './account.ts'
import * as auth from './auth.ts'
import * as identities from './identities.ts'
import * as preferences from './preferences.ts'
import * as sessions from './sessions.ts'
import * as users from './users.ts'
import * as notifications from '#contract/webhooks/notifications.ts'

export const accountCalls = {
  getAbout: about.about,
  getConnection: connection.ofPanel,
  getListSummary: statistics.summary,
  listSignInProviders: auth.providers,
  getAuthorizeUrl: auth.authorizeUrl,
  signIn: auth.signIn,
  getOidcAuthorizeUrl: auth.oidcAuthorizeUrl,
  signInByOidc: auth.oidcSignIn,
  recoverAccount: auth.recover,
  signOut: auth.logOut,
  getMe: users.me,
  requestDeletion: account.requestDeletion,
  cancelDeletion: account.cancelDeletion,
  exportData: account.exportData,
  getUser: users.publicUser,
  findUserByDiscordName: users.publicUserByName,
  listActivity: activity.ofAccount,
  listSessions: sessions.list,
  endSession: sessions.end,
  endOtherSessions: sessions.endOthers,
  listIdentities: identities.list,
  linkIdentity: identities.link,
  unlinkIdentity: identities.unlink,
  getPreferences: preferences.get,
  changePreferences: preferences.change,
  listNotifications: notifications.list,
  markNotificationsRead: notifications.markRead,
} as const
