/** Which addresses count as public. The networks are IANA's; each is tested at its first and last address. */
import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'

const SPECIAL = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.175.48.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** An IPv4 address as two hexadecimal groups of IPv6. */
function groupsOf(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(address).toByteArray()
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
}

const edges = SPECIAL.flatMap((network) => [
  ipaddr.IPv4.networkAddressFromCIDR(network).toString(),
  ipaddr.IPv4.broadcastAddressFromCIDR(network).toString(),
])

test.each(edges)('%s is not public, in any IPv6 form', (address) => {
  expect(isPublicAddress(address)).toBe(false)
  const groups = groupsOf(address)
  const forms = [
    `::ffff:${address}`,
    `::ffff:${groups}`,
    `::${groups}`,
    `::ffff:0:${groups}`,
    `64:ff9b::${groups}`,
    `64:ff9b:1::${groups}`,
    `64:ff9b:1:${groups.split(':')[0]}:0:${groups.split(':')[1]}::`,
    `2002:${groups}::1`,
    `2001:0:${groups}:0:0:0:1`,
    `2001::${groups}`,
  ]
  for (const form of forms) expect(isPublicAddress(form), form).toBe(false)
})

test.each([
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  '2606:4700::1111%eth0',
  'febf::1',
  'fec0::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '100::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2001:1ff::1',
  '2620:4f:8000::1',
  '100:0:0:1::1',
  '3fff::1',
  '5f00::1',
  '4000::1',
  'e000::1',
  '2002:808:808::1',
  '168.63.129.16',
  '100.100.100.200',
  '169.254.169.254',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['localhost', '', '127.1', '0x7f.0.0.1', '2130706433', '0177.0.0.1', '08.8.8.8', '[::1]', '1.2.3.4.5', 'example.com'])(
  '"%s" is not an address',
  (text) => {
    expect(isPublicAddress(text)).toBe(false)
  },
)

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '172.32.0.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450::1',
  '::ffff:8.8.8.8',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test('public IPv4 addresses behind NAT64 are public', () => {
  expect(isPublicAddress('64:ff9b::808:808')).toBe(true)
})
