/** The calls about signing in, the signed-in user and their data, by name. `contract/index.ts` has all endpoints. */
import * as activity from './events/activity.ts'
import * as statistics from './history/statistics.ts'
import * as about from './public-site/about.ts'
import * as connection from './servers/connection.ts'
import * as account from './users/account.ts'
import * as auth from './users/auth.ts'
import * as identities from './users/identities.ts'
import * as preferences from './users/preferences.ts'
import * as sessions from './users/sessions.ts'
import * as users from './users/users.ts'
import * as notifications from './webhooks/notifications.ts'

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
