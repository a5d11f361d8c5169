/** Limits that keep files and folders easy to read: lines of a test file, and files of a folder. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const MAX_TEST_LINES = 300
const MAX_FILES = 40

/** Test files that are still to be split, and folders that are still to be divided. */
const TOO_LONG: ReadonlySet<string> = new Set([
  'backend/features/detection/detector-runner.test.ts',
  'backend/features/detection/reachability/reachability.test.ts',
  'backend/features/images/images.test.ts',
  'backend/features/notifications/notifications.test.ts',
  'backend/features/protection/detectors/detectors.test.ts',
  'backend/features/protection/issues.test.ts',
  'backend/features/public-site/browse.test.ts',
  'backend/features/reports/reports.test.ts',
  'backend/features/servers/admin-list.test.ts',
  'backend/features/servers/deleted-servers.test.ts',
  'backend/features/servers/server-administration.test.ts',
  'backend/features/servers/servers.test.ts',
  'backend/features/servers/versions.test.ts',
  'backend/features/webhooks/webhooks.test.ts',
  'backend/masterlist/announces/announce.test.ts',
  'backend/masterlist/announces/hostile.test.ts',
  'backend/masterlist/launcher-themes/launcher-theme.test.ts',
  'backend/masterlist/lists/deltas.test.ts',
  'backend/masterlist/lists/list-parts.test.ts',
  'backend/masterlist/persistence/nodes.system.test.ts',
  'backend/platform/http/guarded-client.test.ts',
  'backend/platform/http/panel-server.test.ts',
  'tests/api/access-cases.ts',
  'tests/images/corpus.ts',
  'tests/model/model.ts',
])
const TOO_FULL: ReadonlySet<string> = new Set(['backend/platform/http', 'contract', 'web/lib', 'web/pages', 'web/ui'])

/** A test, or what only tests use. */
const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file) || /^tests\/.*\.ts$/.test(file)
const linesOf = (file: string) => readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n').length

/** Too long test files and too full folders, and rows of the lists above that are no longer true. */
export function sizeFaults(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  const files = listed.split('\n').filter((file) => file !== '' && existsSync(join(ROOT, file)))
  const counts = Map.groupBy(files, (file) => dirname(file))
  const long = files.filter((file) => isTest(file) && linesOf(file) > MAX_TEST_LINES)
  const full = [...counts].filter(([, { length }]) => length > MAX_FILES).map(([folder]) => folder)
  return [
    ...long.filter((file) => !TOO_LONG.has(file)).map((file) => `${file}: split it, a test file has at most ${MAX_TEST_LINES} lines`),
    ...full.filter((folder) => !TOO_FULL.has(folder)).map((folder) => `${folder}: divide it, a folder has at most ${MAX_FILES} files`),
    ...[...TOO_LONG].filter((file) => !long.includes(file)).map((file) => `${file}: remove its row in tests/layers/sizes.ts`),
    ...[...TOO_FULL].filter((folder) => !full.includes(folder)).map((folder) => `${folder}: remove its row in tests/layers/sizes.ts`),
  ]
}
