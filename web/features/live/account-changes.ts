/** What others did, from what was known before and after, and how it is announced. */
import type { ActivityEntry } from '#contract/activity.ts'
import type { Action } from '#contract/events.ts'
import type { ServerTransfer } from '#contract/transfers.ts'
import type { GivenManagement, ReceivedManagement } from '#contract/users.ts'
import { permissionsText } from '#web/features/servers/access.ts'
import { call } from '#web/lib/call.ts'
import { dismissToast, toastInfo } from '#web/ui/toast.ts'
import type { AccountSnapshot } from './account-updates.ts'

export async function notifyAccountChanges(before: AccountSnapshot, after: AccountSnapshot): Promise<void> {
  const news = changesBetween(before, after)
  if (news.length === 0) return
  const asks = news.some(({ kind }) => kind !== 'offered' && kind !== 'management given')
  const happened = asks ? await call('GET /api/users/activity').catch(() => []) : []
  // The list of servers shows the offer itself.
  const isAtTheList = location.pathname === '/' || location.pathname === '/servers'
  for (const each of news) {
    if (each.kind === 'offer withdrawn') dismissToast(each.transfer.id)
    const words = toastTextOf(each, happened)
    if (words) toastInfo(words.title, each.kind === 'offered' && isAtTheList ? undefined : words.description, words.id)
  }
}

export type AccountChange =
  | { readonly kind: 'offered' | 'offer withdrawn' | 'offer accepted' | 'offer over'; readonly transfer: ServerTransfer }
  | { readonly kind: 'management given' | 'management over'; readonly management: ReceivedManagement }
  | { readonly kind: 'manager over'; readonly given: GivenManagement }

const without = <T extends { id: string }>(all: readonly T[], others: readonly T[]): T[] =>
  all.filter(({ id }) => others.every((other) => other.id !== id))

/** Empty where one of the two is unknown. */
export function changesBetween(before: AccountSnapshot, after: AccountSnapshot): AccountChange[] {
  return [...transferChanges(before.list, after.list), ...grantChanges(before.me, after.me)]
}

function transferChanges(before: AccountSnapshot['list'], after: AccountSnapshot['list']): AccountChange[] {
  if (!before || !after) return []
  const owned = new Set(after.owned.map(({ public_id }) => public_id))
  return [
    ...without(after.incoming_transfers, before.incoming_transfers).map((transfer): AccountChange => ({ kind: 'offered', transfer })),
    // Accepted, in another tab, it is mine.
    ...without(before.incoming_transfers, after.incoming_transfers)
      .filter(({ token }) => !owned.has(token.public_id))
      .map((transfer): AccountChange => ({ kind: 'offer withdrawn', transfer })),
    ...without(before.outgoing_transfers, after.outgoing_transfers).map(
      // Accepted, the server is somebody else's; declined, taken back in another tab or lapsed, it is mine as before.
      (transfer): AccountChange => ({ kind: owned.has(transfer.token.public_id) ? 'offer over' : 'offer accepted', transfer }),
    ),
  ]
}

function grantChanges(before: AccountSnapshot['me'], after: AccountSnapshot['me']): AccountChange[] {
  // A banned account has other news.
  if (!before || !after || after.banned) return []
  const begun = without(after.recieved_managements, before.recieved_managements)
  const ended = without(before.recieved_managements, after.recieved_managements)
  const gone = without(before.gived_managements, after.gived_managements)
  return [
    ...begun.map((management): AccountChange => ({ kind: 'management given', management })),
    ...ended.map((management): AccountChange => ({ kind: 'management over', management })),
    ...gone.map((given): AccountChange => ({ kind: 'manager over', given })),
  ]
}

export interface ToastText {
  readonly title: string
  readonly description?: string
  /** By which the toast can be dismissed. */
  readonly id?: string
}

const OFFER_ENDS: readonly Action[] = ['TRANSFER_ACCEPTED', 'TRANSFER_DECLINED', 'TRANSFER_LAPSED', 'TRANSFER_CANCELLED', 'SERVER_DELETED']
const MANAGEMENT_ENDS: readonly Action[] = ['MANAGER_REVOKED', 'MANAGER_REFUSED']

/** Undefined where the user did it in another tab, or nothing is known of it. @param happened says who ended something. */
export function toastTextOf(news: AccountChange, happened: readonly ActivityEntry[]): ToastText | undefined {
  switch (news.kind) {
    case 'offered': {
      const { id, token, from_user } = news.transfer
      const title = `${from_user.discord.username} offers you ${token.name}`
      return { title, description: 'You find the offer in your list of servers.', id }
    }
    case 'offer withdrawn':
      return withdrawn(news.transfer, endOfOffer(news.transfer, happened))
    case 'offer accepted':
    case 'offer over':
      return answered(news.transfer, endOfOffer(news.transfer, happened))
    case 'management given': {
      const { owner, permissions } = news.management
      return { title: `You now manage ${owner.discord.username}’s servers`, description: `${permissionsText(permissions)}.` }
    }
    case 'management over': {
      const { owner, owner_id } = news.management
      const { username } = owner.discord
      const end = lastOf(happened, MANAGEMENT_ENDS, (entry) => entry.owner?.id === owner_id || isErased(entry, entry.owner))
      if (end?.action !== 'MANAGER_REVOKED') return undefined
      return { title: `You no longer manage ${username}’s servers`, description: end.as === 'system' ? GONE : `${username} has ended it.` }
    }
    case 'manager over': {
      const { manager, manager_id } = news.given
      const end = lastOf(happened, MANAGEMENT_ENDS, (entry) => entry.user?.id === manager_id || isErased(entry, entry.user))
      if (end?.action !== 'MANAGER_REFUSED') return undefined
      return {
        title: `${manager.discord.username} no longer manages your servers`,
        description: end.as === 'system' ? GONE : 'They have ended it.',
      }
    }
  }
}

function withdrawn({ token, from_user }: ServerTransfer, end: ActivityEntry | undefined): ToastText | undefined {
  const sender = from_user.discord.username
  if (end?.action === 'TRANSFER_LAPSED') return { title: `${sender}’s offer of ${token.name} has lapsed` }
  if (end?.action !== 'TRANSFER_CANCELLED') return undefined
  return {
    title:
      end.actor?.id === from_user.id ? `${sender} took back the offer of ${token.name}` : `${sender}’s offer of ${token.name} has ended`,
  }
}

function answered({ token, to_user }: ServerTransfer, entry: ActivityEntry | undefined): ToastText | undefined {
  const recipient = to_user.discord.username
  const stays = 'The server stays yours.'
  const end = entry?.action
  if (end === 'TRANSFER_ACCEPTED') return { title: `${recipient} accepted ${token.name}`, description: 'The server is theirs now.' }
  if (end === 'TRANSFER_DECLINED') return { title: `${recipient} declined ${token.name}`, description: stays }
  if (end === 'TRANSFER_LAPSED')
    return { title: `Your offer of ${token.name} has lapsed`, description: `${recipient} did not answer. ${stays}` }
  // The reason may be a ban, which is private.
  if (end === 'TRANSFER_CANCELLED' && entry?.as === 'system')
    return { title: `Your offer of ${token.name} to ${recipient} has ended`, description: stays }
  return undefined
}

const GONE = 'The account is gone.'
/** Ended with the erasure of an account, which took the name out. */
const isErased = ({ as }: ActivityEntry, person: ActivityEntry['user']) => as === 'system' && person === null

function endOfOffer({ token }: ServerTransfer, happened: readonly ActivityEntry[]): ActivityEntry | undefined {
  return lastOf(happened, OFFER_ENDS, (entry) => entry.server?.public_id === token.public_id)
}

/** @param happened newest first. */
function lastOf(happened: readonly ActivityEntry[], actions: readonly Action[], isMeant: (entry: ActivityEntry) => boolean) {
  return happened.find((entry) => actions.includes(entry.action) && isMeant(entry))
}
