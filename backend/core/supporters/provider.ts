/** The interface of a payment provider. To add one: a file in `providers/` and an entry in `PROVIDERS` of `supporters.routes.ts`. */
import type { IncomingHttpHeaders } from 'node:http'
import type { TierId } from '#contract/benefits/benefits.ts'
import type { Env } from '#backend/platform/env.ts'

/** One membership's state in a webhook delivery, independent of the provider. */
export interface MembershipEvent {
  /** `delete` ends the membership, whatever the body contains. */
  readonly kind: 'update' | 'delete'
  readonly memberId: string
  /** Null if the member linked no Discord account; undefined if the delivery has no link information. */
  readonly discordId: string | null | undefined
  /** The tier it currently pays for; null if none, and for `delete`. */
  readonly tier: TierId | null
  /** Paid tiers of the provider without a mapping to ours; empty if the member also pays for a mapped one. */
  readonly unmappedTiers: readonly { readonly id: string; readonly title: string | undefined }[]
}

export interface Provider {
  /** As in the URL of its webhook. */
  readonly name: string
  isConfigured(env: Env): boolean
  /** Whether the provider signed exactly these bytes. */
  verifySignature(env: Env, headers: IncomingHttpHeaders, rawBody: Buffer): boolean
  /** Throws `invalid` if the body has an unexpected shape. */
  parseEvent(env: Env, headers: IncomingHttpHeaders, json: unknown): MembershipEvent | 'ignored'
}
