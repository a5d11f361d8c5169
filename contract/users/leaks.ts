/** Reports of leaked secrets, in the format of GitHub's secret scanning partner programme (docs.github.com, "Secret scanning partner program"). */
import { z } from 'zod'
import { endpoint } from '#contract/api/endpoint.ts'

/** Secrets in one signed report. */
export const MAX_REPORTED = 1000

/** Only the secret itself is required. Other fields that are missing or odd are empty, and unknown ones are ignored. */
export const Leak = z.object({
  token: z.string().max(2000),
  type: z.string().max(200).catch(''),
  url: z.string().max(2000).catch('').describe('Where it was found. May be empty.'),
  source: z.string().max(200).catch('').describe('The kind of place, such as `content` or `issue_comment`.'),
})
export type Leak = z.output<typeof Leak>

export const report = endpoint('POST /api/leaks', {
  summary: 'Report leaked secrets',
  description:
    "For secret scanners, in the format of GitHub's secret scanning partner programme. A working credential of a server or API key is " +
    'revoked at once, and its owner sees where it was found. If the operator has set `LEAK_REPORT_PUBLIC_KEYS`, the report must be signed. ' +
    'Otherwise an address can report 60 secrets an hour. An entry without a usable `token` is answered `false_positive`.',
  access: 'public',
  limits: ['leaks'],
  accepts: 'signed',
  requestHeaders: z.object({
    'GitHub-Public-Key-Identifier': z.string().optional().describe('The SHA-256 of the public key, in hexadecimal.'),
    'GitHub-Public-Key-Signature': z.string().optional().describe('ECDSA P-256 with SHA-256 of the body, in Base64.'),
  }),
  documentedBody: z.array(Leak).min(1).max(MAX_REPORTED),
  envelope: 'bare',
  reply: z.array(
    z.object({
      token_hash: z.string().describe('The SHA-256 of the secret, in hexadecimal. Empty if `token` is not text.'),
      token_type: z.string().describe('`type` of the report, or empty.'),
      label: z.enum(['true_positive', 'false_positive']).describe('Whether Muster issued this secret.'),
    }),
  ),
  rejections: { 403: 'The signature does not match the body.', 503: 'Temporarily unavailable.' },
})
