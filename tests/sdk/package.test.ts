/** The package as it is published: its size, and its exports as ES modules and CommonJS. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'
import { beforeAll, expect, test } from 'vitest'

const SDK = join(import.meta.dirname, '../../sdk')
/** beyond.md section 7. */
const MAX_BROTLI_BYTES = 6 * 1024

beforeAll(() => {
  execFileSync(process.execPath, [join(SDK, 'build.ts')])
})

test('the announcer is at most 6 KB as one minified module, and has no dependencies', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: true,
      lib: { entry: join(SDK, 'dist/esm/index.js'), formats: ['es'] },
      rolldownOptions: { external: /^node:/ },
    },
  })
  const chunks = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
  const bytes = brotliCompressSync(chunks.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('')).length
  expect(bytes).toBeGreaterThan(1000)
  expect(bytes).toBeLessThanOrEqual(MAX_BROTLI_BYTES)
  const manifest = JSON.parse(readFileSync(join(SDK, 'package.json'), 'utf8')) as { dependencies?: object }
  expect(manifest.dependencies).toBeUndefined()
})

test('both kinds of modules export the same, and every path of package.json exists', () => {
  const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: SDK, encoding: 'utf8' }).trim()
  const names = 'announce,list,ListError'
  const imports = `import * as a from '@muster/announce'; import * as l from '@muster/announce/list'; console.log([...Object.keys(a), l.list.name, l.ListError.name].join())`
  const requires = `const a = require('@muster/announce'), l = require('@muster/announce/list'); console.log([...Object.keys(a), l.list.name, l.ListError.name].join())`
  expect(run('--input-type=module', '-e', imports)).toBe(names)
  expect(run('--input-type=commonjs', '-e', requires)).toBe(names)
  const paths = [...readFileSync(join(SDK, 'package.json'), 'utf8').matchAll(/"(?:\.\/)?(dist\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(paths.filter((path) => !existsSync(join(SDK, path)))).toEqual([])
  expect(run(join(SDK, 'dist/esm/cli.js'), 'agent', '--help')).toContain('Usage: muster-agent')
})

/**
 * Runs a game of a few lines with the built package. Returns its exit code or signal, and its output.
 * @param signals whether it gets SIGTERM after its first announce
 */
function play(game: string, signals = false) {
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
    const options = { url: 'http://127.0.0.1:' + list.address().port, credential: 'mst_x', port: 7788, maxPlayers: 8, probes: false, quiet: true }
    ${signals ? 'setInterval(() => {}, 1000)' : ''}
    ${game}`
  try {
    return {
      end: 0,
      output: execFileSync(process.execPath, ['--input-type=module', '-e', wrapped], { cwd: SDK, encoding: 'utf8', timeout: 10_000 }),
    }
  } catch (error) {
    const { status, signal, stdout } = error as { status: number | null; signal: string | null; stdout: string }
    return { end: status ?? signal, output: stdout }
  }
}

test('SIGTERM says goodbye and then ends the program as before, unless the game handles it', () => {
  expect(play('announce(options)', true)).toEqual({ end: 'SIGTERM', output: 'POST\nDELETE\n' })
  expect(play(`process.on('SIGTERM', () => setTimeout(() => process.exit(3), 300)); announce(options)`, true)).toEqual({
    end: 3,
    output: 'POST\nDELETE\n',
  })
  expect(play(`process.once('SIGTERM', () => setTimeout(() => process.exit(4), 300)); announce(options)`, true).end).toBe(4)
  expect(play('announce({ ...options, signals: false })', true)).toEqual({ end: 'SIGTERM', output: 'POST\n' })
})

test('a program that has nothing left to do ends, and says goodbye', () => {
  expect(play('announce(options)').end).toBe(0)
  expect(play(`announce(options); setTimeout(() => {}, 500)`)).toEqual({ end: 0, output: 'POST\nDELETE\n' })
  expect(play(`const server = announce(options); setTimeout(() => server.stop(), 500)`)).toEqual({ end: 0, output: 'POST\nDELETE\n' })
})
