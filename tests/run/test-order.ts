/** Starts long test files first, because one that starts last leaves workers idle. A clean checkout has no timings. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Longest first. */
const LONG_FILES = [
  'tests/system/bench.system.test.ts',
  'tests/model/model.test.ts',
  'tests/protection/honest-day.system.test.ts',
  'tests/system/start.system.test.ts',
  'tests/sdk/fleet.system.test.ts',
  'tests/sdk/conform.system.test.ts',
  'tests/system/erasure.system.test.ts',
  'tests/cluster/outage.test.ts',
  'backend/masterlist/persistence/nodes.system.test.ts',
  'tests/system/nodes.system.test.ts',
  'tests/system/database-outage.system.test.ts',
  'tests/cluster/rolling-restart.test.ts',
  'backend/services/detection/reachability/reachability.test.ts',
  'backend/services/history/points.test.ts',
  'tests/api/events.test.ts',
  'backend/services/account/account.test.ts',
  'backend/services/cloud-auth/player-sign-in.test.ts',
]

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = LONG_FILES.findIndex((path) => moduleId.endsWith(`/${path}`))
  return place === -1 ? LONG_FILES.length : place
}

export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
