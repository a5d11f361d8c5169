import fc from 'fast-check'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { announceByHand, serverToml } from './server-toml.ts'

const server = { name: 'N', game_mode: '', website: '', language: 'en', description: '', tags: [] as string[] }

test('whatever an owner typed, the block reads back as that', () => {
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 4 }), (name, description, tags) => {
      const block = parse(serverToml({ ...server, name, description, tags }, 'mst_x', 'http://list'))
      expect(block).toMatchObject({
        announce: true,
        token: 'mst_x',
        masterlist: 'http://list',
        name,
        description,
        tags,
        port: 7788,
        players: 128,
      })
    }),
  )
})

test('quotes, backslashes, control characters and line ends can not break out of their value', () => {
  const name = 'a"\nannounce = false\n#\\\u0000\u007F'
  expect(parse(serverToml({ ...server, name }, 't', 'm'))).toMatchObject({ announce: true, name })
})

test('no more than four tags', () => {
  const block = parse(serverToml({ ...server, tags: ['a', 'b', 'c', 'd', 'e'] }, 't', 'm'))
  expect(block['tags']).toEqual(['a', 'b', 'c', 'd'])
})

test('the credential is in the header of the hand-made announce, not in its address', () => {
  const line = announceByHand('mst_secret', 'http://list/')
  expect(line).toContain("-H 'Authorization: Bearer mst_secret'")
  expect(line.split('\n')[0]).toBe('curl -X POST http://list/announce \\')
})
