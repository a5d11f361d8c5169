/** Generates a TypeScript client from the document of a running program, type-checks a caller against it and calls both listeners. */
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { generateSource } from 'oazapfts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { preparedFolder } from '#tests/prepared-folder.ts'
import { type Program, discard, startProgram, untilReady } from '#tests/program.ts'
import { signInCookie } from '#tests/test-user.ts'
import { type OpenApi, schemasOf } from './document.ts'

interface Caller {
  callEverything(
    addresses: { panel: string; masterlist: string },
    cookie: string,
  ): Promise<{ operationId: string; status: number; data: unknown }[]>
}

const ROOT = join(import.meta.dirname, '../..')
const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
    lib: ['es2024', 'dom'],
  },
  files: ['caller.ts'],
}

const data = preparedFolder()
let program: Program
let document: OpenApi
let workspace: string

beforeAll(async () => {
  program = await untilReady(await startProgram(data))
  document = (await (await fetch(`${program.panelUrl}/api/openapi.json`)).json()) as OpenApi
  // Inside the repository, so that the client finds its runtime.
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  workspace = mkdtempSync(join(ROOT, '.cache/openapi-'))
  copyFileSync(join(import.meta.dirname, 'caller.ts'), join(workspace, 'caller.ts'))
  writeFileSync(join(workspace, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  writeFileSync(join(workspace, 'package.json'), '{"type":"module"}')
})

afterAll(() => {
  discard(data, program)
  rmSync(workspace, { recursive: true, force: true })
})

/** Generates the client and returns the compiler's errors about the caller. */
async function compilerErrorsWith(source: OpenApi): Promise<string> {
  const path = join(workspace, 'openapi.json')
  writeFileSync(path, JSON.stringify(source))
  writeFileSync(join(workspace, 'client.ts'), await generateSource(path))
  return promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', workspace]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )
}

test('the document is valid and names the address of each listener', async () => {
  expect(await new Validator().validate({ ...structuredClone(document) })).toMatchObject({ valid: true })
  const portOf = (url = '') => new URL(url).port
  expect(portOf(document.servers[0]?.url)).toBe(portOf(program.panelUrl))
  expect(portOf(document.paths['/servers']?.servers?.[0]?.url)).toBe(portOf(program.listUrl))
})

test('a generated client calls both listeners, and every reply matches the document', async () => {
  expect(await compilerErrorsWith(document)).toBe('')
  const caller = (await import(pathToFileURL(join(workspace, 'caller.ts')).href)) as Caller
  const addresses = { panel: document.servers[0]?.url ?? '', masterlist: document.paths['/servers']?.servers?.[0]?.url ?? '' }
  const replies = await caller.callEverything(addresses, await signInCookie(program.panelUrl, 'admin'))
  expect(new Set(replies.map(({ operationId }) => operationId)).size).toBeGreaterThanOrEqual(10)
  const schemas = schemasOf(document)
  for (const { operationId, status, data: body } of replies)
    expect(schemas.errorsOf(operationId, status, body), `${operationId} ${status}: ${JSON.stringify(body)}`).toEqual([])
})

test('a document with a wrong type, a missing field or another operation ID fails the checks', async () => {
  const withSchema = (name: string, change: (properties: Record<string, unknown>) => void) => {
    const changed = structuredClone(document)
    change(changed.components.schemas[name]?.properties ?? {})
    return changed
  }
  const wrongType = withSchema('ListedServer', (properties) => (properties.playersCount = { type: 'string' }))
  const missing = withSchema('AnnounceReply', (properties) => delete properties.nextAnnounceSeconds)
  expect(await compilerErrorsWith(wrongType)).toMatch(/error TS/)
  expect(await compilerErrorsWith(missing)).toMatch(/nextAnnounceSeconds/)
  const renamed = JSON.parse(JSON.stringify(document).replace('"operationId":"getMe"', '"operationId":"readMe"')) as OpenApi
  expect(await compilerErrorsWith(renamed)).toMatch(/getMe/)
  const about = await (await fetch(`${program.panelUrl}/api/about`)).json()
  expect(schemasOf(document).errorsOf('getAbout', 200, about)).toEqual([])
  const lying = withSchema('About', (properties) => (properties.version = { type: 'integer' }))
  expect(schemasOf(lying).errorsOf('getAbout', 200, about)).not.toEqual([])
})
