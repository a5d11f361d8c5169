/** The server names the host that players connect to, and how the list can probe it. */
import { accepted, acceptedWith, rejected } from '../answers.ts'
import type { Scenario } from '../scenario.ts'

/** Three announces of the same endpoint. */
const named = (name: string, about: string, endpoint: Pick<Scenario, 'host' | 'probe'>): Scenario => ({
  name,
  about,
  needs: ['endpoint'],
  answers: [accepted(2)],
  announces: 3,
  ...endpoint,
  seconds: 6,
})

const noticed = (code: string, about: string): Scenario => ({
  ...named(code.toLowerCase().replaceAll('_', '-'), about, { host: 'play.example.com' }),
  answers: [accepted(2), acceptedWith([{ code, message: `Message of the notice ${code}.` }], false)],
})

export const ENDPOINTS: readonly Scenario[] = [
  named('host-name', 'MUSTER_HOST is a name, in mixed case.', { host: 'Play.Example.com' }),
  named('host-ipv4', 'MUSTER_HOST is an IPv4 address.', { host: '203.0.113.7' }),
  named('host-ipv6', 'MUSTER_HOST is an IPv6 address.', { host: '2001:db8::7' }),
  named('probe-tcp', 'MUSTER_PROBE is tcp, without a host.', { probe: 'tcp' }),
  named('probe-udp', 'MUSTER_PROBE is udp, with a host.', { probe: 'udp', host: 'play.example.com' }),
  named('probe-none', 'MUSTER_PROBE is none.', { probe: 'none' }),
  noticed('ENDPOINT_UNPROVEN', 'The list could not prove the named host.'),
  noticed('DUPLICATE_ADDRESS', 'Another server has the same endpoint.'),
  noticed('PRIVATE_ADDRESS', 'The announce comes from a private address.'),
  {
    ...named('host-rejected', 'The list rejects the named host.', { host: 'play.example.com' }),
    answers: [rejected(400, 'BODY_INVALID')],
    announces: 1,
    watchSeconds: 5,
  },
]
