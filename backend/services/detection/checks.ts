/** Starts and stops the list's checks: the detectors and the reachability check. */
import type { Deps } from '#backend/platform/deps.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { FindingSink } from '#backend/core/protection/finding.ts'
import type { PlayerSampler } from '#backend/services/history/player-sampler.ts'
import { ReachabilityCheck } from './reachability/reachability.ts'
import { DetectorRunner } from './detector-runner.ts'

interface Parts {
  readonly list: RunningMasterList
  readonly sampler: PlayerSampler
  readonly findings: FindingSink
}

/** @param isLeaseHolder whether this node probes servers and reports what every node finds. */
export function createChecks(deps: Deps, { list, sampler, findings }: Parts, isLeaseHolder: () => boolean) {
  const detectorRunner = new DetectorRunner(
    deps,
    list.registry,
    findings,
    (server) => list.attempts.acceptedSinceLastCall(server),
    sampler,
    isLeaseHolder,
  )
  const reachability = new ReachabilityCheck(deps, list, findings, isLeaseHolder)
  list.observe(detectorRunner)
  return {
    detectorRunner,
    async start(): Promise<void> {
      detectorRunner.start()
      await reachability.start()
    },
    /** Stops running checks. Resolves once all their connections are closed. */
    stop(): Promise<void> {
      detectorRunner.stop()
      return reachability.close()
    },
  }
}
