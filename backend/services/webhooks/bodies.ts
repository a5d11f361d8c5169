/** What receivers get: the envelope of an event, or a message for a Discord channel. */
import { m } from '#api-messages'
import type { Tone } from '#contract/events/events.ts'
import { PUBLIC_EVENTS, type PublicEventType, TEST_EVENT_TYPE } from '#contract/events/public-events.ts'
import { ISSUES, type IssueKind } from '#contract/protection/issue-kinds.ts'
import { DEFAULT_LANGUAGE, type Language } from '#contract/text/panel-languages.ts'
import type { Env } from '#backend/platform/env.ts'
import { currentLanguage, runInLanguage } from '#backend/platform/messages/language.ts'

/** Events that no user can choose. */
const OTHER_EVENTS = {
  [TEST_EVENT_TYPE]: { title: () => m.event_webhook_test(), description: () => m.event_webhook_test_description(), severity: 'info' },
  'operator.issue_opened': {
    title: () => m.event_operator_issue_opened(),
    description: () => m.event_operator_issue_opened_description(),
    severity: 'warn',
  },
  'operator.server_reported': {
    title: () => m.audit_server_reported(),
    description: () => m.audit_server_reported(),
    severity: 'warn',
  },
  'operator.job_failed': {
    title: () => m.event_operator_job_failed(),
    description: () => m.event_operator_job_failed_description(),
    severity: 'danger',
  },
} as const

interface SentEvent {
  readonly id: string
  readonly type: PublicEventType | keyof typeof OTHER_EVENTS
  readonly at: Date
  readonly server?: { readonly public_id: string; readonly name: string }
  /** Where the server's link leads instead of the owner's page, as a path of the panel. */
  readonly path?: string
  readonly data?: Readonly<Record<string, unknown>>
}

export type PanelAddress = Pick<Env, 'PUBLIC_URL' | 'PORT'>

export const panelUrlOf = ({ PUBLIC_URL: url, PORT: port }: PanelAddress) => url ?? `http://localhost:${port}`

/** Why a server is offline, in one sentence: on purpose, or silent for how long. Empty if that is unknown. */
export function offlineText({ silent_seconds: seconds, on_purpose: isOnPurpose }: NonNullable<SentEvent['data']> = {}): string {
  if (isOnPurpose === true) return m.notification_left()
  if (typeof seconds !== 'number') return ''
  const [divisor, unit] = UNITS.find(([length]) => seconds >= length) ?? [1, 'second']
  const format = new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit, unitDisplay: 'long' })
  return m.notification_silent_for({ duration: format.format(Math.floor(seconds / divisor)) })
}

/** In seconds. */
const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const

const COLOURS: Readonly<Record<Tone, number>> = { ok: 0x2f_9e_5b, info: 0x3b_82_f6, warn: 0xe0_a1_00, danger: 0xd6_3b_3b }

/** @param language of a Discord message. An envelope has codes, and its summary is English. */
export function bodyFor(kind: string, env: PanelAddress, event: SentEvent, language: Language = DEFAULT_LANGUAGE): string {
  return JSON.stringify(kind === 'discord' ? runInLanguage(language, () => messageOf(env, event)) : envelopeOf(env, event))
}

function envelopeOf(env: PanelAddress, event: SentEvent) {
  const { id, type, at, server, data } = event
  return {
    id,
    type,
    timestamp: at.toISOString(),
    data: { ...(server && { server: { public_id: server.public_id, name: server.name, url: urlOf(env, event) } }), ...data },
  }
}

/** One embed. Nobody is mentioned, whatever the server's name is. */
function messageOf(env: PanelAddress, event: SentEvent) {
  const { type, at, server, data } = event
  const { title, description, severity } = { ...PUBLIC_EVENTS, ...OTHER_EVENTS }[type]
  return {
    embeds: [
      {
        title: title(),
        description: escapeMarkdown(summaryOf(data) || description()),
        color: COLOURS[severity],
        url: urlOf(env, event),
        timestamp: at.toISOString(),
        ...(server && { fields: [{ name: m.embed_server(), value: escapeMarkdown(server.name) }] }),
      },
    ],
    allowed_mentions: { parse: [] },
  }
}

/** A summary of the data, more specific than the description of the type. In the language of the message. */
function summaryOf(data: SentEvent['data']): string {
  const issue = ISSUES[data?.['kind'] as IssueKind] as (typeof ISSUES)[IssueKind] | undefined
  if (issue !== undefined) return issue.name()
  return typeof data?.['summary'] === 'string' ? data['summary'] : offlineText(data)
}

function urlOf(env: PanelAddress, { server, path }: Pick<SentEvent, 'server' | 'path'>): string {
  return `${panelUrlOf(env)}${path ?? (server === undefined ? '' : `/servers/${server.public_id}`)}`
}

const escapeMarkdown = (text: string) => text.replaceAll(/[\\*_~`|>[\]()#@:<-]/g, String.raw`\$&`)
