import fc from 'fast-check'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { announceCommand, serverToml } from './server-toml.ts'

const server = { name: 'N', game_mode: '', website: '', language: 'en', description: '', tags: [] as string[], last_announced: null }

test('any text survives a round trip through TOML', () => {
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

test('quotes, backslashes, control characters and line ends can’t break out of their value', () => {
  const name = 'a"\nannounce = false\n#\\\u0000\u007F'
  expect(parse(serverToml({ ...server, name }, 't', 'm'))).toMatchObject({ announce: true, name })
})

test('the block has at most four tags', () => {
  const block = parse(serverToml({ ...server, tags: ['a', 'b', 'c', 'd', 'e'] }, 't', 'm'))
  expect(block['tags']).toEqual(['a', 'b', 'c', 'd'])
})

test('the announce command has the credential in a header, not in the URL', () => {
  const command = announceCommand(server, 'mst_secret', 'http://list/')
  expect(command).toContain("-H 'Authorization: Bearer mst_secret'")
  expect(command.split('\n')[0]).toBe('curl -X POST http://list/announce \\')
})
