/** Where supporters come from: signed notices of the service that takes their money. */
import { endpoint } from './endpoint.ts'

export const webhook = endpoint('POST /api/supporters/{provider}', {
  summary:
    "A supporter's tier began, changed or ended. Signed by the provider over the exact bytes of the body (Patreon: `X-Patreon-Signature`, HMAC-MD5). " +
    'The same notice again changes nothing.',
  access: 'public',
  accepts: 'signed',
  envelope: 'none',
  rejections: { 403: 'The signature does not fit the body.', 404: 'Nobody has set this provider up.' },
})
