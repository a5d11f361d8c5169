/** What the rest of the backend may ask of the master list. `masterlist.ts` makes one. */
import type { ServerStates } from '#backend/features/servers/server-services.ts'

export interface ServerChange {
  readonly publicId: string
  readonly ownerId: string
}

export interface MasterList extends ServerStates {
  /**
   * Reads one server anew after a committed change to it, its credentials or its owner, and applies it: a revoked credential is
   * useless, a hidden or deleted server off the list, when this resolves. Calls for one server follow each other, never overtake.
   * @param isElsewhere whether it was changed on another node, which looks itself whether anything is found about the change.
   */
  refresh(publicId: string, isElsewhere?: boolean): Promise<void>
  /**
   * Calls back, at most once a second for each server, when something that its owner sees changed. Answers how to stop.
   * @param wantsCounts whether of this owner's servers it is also to be told when only the players changed, as they do all the time; asked with
   * each such change. What another listener wants it is told, too.
   */
  onChange(listener: (changes: readonly ServerChange[]) => void, wantsCounts: (ownerId: string) => boolean): () => void
  /** How many servers and players are on the published list. */
  counts(): { readonly servers: number; readonly players: number }
}
