/** The tier that a user owns because he supports. What an administrator forces on him stands above it. */
import type { TierId } from '#contract/benefits.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { recordEvent } from '#backend/features/events/events.ts'
import { updateUser } from './users.queries.ts'

/** Sets it for somebody who is held in this transaction. Does nothing where they own this one already. */
export async function ownTier(trx: Db, user: { id: string; owned_tier: string | null }, tier: TierId | null): Promise<void> {
  if (user.owned_tier === tier) return
  await updateUser(trx, user.id, { owned_tier: tier })
  const common = { action: 'TIER_CHANGED', as: 'system', actorId: null, ownerId: user.id } as const
  await recordEvent(trx, { ...common, before: { owned_tier: user.owned_tier }, after: { owned_tier: tier } })
}
