/** System tests first: they take longest and mostly wait, and a long file that starts last leaves workers idle. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Of the others, these take longest. The last one loads the program for itself. */
const LONG_FILES = [
  'tests/api/events.test.ts',
  'tests/api/access.test.ts',
  'backend/services/public-site/hidden-servers.test.ts',
  'tests/api/server-fields.test.ts',
]

function placeOf({ project, moduleId }: TestSpecification): number {
  if (project.name === 'system') return 0
  return LONG_FILES.some((path) => moduleId.endsWith(`/${path}`)) ? 1 : 2
}

export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
