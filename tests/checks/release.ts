/**
 * `node tests/checks/release.ts v1.4.0`: checks that a tag can be released, and prints its section of the changelog. The release workflow
 * runs it first.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

interface Files {
  readonly changelog: string
  readonly packageVersion: string
}

/** The notes of a release. Throws a sentence that says what to change before the tag. */
export function releaseNotes(tag: string, { changelog, packageVersion }: Files): string {
  const version = /^v(\d+\.\d+\.\d+)$/.exec(tag)?.[1]
  if (version === undefined) throw new Error(`The tag must be a version such as v1.4.0, not ${tag}.`)
  if (packageVersion !== version) throw new Error(`package.json has version ${packageVersion}, and the tag is ${tag}. Change one of them.`)
  const [, ...sections] = changelog.split(/^## /m)
  const [unreleased, newest] = sections
  if (unreleased?.trim() !== '[Unreleased]')
    throw new Error(`CHANGELOG.md must begin with an empty section "## [Unreleased]". Move its entries to "## [${version}] - YYYY-MM-DD".`)
  const [, named, date, notes = ''] = /^\[(\S+)\] - (\d{4}-\d\d-\d\d)\n(.*)$/s.exec(newest ?? '') ?? []
  if (named !== version || date === undefined)
    throw new Error(`CHANGELOG.md must have the section "## [${version}] - YYYY-MM-DD" after "## [Unreleased]".`)
  if (notes.trim() === '') throw new Error(`The section of ${version} in CHANGELOG.md is empty.`)
  return `${notes.trim()}\n`
}

if (import.meta.main) {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  try {
    process.stdout.write(releaseNotes(process.argv[2] ?? '', { changelog, packageVersion: version }))
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
