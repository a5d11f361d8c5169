/** Webhooks of payment providers, which decide the tiers of supporters. */
import { z } from 'zod'
import { endpoint } from '#contract/api/endpoint.ts'
import { ProviderParam } from '#contract/api/path-params.ts'

export const webhook = endpoint('POST /api/supporters/{provider}', {
  summary: 'Receive a webhook about a supporter',
  description:
    'A membership started, changed or ended. The provider signs the bytes of the body. A repeated delivery never gives a tier, and can end one only once.',
  access: 'public',
  accepts: 'signed',
  requestHeaders: z.object({
    'X-Patreon-Signature': z.string().describe('HMAC-MD5 of the body with the secret of the webhook, in hexadecimal.'),
    'X-Patreon-Event': z.string().describe('What happened, such as `members:pledge:create`. Other events are ignored.'),
  }),
  documentedBody: z.looseObject({
    data: z.looseObject({ type: z.literal('member'), id: z.string() }).describe('The membership, as JSON:API.'),
  }),
  rejections: { 403: 'The signature does not match the body.', 404: 'This provider is not configured.', 503: 'Temporarily unavailable.' },
  params: { provider: ProviderParam },
})
