/** Checks that files and scripts named in the docs exist, and that the docs name what they must. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ListedServer } from '#contract/masterlist/masterlist.ts'
import { LIST_ERROR_CODES } from '#contract/masterlist/list-codes.ts'
import { SERVER_FIELD_NAMES, serverField } from '#contract/servers/server-field-shapes.ts'
import { RULES } from '#sdk/conform/rules.ts'
import { SCENARIOS } from '#sdk/conform/scenarios/index.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const REFERENCE = readdirSync(join(root, 'docs/api/reference')).map((file) => `docs/api/reference/${file}`)
const API_PAGES = ['docs/api.md', 'docs/api/game-servers.md', 'docs/api/launchers.md', 'docs/api/scripts.md', ...REFERENCE]
const PAGES = [
  'README.md',
  'AGENTS.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/announcing.md',
  'docs/operating.md',
  'docs/many-nodes.md',
  'docs/mirrors.md',
  'docs/scaling.md',
]

test.each([...PAGES, ...API_PAGES])('every file that %s names exists', (document) => {
  const named = [...read(document).matchAll(/`((?:backend|contract|examples|sdk|web|tests|bench|docs)\/[\w./<>-]+)`|\]\(([\w./-]+)\)/g)]
  // Of a path with a `<noun>`, the folder before it.
  const paths = named
    .map(([, code, link]) => code?.replace(/[^/]*<.*/, '') ?? join(document, '..', link ?? ''))
    .filter((path) => !path.includes('NNNN'))
  const missing = paths.filter((path) => !existsSync(join(root, path)))
  expect(missing).toEqual([])
})

test('the API reference names every rejection of the master list', () => {
  const text = API_PAGES.map(read).join('')
  expect(LIST_ERROR_CODES.filter((code) => !text.includes(`\`${code}\``))).toEqual([])
})

test('docs/announcing.md has every rule of the conformance kit with its reason', () => {
  const text = read('docs/announcing.md').replaceAll(/\s+/g, ' ')
  expect(RULES.filter(({ id, must, reason }) => !text.includes(`**\`${id}\`**: ${must} ${reason}`))).toEqual([])
  expect(text).toContain(`${SCENARIOS.length} situations`)
})

test('the README contains the commands to start and to test', () => {
  expect(read('README.md')).toContain('npm ci && npm start')
  expect(read('README.md')).toContain('npm ci && npm test')
})

test.each(['test:system', 'check'])('CONTRIBUTING names npm run %s, which exists', (script) => {
  expect(read('CONTRIBUTING.md')).toContain(`npm run ${script}`)
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  expect(scripts[script]).toBeDefined()
})

test('the example of the list has real fields with valid values', () => {
  const [example = ''] = /^\[\{"publicId"[^`]+/m.exec(read('docs/api/launchers.md')) ?? []
  const [server] = JSON.parse(example.replace(', …', '')) as unknown[]
  expect(ListedServer.partial().strict().parse(server)).toEqual(server)
})

/** What a section of the reference says that each field or parameter means. */
function meaningsOf(page: string, heading: string): Map<string, string> {
  const [, section = ''] = read(`docs/api/reference/${page}`).split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return new Map([...own.matchAll(/^\| `([\w[\]]+)` \|.*\| (.*) \|$/gm)].map(([, name = '', meaning = '']) => [name, meaning]))
}

test('the reference says what each server field, each field of the list, and each filter means', () => {
  const filters = SERVER_FIELD_NAMES.flatMap((field) => serverField(field).filter?.name ?? [])
  const described = [
    ['ServerChanges', meaningsOf('types.md', 'ServerChanges'), SERVER_FIELD_NAMES],
    ['ListedServer', meaningsOf('types.md', 'ListedServer'), Object.keys(ListedServer.shape)],
    ['Read the list', meaningsOf('master-list.md', 'Read the list'), filters],
  ] as const
  for (const [title, meanings, names] of described)
    expect(
      names.filter((name) => !/[a-z]/i.test(meanings.get(name) ?? '')),
      title,
    ).toEqual([])
})
