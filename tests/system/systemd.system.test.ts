/** The systemd unit: what systemd says about it, and the program started as it starts it. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chmodSync, chownSync, constants, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { Variables, readEnv } from '#backend/platform/env.ts'
import { freePort, until } from '#tests/program.ts'
import { closeAfterTest } from '#tests/running.ts'
import { read, root } from './compose-file.ts'
import { newFolder } from './started-programs.ts'

const unit = read('deploy/muster.service')
const valuesOf = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)
const valueOf = (name: string) => valuesOf(name)[0] ?? ''
const environment = Object.fromEntries(valuesOf('Environment').map((pair) => pair.split('=') as [string, string]))

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!hasSystemd)('systemd accepts it without a warning, and rates it as safe', () => {
  const file = join(newFolder(), 'muster.service')
  writeFileSync(file, unit.replaceAll('/opt/muster', root))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  expect([status, stderr.split('\n').filter((line) => line.includes('muster.service'))]).toEqual([0, []])
  const rated = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=25', file], { encoding: 'utf8' })
  expect(rated.status, rated.stdout).toBe(0)
})

test('it waits longer for a stop than the program takes, and signals only the program', () => {
  const longest = Variables.shape.DRAIN_SECONDS.safeParse(300)
  expect(longest.success).toBe(true)
  expect(Variables.shape.DRAIN_SECONDS.safeParse(301).success).toBe(false)
  expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThan(300 + 20)
  expect(valueOf('KillMode')).toBe('mixed')
})

test('the variables of the documentation are enough for a start in production', () => {
  const [, written = ''] = /cat > \/etc\/muster\.env <<END\n(.*?)\nEND\n/s.exec(read('docs/operating.md')) ?? []
  const documented = Object.fromEntries(
    written
      .replace('$(openssl rand -hex 32)', 'x'.repeat(64))
      .split('\n')
      .map((line) => line.split('=') as [string, string]),
  )
  expect(() => readEnv({ ...environment, ...documented })).not.toThrow()
  expect(valueOf('ReadWritePaths').replace(/^-/, '')).toBe(documented.BACKUP_DIR)
})

/** Its user can enter all parents of the checkout. */
function isOpen(path: string): boolean {
  accessSync(path, constants.R_OK)
  const result = spawnSync('test', ['-x', path], { uid: 65_534, gid: 65_534 })
  return result.status === 0 && (dirname(path) === path || isOpen(dirname(path)))
}

test.skipIf(process.getuid?.() !== 0 || !isOpen(root))(
  'the program starts as a user who may only write to its data, and stops at a signal with code 0',
  async () => {
    const folder = newFolder()
    const [data, cache] = [join(folder, 'data'), join(folder, 'cache')]
    chmodSync(folder, 0o755)
    for (const path of [data, cache]) {
      mkdirSync(path, { mode: 0o700 })
      chownSync(path, 65_534, 65_534)
    }
    const [command = '', ...args] = valueOf('ExecStart').replaceAll('/opt/muster', root).split(' ')
    const port = String(await freePort())
    const child = spawn(command, args, {
      cwd: root,
      uid: 65_534,
      gid: 65_534,
      env: {
        ...environment,
        PATH: process.env.PATH,
        DATA_DIR: data,
        NODE_COMPILE_CACHE: cache,
        PORT: port,
        MASTERLIST_PORT: String(await freePort()),
        HOST: '127.0.0.1',
        PUBLIC_URL: 'https://panel.example.com',
        MASTERLIST_PUBLIC_URL: 'https://list.example.com',
        DISCORD_CLIENT_ID: '1',
        DISCORD_CLIENT_SECRET: 'secret',
        COOKIE_SECRET: 'x'.repeat(32),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    closeAfterTest(() => child.kill('SIGKILL'))
    let output = ''
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`The program ended: ${output}`)
      return (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200
    })
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(output).toBe('')
  },
)
