/** Reports of leaked secrets, in the format of GitHub's secret scanning partner programme (docs.github.com, "Secret scanning partner program"). */
import { z } from 'zod'
import * as m from './messages.ts'
import { endpoint } from './endpoint.ts'

/** Secrets in one report. */
const MAX_REPORTED = 1000

/** Scanners may add fields, so unknown ones are ignored. */
const Leak = z.object({
  token: z.string({ error: m.mustBeText('token') }).max(2000, m.isTooLong('token', 2000)),
  type: z
    .string({ error: m.mustBeText('type') })
    .max(200, m.isTooLong('type', 200))
    .default(''),
  url: z
    .string({ error: m.mustBeText('url') })
    .max(2000, m.isTooLong('url', 2000))
    .default('')
    .describe('Where it was found. May be empty.'),
  source: z
    .string({ error: m.mustBeText('source') })
    .max(200, m.isTooLong('source', 200))
    .default('')
    .describe('The kind of place, such as `content` or `issue_comment`.'),
})
export type Leak = z.output<typeof Leak>

export const LeakReport = z
  .array(Leak, { error: m.LEAKS_NOT_LIST })
  .min(1, m.LEAKS_NOT_LIST)
  .max(MAX_REPORTED, m.namesTooMany('The report', MAX_REPORTED, 'secrets'))

export const report = endpoint('POST /api/leaks', {
  summary: 'Report leaked secrets',
  description:
    "For secret scanners, in the format of GitHub's secret scanning partner programme. A working credential of a server or API key is " +
    'revoked at once, and its owner sees where it was found. If the operator has set `LEAK_REPORT_PUBLIC_KEYS`, the report must be signed. ' +
    'Otherwise an address can report 60 secrets an hour.',
  access: 'public',
  accepts: 'signed',
  requestHeaders: z.object({
    'GitHub-Public-Key-Identifier': z.string().optional().describe('The SHA-256 of the public key, in hexadecimal.'),
    'GitHub-Public-Key-Signature': z.string().optional().describe('ECDSA P-256 with SHA-256 of the body, in Base64.'),
  }),
  documentedBody: LeakReport,
  envelope: 'bare',
  reply: z.array(
    z.object({
      token_hash: z.string().describe('The SHA-256 of the secret, in hexadecimal.'),
      token_type: z.string().describe('`type` of the report.'),
      label: z.enum(['true_positive', 'false_positive']).describe('Whether Muster issued this secret.'),
    }),
  ),
  rejections: { 403: 'The signature does not match the body.', 503: 'Temporarily unavailable.' },
})
