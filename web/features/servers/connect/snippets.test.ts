import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { Server } from '#contract/servers/servers.ts'
import { type Connection, IN_CODE, WITHOUT_CODE, findConnection } from './connections.ts'
import { announceCommand } from '#web/features/servers/server-toml.ts'
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

  test('of the SDK set all variables, and its code has no secret', () => {
    const code = "import { announce } from '@muster/announce'\n"
    const sdk = findConnection('sdk')
    const [run, powershell, saved] = snippetsOf(sdk, { server: seen, credential, masterlist, panel }, [code]).map(({ text }) => text)
    expect(saved).toBe(code)
    const install = '--remote-name http://localhost:3000/announce.tgz\nnpm install ./announce.tgz\n'
    const variables = ['MUSTER_URL=http://localhost:3001', 'MUSTER_CREDENTIAL=mst_secret', 'PORT=27415', 'MAX_PLAYERS=64']
    expect(run).toBe(`curl ${install}${variables.join(' \\\n  ')} node announce.mjs\n`)
    expect(powershell).toBe(`curl.exe ${install}${POWERSHELL}node announce.mjs\n`)
  })
})

const POWERSHELL = `$env:MUSTER_URL = 'http://localhost:3001'
$env:MUSTER_CREDENTIAL = 'mst_secret'
$env:PORT = '27415'
$env:MAX_PLAYERS = '64'
`

test.each([...WITHOUT_CODE, ...IN_CODE].filter(({ settings }) => settings === 'command'))(
  'the commands for $label are there in PowerShell, too, unless it needs Linux',
  (connection) => {
    const shown = snippetsOf(connection, { server: seen, credential, masterlist, panel }, []).map(({ name }) => name)
    const isForLinux = ['php', 'shell'].includes(connection.key)
    expect(shown).toEqual(isForLinux ? ['Commands'] : ['Commands', 'PowerShell'])
    const [, text = POWERSHELL] = textsOf(connection, seen)
    expect(text).toContain(POWERSHELL)
    // No syntax of a POSIX shell.
    expect(text).not.toMatch(/^curl |^\.\/|\\$|^\w+=/m)
  },
)

test('the port and slots are those of the last announce, or examples', () => {
  expect(textsOf(findConnection('env'), seen)[0]).toContain('\nPORT=27415\nMAX_PLAYERS=64\n')
  expect(textsOf(findConnection('toml'), seen)[0]).toContain('\nport = 27415\nplayers = 64\n')
  expect(textsOf(findConnection('env'), unseen)).toEqual([
    'MUSTER_URL=http://localhost:3001\nMUSTER_CREDENTIAL=mst_secret\nPORT=7788\nMAX_PLAYERS=128\n',
  ])
})

test('a named host and its port are in the variables, in server.toml, and in the body of the announce', () => {
  const named = { host: 'play.example.com', port: 34567, probe: 'udp' } as const
  const textOf = (key: string) => snippetsOf(findConnection(key), { server: seen, named, credential, masterlist, panel }, [])[0]?.text
  expect(textOf('env')).toContain('\nMUSTER_HOST=play.example.com\nMUSTER_PROBE=udp\nPORT=34567\n')
  expect(textOf('toml')).toContain('\nhost = "play.example.com"\nprobe = "udp"\nport = 34567\n')
  expect(announceCommand(seen, credential, masterlist, named)).toContain('{"host":"play.example.com","probe":"udp","port":34567,')
  expect(announceCommand(seen, credential, masterlist, { ...named, port: undefined })).toContain('"port":27415,')
})
