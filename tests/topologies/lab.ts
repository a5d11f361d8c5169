/** Network namespaces of Linux, connected by virtual cables, and the programs that run in them. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMPILE_CACHE } from '#backend/cli/runtime-options.ts'
import { temporaryFolder } from '#tests/program.ts'
import type { ProgramName, ProgramOptions } from './run-program.ts'

const RUN_PROGRAM = join(import.meta.dirname, 'run-program.ts')

/** The lab's internet is one Ethernet on which these networks are direct neighbours. Both count as public. */
const INTERNET_PREFIXES = { ipv4: 8, ipv6: 16 } as const

/** A network stack of its own, as a machine has. */
export interface Namespace {
  /** Unique on this machine. */
  readonly name: string
}

/** A machine with one cable to the internet. */
export interface Machine extends Namespace {
  readonly device: string
}

/** A program in a namespace. It ends with the lab. */
export interface LabProgram {
  /** What it has reported, the oldest first. */
  readonly reports: readonly unknown[]
  send(command: object): void
}

/** Why this machine can't have namespaces; undefined if it can. */
export async function whyNoNamespaces(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'network namespaces need Linux'
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  const lab = new Lab()
  try {
    ip('netns', 'exec', lab.namespace('check').name, 'true')
    return undefined
  } catch (error) {
    return `ip netns failed: ${(error as Error).message}`
  } finally {
    await lab.close()
  }
}

export class Lab {
  readonly #id = randomBytes(3).toString('hex')
  readonly #namespaces: Namespace[] = []
  readonly #children: ChildProcess[] = []
  /** For files and sockets of the programs. It goes with the lab. */
  readonly folder = temporaryFolder()
  #cables = 0
  #internet: Namespace | undefined

  namespace(label: string): Namespace {
    const namespace = { name: `muster-${this.#id}-${label}` }
    ip('netns', 'add', namespace.name)
    this.#namespaces.push(namespace)
    ipIn(namespace, 'link', 'set', 'lo', 'up')
    return namespace
  }

  /** A machine on the internet with these addresses. */
  machine(label: string, ...addresses: readonly string[]): Machine {
    const internet = (this.#internet ??= this.#createInternet())
    const namespace = this.namespace(label)
    const { here, there } = this.#connect(namespace, internet)
    ipIn(internet, 'link', 'set', 'dev', there, 'master', 'switch', 'up')
    const machine = { ...namespace, device: here }
    this.setAddresses(machine, ...addresses)
    return machine
  }

  /** Replaces the machine's addresses on the internet. */
  setAddresses(machine: Machine, ...addresses: readonly string[]): void {
    ipIn(machine, 'address', 'flush', 'dev', machine.device, 'scope', 'global')
    for (const address of addresses) addAddress(machine, machine.device, withPrefix(address))
  }

  /** A private cable between two namespaces. @param first such as `10.0.0.1/24` */
  link(a: Namespace, first: string, b: Namespace, second: string): void {
    const { here, there } = this.#connect(a, b)
    addAddress(a, here, first)
    addAddress(b, there, second)
    ipIn(b, 'link', 'set', 'dev', there, 'up')
  }

  /** Programs that start later in this namespace resolve names with this server. */
  useNameServer({ name }: Namespace, address: string): void {
    mkdirSync(configurationOf(name), { recursive: true })
    writeFileSync(join(configurationOf(name), 'resolv.conf'), `nameserver ${address}\n`)
  }

  /** Starts a program of the lab, and waits until it is ready. */
  async run<Name extends ProgramName>(namespace: Namespace, name: Name, options: ProgramOptions<Name>): Promise<LabProgram> {
    const child = this.start(namespace, [RUN_PROGRAM, name, JSON.stringify(options)], {})
    const reports: unknown[] = []
    // The first message says that it is ready.
    child.once('message', () => child.on('message', (report) => reports.push(report)))
    const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${name} ended before it was ready`)))
    await Promise.race([once(child, 'message'), ended])
    return { reports, send: (command) => void child.send(command) }
  }

  /** Starts Node with these arguments. Its errors are in the output of the test. */
  start({ name }: Namespace, args: readonly string[], variables: Readonly<Record<string, string>>): ChildProcess {
    const child = spawn('ip', ['netns', 'exec', name, process.execPath, ...args], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE, ...variables },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#children.push(child)
    return child
  }

  /** Ends every program and removes every namespace. A cable goes with its ends. */
  async close(): Promise<void> {
    const running = this.#children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    for (const child of running) child.kill('SIGKILL')
    await Promise.all(running.map((child) => once(child, 'exit')))
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    for (const { name } of this.#namespaces) {
      ip('netns', 'delete', name)
      rmSync(configurationOf(name), { recursive: true, force: true })
    }
  }

  #createInternet(): Namespace {
    const namespace = this.namespace('internet')
    ipIn(namespace, 'link', 'add', 'name', 'switch', 'type', 'bridge', 'mcast_snooping', '0')
    ipIn(namespace, 'link', 'set', 'dev', 'switch', 'up')
    return namespace
  }

  /** Connects two namespaces by a cable that is up in the first. Returns the names of its ends. */
  #connect(a: Namespace, b: Namespace): { here: string; there: string } {
    this.#cables += 1
    const [here, there] = [`cable${this.#cables}a`, `cable${this.#cables}b`]
    ipIn(a, 'link', 'add', 'name', here, 'type', 'veth', 'peer', 'name', there, 'netns', b.name)
    ipIn(a, 'link', 'set', 'dev', here, 'up')
    return { here, there }
  }
}

/** `ip netns exec` shows the files of this folder in /etc. */
const configurationOf = (name: string) => `/etc/netns/${name}`

const isIpv6 = (address: string) => address.includes(':')

const withPrefix = (address: string) => `${address}/${isIpv6(address) ? INTERNET_PREFIXES.ipv6 : INTERNET_PREFIXES.ipv4}`

/** Without `nodad`, an IPv6 address can't be used in its first second. */
function addAddress(namespace: Namespace, device: string, address: string): void {
  ipIn(namespace, 'address', 'add', address, 'dev', device, ...(isIpv6(address) ? ['nodad'] : []))
}

const ip = (...args: readonly string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
const ipIn = ({ name }: Namespace, ...args: readonly string[]) => ip('-netns', name, ...args)
