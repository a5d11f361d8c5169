/** `npm start` and `npm run simulate` as npm runs them: signals to any of their processes stop the program and its database. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { preparedFolder } from '#tests/prepared-folder.ts'
import { childrenOf, commandLineOf, discard, freePort, isRunning, killHard, postmasterPid, temporaryFolder, until } from '#tests/program.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Every process of a test. */
const started = new Set<number>()
const folders: string[] = []
/** The data folder of every test. */
const data = preparedFolder()
let env: Record<string, string>

beforeAll(async () => {
  const ports = { PORT: String(await freePort()), MASTERLIST_PORT: String(await freePort()) }
  env = { PATH: process.env.PATH ?? '', HOME: data, DATA_DIR: data, npm_config_update_notifier: 'false', ...ports }
})

afterEach(() => {
  for (const pid of started) killHard(pid)
  started.clear()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

afterAll(() => discard(data))

function npm(cwd: string, ...args: string[]) {
  const child = spawn('npm', args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const channel of [child.stdout, child.stderr]) channel?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'exit') as Promise<[code: number | null]>
  return { child, ended, output: () => output }
}

const isReady = async () => {
  const response = await fetch(`http://127.0.0.1:${env.PORT}/readyz`).catch(() => undefined)
  return response?.status === 200
}

async function startNpm() {
  const run = npm(ROOT, 'start')
  await until(isReady)
  return { ...run, processes: processesOf(run.child), postmaster: postmasterPid(data) ?? 0 }
}

/** The running npm and its descendants, without those of the database. */
function processesOf(npmProcess: ChildProcess): number[] {
  const treeOf = (pid: number): number[] => (pid === postmasterPid(data) ? [] : [pid, ...childrenOf(pid).flatMap(treeOf)])
  const pids = treeOf(npmProcess.pid ?? 0).filter(isRunning)
  for (const pid of pids) started.add(pid)
  return pids
}

test.each([
  ['SIGTERM', 'npm'],
  ['SIGINT', 'npm'],
  ['SIGTERM', 'the program'],
  ['SIGKILL', 'npm'],
] as const)('%s to %s stops npm start, the program and its database', async (signal, receiver) => {
  const { child, ended, processes, postmaster, output } = await startNpm()
  const program = processes.find((pid) => commandLineOf(pid).includes('serve'))
  process.kill((receiver === 'npm' ? child.pid : program) ?? 0, signal)
  await until(() => ![...processes, postmaster].some(isRunning))
  expect(await isReady()).toBe(false)
  expect(output()).toContain('Stopped.')
  if (signal !== 'SIGKILL') expect(await ended).toEqual([0, null])
})

test('npm run simulate stops on SIGTERM to npm and after a kill of npm, and its servers go offline', async () => {
  await startNpm()
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const { child, output } = npm(ROOT, 'run', 'simulate', '--', '--servers', '3')
    await until(() => output().includes('3 servers announce to'))
    const processes = processesOf(child)
    child.kill(signal)
    await until(() => !processes.some(isRunning))
    expect(output()).toContain('Taking the servers offline.')
  }
})

test.each(['SIGTERM', 'SIGKILL'] as const)('%s to npm during the build of npm start stops the build', async (signal) => {
  const project = temporaryFolder()
  folders.push(project)
  const build = join(project, 'web/build.ts')
  mkdirSync(dirname(build))
  writeFileSync(build, "console.log('building')\nsetInterval(() => undefined, 1000)\n")
  for (const path of ['backend', 'node_modules', 'package.json']) symlinkSync(join(ROOT, path), join(project, path))
  const { child, output } = npm(project, 'start')
  await until(() => output().includes('building'))
  const processes = processesOf(child)
  expect(processes.length).toBeGreaterThan(1)
  child.kill(signal)
  await until(() => !processes.some(isRunning))
  expect(output()).not.toContain('start.ts')
})

test('a program keeps running when the shell that started it ends, with npm or without', async () => {
  for (const command of ['npm start', `"${process.execPath}" backend/cli/start.ts`]) {
    const log = join(data, 'background.log')
    // The environment of a script of npm, as in a terminal that a script opened.
    const npmEnv = { npm_lifecycle_event: 'start', npm_lifecycle_script: 'node backend/cli/start.ts', npm_command: 'run-script' }
    const script = `nohup ${command} > "${log}" 2>&1 & echo $!`
    const pid = Number(execFileSync('sh', ['-c', script], { cwd: ROOT, env: { ...env, ...npmEnv }, encoding: 'utf8' }))
    try {
      await until(isReady)
      // The program looks for npm each second.
      await sleep(2500)
      expect(await isReady(), readFileSync(log, 'utf8')).toBe(true)
    } finally {
      process.kill(pid, 'SIGTERM')
      await until(() => !isRunning(pid))
    }
  }
})
