/** What a tag needs before it becomes a release, and what the workflow publishes. */
import { expect, test } from 'vitest'
import { type Yaml, dockerfile, mapOf, read, textOf } from '#tests/system/compose-file.ts'
import { parse } from 'yaml'
import { releaseNotes } from './release.ts'

const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n## [1.4.0] - 2027-01-15\n\n### Added\n\n- Something.\n\n## [1.3.0] - 2026-11-25\n\n- All.\n'
const FILES = { changelog: CHANGELOG, packageVersion: '1.4.0' }

test('the notes of a release are its section of the changelog', () => {
  expect(releaseNotes('v1.4.0', FILES)).toBe('### Added\n\n- Something.\n')
})

test.each([
  ['1.4.0', FILES, 'The tag must be a version such as v1.4.0, not 1.4.0.'],
  ['v1.4.1', FILES, 'package.json has version 1.4.0, and the tag is v1.4.1.'],
  ['v1.4.0', { ...FILES, changelog: CHANGELOG.replace('[Unreleased]\n', '[Unreleased]\n\n- Later.\n') }, 'Move its entries to'],
  ['v1.4.0', { ...FILES, changelog: CHANGELOG.replace(' - 2027-01-15', '') }, 'must have the section "## [1.4.0] - YYYY-MM-DD"'],
  [
    'v1.4.0',
    { ...FILES, changelog: CHANGELOG.replace('### Added\n\n- Something.\n', '') },
    'The section of 1.4.0 in CHANGELOG.md is empty.',
  ],
])('the tag %s is rejected with what to change', (tag, files, sentence) => {
  expect(() => releaseNotes(tag, files)).toThrow(sentence)
})

test('the workflow tests first, and publishes an image for two architectures with provenance and a list of its parts', () => {
  const workflow = mapOf(parse(read('.github/workflows/release.yml'), { schema: 'failsafe' }) as Yaml)
  const jobs = mapOf(workflow.jobs)
  expect(textOf(mapOf(jobs.test).uses)).toBe('./.github/workflows/ci.yml')
  expect(mapOf(jobs.publish).needs).toBe('test')
  const steps = (mapOf(jobs.publish).steps as readonly Yaml[]).map(mapOf)
  const build = mapOf(steps.find(({ uses }) => typeof uses === 'string' && uses.startsWith('docker/build-push-action@'))?.with)
  expect(build).toMatchObject({ platforms: 'linux/amd64,linux/arm64', provenance: 'mode=max', sbom: 'true', push: 'true' })
  expect(textOf(build['build-args'])).toContain('BUILD=')
  const commands = steps.map(({ run }) => (typeof run === 'string' ? run : '')).join('\n')
  expect(commands).toContain('node tests/checks/release.ts "$GITHUB_REF_NAME"')
  expect(commands).toContain('npm sbom')
})

test('every stage of the image is based on one release of Node, by its digest', () => {
  const bases = [...dockerfile.matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm)].map(([, base]) => base)
  expect(bases.length).toBeGreaterThan(1)
  expect(new Set(bases).size).toBe(1)
  expect(bases[0]).toMatch(/^node:24\.\d+\.\d+-slim@sha256:[0-9a-f]{64}$/)
})
