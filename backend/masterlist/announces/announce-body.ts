/** Parses the bodies of announces and goodbyes. */
import type { z } from 'zod'
import { AnnounceBody, LeaveBody } from '#contract/masterlist/masterlist.ts'
import { urlOfHost } from '#contract/servers/host-fields.ts'
import type { NoticeCode } from '#backend/masterlist/registry/reasons.ts'
import type { AnnouncedState } from '#backend/masterlist/registry/server-record.ts'
import type { Sentences } from '#backend/masterlist/wire/reply.ts'
import { isPublicHost } from '#backend/platform/outbound/public-address.ts'
import { decodeUtf8 } from '#backend/platform/http/utf8.ts'
import { sentence } from '#backend/platform/messages/sentence.ts'

export interface ParsedAnnounce {
  readonly announced: AnnouncedState
  readonly notices: readonly NoticeCode[]
  /** The announced number of players, which `announced` clamps to the slots. */
  readonly announcedPlayers: number
}

interface Invalid {
  readonly errors: Sentences
}

/** Reserved slots explain so many players above the slots. More is a finding. */
const MAX_RESERVED = { players: 5, share: 0.1 } as const

/** Returns undefined if the body is not JSON. @param allowsPrivate whether hosts may be outside the public internet. */
export function parseAnnounce(body: Buffer, allowsPrivate: boolean): ParsedAnnounce | Invalid | undefined {
  const json = parseJson(body)
  if (json === undefined || 'errors' in json) return json
  const parsed = AnnounceBody.safeParse(json.value)
  if (!parsed.success)
    return { errors: () => (isObject(json.value) ? mistakesIn(AnnounceBody, json.value) : [sentence('ANNOUNCE_NOT_OBJECT')]) }
  const hidden = allowsPrivate ? [] : privateHosts(parsed.data)
  if (hidden.length > 0) return { errors: () => hidden.map((field) => sentence('ANNOUNCE_HOST_NOT_PUBLIC', { field })) }
  return { announced: announcedStateOf(parsed.data), notices: noticesFor(parsed.data), announcedPlayers: parsed.data.playersCount }
}

/** Returns undefined if the body is neither empty nor JSON. */
export function parseGoodbye(body: Buffer): z.output<typeof LeaveBody> | Invalid | undefined {
  if (body.length === 0) return {}
  const json = parseJson(body)
  if (json === undefined || 'errors' in json) return json
  const parsed = LeaveBody.safeParse(json.value)
  if (parsed.success) return parsed.data
  return { errors: () => (isObject(json.value) ? mistakesIn(LeaveBody, json.value) : [sentence('BODY_NOT_OBJECT')]) }
}

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

const isObject = (value: unknown) => value !== null && typeof value === 'object' && !Array.isArray(value)

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
function privateHosts({ cdnUrl, earlyAuthUrl, host }: AnnounceBody): string[] {
  const urls = { cdnUrl, earlyAuthUrl, host: host ? urlOfHost(host) : '' }
  return Object.entries(urls)
    .filter(([, url]) => url && !isPublicHost(new URL(url).hostname))
    .map(([field]) => field)
}

function announcedStateOf(body: AnnounceBody): AnnouncedState {
  const { port, playersCount, maxPlayersCount, passworded, version, branch } = body
  const [earlyAuthUrl, cdnUrl] = [body.earlyAuthUrl ?? '', body.cdnUrl ?? '']
  const excess = playersCount - maxPlayersCount
  return {
    port,
    host: hostNameOf(body.host ?? ''),
    probe: body.probe ?? '',
    playersCount: Math.min(playersCount, maxPlayersCount),
    isFarAboveSlots: excess > MAX_RESERVED.players && excess > maxPlayersCount * MAX_RESERVED.share,
    maxPlayersCount,
    queueCount: body.queueCount ?? 0,
    passworded,
    version,
    branch,
    gameMode: body.gameMode ?? '',
    useVoiceChat: body.useVoiceChat === true,
    useEarlyAuth: body.useEarlyAuth === true && earlyAuthUrl !== '',
    earlyAuthUrl,
    useCdn: body.useCdn === true && cdnUrl !== '',
    cdnUrl,
  }
}

/** A name in lower case and ASCII, or an address, without a port: `port` counts. */
const hostNameOf = (host: string) => (host === '' ? '' : new URL(urlOfHost(host)).hostname.replaceAll(/^\[|\]$|\.+$/g, ''))

function noticesFor({ playersCount, maxPlayersCount, useCdn, cdnUrl, useEarlyAuth, earlyAuthUrl }: AnnounceBody): NoticeCode[] {
  const notices: NoticeCode[] = []
  if (playersCount > maxPlayersCount) notices.push('PLAYERS_ABOVE_SLOTS')
  if (useCdn === true && !cdnUrl) notices.push('CDN_URL_MISSING')
  if (useEarlyAuth === true && !earlyAuthUrl) notices.push('EARLY_AUTH_URL_MISSING')
  return notices
}
