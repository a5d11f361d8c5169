/** Says what others did, in words. */
import type { Action, ActivityEntry } from '#contract/activity.ts'
import { call } from '#web/lib/call.ts'
import { toastNews } from '#web/ui/toast.ts'
import { permissionsText } from './access.ts'
import type { Known } from './live-account.ts'
import { type News, newsBetween } from './news.ts'

export async function tellNews(before: Known, after: Known): Promise<void> {
  const news = newsBetween(before, after)
  if (news.length === 0) return
  // Who ended it is not in the lists: what happened has it. Without that nothing is claimed.
  const asks = news.some(({ kind }) => kind === 'offer over' || kind === 'management over')
  const happened = asks ? await call('GET /api/users/activity').catch(() => []) : []
  for (const each of news) tell(each, happened)
}

function tell(news: News, happened: readonly ActivityEntry[]): void {
  if ('management' in news) return tellManagement(news, happened)
  const { token, from_user, to_user } = news.transfer
  const recipient = to_user.discord.username
  if (news.kind === 'offered') {
    return toastNews(`${from_user.discord.username} offers you ${token.name}`, 'You find the offer in your list of servers.')
  }
  if (news.kind === 'offer accepted') return toastNews(`${recipient} accepted ${token.name}`, 'The server is theirs now.')
  const end = lastOf(
    happened,
    ['TRANSFER_DECLINED', 'TRANSFER_LAPSED', 'TRANSFER_CANCELLED'],
    (entry) => entry.server?.public_id === token.public_id,
  )
  if (end === 'TRANSFER_DECLINED') toastNews(`${recipient} declined ${token.name}`, 'The server stays yours.')
  if (end === 'TRANSFER_LAPSED') toastNews(`Your offer of ${token.name} has lapsed`, `${recipient} did not answer. The server stays yours.`)
}

function tellManagement({ kind, management }: News & { kind: 'management given' | 'management over' }, happened: readonly ActivityEntry[]) {
  const { owner, owner_id, permissions } = management
  const { username } = owner.discord
  if (kind === 'management given') return toastNews(`You now manage ${username}’s servers`, `${permissionsText(permissions)}.`)
  const end = lastOf(happened, ['MANAGER_REVOKED', 'MANAGER_REFUSED'], (entry) => entry.owner?.id === owner_id)
  // Refused by oneself, in another tab.
  if (end !== 'MANAGER_REFUSED') toastNews(`You no longer manage ${username}’s servers`, `${username} has ended it.`)
}

/** Which of these happened last to what is meant; newest first, as the backend answers. */
function lastOf(happened: readonly ActivityEntry[], actions: readonly Action[], isMeant: (entry: ActivityEntry) => boolean) {
  return happened.find((entry) => actions.includes(entry.action) && isMeant(entry))?.action
}
