/** The settings of the agent: its options, and the variables of its environment. */
import { readFileSync } from 'node:fs'
import { baseOf } from '../call.ts'
import { type Environment, VARIABLES, familiesOf, faultsOfFamilies, nameVariable, numberOf } from '../environment.ts'
import { type FullState, changeState, isComplete } from '../state.ts'
import type { Family } from '../types.ts'

export const EXIT = { usage: 2, rejected: 3, offline: 4, portInUse: 5, notStarted: 127 } as const

export const HELP = `Usage: muster-agent [options]
       muster-agent [options] --exec <command> [arguments]

Announces a game server to a Muster list. The game changes its state with
one call: curl -d '{"players":12}' http://127.0.0.1:7789/state
In PowerShell: Invoke-RestMethod -Method Post http://127.0.0.1:7789/state
               -Body '{"players":12}'

Options
  --exec COMMAND   also starts the game server, passes signals to it, and
                   ends with its exit code. Everything after it is its own
  --once           announces once, and prints the reply
  --dry-run        prints what it would send, and what the list says of the
                   credential. The server is not put on the list
  --help           prints this help

Environment
  MUSTER_URL              the address of the master list, required
  MUSTER_CREDENTIAL       the credential that the panel showed, required
  MUSTER_CREDENTIAL_FILE  a file with the credential, instead
  PORT                    the port that players connect to, required
  MAX_PLAYERS             slots, required
  MUSTER_HOST             the name or IP address that players connect to, if
                          it is not this machine's: a tunnel or proxy
  MUSTER_PROBE            tcp, udp or none: how the list can probe the server
  MUSTER_FAMILIES         4, 6 or 4,6: announces over IPv4, IPv6 or both
                          (default what the system chooses)
  GAME_VERSION            the version of the game (default 1.0)
  GAME_BRANCH             the branch of the game (default release)
  GAME_MODE               the game mode (default none)
  AGENT_PORT              the local port of /state, /probe and /health
                          (default 7789, 0 for any free one)
  AGENT_PROBES            on answers the list's probes at PORT, over TCP. For
                          games that only use UDP. With MUSTER_PROBE=udp,
                          over UDP, for games that only use TCP (default off)

A game that uses UDP answers probes itself: it posts each datagram of 64
bytes that starts with "MUSTER1 " to /probe. If the reply is 200, it sends
the body back to the sender of the datagram.

Exit codes
  0    stopped by a signal, or accepted with --once or --dry-run
  2    wrong options or environment
  3    the list rejected --once or --dry-run
  4    --once or --dry-run: no usable reply, or the list cannot check a
       credential
  5    AGENT_PORT is in use
  127  the command of --exec could not be started
  With --exec, otherwise the exit code of the command, or 128 plus the
  number of the signal that ended it.
`

export interface AgentSettings {
  readonly mode: 'run' | 'once' | 'dry-run' | 'help'
  /** Empty without --exec. */
  readonly command: readonly string[]
  readonly url: string
  readonly credential: string
  readonly state: FullState
  /** None if the system chooses. */
  readonly families: readonly Family[]
  readonly agentPort: number
  readonly probes: boolean
}

const NAMES = { ...VARIABLES, version: 'GAME_VERSION', branch: 'GAME_BRANCH', gameMode: 'GAME_MODE' }

export class UsageError extends Error {}

export function readSettings(args: readonly string[], env: Environment): AgentSettings {
  const { mode, command } = readOptions(args)
  if (mode === 'help')
    return {
      mode,
      command,
      url: '',
      credential: '',
      state: changeState({} as FullState, {}).state,
      families: [],
      agentPort: 0,
      probes: false,
    }
  const faults: string[] = []
  const url = baseOf(env['MUSTER_URL'] ?? '')
  if (!/^https?:/i.test(url) || !URL.canParse(url)) faults.push('url must start with http:// or https://.')
  const credential = credentialOf(env, faults)
  const { state, faults: invalid } = changeState(undefined, {
    port: numberOf(env['PORT']),
    maxPlayers: numberOf(env['MAX_PLAYERS']),
    version: env['GAME_VERSION'],
    branch: env['GAME_BRANCH'],
    gameMode: env['GAME_MODE'],
    host: env['MUSTER_HOST']?.trim(),
    probe: env['MUSTER_PROBE']?.trim(),
  })
  const families = familiesOf(env['MUSTER_FAMILIES'])
  faults.push(...invalid, ...faultsOfFamilies(families))
  const agentPort = numberOf(env['AGENT_PORT']) ?? 7789
  if (!Number.isInteger(agentPort) || agentPort < 0 || agentPort > 65_535) faults.push('AGENT_PORT must be a whole number from 0 to 65535.')
  const probes = env['AGENT_PROBES'] ?? 'off'
  if (!['on', 'off'].includes(probes)) faults.push('AGENT_PROBES must be on or off.')
  if (faults.length > 0 || !isComplete(state)) throw new UsageError(faults.map((fault) => nameVariable(fault, NAMES, env)).join('\n'))
  return { mode, command, url, credential, state, families, agentPort, probes: probes === 'on' }
}

function readOptions(args: readonly string[]): Pick<AgentSettings, 'mode' | 'command'> {
  const at = args.indexOf('--exec')
  const options = at === -1 ? args : args.slice(0, at)
  const command = at === -1 ? [] : args.slice(at + 1)
  let mode: AgentSettings['mode'] = 'run'
  for (const option of options) {
    if (option === '--help' || option === '-h') return { mode: 'help', command }
    if (option !== '--once' && option !== '--dry-run') throw new UsageError(`Unknown option ${option}. --help prints the options.`)
    const chosen = option === '--once' ? 'once' : 'dry-run'
    if (mode !== 'run' && mode !== chosen) throw new UsageError('--once does not work with --dry-run.')
    mode = chosen
  }
  if (at !== -1 && command.length === 0) throw new UsageError('--exec needs a command.')
  if (at !== -1 && mode !== 'run') throw new UsageError(`--exec does not work with --${mode}.`)
  return { mode, command }
}

function credentialOf(env: Environment, faults: string[]): string {
  const file = env['MUSTER_CREDENTIAL_FILE'] ?? ''
  let credential = env['MUSTER_CREDENTIAL'] ?? ''
  const isInFile = credential === '' && file !== ''
  if (isInFile) {
    try {
      credential = readFileSync(file, 'utf8')
    } catch (error) {
      faults.push(`MUSTER_CREDENTIAL_FILE cannot be read: ${(error as Error).message}.`)
      return ''
    }
  }
  credential = credential.trim()
  if (!/^[\x21-\x7e]+$/.test(credential))
    faults.push(
      `${isInFile ? 'The file that MUSTER_CREDENTIAL_FILE names must contain' : 'credential must be'} the credential that the panel showed, from mst_ to the last character.`,
    )
  return credential
}
