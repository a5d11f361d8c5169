/** What others did to me, worked out from what was known before and after. What I do myself is in both already. */
import type { ServerTransfer } from '#contract/transfers.ts'
import type { GivenManagement, ReceivedManagement } from '#contract/users.ts'
import type { Known } from './live-account.ts'

export type News =
  | { readonly kind: 'offered' | 'offer withdrawn' | 'offer accepted' | 'offer over'; readonly transfer: ServerTransfer }
  | { readonly kind: 'management given' | 'management over'; readonly management: ReceivedManagement }
  | { readonly kind: 'manager over'; readonly given: GivenManagement }

const without = <T extends { id: string }>(all: readonly T[], others: readonly T[]): T[] =>
  all.filter(({ id }) => others.every((other) => other.id !== id))

/** Empty where one of the two is not known: everything would be new. */
export function newsBetween(before: Known, after: Known): News[] {
  return [...newsOfTransfers(before.list, after.list), ...newsOfManagements(before.me, after.me)]
}

function newsOfTransfers(before: Known['list'], after: Known['list']): News[] {
  if (!before || !after) return []
  const owned = new Set(after.owned.map(({ public_id }) => public_id))
  return [
    ...without(after.incoming_transfers, before.incoming_transfers).map((transfer) => ({ kind: 'offered', transfer }) as const),
    // Accepted, in another tab, it is mine.
    ...without(before.incoming_transfers, after.incoming_transfers)
      .filter(({ token }) => !owned.has(token.public_id))
      .map((transfer) => ({ kind: 'offer withdrawn', transfer }) as const),
    ...without(before.outgoing_transfers, after.outgoing_transfers).map(
      // Accepted, the server is somebody else's; declined, taken back in another tab or lapsed, it is mine as before.
      (transfer) => ({ kind: owned.has(transfer.token.public_id) ? 'offer over' : 'offer accepted', transfer }) as const,
    ),
  ]
}

function newsOfManagements(before: Known['me'], after: Known['me']): News[] {
  // A banned account has other news.
  if (!before || !after || after.banned) return []
  return [
    ...without(after.recieved_managements, before.recieved_managements).map(
      (management) => ({ kind: 'management given', management }) as const,
    ),
    ...without(before.recieved_managements, after.recieved_managements).map(
      (management) => ({ kind: 'management over', management }) as const,
    ),
    ...without(before.gived_managements, after.gived_managements).map((given) => ({ kind: 'manager over', given }) as const),
  ]
}
