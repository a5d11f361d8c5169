/** Who makes a call, as far as access goes. `features/auth/auth.ts` finds out; `bind.ts` decides by it. */
export interface Caller {
  readonly userId: string
  readonly isBanned: boolean
  /** The account is set for deletion. */
  readonly isLeaving: boolean
  readonly isAdmin: boolean
  /** Names the session in rate limits; not the secret itself. */
  readonly sessionKey: string
}
