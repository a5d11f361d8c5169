/** How players reach a game server: its source addresses, the endpoint that it names, and what the list could prove. */
import { z } from 'zod'
import { endpoint } from '#contract/api/endpoint.ts'
import { PublicIdParam } from '#contract/api/path-params.ts'
import { PROBES, PROOF_FAILURES } from './probes.ts'

const Time = z.iso.datetime()
const FAILURES = ['', ...PROOF_FAILURES] as const

export const ServerEndpoint = z
  .object({
    address: z.string().describe('What the list shows: `host:port`, `ip:port`, or the URL of a CDN.'),
    addresses: z.array(z.string()).describe('Every `ip:port` that the list shows.'),
    sources: z.array(z.string()).describe('The addresses that the server announces from, IPv4 first.'),
    host: z.string().describe('The host that the server names. Empty if it names none.'),
    port: z.int(),
    probe: z.enum(['', ...PROBES]).describe('How the server says that the list can probe it. Empty if it does not.'),
    state: z
      .enum(['source', 'proven', 'unproven'])
      .describe(
        '`source`: the server names no host, or its own address. `proven`: it answered at its host. `unproven`: not yet, or no longer.',
      ),
    proven_at: Time.nullable().describe('When it last answered.'),
    failure: z.enum(FAILURES).describe('Why the newest attempt failed. Empty if it did not.'),
    failed_at: Time.nullable().describe('Since when attempts have failed in this way. Null if the newest one did not fail.'),
  })
  .meta({ id: 'ServerEndpoint' })
export type ServerEndpoint = z.output<typeof ServerEndpoint>

/** Event `endpoint_test` of the panel's stream: one step of a test, as it happens. */
export const EndpointTestEvent = z
  .object({
    public_id: z.string(),
    step: z
      .enum(['wait', 'resolve', 'ask', 'answer', 'done'])
      .describe(
        '`wait`: the server was probed a moment ago. `resolve`: the addresses of the name. `ask`, `answer`: one address. `done`: the last step.',
      ),
    addresses: z.array(z.string()).describe('With `resolve`: the public ones, at most four.'),
    address: z.string().describe('With `ask` and `answer`.'),
    result: z
      .enum(['', 'answered', 'inconclusive', ...PROOF_FAILURES])
      .describe('With `resolve`, `answer` and `done`. `inconclusive`: the list itself could not probe. Empty if `resolve` succeeded.'),
    seconds: z.int().describe('With `wait`: how long.'),
  })
  .meta({ id: 'EndpointTestEvent' })
export type EndpointTestEvent = z.output<typeof EndpointTestEvent>

const ofServer = {
  access: 'member',
  rejections: { 404: 'No such server, or it is not yours.' },
  params: { id: PublicIdParam },
} as const

export const get = endpoint('GET /api/users/tokens/{id}/endpoint', {
  summary: 'See how players reach a server',
  description: 'For the owner and their managers. Null before the first announce.',
  ...ofServer,
  scope: 'servers:read',
  reply: ServerEndpoint.nullable(),
})

export const test = endpoint('POST /api/users/tokens/{id}/endpoint/test', {
  summary: 'Test whether players reach a server',
  description:
    'The list probes the server now. The steps come as `endpoint_test` events of `GET /api/users/tokens/events`. If the server names a host, the result counts like any other probe. For the owner and their managers.',
  ...ofServer,
  scope: 'servers:write',
  limits: ['endpoint-tests'],
})
