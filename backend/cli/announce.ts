/** `announce`: tries one announce, and explains the reply. `help.ts` describes the options and the exit codes. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { AnnounceBody } from '#contract/masterlist/masterlist.ts'
import { readEnv } from '#backend/platform/env.ts'
import { type CallOptions, type Reply, baseOf, isFromList, sendAnnounce, sendGoodbye } from '#sdk/call.ts'
import { localUrl } from './local-url.ts'
import { failureOf } from './request-failure.ts'

const TIMEOUT_MS = 10_000
/** 1 is for wrong options, as for every command. */
const EXIT_CODES = { listed: 0, notListed: 2, rejected: 3, noMasterList: 4 } as const

export const ANNOUNCE_OPTIONS = {
  credential: { type: 'string' },
  url: { type: 'string' },
  port: { type: 'string', default: '7788' },
  players: { type: 'string', default: '0' },
  'max-players': { type: 'string', default: '1' },
  leave: { type: 'boolean', default: false },
} as const

/** What happened, as lines for the terminal. */
interface Outcome {
  readonly code: (typeof EXIT_CODES)[keyof typeof EXIT_CODES]
  readonly lines: readonly string[]
}

type ReplyOf<Result> = Extract<Reply, { readonly result: Result }>

export async function announce(args: readonly string[]): Promise<void> {
  const { call, body, leave } = readOptions(args)
  const text = JSON.stringify(body)
  print([`Sent: POST ${call.url}/announce`, `  Authorization: Bearer ${masked(call.credential)}`, `  ${text}`, ''])
  const { code, lines } = await explain(await sendAnnounce(call, text), call.url)
  print(lines)
  if (leave && code < EXIT_CODES.rejected) print(['', await goOffline(call, body.port)])
  process.exitCode = code
}

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options: ANNOUNCE_OPTIONS })
  const credential = (values.credential ?? credentialOfEnvironment())?.trim() ?? ''
  if (credential === '') throw new Error('The credential is missing. Set MUSTER_CREDENTIAL, or use --credential.')
  if (!/^[\x21-\x7e]+$/.test(credential))
    throw new Error('The credential contains spaces or special characters. Copy it again, from mst_ to the last character.')
  const url = baseOf(values.url ?? listUrlOfEnvironment())
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new Error('--url must begin with http:// or https://.')
  const body: AnnounceBody = {
    port: wholeNumber('port', values.port),
    playersCount: wholeNumber('players', values.players),
    maxPlayersCount: wholeNumber('max-players', values['max-players']),
    passworded: false,
    // Launchers show only the branches that they know, so players hardly see the attempt.
    version: 'test',
    branch: 'test',
  }
  return { call: { url, credential }, body, leave: values.leave }
}

function credentialOfEnvironment(): string | undefined {
  const { MUSTER_CREDENTIAL: credential, MUSTER_CREDENTIAL_FILE: file } = process.env
  return credential ?? (file === undefined ? undefined : readFileSync(file, 'utf8'))
}

function listUrlOfEnvironment(): string {
  const env = readEnv()
  return env.MASTERLIST_PUBLIC_URL ?? localUrl(env.HOST, env.MASTERLIST_PORT)
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a whole number.`)
  return Number(text)
}

function explain(reply: Reply, url: string): Outcome | Promise<Outcome> {
  if (reply.result === 'accepted') return explainAccepted(reply)
  return reply.result === 'rejected' && isFromList(reply.rejection) ? explainRejected(reply) : explainFailure(url)
}

function explainAccepted({ accepted: { publicId, listed, nextAnnounceSeconds, cloudAuth }, notices }: ReplyOf<'accepted'>): Outcome {
  const lines = [
    listed
      ? 'Accepted. Players see the server on the list.'
      : `Accepted, but players do not see the server on the list. ${notices.length > 0 ? 'The notices say why.' : 'Its page in the panel says why.'}`,
    `  public ID      ${publicId}`,
    `  next announce  in ${nextAnnounceSeconds} seconds`,
    `  cloud auth     ${cloudAuth ? 'available' : 'not available: the owner does not have the benefit'}`,
  ]
  for (const { code, message } of notices) lines.push('', `Notice ${code}: ${message}`)
  return { code: listed ? EXIT_CODES.listed : EXIT_CODES.notListed, lines }
}

function explainRejected({ status, rejection: { code, message, remedy }, retryAfter }: ReplyOf<'rejected'>): Outcome {
  const lines = [`Rejected: ${code} (${status}).`, `  ${message}`]
  if (remedy !== '') lines.push(`→ ${remedy}`)
  if (retryAfter !== undefined) lines.push(`→ Try again in ${retryAfter} seconds.`)
  return { code: EXIT_CODES.rejected, lines }
}

/** Finds out with a second request, without the credential, what is at the address. */
async function explainFailure(url: string): Promise<Outcome> {
  try {
    const response = await fetch(`${url}/announce`, { method: 'POST', redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    await response.body?.cancel()
    const location = response.headers.get('location')
    return location === null ? await explainUnknown(url, response.status) : redirected(new URL(location, `${url}/announce`))
  } catch (error) {
    const line = `No reply: ${url} could not be reached, because ${failureOf(error)}.`
    return { code: EXIT_CODES.noMasterList, lines: [line, '→ Check the address, the firewall, and that the master list runs.'] }
  }
}

function redirected(target: URL): Outcome {
  const better = target.href.replace(/\/announce\/?$/, '')
  const lines = [`No announce: the address redirects to ${target.href}. Game servers do not follow redirects.`, `→ Use --url ${better}`]
  return { code: EXIT_CODES.noMasterList, lines }
}

/** The reply of another program. Most often it is the panel, which knows the address of its list. */
async function explainUnknown(url: string, status: number): Promise<Outcome> {
  const about = await fetch(`${url}/api/about`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    .then((response) => response.json() as Promise<{ data?: { masterlist_url?: unknown } }>)
    .catch(() => undefined)
  const listUrl = about?.data?.masterlist_url
  const lines = [
    `No announce: ${url} answered with status ${status}, but not as a master list.`,
    typeof listUrl === 'string'
      ? `→ This is the panel. Use the address of its master list: --url ${listUrl}`
      : '→ Check the address. A proxy in front must forward it to MASTERLIST_PORT.',
  ]
  return { code: EXIT_CODES.noMasterList, lines }
}

async function goOffline(call: CallOptions, port: number): Promise<string> {
  const reply = await sendGoodbye(call, port)
  if (reply.result === 'accepted') return 'Left the list again, with DELETE /announce.'
  return `DELETE /announce failed: ${reply.result === 'rejected' ? reply.rejection.code : reply.message}.`
}

/** The public part of a credential; nothing of anything else. */
function masked(credential: string): string {
  return `${/^mst_[0-9A-Za-z]{7}_/.exec(credential)?.[0] ?? ''}…`
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
