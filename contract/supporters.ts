/** Webhooks of payment providers, which decide the tiers of supporters. */
import { endpoint } from './endpoint.ts'

export const webhook = endpoint('POST /api/supporters/{provider}', {
  summary:
    "Receives changes of a supporter's tier. The provider signs the exact bytes of the body (Patreon: `X-Patreon-Signature`, HMAC-MD5). " +
    'A repeated delivery changes nothing.',
  access: 'public',
  accepts: 'signed',
  envelope: 'none',
  rejections: { 403: 'The signature does not match the body.', 404: 'This provider is not configured.' },
})
