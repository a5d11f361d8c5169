/** The checks of the list: what watches announces, and what asks game servers whether they answer. */
import type { Deps } from '#backend/platform/deps.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { FindingSink } from '#backend/features/protection/finding.ts'
import type { PlayerSampler } from '#backend/features/history/player-sampler.ts'
import { ReachabilityCheck } from './reachability/reachability.ts'
import { DetectorRunner } from './detector-runner.ts'

interface Parts {
  readonly list: RunningMasterList
  readonly sampling: PlayerSampler
  readonly findings: FindingSink
}

/** @param isHolder whether this node is the one that asks and judges. */
export function createChecks(deps: Deps, { list, sampling, findings }: Parts, isHolder: () => boolean) {
  const detectorRunner = new DetectorRunner(
    deps,
    list.registry,
    findings,
    (server) => list.attempts.acceptedSinceLastCall(server),
    sampling,
    isHolder,
  )
  const reachability = new ReachabilityCheck(deps, list, findings, isHolder)
  list.observe(detectorRunner)
  return {
    watching: detectorRunner,
    async start(): Promise<void> {
      detectorRunner.start()
      await reachability.start()
    },
    /** Ends what is under way; resolves when nothing is open any more. */
    stop(): Promise<void> {
      detectorRunner.stop()
      return reachability.close()
    },
  }
}
