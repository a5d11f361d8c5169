/** The order of the test files: on a clean checkout nothing else says which are long, and a long one that begins last leaves a worker idle. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest first. */
const LONG = [
  'tests/bench.system.test.ts',
  'tests/model/model.test.ts',
  'tests/protection/honest-day.system.test.ts',
  'tests/start.system.test.ts',
  'tests/erasure.system.test.ts',
  'tests/cluster/outage.test.ts',
  'backend/masterlist/persistence/nodes.system.test.ts',
  'tests/nodes.system.test.ts',
  'tests/database-outage.system.test.ts',
  'tests/cluster/rolling-restart.test.ts',
  'backend/features/detection/reachability/reachability.test.ts',
  'backend/features/history/points.test.ts',
  'tests/events.test.ts',
  'backend/features/account/account.test.ts',
  'backend/features/cloud-auth/player-sign-in.test.ts',
]

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = LONG.findIndex((path) => moduleId.endsWith(`/${path}`))
  return place === -1 ? LONG.length : place
}

export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
