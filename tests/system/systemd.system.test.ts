/** The systemd unit: what systemd says about it, and a Debian that boots with it. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Variables, readEnv } from '#backend/platform/env.ts'
import { until } from '#tests/program.ts'
import { closeAfterTest } from '#tests/running.ts'
import { read, root } from './compose-file.ts'
import { newFolder } from './started-programs.ts'

const unit = read('deploy/muster.service')
const valuesOf = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)
const valueOf = (name: string) => valuesOf(name)[0] ?? ''
const environment = Object.fromEntries(valuesOf('Environment').map((pair) => pair.split('=') as [string, string]))

/** What operating.md writes to /etc/muster.env. */
const [, written = ''] = /cat > \/etc\/muster\.env <<END\n(.*?)\nEND\n/s.exec(read('docs/operating.md')) ?? []
const documented = written.replace('$(openssl rand -hex 32)', 'x'.repeat(64)).replaceAll('…', '1')

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
  const variables = Object.fromEntries(documented.split('\n').map((line) => line.split('=') as [string, string]))
  expect(() => readEnv({ ...environment, ...variables })).not.toThrow()
  expect(valueOf('ReadWritePaths').replace(/^-/, '')).toBe(variables.BACKUP_DIR)
})

/** Its root folder is in memory, with the /usr of this machine. The arguments after it are those of systemd. */
const NSPAWN = '--quiet --directory=/ --volatile=yes --private-network --register=no --keep-unit --console=pipe --boot'.split(' ')
// There is no network to wait for.
const SYSTEMD = ['--unit=muster.service', 'systemd.mask=systemd-networkd-wait-online.service']
const canBoot = process.getuid?.() === 0 && spawnSync('systemd-nspawn', ['--version']).status === 0

/** Boots with the unit as its only goal. Returns a function that runs a shell command there, and returns its output; empty if it fails. */
async function bootMachine(): Promise<(command: string) => string> {
  const folder = newFolder()
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const binds = [
    [root, '/opt/muster'],
    [join(root, 'deploy/muster.service'), '/etc/systemd/system/muster.service'],
    [file('env', documented), '/etc/muster.env'],
    // As the documentation creates them with useradd and install.
    [file('user', 'u muster - - /var/lib/muster\n'), '/etc/sysusers.d/muster.conf'],
    [file('folder', 'd /var/backups/muster 0700 muster muster\n'), '/etc/tmpfiles.d/muster.conf'],
  ]
  const args = [...NSPAWN, ...binds.map((bind) => `--bind-ro=${bind.join(':')}`), '--', ...SYSTEMD]
  const machine = spawn('systemd-nspawn', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(machine, 'exit')
  let systemd = ''
  closeAfterTest(async () => {
    // All processes of the machine end with its first one, but not with systemd-nspawn.
    if (systemd !== '' && machine.exitCode === null) process.kill(Number(systemd), 'SIGKILL')
    else machine.kill('SIGKILL')
    await ended
  })
  let output = ''
  for (const stream of [machine.stdout, machine.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const outputOf = (command: string, ...args: readonly string[]) => {
    if (machine.exitCode !== null) throw new Error(`The machine ended: ${output}`)
    const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' })
    return status === 0 ? stdout.trim() : ''
  }
  await until(() => {
    systemd = outputOf('pgrep', '--parent', String(machine.pid), '--exact', 'systemd')
    return systemd !== ''
  })
  return (command) => outputOf('nsenter', '--target', systemd, '--all', 'sh', '-c', command)
}

test.skipIf(!canBoot)('after a boot it runs and backs up, after a kill it runs again, and a stop ends it with code 0', async () => {
  const run = await bootMachine()
  const isReady = () => run('curl --fail --silent http://127.0.0.1:3000/readyz') === 'ready'
  await until(isReady)
  // systemd-logind removes what a user has here when they log out, also below a program that still runs.
  expect(run('ls /dev/shm')).toBe('')
  await until(() => run('ls /var/backups/muster/*.tar.zst') !== '')
  run('systemctl kill --signal=KILL --kill-whom=main muster')
  await until(() => run('systemctl show --property=NRestarts muster') === 'NRestarts=1')
  await until(isReady)
  run('systemctl stop muster')
  const properties = 'Result=success ExecMainCode=1 ExecMainStatus=0'
  expect(run(`echo $(systemctl show --property=Result,ExecMainCode,ExecMainStatus muster)`)).toBe(properties)
  // Its database was stopped, too.
  expect(run('ls /var/lib/muster/pg18/PG_VERSION')).not.toBe('')
  expect(run('ls /var/lib/muster/pg18/postmaster.pid')).toBe('')
})
