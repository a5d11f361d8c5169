/** The downloads manifest: reloading, failures, order, and access. */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { downloads } from '#contract/public-site/downloads.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'

const cleanUp: (() => void)[] = []
afterAll(() => {
  for (const each of cleanUp) each()
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-downloads-'))
  cleanUp.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const build = {
  branch: 'release',
  platform: 'x64_linux',
  version: '1.0.0',
  date: '2026-11-02',
  size: 1024,
  sha256: createHash('sha256').update('build').digest('hex'),
  url: 'https://cdn.example.com/server/release/server-1.0.0.tar.gz',
  notes: 'The first one.',
}
type Build = Record<string, unknown>
const product = (...builds: Build[]) => ({ id: 'server', name: 'Server', description: 'The game server.', builds })
const manifest = (...builds: Build[]) => JSON.stringify({ manifest: 1, products: [product(...builds)] })

const FILE_INTERVAL_MS = 10_000
const URL_INTERVAL_MS = 300_000

/** Starts an app that closes with its test, because open apps would use up the database's connections. */
async function start(variables: Record<string, string> = {}): Promise<TestApp> {
  const app = await startApp(variables)
  onTestFinished(() => app.close())
  return app
}

async function withFile(text: string | undefined) {
  const folder = temporaryFolder()
  const path = join(folder, 'manifest.json')
  if (text !== undefined) writeFileSync(path, text)
  const app = await start({ DOWNLOADS_MANIFEST: path, DATA_DIR: folder })
  return { app, path, folder, admin: await app.signIn('admin'), owner: await app.newUser() }
}

const readDownloads = async (user: SignedInUser) => {
  const answer = await user.call(downloads)
  expect(answer.status, answer.text).toBe(200)
  return answer.data
}
const versions = async (user: SignedInUser) =>
  (await readDownloads(user)).products.flatMap(({ builds }) => builds.map(({ version }) => version))
const problem = async (user: SignedInUser) => (await readDownloads(user)).problem

/** Advances the clock to the next reload and runs the job. */
async function reloadAfter(app: TestApp, ms: number): Promise<void> {
  app.clock.advance(ms)
  await app.runJob('reload-downloads-manifest')
}

test('reports a missing configuration', async () => {
  const app = await start()
  expect(await readDownloads(await app.newUser())).toEqual({ configured: false, products: [], read_at: null, problem: null })
})

test('only signed-in users can read it', async () => {
  const { app } = await withFile(manifest(build))
  expect((await app.anonymous.call(downloads)).status).toBe(403)
})

test('the sample manifest is valid, and has all products, branches and platforms', async () => {
  const folder = temporaryFolder()
  const path = join(import.meta.dirname, '../../../docs/downloads.sample.json')
  const app = await start({ DOWNLOADS_MANIFEST: path, DATA_DIR: folder })
  const { products, problem: sampleProblem } = await readDownloads(await app.signIn('admin'))
  expect(sampleProblem).toBeNull()
  expect(products.map(({ id }) => id)).toEqual(['server', 'voice-server', 'js-module', 'data', 'client'])
  const builds = products.flatMap((each) => each.builds)
  expect(new Set(builds.map(({ branch }) => branch))).toEqual(new Set(['release', 'rc', 'dev']))
  expect(new Set(builds.map(({ platform }) => platform))).toEqual(new Set(['x64_win32', 'x64_linux', 'any']))
})

test('orders builds newest first, by date and then by version', async () => {
  const at = (version: string, date: string) => ({ ...build, version, date })
  const { owner } = await withFile(
    manifest(
      at('1.9.0', '2026-11-02'),
      at('1.0.0', '2026-11-04T10:00:00+02:00'),
      at('1.10.0', '2026-11-02'),
      at('0.1.0', '2026-11-04T08:30:00Z'),
    ),
  )
  expect(await versions(owner)).toEqual(['0.1.0', '1.0.0', '1.10.0', '1.9.0'])
  const [newest, second, third] = (await readDownloads(owner)).products[0]?.builds ?? []
  expect([newest?.date, second?.date, third?.date]).toEqual([
    '2026-11-04T08:30:00.000Z',
    '2026-11-04T08:00:00.000Z',
    '2026-11-02T00:00:00.000Z',
  ])
})

test('description and notes are optional; checksums become lower case', async () => {
  const { notes, ...withoutNotes } = { ...build, sha256: build.sha256.toUpperCase() }
  const { owner } = await withFile(JSON.stringify({ manifest: 1, products: [{ id: 'a', name: 'A', builds: [withoutNotes] }] }))
  expect(notes).not.toBe('')
  expect((await readDownloads(owner)).products).toEqual([
    { id: 'a', name: 'A', description: '', builds: [{ ...build, notes: '', date: '2026-11-02T00:00:00.000Z' }] },
  ])
})

test('reloads a changed file, and keeps the last valid manifest if the new one is invalid or missing', async () => {
  const { app, path, owner, admin } = await withFile(manifest(build))
  expect(await versions(owner)).toEqual(['1.0.0'])
  writeFileSync(path, manifest({ ...build, version: '1.0.1' }))
  await reloadAfter(app, FILE_INTERVAL_MS)
  await expect.poll(() => versions(owner)).toEqual(['1.0.1'])

  const before = await readDownloads(owner)
  writeFileSync(path, '{"manifest": 1,')
  await reloadAfter(app, FILE_INTERVAL_MS)
  await expect.poll(() => problem(admin)).toMatch(/^It is not JSON: /)
  expect(await readDownloads(owner)).toEqual({ ...before, read_at: expect.any(String), problem: null })
  // The problem is logged once, even if it is read again.
  await reloadAfter(app, FILE_INTERVAL_MS)
  unlinkSync(path)
  await reloadAfter(app, FILE_INTERVAL_MS)
  await expect.poll(() => problem(admin)).toBe(`There is no file ${path}.`)
  expect(await versions(owner)).toEqual(['1.0.1'])
  expect(app.takeLogs()).toHaveLength(2)

  writeFileSync(path, manifest({ ...build, version: '1.0.2' }))
  await reloadAfter(app, FILE_INTERVAL_MS)
  await expect.poll(() => versions(owner)).toEqual(['1.0.2'])
  expect(await problem(admin)).toBeNull()
})

test('an unchanged file that was missing for a while is valid again', async () => {
  const { app, path, admin } = await withFile(manifest(build))
  const content = readFileSync(path)
  expect(await versions(admin)).toEqual(['1.0.0'])
  unlinkSync(path)
  await reloadAfter(app, FILE_INTERVAL_MS)
  await expect.poll(() => problem(admin)).toMatch(/^There is no file/)
  writeFileSync(path, content)
  await reloadAfter(app, FILE_INTERVAL_MS)
  await expect.poll(() => problem(admin)).toBeNull()
  expect(app.takeLogs()).toHaveLength(1)
  expect(app.allLogs()).toMatch(/"level":40,.*keeping the last valid one.*\n.*"level":40,.*is valid again/)
})

test('the last valid manifest survives a restart, but not a change of the source', async () => {
  const { app, path, folder, owner, admin } = await withFile(manifest(build))
  expect(await versions(owner)).toEqual(['1.0.0'])
  const { read_at } = await readDownloads(owner)
  unlinkSync(path)
  await app.restart()
  await expect.poll(() => problem(admin)).toBe(`There is no file ${path}.`)
  expect(await versions(owner)).toEqual(['1.0.0'])
  expect((await readDownloads(owner)).read_at).toBe(read_at)
  expect(app.takeLogs()).toHaveLength(1)

  const other = await start({ DOWNLOADS_MANIFEST: join(folder, 'other.json'), DATA_DIR: folder })
  expect(await readDownloads(await other.newUser())).toEqual({ configured: true, products: [], read_at: null, problem: null })
  expect(other.takeLogs()).toHaveLength(1)
})

test('ignores a damaged cache file', async () => {
  const { app, path, folder, owner } = await withFile(manifest(build))
  expect(await versions(owner)).toEqual(['1.0.0'])
  writeFileSync(join(folder, 'downloads.last-good.json'), '{"source":')
  unlinkSync(path)
  await app.restart()
  expect(await versions(owner)).toEqual([])
  expect(app.takeLogs()).toHaveLength(1)
})

test('a missing manifest does not prevent the start; only administrators see the problem', async () => {
  const { app, path, folder, owner, admin } = await withFile(undefined)
  expect(await problem(admin)).toBe(`There is no file ${path}.`)
  expect(await readDownloads(owner)).toEqual({ configured: true, products: [], read_at: null, problem: null })
  expect(existsSync(join(folder, 'downloads.last-good.json'))).toBe(false)
  expect(app.takeLogs()).toHaveLength(1)
})

test('administrators see the invalid field; the products stay unchanged', async () => {
  const { app, path, owner, admin } = await withFile(manifest(build))
  expect(await versions(owner)).toEqual(['1.0.0'])
  writeFileSync(path, manifest({ ...build, version: '1.0.1' }, { ...build, sha256: 'abc' }))
  await reloadAfter(app, FILE_INTERVAL_MS)
  await expect.poll(() => problem(admin)).toBe('products[0].builds[1].sha256 must be 64 hexadecimal digits.')
  expect(await problem(owner)).toBeNull()
  expect(await versions(owner)).toEqual(['1.0.0'])
  writeFileSync(path, 'x'.repeat(1024 * 1024 + 1))
  await reloadAfter(app, FILE_INTERVAL_MS)
  await expect.poll(() => problem(admin)).toBe('It is larger than 1 MiB.')
  expect(app.takeLogs()).toHaveLength(2)
})

async function listener(answer: (request: IncomingMessage, reply: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUp.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('requests a URL every five minutes, conditionally', async () => {
  const etags: (string | undefined)[] = []
  let [tag, text] = ['"a"', manifest(build)]
  const origin = await listener((request, reply) => {
    etags.push(request.headers['if-none-match'])
    if (request.headers['if-none-match'] === tag) return void reply.writeHead(304).end()
    return void reply.writeHead(200, { etag: tag }).end(text)
  })
  const app = await start({ DOWNLOADS_MANIFEST: `${origin}/manifest.json?key=hidden`, DATA_DIR: temporaryFolder() })
  const admin = await app.signIn('admin')
  expect(await versions(admin)).toEqual(['1.0.0'])
  const first = await readDownloads(admin)
  await reloadAfter(app, URL_INTERVAL_MS)
  await expect.poll(() => etags).toEqual([undefined, '"a"'])
  // An unchanged response counts as read.
  await expect.poll(async () => (await readDownloads(admin)).read_at).not.toBe(first.read_at)
  ;[tag, text] = ['"b"', manifest({ ...build, version: '1.1.0' })]
  await reloadAfter(app, URL_INTERVAL_MS)
  await expect.poll(() => versions(admin)).toEqual(['1.1.0'])
  ;[tag, text] = ['"c"', '<html>']
  await reloadAfter(app, URL_INTERVAL_MS)
  await expect.poll(() => problem(admin)).toMatch(/^It is not JSON/)
  // The problem of an unchanged manifest stays.
  await reloadAfter(app, URL_INTERVAL_MS)
  await expect.poll(() => etags.at(-1)).toBe('"c"')
  expect(await problem(admin)).toMatch(/^It is not JSON/)
  expect(await versions(admin)).toEqual(['1.1.0'])
  expect(app.takeLogs()).toHaveLength(1)
})

test('a failing URL keeps the last valid manifest and never reveals its query', async () => {
  let answer: (reply: ServerResponse) => void = (reply) => void reply.end(manifest(build))
  const origin = await listener((_request, reply) => answer(reply))
  const app = await start({ DOWNLOADS_MANIFEST: `${origin}/manifest.json?key=hidden`, DATA_DIR: temporaryFolder() })
  const admin = await app.signIn('admin')
  expect(await versions(admin)).toEqual(['1.0.0'])
  const name = `${origin}/manifest.json`
  const failures: [(reply: ServerResponse) => void, string][] = [
    [(reply) => void reply.writeHead(500).end('x'), `${name} answers 500.`],
    [(reply) => void reply.writeHead(302, { location: '/again' }).end(), `${name} redirects more than 5 times.`],
    [(reply) => void reply.writeHead(302, { location: 'ftp://127.0.0.1/' }).end(), `${name} redirects to a URL without https.`],
    [(reply) => void reply.end('x'.repeat(1024 * 1024 + 1)), 'It is larger than 1 MiB.'],
    [(reply) => void reply.socket?.destroy(), `${name} cannot be reached (UND_ERR_SOCKET).`],
    [() => undefined, `${name} did not answer within 5 seconds.`],
  ]
  for (const [next, sentence] of failures) {
    answer = next
    await reloadAfter(app, URL_INTERVAL_MS)
    await expect.poll(() => problem(admin), { timeout: 12_000 }).toBe(sentence)
    expect(await versions(admin)).toEqual(['1.0.0'])
  }
  expect(app.takeLogs()).toHaveLength(failures.length)
  expect(app.allLogs()).not.toContain('hidden')
}, 60_000)

test('follows a redirect', async () => {
  const origin = await listener((request, reply) => {
    if (request.url === '/newest') reply.end(manifest(build))
    else reply.writeHead(302, { location: '/newest' }).end()
  })
  const app = await start({ DOWNLOADS_MANIFEST: origin, DATA_DIR: temporaryFolder() })
  expect(await versions(await app.newUser())).toEqual(['1.0.0'])
})

test('shutdown does not wait for a URL that does not respond', async () => {
  const origin = await listener(() => undefined)
  const app = await start({ DOWNLOADS_MANIFEST: origin, DATA_DIR: temporaryFolder() })
  const startedAt = performance.now()
  await app.close()
  expect(performance.now() - startedAt).toBeLessThan(8000)
})

test.each(['ftp://example.com/x.json', 'https://user:secret@example.com/x.json'])('rejects %s as a source', async (source) => {
  await expect(startApp({ DOWNLOADS_MANIFEST: source })).rejects.toThrow('DOWNLOADS_MANIFEST must be a path, or a URL')
})
