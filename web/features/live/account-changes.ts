/** The differences between two snapshots of an account that are worth a notification. */
import type { ServerTransfer } from '#contract/servers/transfers.ts'
import type { GivenManagement, ReceivedManagement } from '#contract/users/users.ts'
import type { AccountSnapshot } from './account-updates.ts'

export type AccountChange =
  | {
      /** `withdrawn` is an incoming transfer, `accepted` and `ended` are outgoing ones. */
      readonly kind: 'transfer requested' | 'transfer withdrawn' | 'transfer accepted' | 'transfer ended'
      readonly transfer: ServerTransfer
    }
  | { readonly kind: 'grant received' | 'grant ended'; readonly grant: ReceivedManagement }
  | { readonly kind: 'manager left'; readonly grant: GivenManagement }

const without = <T extends { id: string }>(all: readonly T[], others: readonly T[]): T[] =>
  all.filter(({ id }) => others.every((other) => other.id !== id))

/** Empty if a snapshot is incomplete. */
export function changesBetween(previous: AccountSnapshot, current: AccountSnapshot): AccountChange[] {
  return [...transferChanges(previous.list, current.list), ...grantChanges(previous.me, current.me)]
}

function transferChanges(previous: AccountSnapshot['list'], current: AccountSnapshot['list']): AccountChange[] {
  if (!previous || !current) return []
  const owned = new Set(current.owned.map(({ public_id }) => public_id))
  return [
    ...without(current.incoming_transfers, previous.incoming_transfers).map((transfer): AccountChange => ({
      kind: 'transfer requested',
      transfer,
    })),
    ...without(previous.incoming_transfers, current.incoming_transfers)
      // The user owns the server if they accepted the transfer in another tab.
      .filter(({ token }) => !owned.has(token.public_id))
      .map((transfer): AccountChange => ({ kind: 'transfer withdrawn', transfer })),
    ...without(previous.outgoing_transfers, current.outgoing_transfers).map((transfer): AccountChange => ({
      kind: owned.has(transfer.token.public_id) ? 'transfer ended' : 'transfer accepted',
      transfer,
    })),
  ]
}

function grantChanges(previous: AccountSnapshot['me'], current: AccountSnapshot['me']): AccountChange[] {
  // A banned account sees only its ban.
  if (!previous || !current || current.banned) return []
  const received = without(current.recieved_managements, previous.recieved_managements)
  const ended = without(previous.recieved_managements, current.recieved_managements)
  const left = without(previous.gived_managements, current.gived_managements)
  return [
    ...received.map((grant): AccountChange => ({ kind: 'grant received', grant })),
    ...ended.map((grant): AccountChange => ({ kind: 'grant ended', grant })),
    ...left.map((grant): AccountChange => ({ kind: 'manager left', grant })),
  ]
}
