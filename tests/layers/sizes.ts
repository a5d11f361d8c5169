/** Limits that keep files and folders easy to read: lines of a test file, and files of a folder. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const MAX_TEST_LINES = 300
const MAX_FILES = 40

const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file)
const linesOf = (file: string) => readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n').length

/** Too long test files and too full folders. */
export function sizeFaults(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  const files = listed.split('\n').filter((file) => file !== '' && existsSync(join(ROOT, file)))
  const counts = Map.groupBy(files, (file) => dirname(file))
  const long = files.filter((file) => isTest(file) && linesOf(file) > MAX_TEST_LINES)
  const full = [...counts].filter(([, { length }]) => length > MAX_FILES).map(([folder]) => folder)
  return [
    ...long.map((file) => `${file}: split it, a test file has at most ${MAX_TEST_LINES} lines`),
    ...full.map((folder) => `${folder}: divide it, a folder has at most ${MAX_FILES} files`),
  ]
}
