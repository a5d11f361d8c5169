/** What the model keeps of people and their things. */
import type { Permission } from '#contract/permissions.ts'

/** People, servers, grants and offers are numbers here: the first is 0. */
export interface ModelPerson {
  banned: boolean
  leaving: boolean
  gone: boolean
  /** What an administrator set; null is what the tier allows. */
  maxServers: number | null
  maxManagers: number | null
  /** Whether the user has the tier RUBY, or none. */
  readonly isSupporter: boolean
  /** What an administrator forced: without the benefits for vanity ids and promotion, or with them. */
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
export const keyOf = (name: string) => name.toLowerCase().replaceAll('о', 'o')
