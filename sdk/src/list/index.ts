/** `@muster/announce/list`: reads a Muster list, for launchers and status pages. */
import { ListClient } from './list-client.ts'
import { SignedListClient } from './signed/signed-list.ts'
import type { ListOptions, SignedListOptions } from './types.ts'

export type { ListClient, SignedListClient }
export * from './types.ts'

/**
 * A client of a master list: `await list({ url }).read()` once, or `list({ url }).follow()` to keep it up to date.
 * With `publicKey`, `await list({ url, mirrors, publicKey }).read()` verifies the list, and reads it from a mirror if the list is down.
 */
export function list(options: SignedListOptions): SignedListClient
export function list(options: ListOptions): ListClient
export function list(options: ListOptions | SignedListOptions): ListClient | SignedListClient {
  // A key that is undefined by mistake must not turn verification off.
  return 'publicKey' in options || 'mirrors' in options
    ? new SignedListClient(options as SignedListOptions)
    : new ListClient(options as ListOptions)
}
