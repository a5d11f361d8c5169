/** What receivers get: the envelope of an event, or a message for a Discord channel. */
import type { Tone } from '#contract/events.ts'
import { PUBLIC_EVENTS, type PublicEventType, TEST_EVENT_TYPE } from '#contract/public-events.ts'
import type { Env } from '#backend/platform/env.ts'

interface SentEvent {
  readonly id: string
  readonly type: PublicEventType | typeof TEST_EVENT_TYPE
  readonly at: Date
  readonly server?: { readonly public_id: string; readonly name: string }
  readonly data?: Readonly<Record<string, unknown>>
}

type LinkEnv = Pick<Env, 'PUBLIC_URL' | 'PORT'>

const panelOf = ({ PUBLIC_URL: url, PORT: port }: LinkEnv) => url ?? `http://localhost:${port}`

const TEST = {
  title: 'Test',
  description: 'This webhook works.',
  severity: 'info',
} as const

const COLOURS: Readonly<Record<Tone, number>> = { ok: 0x2f_9e_5b, info: 0x3b_82_f6, warn: 0xe0_a1_00, danger: 0xd6_3b_3b }

export function bodyFor(kind: string, env: LinkEnv, event: SentEvent): string {
  return JSON.stringify(kind === 'discord' ? messageOf(env, event) : envelopeOf(env, event))
}

function envelopeOf(env: LinkEnv, { id, type, at, server, data }: SentEvent) {
  return {
    id,
    type,
    timestamp: at.toISOString(),
    data: { ...(server && { server: { public_id: server.public_id, name: server.name, url: urlOf(env, server) } }), ...data },
  }
}

/** One embed. Nobody is mentioned, whatever the server's name is. */
function messageOf(env: LinkEnv, { type, at, server, data }: SentEvent) {
  const { title, description, severity } = type === TEST_EVENT_TYPE ? TEST : PUBLIC_EVENTS[type]
  const summary = typeof data?.['summary'] === 'string' ? data['summary'] : description
  return {
    embeds: [
      {
        title,
        description: escapeMarkdown(summary),
        color: COLOURS[severity],
        url: server === undefined ? panelOf(env) : urlOf(env, server),
        timestamp: at.toISOString(),
        ...(server && { fields: [{ name: 'Server', value: escapeMarkdown(server.name) }] }),
      },
    ],
    allowed_mentions: { parse: [] },
  }
}

const urlOf = (env: LinkEnv, { public_id: publicId }: { readonly public_id: string }) => `${panelOf(env)}/servers/${publicId}`

const escapeMarkdown = (text: string) => text.replaceAll(/[\\*_~`|>[\]()#@:<-]/g, String.raw`\$&`)
