/** The list probes the server. */
import { accepted } from '../answers.ts'
import type { TcpProbe, UdpProbe } from '../probes.ts'
import type { Scenario } from '../scenario.ts'

const UDP: UdpProbe = { kind: 'udp', about: 'a UDP probe' }
const TCP: TcpProbe = { kind: 'tcp', about: 'a TCP probe' }

const overUdp = (name: string, about: string, more: Partial<Scenario> = {}): Scenario => ({
  name,
  about,
  needs: ['endpoint', 'udp'],
  answers: [accepted(30)],
  announces: 1,
  probe: 'udp',
  host: 'play.example.com',
  probes: [UDP],
  seconds: 7,
  ...more,
})

/** Datagrams that must not be answered, between two probes that must be. */
const unanswered = (name: string, about: string, ...wrong: readonly UdpProbe[]): Scenario =>
  overUdp(name, about, { probes: [UDP, ...wrong, UDP] })

const overTcp = (name: string, about: string, more: Partial<Scenario> = {}): Scenario => ({
  ...overUdp(name, about),
  needs: ['endpoint', 'tcp'],
  probe: 'tcp',
  probes: [TCP],
  ...more,
})

/** A probe that is cut, or extended with zeros. */
const ofLength = (bytes: number): UdpProbe => ({
  kind: 'udp',
  about: `a probe of ${bytes} bytes`,
  instead: (probe) => Buffer.concat([probe, Buffer.alloc(64)]).subarray(0, bytes),
})

const startingWith = (text: string): UdpProbe => ({
  kind: 'udp',
  about: `64 bytes that start with "${text}"`,
  instead: (probe) => Buffer.concat([Buffer.from(text), probe.subarray(text.length)]),
})

export const PROBES: readonly Scenario[] = [
  overUdp('udp-named', 'A UDP probe of a server with a named host.'),
  overUdp('udp-unnamed', 'A UDP probe of a server without a host.', { host: '' }),
  overUdp('udp-name-in-upper-case', 'The answer signs the name in lower case.', { host: 'PLAY.Example.com' }),
  overUdp('udp-ipv4', 'A UDP probe of a named IPv4 address.', { host: '203.0.113.7' }),
  overUdp('udp-ipv6', 'The answer signs an IPv6 address in brackets.', { host: '2001:db8::7' }),
  overUdp('udp-twice', 'Each answer signs the random bytes of its own probe.', { probes: [UDP, UDP, UDP] }),
  unanswered('udp-wrong-prefix', 'Datagrams of 64 bytes that are no probes.', startingWith('MUSTER2 '), startingWith('muster1 ')),
  unanswered('udp-wrong-length', 'Probes that are too short or too long.', ...[0, 8, 40, 63, 65, 128].map(ofLength)),
  unanswered('udp-echo', 'An answer that comes back.', { kind: 'udp', about: 'an answer', instead: (_probe, answer) => answer }),
  overTcp('tcp-named', 'A TCP probe, with the named host and the port as Host.'),
  overTcp('tcp-unnamed', 'A TCP probe of a server without a host.', { host: '' }),
  overTcp('tcp-ipv6', 'A TCP probe, with an IPv6 address in brackets as Host.', { host: '2001:db8::7' }),
  overTcp('tcp-other-server', 'A TCP probe of another server.', {
    probes: [TCP, { kind: 'tcp', about: 'a TCP probe of another server', wrong: 'public ID' }],
  }),
  overTcp('tcp-foreign-signature', 'A TCP probe that another list signed.', {
    needs: ['endpoint', 'tcp', 'signatures'],
    probes: [TCP, { kind: 'tcp', about: 'a TCP probe with a foreign signature', wrong: 'signature' }, TCP],
  }),
]
