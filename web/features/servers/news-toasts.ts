/** Says what others did, in words. */
import type { Action, ActivityEntry } from '#contract/activity.ts'
import type { ServerTransfer } from '#contract/transfers.ts'
import type { GivenManagement } from '#contract/users.ts'
import { call } from '#web/lib/call.ts'
import { dismissToast, toastNews } from '#web/ui/toast.ts'
import { permissionsText } from './access.ts'
import type { Known } from './live-account.ts'
import { type News, newsBetween } from './news.ts'

/** How an offer can end. */
const ENDS: readonly Action[] = ['TRANSFER_ACCEPTED', 'TRANSFER_DECLINED', 'TRANSFER_LAPSED', 'TRANSFER_CANCELLED', 'SERVER_DELETED']

export async function tellNews(before: Known, after: Known): Promise<void> {
  const news = newsBetween(before, after)
  if (news.length === 0) return
  // Who ended it is not in the lists: what happened has it. Without that nothing is claimed.
  const asks = news.some(({ kind }) => kind !== 'offered' && kind !== 'management given')
  const happened = asks ? await call('GET /api/users/activity').catch(() => []) : []
  for (const each of news) tell(each, happened)
}

function tell(news: News, happened: readonly ActivityEntry[]): void {
  if ('management' in news) return tellManagement(news, happened)
  if ('given' in news) return tellManager(news.given, happened)
  if (news.kind === 'offered') return tellOffer(news.transfer)
  if (news.kind === 'offer withdrawn') return tellWithdrawn(news.transfer, happened)
  const { token, to_user } = news.transfer
  const recipient = to_user.discord.username
  const end = lastOf(happened, ENDS, (entry) => entry.server?.public_id === token.public_id)?.action
  if (news.kind === 'offer accepted') {
    // It may be gone because it was deleted in another tab.
    if (end === undefined || end === 'TRANSFER_ACCEPTED') toastNews(`${recipient} accepted ${token.name}`, 'The server is theirs now.')
    return
  }
  if (end === 'TRANSFER_DECLINED') toastNews(`${recipient} declined ${token.name}`, 'The server stays yours.')
  if (end === 'TRANSFER_LAPSED') toastNews(`Your offer of ${token.name} has lapsed`, `${recipient} did not answer. The server stays yours.`)
}

function tellOffer({ id, token, from_user }: ServerTransfer) {
  // Who looks at the list sees the offer itself.
  const isAtTheList = location.pathname === '/' || location.pathname === '/servers'
  toastNews(
    `${from_user.discord.username} offers you ${token.name}`,
    isAtTheList ? undefined : 'You find the offer in your list of servers.',
    id,
  )
}

/** What was said of it is true no more, whoever ended it. */
function tellWithdrawn({ id, token, from_user }: ServerTransfer, happened: readonly ActivityEntry[]) {
  const sender = from_user.discord.username
  dismissToast(id)
  const end = lastOf(happened, ENDS, (entry) => entry.server?.public_id === token.public_id)
  if (end?.action === 'TRANSFER_LAPSED') toastNews(`${sender}’s offer of ${token.name} has lapsed`)
  if (end?.action !== 'TRANSFER_CANCELLED') return
  if (end.actor?.id === from_user.id) toastNews(`${sender} took back the offer of ${token.name}`)
  else toastNews(`${sender}’s offer of ${token.name} has ended`)
}

/** Revoked by oneself, in another tab, it is no news. */
function tellManager({ manager, manager_id }: GivenManagement, happened: readonly ActivityEntry[]) {
  const end = lastOf(happened, ['MANAGER_REVOKED', 'MANAGER_REFUSED'], (entry) => entry.user?.id === manager_id)
  if (end?.action === 'MANAGER_REFUSED') toastNews(`${manager.discord.username} no longer manages your servers`, 'They have ended it.')
}

function tellManagement({ kind, management }: News & { kind: 'management given' | 'management over' }, happened: readonly ActivityEntry[]) {
  const { owner, owner_id, permissions } = management
  const { username } = owner.discord
  if (kind === 'management given') return toastNews(`You now manage ${username}’s servers`, `${permissionsText(permissions)}.`)
  const end = lastOf(happened, ['MANAGER_REVOKED', 'MANAGER_REFUSED'], (entry) => entry.owner?.id === owner_id)?.action
  // Refused by oneself, in another tab.
  if (end !== 'MANAGER_REFUSED') toastNews(`You no longer manage ${username}’s servers`, `${username} has ended it.`)
}

/** Which of these happened last to what is meant; newest first, as the backend answers. */
function lastOf(happened: readonly ActivityEntry[], actions: readonly Action[], isMeant: (entry: ActivityEntry) => boolean) {
  return happened.find((entry) => actions.includes(entry.action) && isMeant(entry))
}
