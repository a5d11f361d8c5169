/** What to save, paste and run for a connection, with the address of the list and the credential filled in. */
import type { Server } from '#contract/servers.ts'
import { m } from '#messages'
import { serverToml, setupOf } from '#web/features/servers/server-toml.ts'
import type { CodeLanguage } from '#web/ui/highlight.ts'
import { type Connection, EXAMPLE_PANEL } from './connections.ts'

/** In place of a credential, which only the page that created it knows. */
export const PLACEHOLDER = 'YOUR_CREDENTIAL'

export interface Snippet {
  /** The path of a file, or the title of code or commands. */
  readonly name: string
  readonly language: CodeLanguage
  readonly text: string
  readonly isFile: boolean
}

/** Of files that build an example, by their extension. */
const PROJECT_LANGUAGES: Readonly<Record<string, CodeLanguage>> = { toml: 'toml', csproj: 'html' }

interface Values {
  server: Server
  credential: string | undefined
  masterlist: string
  /** The address of this panel. */
  panel: string
}

/** @param examples the texts of the connection's files; fewer while they load */
export function snippetsOf(connection: Connection, from: Values, examples: readonly string[]): Snippet[] {
  return filledIn(connection, from, examples).map((snippet) => ({ ...snippet, text: snippet.text.replaceAll(EXAMPLE_PANEL, from.panel) }))
}

function filledIn(connection: Connection, from: Values, examples: readonly string[]): Snippet[] {
  const { settings, run = '', files = [], folder = '', language = 'shell' } = connection
  const { server, credential = PLACEHOLDER, masterlist } = from
  const { port, max_players } = setupOf(server)
  const secret = `MUSTER_CREDENTIAL=${credential}`
  const variables = [`MUSTER_URL=${masterlist}`, secret, `PORT=${port}`, `MAX_PLAYERS=${max_players}`]
  const saved = examples.map((text, index): Snippet => {
    const name = (files[index] ?? '').replace(/.*\//, '')
    return { name: folder + name, language: PROJECT_LANGUAGES[name.replace(/.*\./, '')] ?? language, text, isFile: true }
  })
  if (settings === undefined)
    return [{ name: 'server.toml', language: 'toml', text: serverToml(server, credential, masterlist), isFile: true }]
  if (settings === 'code') {
    const text = sdkCode(server, masterlist)
    return [{ name: m.servers_connect_paste(), language, text, isFile: false }, commands(withVariables(run, [secret]))]
  }
  if (settings === 'command') return [commands(withVariables(run, variables)), ...saved]
  const environment: Snippet = {
    name: folder === '' ? 'muster.env' : '/etc/muster.env',
    language: 'shell',
    text: `${variables.join('\n')}\n`,
    isFile: true,
  }
  return [environment, ...saved, ...(run === '' ? [] : [commands(run)])]
}

/** Sets the variables for the last command only, so that they don't stay in the shell. */
const withVariables = (run: string, variables: readonly string[]) => run.replace(/.*$/, (last) => `${variables.join(' \\\n  ')} ${last}`)

const commands = (lines: string): Snippet => ({
  name: m.servers_connect_commands(),
  language: 'shell',
  text: `${lines}\n`,
  isFile: false,
})

/** What a game in Node, Deno or Bun needs. */
function sdkCode(server: Server, masterlist: string): string {
  const { port, max_players } = setupOf(server)
  const option = (name: string, value: string) => `  ${name}: ${value},`
  return [
    "import { announce } from '@muster/announce'",
    "// CommonJS: const { announce } = require('@muster/announce')",
    '',
    '// Call it once players can join',
    'const server = announce({',
    option('url', `'${masterlist}'`),
    option('credential', 'process.env.MUSTER_CREDENTIAL'),
    option('port', String(port)),
    option('maxPlayers', String(max_players)),
    '})',
    '',
    '// Call this whenever the number of players changes',
    'server.update({ players: 0 })',
    '',
  ].join('\n')
}
