/** A guarded client for which the test host is the whole public internet, and the URLs that no client may request. */
import { expect } from 'vitest'
import { CERTIFICATE, PUBLIC_ADDRESS } from './https-host.ts'
import { type GuardedOptions, createFetchPublic } from '#backend/platform/outbound/guarded-client.ts'

export const TYPES = ['application/rss+xml', 'application/json']

export function clientOf(port: number, options: GuardedOptions = {}) {
  return createFetchPublic({
    resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
    isAllowed: (address) => address === PUBLIC_ADDRESS,
    port,
    ca: CERTIFICATE,
    ...options,
  })
}

export const errorOf = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'nothing was rejected',
    (error: unknown) => {
      expect(error).toMatchObject({ name: 'AppError', kind: 'invalid' })
      return (error as Error).message
    },
  )

export const TOO_SLOW = 'This address did not send a complete answer within 1 second.'

export const NOT_PUBLIC = 'This address is not on the public internet.'
export const REJECTED_URLS: readonly (readonly [string, string])[] = [
  ...[
    'https://127.0.0.1/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://0x7f.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://%31%32%37.0.0.1/',
    'https://127。0。0。1/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://localhost../',
    'https://a.localhost/',
    'https://a.b.localhost./',
    'https://localhost.localdomain/',
    'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
    'https://①②⑦.⓪.⓪.①/',
    'https://⑯⑨.②⑤④.①⑥⑨.254/',
    'https://①⑥⑨.②⑤④.①⑥⑨.②⑤④/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0xa9fea9fe/',
    'https://metadata/',
    'https://metadata.google.internal/',
    'https://instance-data.ec2.internal/',
    'https://router.home.arpa/',
    'https://nas.local/',
    'https://database/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::]/',
    'https://0.0.0.0/',
    'https://0/',
    'https://100.64.0.1/',
    'https://100.100.100.200/',
    'https://168.63.129.16/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.0.1/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[fe80::1]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[ff02::1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://[64:ff9b:1::127.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://[2002:a00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[2001:db8::1]/',
  ].map((url) => [url, NOT_PUBLIC] as const),
  ['https://[fe80::1%25eth0]/', 'This is not a web address.'],
  ['https://[::1', 'This is not a web address.'],
  ['https://127.0.0.256/', 'This is not a web address.'],
  ['', 'This is not a web address.'],
  ['feeds.example', 'This is not a web address.'],
  ['https://feeds.example:8443/', 'The address must not contain a port: only the default HTTPS port is allowed.'],
  ['https://feeds.example:80/', 'The address must not contain a port: only the default HTTPS port is allowed.'],
  ['https://user@feeds.example/', 'The address must not contain a username or a password.'],
  ['https://user:password@feeds.example/', 'The address must not contain a username or a password.'],
  ['https://:password@feeds.example/', 'The address must not contain a username or a password.'],
  ['https://feeds.example@127.0.0.1/', 'The address must not contain a username or a password.'],
  ...['http://⑯⑨.254.①⑥⑨.254/', 'http://feeds.example/', 'ftp://feeds.example/', 'file:///etc/passwd', 'data:text/xml,<rss/>'].map(
    (url) => [url, 'The address must begin with https://.'] as const,
  ),
  ['gopher://127.0.0.1/', 'The address must begin with https://.'],
]
