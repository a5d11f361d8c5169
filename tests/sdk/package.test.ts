/** The package as it is published: its size, and its exports as ES modules and CommonJS. */
import { type ExecFileOptions, execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { GOODBYE as LEFT, accepted } from '#sdk/conform/answers.ts'
import { FakeList } from '#sdk/conform/fake-list.ts'
import { startApp } from '#tests/harness.ts'

const SDK = join(import.meta.dirname, '../../sdk')

const node = (args: readonly string[], options: ExecFileOptions = {}) =>
  promisify(execFile)(process.execPath, args, { ...options, encoding: 'utf8' })

beforeAll(() => node([join(SDK, 'build.ts')]))

/** Bytes of an entry as one minified module, compressed. */
async function sizeOf(entry: string): Promise<number> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: true,
      lib: { entry: join(SDK, 'dist/esm', entry), formats: ['es'] },
      rolldownOptions: { external: /^node:/ },
    },
  })
  const chunks = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
  return brotliCompressSync(chunks.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('')).length
}

test.each([
  ['announcer', 'index.js', 7],
  ['client of the list, with the verifier of signed lists,', 'list/index.js', 6],
])('the %s is at most a few KB as one minified module, and has no dependencies', async (_what, entry, maxKilobytes) => {
  const bytes = await sizeOf(entry)
  expect(bytes).toBeGreaterThan(1000)
  expect(bytes).toBeLessThanOrEqual(maxKilobytes * 1024)
  const manifest = JSON.parse(readFileSync(join(SDK, 'package.json'), 'utf8')) as { dependencies?: object }
  expect(manifest.dependencies).toBeUndefined()
})

test('both kinds of modules export the same, and every path of package.json exists', async () => {
  const run = async (...args: string[]) => (await node(args, { cwd: SDK })).stdout.trim()
  const names = 'announce,list,ListError'
  const imports = `import * as a from '@muster/announce'; import * as l from '@muster/announce/list'; console.log([...Object.keys(a), l.list.name, l.ListError.name].join())`
  const requires = `const a = require('@muster/announce'), l = require('@muster/announce/list'); console.log([...Object.keys(a), l.list.name, l.ListError.name].join())`
  const outputs = await Promise.all([
    run('--input-type=module', '-e', imports),
    run('--input-type=commonjs', '-e', requires),
    run(join(SDK, 'dist/esm/cli.js'), 'agent', '--help'),
  ])
  expect(outputs).toEqual([names, names, expect.stringContaining('Usage: muster-agent')])
  const paths = [...readFileSync(join(SDK, 'package.json'), 'utf8').matchAll(/"(?:\.\/)?(dist\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(paths.filter((path) => !existsSync(join(SDK, path)))).toEqual([])
})

test('the panel serves the package, and npm installs it', async () => {
  const app = await startApp({}, { hasPages: true })
  const folder = mkdtempSync(join(tmpdir(), 'muster-package-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const response = await fetch(`${app.panelUrl}/announce.tgz`)
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('public, max-age=0')
  expect(response.headers.get('etag')).not.toBeNull()
  writeFileSync(join(folder, 'announce.tgz'), await response.bytes())
  writeFileSync(join(folder, 'package.json'), '{}')
  await promisify(execFile)('npm', ['install', '--offline', '--no-audit', './announce.tgz'], { cwd: folder })
  const { stdout } = await node([join(folder, 'node_modules/.bin/announce'), 'conform', '--list'], { cwd: folder })
  expect(stdout).toContain('credential')
  await node(['--input-type=module', '-e', `import { announce } from '@muster/announce'; announce({ quiet: true })`], {
    cwd: folder,
    env: {},
  })
})

/**
 * Runs a game of a few lines with the built package. Returns its exit code or signal, and its output.
 * @param signals whether it gets SIGTERM after its first announce
 */
async function play(game: string, signals = false) {
  const wrapped = `import { createServer } from 'node:http'
    import { announce } from '@muster/announce'
    const list = createServer((request, response) => {
      console.log(request.method)
      response.setHeader('connection', 'close')
      if (${signals} && request.method === 'POST') setTimeout(() => process.kill(process.pid, 'SIGTERM'), 200)
      if (request.method === 'DELETE') return response.writeHead(204).end()
      response.end(JSON.stringify({ publicId: 'abcdefg', listed: true, nextAnnounceSeconds: 30, notices: [] }))
    }).listen(0, '127.0.0.1')
    list.unref()
    await new Promise((resolve) => list.once('listening', resolve))
    const options = { url: 'http://127.0.0.1:' + list.address().port, credential: 'mst_x', port: 7788, maxPlayers: 8, probes: false, quiet: true, keepAlive: false }
    ${signals ? 'setInterval(() => {}, 1000)' : ''}
    ${game}`
  try {
    const { stdout } = await node(['--input-type=module', '-e', wrapped], { cwd: SDK, timeout: 10_000 })
    return { end: 0, output: stdout }
  } catch (error) {
    const { code, signal, stdout } = error as { code: number | null; signal: string | null; stdout: string }
    return { end: code ?? signal, output: stdout }
  }
}

const GOODBYE = 'POST\nDELETE\n'

test.concurrent.each<[what: string, game: string, end: number | string, output: string]>([
  ['ends the program as before', 'announce(options)', 'SIGTERM', GOODBYE],
  ['leaves it to the game', `process.on('SIGTERM', () => setTimeout(() => process.exit(3), 300)); announce(options)`, 3, GOODBYE],
  ['leaves it to the game once', `process.once('SIGTERM', () => setTimeout(() => process.exit(4), 300)); announce(options)`, 4, GOODBYE],
  ['does nothing without signals', 'announce({ ...options, signals: false })', 'SIGTERM', 'POST\n'],
])('after the goodbye, SIGTERM %s', async (_what, game, end, output) => {
  expect(await play(game, true)).toEqual({ end, output })
})

describe('the first example of the README, run alone', () => {
  const [, example = ''] = /```js\n(.*?)```/s.exec(readFileSync(join(SDK, 'README.md'), 'utf8')) ?? []
  const start = (env: NodeJS.ProcessEnv) => node(['--input-type=module', '-e', example], { cwd: SDK, env, timeout: 20_000 })

  test('announces until SIGTERM, and says what happened and why it ends', async () => {
    const list = new FakeList((method) => (method === 'DELETE' ? LEFT : accepted(30)))
    await list.open()
    onTestFinished(() => list.close())
    const { port } = new URL(list.url)
    const run = start({ MUSTER_URL: list.url, MUSTER_CREDENTIAL: 'mst_abcdefg_secret', PORT: port, MAX_PLAYERS: '24' })
    await expect.poll(() => list.announces.length, { timeout: 10_000 }).toBeGreaterThan(0)
    // It would end by itself within this time.
    await sleep(500)
    run.child.kill('SIGTERM')
    const { signal, stdout } = (await run.catch((error: unknown) => error)) as { signal: string; stdout: string }
    expect([signal, stdout]).toEqual(['SIGTERM', 'muster: The server is on the list.\nmuster: SIGTERM. The server leaves the list.\n'])
    expect(JSON.parse(list.announces[0]?.body ?? '')).toMatchObject({ port: Number(port), maxPlayersCount: 24 })
    expect(list.goodbyes.map(({ body }) => body)).toEqual([`{"port":${port}}`])
  })

  test('ends with one line about each setting that is missing', async () => {
    expect((await start({ MUSTER_URL: 'https://list.example.com', PORT: '7788' })).stdout).toMatch(
      /^muster: SETTINGS_INVALID: MUSTER_CREDENTIAL is not set\. .* MAX_PLAYERS is not set\. .*\n$/,
    )
  })
})

test.concurrent.each<[what: string, game: string, output: string | undefined]>([
  ['at once', 'announce(options)', undefined],
  ['later', 'announce(options); setTimeout(() => {}, 500)', GOODBYE],
  ['after stop()', 'const server = announce(options); setTimeout(() => server.stop(), 500)', GOODBYE],
])('a program that has nothing left to do %s ends, and says goodbye', async (_what, game, output) => {
  expect(await play(game)).toEqual({ end: 0, output: output ?? (expect.any(String) as string) })
})
