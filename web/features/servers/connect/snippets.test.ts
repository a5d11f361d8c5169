import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { Server } from '#contract/servers.ts'
import { type Connection, findConnection } from './connections.ts'
import { snippetsOf } from './snippets.ts'

const masterlist = 'http://localhost:3001'
const credential = 'mst_secret'
const texts = { name: 'N', game_mode: '', website: '', language: 'en', description: '', tags: [] as string[] }
const offline = { ...texts, live: null } as unknown as Server
const onlineAt = (address: string) => ({ ...offline, live: { address, max_players: 64 } }) as unknown as Server

const textsOf = (connection: Connection, server: Server = offline) =>
  snippetsOf(connection, { server, credential, masterlist }, []).map(({ text }) => text)

describe('the commands', () => {
  const connection: Connection = { key: '', label: '', hint: '', settings: 'command', run: 'echo "built $PORT"\nprintenv PORT MAX_PLAYERS' }

  test.each(['sh', 'bash'])('run literally in %s, and set the variables for the last one only', (shell) => {
    const [text = ''] = textsOf(connection, onlineAt('192.0.2.1:27415'))
    const script = `${text}echo "left $MUSTER_URL$MUSTER_CREDENTIAL$PORT$MAX_PLAYERS"`
    const env = { PATH: process.env['PATH'] }
    expect(execFileSync(shell, ['-c', script], { env, encoding: 'utf8' })).toBe('built \n27415\n64\nleft \n')
  })

  test('of the SDK set only the credential, which the code to paste does not contain', () => {
    const [code, run] = textsOf(findConnection('sdk'), onlineAt('192.0.2.1:27415'))
    expect(code).toContain("url: 'http://localhost:3001',\n  credential: process.env.MUSTER_CREDENTIAL,\n  port: 27415,\n  maxPlayers: 64,")
    expect(code).not.toContain(credential)
    expect(run).toMatch(/\nMUSTER_CREDENTIAL=mst_secret node server\.js\n$/)
  })
})

test.each([
  ['192.0.2.1:27415', '27415'],
  ['[2001:db8::1]:27415', '27415'],
  ['https://cdn.example.com:8443', '7788'],
])('a server at %s gets PORT=%s', (address, port) => {
  expect(textsOf(findConnection('env'), onlineAt(address))[0]).toContain(`\nPORT=${port}\n`)
  expect(textsOf(findConnection('toml'), onlineAt(address))[0]).toContain(`\nport = ${port}\n`)
})

test('a server that is offline gets examples, and a file of variables has one in each line', () => {
  expect(textsOf(findConnection('env'))).toEqual([
    'MUSTER_URL=http://localhost:3001\nMUSTER_CREDENTIAL=mst_secret\nPORT=7788\nMAX_PLAYERS=128\n',
  ])
})
