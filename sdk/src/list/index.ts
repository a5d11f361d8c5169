/** `@muster/announce/list`: reads a Muster list, for launchers and status pages. */
import { ListClient } from './list-client.ts'
import type { ListOptions } from './types.ts'

export type { ListClient }
export * from './types.ts'

/** A client of a master list: `await list({ url }).read()` once, or `list({ url }).follow()` to keep it up to date. */
export function list(options: ListOptions): ListClient {
  return new ListClient(options)
}
