/** The checks of the list: what watches announces, and what asks game servers whether they answer. */
import type { Deps } from '#backend/platform/deps.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { Findings } from '#backend/features/protection/finding.ts'
import type { PlayerSampler } from '#backend/features/history/player-sampler.ts'
import { Reachability } from './reachability/reachability.ts'
import { Watching } from './watching.ts'

interface Parts {
  readonly list: RunningMasterList
  readonly sampling: PlayerSampler
  readonly findings: Findings
}

/** @param isHolder whether this node is the one that asks and judges. */
export function createChecks(deps: Deps, { list, sampling, findings }: Parts, isHolder: () => boolean) {
  const watching = new Watching(deps, list.registry, findings, (server) => list.attempts.paceOf(server), sampling, isHolder)
  const reachability = new Reachability(deps, list, findings, isHolder)
  list.observe(watching)
  return {
    watching,
    async start(): Promise<void> {
      watching.start()
      await reachability.start()
    },
    /** Ends what is under way; resolves when nothing is open any more. */
    stop(): Promise<void> {
      watching.stop()
      return reachability.close()
    },
  }
}
