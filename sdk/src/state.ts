/** Checks the state of a game server, and makes the body of its announce. */
import { isHost } from './endpoint.ts'
import type { Probe, ServerState } from './types.ts'

export type FullState = ServerState & {
  readonly port: number
  /** The DNS name or IP address that players connect to; empty for the source address. */
  readonly host: string
  /** Empty if the server does not say. */
  readonly probe: Probe | ''
}

const DEFAULTS: FullState = {
  port: 0,
  host: '',
  probe: '',
  players: 0,
  maxPlayers: 0,
  queue: 0,
  passworded: false,
  version: '1.0',
  branch: 'release',
  gameMode: '',
  voiceChat: false,
  earlyAuthUrl: '',
  cdnUrl: '',
}
/** Set once, because another port or host is another endpoint. */
const FIXED = ['port', 'host', 'probe']
const PROBES: readonly unknown[] = ['tcp', 'udp', 'none', '']

const RANGES: Readonly<Record<string, readonly [min: number, max: number]>> = {
  port: [1, 65_535],
  players: [0, 4096],
  maxPlayers: [1, 4096],
  queue: [0, 65_535],
  version: [1, 32],
  branch: [1, 32],
  gameMode: [0, 32],
  host: [0, 255],
}

/** What is wrong with a value; undefined if it is valid. */
function faultOf(name: string, value: unknown, example: unknown): string | undefined {
  if (name === 'probe') return PROBES.includes(value) ? undefined : 'probe must be tcp, udp or none.'
  const [min, max] = RANGES[name] ?? [0, 2048]
  if (typeof example === 'boolean') return typeof value === 'boolean' ? undefined : `${name} must be true or false.`
  if (typeof example === 'number') {
    const isValid = Number.isInteger(value) && (value as number) >= min && (value as number) <= max
    return isValid ? undefined : `${name} must be a whole number from ${min} to ${max}.`
  }
  if (typeof value !== 'string' || value.length < min || value.length > max) return `${name} must be a text of ${min} to ${max} characters.`
  return value === '' ? undefined : faultOfText(name, value)
}

function faultOfText(name: string, text: string): string | undefined {
  if (name === 'host') return isHost(text) ? undefined : 'host must be a name or an IP address, without a port. The port goes to PORT.'
  const isValid = !name.endsWith('Url') || (/^https?:/i.test(text) && URL.canParse(text))
  return isValid ? undefined : `${name} must start with http:// or https://.`
}

/** The fields that `update` takes. */
export const UPDATABLE: readonly string[] = Object.keys(DEFAULTS).filter((name) => !FIXED.includes(name))

/** What is wrong with the names in a change, or with its type. @param others further names that are known */
export function faultsOfNames(change: unknown, others: readonly string[] = []): string[] {
  if (typeof change !== 'object' || change === null || Array.isArray(change)) return ['Pass an object, such as { players: 12 }.']
  const names = UPDATABLE
  const unknown = Object.keys(change).filter((name) => ![...names, ...others].includes(name))
  return unknown.map((name) => `Unknown field ${JSON.stringify(name)}. The fields are ${names.join(', ')}.`)
}

/**
 * The state after a change, and what is wrong with the change. Invalid values are ignored, and so are unknown fields, undefined and changes of the endpoint.
 * @param previous undefined for the first state
 */
export function changeState(previous: FullState | undefined, change: unknown): { readonly state: FullState; readonly faults: string[] } {
  const state: Record<string, unknown> = { ...DEFAULTS, ...previous }
  const values = (change ?? {}) as Readonly<Record<string, unknown>>
  const faults: string[] = []
  for (const [name, example] of Object.entries(DEFAULTS)) {
    // The port and the slots have no default, so the first state must have them.
    const isRequired = previous === undefined && RANGES[name]?.[0] === 1
    const value = values[name] === undefined && isRequired ? state[name] : values[name]
    if (value === undefined || (previous !== undefined && FIXED.includes(name))) continue
    const fault = faultOf(name, value, example)
    if (fault === undefined) state[name] = value
    else faults.push(fault)
  }
  return { state: state as unknown as FullState, faults }
}

/** Whether the required fields are there. */
export const isComplete = ({ port, maxPlayers }: FullState): boolean => port > 0 && maxPlayers > 0

/** The body of an announce. Fields with their default are left out. */
export function bodyOf(state: FullState): string {
  const { port, host, probe, players, maxPlayers, passworded, version, branch, queue, gameMode, voiceChat, earlyAuthUrl, cdnUrl } = state
  return JSON.stringify({
    port,
    ...(host !== '' && { host }),
    ...(probe !== '' && { probe }),
    playersCount: players,
    maxPlayersCount: maxPlayers,
    passworded,
    version,
    branch,
    ...(queue > 0 && { queueCount: queue }),
    ...(gameMode !== '' && { gameMode }),
    ...(voiceChat && { useVoiceChat: true }),
    ...(earlyAuthUrl !== '' && { useEarlyAuth: true, earlyAuthUrl }),
    ...(cdnUrl !== '' && { useCdn: true, cdnUrl }),
  })
}
