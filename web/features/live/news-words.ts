/** What others did, in words. Who ended something is not in the news: what happened has it, and without that nothing is claimed. */
import type { Action, ActivityEntry } from '#contract/activity.ts'
import type { ServerTransfer } from '#contract/transfers.ts'
import { permissionsText } from '#web/features/servers/access.ts'
import type { News } from './news.ts'

export interface Words {
  readonly title: string
  readonly description?: string
  /** Under it the words can be taken back, where they are true no more. */
  readonly id?: string
}

/** How an offer can end. */
const OFFER_ENDS: readonly Action[] = ['TRANSFER_ACCEPTED', 'TRANSFER_DECLINED', 'TRANSFER_LAPSED', 'TRANSFER_CANCELLED', 'SERVER_DELETED']
const MANAGEMENT_ENDS: readonly Action[] = ['MANAGER_REVOKED', 'MANAGER_REFUSED']

/** Undefined where there is nothing to say: one did it oneself in another tab, or nobody knows who did. */
export function wordsOf(news: News, happened: readonly ActivityEntry[]): Words | undefined {
  switch (news.kind) {
    case 'offered':
      return offered(news.transfer)
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

function offered({ id, token, from_user }: ServerTransfer): Words {
  return { title: `${from_user.discord.username} offers you ${token.name}`, description: 'You find the offer in your list of servers.', id }
}

function withdrawn({ token, from_user }: ServerTransfer, end: ActivityEntry | undefined): Words | undefined {
  const sender = from_user.discord.username
  if (end?.action === 'TRANSFER_LAPSED') return { title: `${sender}’s offer of ${token.name} has lapsed` }
  if (end?.action !== 'TRANSFER_CANCELLED') return undefined
  return {
    title:
      end.actor?.id === from_user.id ? `${sender} took back the offer of ${token.name}` : `${sender}’s offer of ${token.name} has ended`,
  }
}

function answered({ token, to_user }: ServerTransfer, entry: ActivityEntry | undefined): Words | undefined {
  const recipient = to_user.discord.username
  const stays = 'The server stays yours.'
  const end = entry?.action
  if (end === 'TRANSFER_ACCEPTED') return { title: `${recipient} accepted ${token.name}`, description: 'The server is theirs now.' }
  if (end === 'TRANSFER_DECLINED') return { title: `${recipient} declined ${token.name}`, description: stays }
  if (end === 'TRANSFER_LAPSED')
    return { title: `Your offer of ${token.name} has lapsed`, description: `${recipient} did not answer. ${stays}` }
  // Why is not said: whether somebody was banned is nobody else's to know.
  if (end === 'TRANSFER_CANCELLED' && entry?.as === 'system')
    return { title: `Your offer of ${token.name} to ${recipient} has ended`, description: stays }
  return undefined
}

const GONE = 'The account is gone.'
/** What the program ended with an account: nobody's name is in it any more. */
const isErased = ({ as }: ActivityEntry, person: ActivityEntry['user']) => as === 'system' && person === null

function endOfOffer({ token }: ServerTransfer, happened: readonly ActivityEntry[]): ActivityEntry | undefined {
  return lastOf(happened, OFFER_ENDS, (entry) => entry.server?.public_id === token.public_id)
}

/** Which of these happened last to what is meant; newest first, as the backend answers. */
function lastOf(happened: readonly ActivityEntry[], actions: readonly Action[], isMeant: (entry: ActivityEntry) => boolean) {
  return happened.find((entry) => actions.includes(entry.action) && isMeant(entry))
}
