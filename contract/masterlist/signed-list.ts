/** The signed list, which mirrors can serve too. docs/mirrors.md says how readers verify it. */
import { z } from 'zod'
import { endpoint } from '#contract/api/endpoint.ts'
import { ListedServer } from './masterlist.ts'

const Sha256Param = z.string().describe('The SHA-256 of the chunk, 64 digits of 0-9a-f.')

const signed = { access: 'public', replyHeaders: ['ETag'] } as const

export const head = endpoint('GET /signed/head', {
  summary: 'Read the head of the signed list',
  description:
    'A note (c2sp.org/signed-note) whose text is one line of JSON: `version` (milliseconds since 1970, always rising), `time`, `expires`, `chunks` (`sha256` and `bytes` of each, in order), `mirrors` and `audit` (null).',
  ...signed,
  envelope: 'text',
  reply: z.string(),
  codes: ['NOT_SIGNED', 'SIGNING_KEY_ENDED', 'TOO_MANY_REQUESTS', 'TOO_MANY_UNREAD', 'UNAVAILABLE'],
})

export const keys = endpoint('GET /signed/keys', {
  summary: 'Read the keys of the signed list',
  description:
    'Notes whose text is one line of JSON: `version`, `time`, `root`, and the online `keys`, each with `from` and `until`. Each note is signed by its `root`, and by the root of the note before it.',
  ...signed,
  envelope: 'text',
  reply: z.string(),
  codes: ['NOT_SIGNED', 'TOO_MANY_REQUESTS', 'TOO_MANY_UNREAD'],
})

export const chunk = endpoint('GET /signed/chunks/{sha256}', {
  summary: 'Read a chunk of the signed list',
  description:
    'Rows as in `GET /servers`, ascending by `publicId`. All chunks of a head, in its order, are the list. A chunk never changes. It stays readable for two minutes after it left the head, unless many follow.',
  ...signed,
  params: { sha256: Sha256Param },
  reply: z.array(ListedServer),
  codes: ['NOT_SIGNED', 'NO_SUCH_CHUNK', 'TOO_MANY_REQUESTS', 'TOO_MANY_UNREAD', 'UNAVAILABLE'],
})
