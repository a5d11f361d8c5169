import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { Server } from '#contract/servers.ts'
import { type Connection, findConnection } from './connections.ts'
import { snippetsOf } from './snippets.ts'

const masterlist = 'http://localhost:3001'
const panel = 'http://localhost:3000'
const credential = 'mst_secret'
const texts = { name: 'N', game_mode: '', website: '', language: 'en', description: '', tags: [] as string[] }
const unseen = { ...texts, last_announced: null } as unknown as Server
const seen = { ...unseen, last_announced: { port: 27415, max_players: 64 } } as unknown as Server

const textsOf = (connection: Connection, server: Server) =>
  snippetsOf(connection, { server, credential, masterlist, panel }, []).map(({ text }) => text)

describe('the commands', () => {
  const connection: Connection = { key: '', label: '', hint: '', settings: 'command', run: 'echo "built $PORT"\nprintenv PORT MAX_PLAYERS' }

  test.each(['sh', 'bash'])('run literally in %s, and set the variables for the last one only', (shell) => {
    const [text = ''] = textsOf(connection, seen)
    const script = `${text}echo "left $MUSTER_URL$MUSTER_CREDENTIAL$PORT$MAX_PLAYERS"`
    const env = { PATH: process.env['PATH'] }
    expect(execFileSync(shell, ['-c', script], { env, encoding: 'utf8' })).toBe('built \n27415\n64\nleft \n')
  })

  test('of the SDK set only the credential, which the code to paste does not contain', () => {
    const [code, run] = textsOf(findConnection('sdk'), seen)
    expect(code).toContain("url: 'http://localhost:3001',\n  credential: process.env.MUSTER_CREDENTIAL,\n  port: 27415,\n  maxPlayers: 64,")
    expect(code).not.toContain(credential)
    expect(run).toMatch(
      /^curl --remote-name http:\/\/localhost:3000\/announce\.tgz\nnpm install \.\/announce\.tgz\nMUSTER_CREDENTIAL=mst_secret node server\.js\n$/,
    )
  })
})

test('the port and slots are those of the last announce, or examples', () => {
  expect(textsOf(findConnection('env'), seen)[0]).toContain('\nPORT=27415\nMAX_PLAYERS=64\n')
  expect(textsOf(findConnection('toml'), seen)[0]).toContain('\nport = 27415\nplayers = 64\n')
  expect(textsOf(findConnection('env'), unseen)).toEqual([
    'MUSTER_URL=http://localhost:3001\nMUSTER_CREDENTIAL=mst_secret\nPORT=7788\nMAX_PLAYERS=128\n',
  ])
})
