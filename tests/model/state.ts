/** The state of the model. */
import type { Permission } from '#contract/servers/permissions.ts'

/** Users, servers, grants and offers are numbered from 0. */
export interface ModelUser {
  banned: boolean
  leaving: boolean
  gone: boolean
  /** Set by an administrator; null uses the limit of the tier. */
  maxServers: number | null
  maxManagers: number | null
  /** True is the tier RUBY, false is no tier. */
  readonly isSupporter: boolean
  /** The tier that an administrator forced: BRONZE without vanity IDs and promotion, RUBY with them. */
  forced: 'BRONZE' | 'RUBY' | null
}

export interface ModelServer {
  owner: number
  name: string
  description: string
  vanity: string | null
  promoted: boolean
}

export interface ModelGrant {
  readonly owner: number
  readonly manager: number
  permissions: readonly Permission[]
}

export interface ModelOffer {
  readonly server: number
  readonly from: number
  readonly to: number
}

export type Change =
  | { readonly field: 'name'; readonly value: string }
  | { readonly field: 'description'; readonly value: string }
  | { readonly field: 'promoted'; readonly value: boolean }
  | { readonly field: 'vanity'; readonly value: string | null }

/** Names that look alike are the same name. */
export const nameKeyOf = (name: string) => name.toLowerCase().replaceAll('о', 'o')
