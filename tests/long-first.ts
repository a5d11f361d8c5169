/** The order of the test files: without a memory of earlier runs (a clean checkout), a long one that begins last leaves the other worker idle. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Ten seconds and more, the longest first; most of it is waiting for programs and processes, which their size does not say. */
const LONG = [
  'tests/start.test.ts',
  'tests/cluster/outage.test.ts',
  'tests/cluster/proxy.test.ts',
  'backend/masterlist/saving/nodes.test.ts',
  'tests/cluster/rolling.test.ts',
  'tests/cluster/nodes.test.ts',
  'tests/lost-database.test.ts',
  'tests/nodes.test.ts',
  'tests/cluster/across.test.ts',
  'tests/erasure.kill.test.ts',
  'tests/model/model.test.ts',
  'tests/bench.test.ts',
  'backend/features/protection/reachability/reachability.test.ts',
  'backend/features/images/corpus.test.ts',
  'tests/list/kill.test.ts',
  'tests/protection/honest-day.test.ts',
  'backend/features/servers/admin-list.far.test.ts',
  'tests/list/skin-memory.test.ts',
  'backend/features/account/erasure.test.ts',
  'tests/access.test.ts',
  'backend/features/protection/reachability/unreachable.test.ts',
  'tests/races/administrators.test.ts',
]

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = LONG.findIndex((path) => moduleId.endsWith(`/${path}`))
  return place === -1 ? LONG.length : place
}

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
