/** What a request looks like to this installation. `muster doctor` checks the proxy in front with it. */
import { z } from 'zod'
import { endpoint } from '#contract/api/endpoint.ts'

export const Connection = z
  .object({
    address: z.string().describe("The caller's address, as limits and bound addresses see it."),
    protocol: z.string().describe('`http` or `https`.'),
    host: z.string().describe('The host that the caller asked for, with its port.'),
    forwarded: z
      .enum(['no', 'trusted', 'ignored'])
      .describe('Whether it has `X-Forwarded-For`. `ignored`: `TRUSTED_PROXIES` does not name the sender.'),
  })
  .meta({ id: 'Connection' })
export type Connection = z.output<typeof Connection>

const summary = 'See your own request as this listener sees it'
const description = 'To check a proxy in front.'

export const ofPanel = endpoint('GET /api/public/connection', { summary, description, access: 'public', reply: Connection })

export const ofList = endpoint('GET /connection', {
  summary,
  description,
  access: 'public',
  reply: Connection,
  codes: ['TOO_MANY_REQUESTS'],
})
