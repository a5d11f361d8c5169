/**
 * Validates an announce. Typical bodies take a hand-written fast path of a fraction of a microsecond. The contract's schema validates the
 * rest and provides the error messages.
 */
import type { z } from 'zod'
import { AnnounceBody, LeaveBody } from '#contract/masterlist.ts'
import { urlOfHost } from '#contract/host-fields.ts'
import { rejectedInName } from '#contract/text.ts'
import type { Sentences } from '#backend/masterlist/wire/reply.ts'
import type { NoticeCode } from '#backend/masterlist/registry/reasons.ts'
import { sharedSetup } from '#backend/masterlist/registry/announced-state.ts'
import type { AnnouncedState, AnnouncedSetup } from '#backend/masterlist/registry/server-record.ts'
import { sentence } from '#backend/platform/messages/sentence.ts'
import { decodeUtf8 } from '#backend/platform/http/utf8.ts'
import { isPublicHost } from '#backend/platform/outbound/public-address.ts'
import { keepHiddenClass } from '#backend/platform/node-internals/stable-hidden-classes.ts'

export interface ParsedAnnounce {
  readonly announced: AnnouncedState
  readonly notices: readonly NoticeCode[]
  /** The announced number of players, which `announced` clamps to the slots. */
  readonly announcedPlayers: number
}

interface Invalid {
  readonly errors: Sentences
}

type ParseResult = ParsedAnnounce | Invalid

export type Goodbye = z.output<typeof LeaveBody>

const NO_NOTICES: readonly NoticeCode[] = []
const PLAIN = /^(?! )[\x20-\x7e]{0,32}(?<! )$/
const PLAIN_HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/

function isCount(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
}

/** The previous value, or up to 32 printable ASCII characters without spaces at the ends. */
function isWord(value: unknown, previous: string | undefined): value is string {
  return typeof value === 'string' && (PLAIN.test(value) || (value === previous && rejectedInName(value) === undefined))
}

function isFlag(value: unknown): value is boolean | undefined {
  return value === undefined || value === true || value === false
}

/** A public host name. The schema checks addresses and ports. */
function isPlainHost(value: unknown): value is string | undefined {
  if (value === undefined || value === '') return true
  return typeof value === 'string' && value.length <= 255 && PLAIN_HOST.test(value) && isPublicHost(value)
}

function isEmptyOrPreviousUrl(value: unknown, previous: string | undefined): value is string | undefined {
  return value === undefined || value === '' || (value === previous && value !== undefined)
}

/** Returns undefined if the body is not JSON. */
function parseJson(body: Buffer): { readonly value: unknown } | Invalid | undefined {
  let text: string
  try {
    text = decodeUtf8(body)
  } catch {
    return { errors: () => [sentence('BODY_NOT_UTF8')] }
  }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** Returns undefined if the body is not JSON. Parameters as in `parseAnnounce`. */
export function parseBody(body: Buffer, previous: AnnouncedState | undefined, allowsPrivate: boolean): ParseResult | undefined {
  const json = parseJson(body)
  if (json === undefined || 'errors' in json) return json
  keepHiddenClass('announce', json.value)
  return parseAnnounce(json.value, previous, allowsPrivate)
}

/** Returns undefined if the body is neither empty nor JSON. */
export function parseGoodbye(body: Buffer): Goodbye | Invalid | undefined {
  if (body.length === 0) return {}
  const json = parseJson(body)
  if (json === undefined || 'errors' in json) return json
  const { value } = json
  const parsed = LeaveBody.safeParse(value)
  if (parsed.success) return parsed.data
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value)
  return { errors: () => (isObject ? mistakesIn(LeaveBody, value) : [sentence('BODY_NOT_OBJECT')]) }
}

/** @param previous the server's last accepted announce. @param allowsPrivate whether hosts may be outside the public internet. */
export function parseAnnounce(value: unknown, previous: AnnouncedState | undefined, allowsPrivate: boolean): ParseResult {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return { errors: () => [sentence('ANNOUNCE_NOT_OBJECT')] }
  }
  const body = value as Readonly<Record<string, unknown>>
  return isPlain(body, previous) ? toParsedAnnounce(body, previous) : parseBySchema(body, previous, allowsPrivate)
}

function isPlain(body: Readonly<Record<string, unknown>>, previous: AnnouncedState | undefined): body is typeof body & AnnounceBody {
  return hasPlainNumbers(body) && hasPlainTexts(body, previous) && hasPlainExtras(body, previous)
}

function hasPlainNumbers(body: Readonly<Record<string, unknown>>): boolean {
  return (
    isCount(body.port, 1, 65_535) &&
    isCount(body.playersCount, 0, 4096) &&
    isCount(body.maxPlayersCount, 1, 4096) &&
    (body.queueCount === undefined || isCount(body.queueCount, 0, 65_535)) &&
    body.passworded !== undefined &&
    isFlag(body.passworded)
  )
}

function hasPlainTexts(body: Readonly<Record<string, unknown>>, previous: AnnouncedState | undefined): boolean {
  const setup = previous?.setup
  return (
    isWord(body.version, setup?.version) &&
    body.version !== '' &&
    isWord(body.branch, setup?.branch) &&
    body.branch !== '' &&
    (body.gameMode === undefined || isWord(body.gameMode, setup?.gameMode)) &&
    isPlainHost(body.host)
  )
}

function hasPlainExtras(body: Readonly<Record<string, unknown>>, previous: AnnouncedState | undefined): boolean {
  return (
    isFlag(body.useVoiceChat) &&
    isFlag(body.useEarlyAuth) &&
    isFlag(body.useCdn) &&
    isEmptyOrPreviousUrl(body.earlyAuthUrl, previous?.setup.earlyAuthUrl) &&
    isEmptyOrPreviousUrl(body.cdnUrl, previous?.setup.cdnUrl)
  )
}

function parseBySchema(body: Readonly<Record<string, unknown>>, previous: AnnouncedState | undefined, allowsPrivate: boolean): ParseResult {
  const parsed = AnnounceBody.safeParse(body)
  if (parsed.success) {
    const fields = allowsPrivate ? [] : privateHosts(parsed.data)
    if (fields.length === 0) return toParsedAnnounce(parsed.data, previous)
    return { errors: () => fields.map((field) => sentence('ANNOUNCE_HOST_NOT_PUBLIC', { field })) }
  }
  return { errors: () => mistakesIn(AnnounceBody, body) }
}

/** The schema renders its sentences while it parses, so each language needs its own run. */
function mistakesIn(schema: z.ZodType, body: unknown): string[] {
  const { error } = schema.safeParse(body)
  const sentences = error?.issues.map((issue) => {
    const name = issue.path.join('.')
    return issue.message.startsWith(name) ? issue.message : `${name}: ${issue.message}`
  })
  return [...new Set(sentences)]
}

/** The fields that would lead players to their own network, or to ours. */
function privateHosts({ cdnUrl = '', earlyAuthUrl = '', host = '' }: AnnounceBody): string[] {
  const urls = { cdnUrl, earlyAuthUrl, host: host === '' ? '' : urlOfHost(host) }
  return Object.entries(urls)
    .filter(([, url]) => url !== '' && !isPublicHost(new URL(url).hostname))
    .map(([field]) => field)
}

/** Reserved slots explain so many players above the slots. More is a finding. */
const MAX_RESERVED = { players: 5, share: 0.1 } as const

function toParsedAnnounce(body: AnnounceBody, previous: AnnouncedState | undefined): ParsedAnnounce {
  const { playersCount, maxPlayersCount, earlyAuthUrl = '', cdnUrl = '' } = body
  const wantsCdn = body.useCdn === true
  const wantsEarlyAuth = body.useEarlyAuth === true
  const excess = playersCount - maxPlayersCount
  const setup: AnnouncedSetup = {
    passworded: body.passworded,
    version: body.version,
    branch: body.branch,
    gameMode: body.gameMode ?? '',
    useVoiceChat: body.useVoiceChat === true,
    useEarlyAuth: wantsEarlyAuth && earlyAuthUrl !== '',
    earlyAuthUrl,
    useCdn: wantsCdn && cdnUrl !== '',
    cdnUrl,
  }
  const announced: AnnouncedState = {
    port: body.port,
    playersCount: Math.min(playersCount, maxPlayersCount),
    isFarAboveSlots: excess > MAX_RESERVED.players && excess > maxPlayersCount * MAX_RESERVED.share,
    maxPlayersCount,
    queueCount: body.queueCount ?? 0,
    setup: sharedSetup(setup, previous?.setup),
  }
  const isUnchanged = excess <= 0 && setup.useCdn === wantsCdn && setup.useEarlyAuth === wantsEarlyAuth
  return {
    announced,
    notices: isUnchanged ? NO_NOTICES : noticesFor(announced, excess > 0, wantsCdn, wantsEarlyAuth),
    announcedPlayers: playersCount,
  }
}

function noticesFor({ setup }: AnnouncedState, isAboveSlots: boolean, wantsCdn: boolean, wantsEarlyAuth: boolean): NoticeCode[] {
  const notices: NoticeCode[] = []
  if (isAboveSlots) notices.push('PLAYERS_ABOVE_SLOTS')
  if (wantsCdn && setup.cdnUrl === '') notices.push('CDN_URL_MISSING')
  if (wantsEarlyAuth && setup.earlyAuthUrl === '') notices.push('EARLY_AUTH_URL_MISSING')
  return notices
}
