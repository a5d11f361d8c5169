import { expect, test } from 'vitest'
import { namedEndpoint } from './route.ts'

const named = (host: string) => namedEndpoint({ kind: 'tunnel', host, probe: 'udp' })

test.each([
  ['', 'nothing'],
  ['play.example.com:0', 'port 0'],
  ['play.example.com:65536', 'a port above 65535'],
  ['play.example.com:', 'an empty port'],
  ['https://play.example.com', 'a URL'],
  ['play.example.com/join', 'a path'],
  ['two words', 'a space'],
  ['$(reboot)', 'what a shell would run'],
  ["it's.example.com", 'a quote'],
  ['[2001:db8::7', 'an open bracket'],
])('%j is no host: it has %s', (host) => {
  expect(named(host)).toBeUndefined()
})

test.each([
  ['play.example.com', 'play.example.com', undefined],
  [' play.example.com:34567 ', 'play.example.com', 34567],
  ['203.0.113.9:7788', '203.0.113.9', 7788],
  ['2001:db8::7', '2001:db8::7', undefined],
  ['[2001:db8::7]:7788', '2001:db8::7', 7788],
  ['spiel.bücher.example', 'spiel.bücher.example', undefined],
])('%j names the host %j and the port %j', (text, host, port) => {
  expect(named(text)).toEqual({ host, port, probe: 'udp' })
})

test('a host counts only with a chosen protocol, because the list would probe it over the wrong one', () => {
  expect(namedEndpoint({ kind: 'tunnel', host: 'play.example.com', probe: '' })).toBeUndefined()
})

test('a host that was typed counts only while the choice is a tunnel', () => {
  expect(namedEndpoint({ kind: 'direct', host: 'play.example.com', probe: 'tcp' })).toBeUndefined()
  expect(namedEndpoint({ kind: 'unknown', host: 'play.example.com', probe: 'tcp' })).toBeUndefined()
})
