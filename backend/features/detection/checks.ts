/** The checks of the list put together: what watches announces, and what asks game servers whether they answer. */
import type { Deps } from '#backend/platform/deps.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { Findings } from '#backend/features/protection/finding.ts'
import type { Sampling } from '#backend/features/history/sampling.ts'
import { Reachability } from './reachability/reachability.ts'
import { Watching, withoutKinds } from './watching.ts'

interface Watched {
  readonly list: RunningMasterList
  readonly sampling: Sampling
  readonly findings: Findings
}

export class Checks {
  readonly watching: Watching
  readonly #reachability: Reachability

  /** @param isHolder whether this is the one of the nodes that asks and judges. */
  constructor(deps: Deps, { list, sampling, findings: found }: Watched, isHolder: () => boolean) {
    const findings = withoutKinds(found, deps.env.PROTECTION_OFF)
    this.watching = new Watching(deps, list.registry, findings, (server) => list.attempts.paceOf(server), sampling, isHolder)
    this.#reachability = new Reachability(deps, list, findings, isHolder)
    list.observe(this.watching)
  }

  /** The list has been read. */
  async start(): Promise<void> {
    this.watching.start()
    await this.#reachability.start()
  }

  /** Ends what is under way; resolves when nothing is open any more. */
  stop(): Promise<void> {
    this.watching.stop()
    return this.#reachability.close()
  }

  /** Writes down what only memory knew. */
  close(): Promise<void> {
    return this.watching.close()
  }
}
