/** What a service that takes supporters' money must offer: a file under `providers/` and a place in `PROVIDERS` of `supporters.routes.ts`. */
import type { IncomingHttpHeaders } from 'node:http'
import type { TierId } from '#contract/benefits.ts'
import type { Env } from '#backend/platform/env.ts'

/** What a notice says of one membership, in our words. */
export interface MembershipEvent {
  /** Whether it `says` what is so now, or `ends` the membership whatever stands in it. */
  readonly kind: 'update' | 'delete'
  readonly memberId: string
  /** Whom it belongs to on Discord; null where they linked nobody, undefined where the notice does not say. */
  readonly discordId: string | null | undefined
  /** Which of our tiers it pays for now; null is none, as it is for whatever ends. */
  readonly tier: TierId | null
  /** The provider's tiers that somebody pays for and that are none of ours, where they pay for no other: nobody mapped them. */
  readonly unmappedTiers: readonly { readonly id: string; readonly title: string | undefined }[]
}

export interface Provider {
  /** As it stands in the address of its notices. */
  readonly name: string
  isConfigured(env: Env): boolean
  /** Whether the provider signed exactly these bytes. */
  verifySignature(env: Env, headers: IncomingHttpHeaders, rawBody: Buffer): boolean
  /** Reads what was signed. Throws `invalid` where it is not what the provider sends. */
  parseEvent(env: Env, headers: IncomingHttpHeaders, json: unknown): MembershipEvent | 'ignored'
}
