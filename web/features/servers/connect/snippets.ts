/** What to save and run for a connection, with the address of the list and the credential filled in. */
import type { Server } from '#contract/servers.ts'
import { m } from '#messages'
import { serverToml } from '#web/features/servers/server-toml.ts'
import type { CodeLanguage } from '#web/ui/highlight.ts'
import type { Connection } from './connections.ts'

/** In place of a credential, which only the page that created it knows. */
export const PLACEHOLDER = 'YOUR_CREDENTIAL'

export interface Snippet {
  /** The path of a file, or the title of commands. */
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
}

/** @param examples the texts of the connection's files; fewer while they load */
export function snippetsOf(connection: Connection, from: Values, examples: readonly string[]): Snippet[] {
  const { settings, run = '', files = [], folder = '', language = 'shell' } = connection
  const { server, credential = PLACEHOLDER, masterlist } = from
  if (settings === undefined)
    return [{ name: 'server.toml', language: 'toml', text: serverToml(server, credential, masterlist), isFile: true }]
  const variables = [
    `MUSTER_URL=${masterlist}`,
    `MUSTER_CREDENTIAL=${credential}`,
    'PORT=7788',
    `MAX_PLAYERS=${server.live?.max_players ?? 128}`,
  ]
  const saved = examples.map((text, index): Snippet => {
    const name = (files[index] ?? '').replace(/.*\//, '')
    return { name: folder + name, language: PROJECT_LANGUAGES[name.replace(/.*\./, '')] ?? language, text, isFile: true }
  })
  if (settings === 'commands') return [commands([...variables.map((each) => ['export', each].join(' ')), run]), ...saved]
  const environment = {
    name: folder === '' ? 'muster.env' : '/etc/muster.env',
    language: 'shell',
    text: joined(variables),
    isFile: true,
  } as const
  return [environment, ...saved, ...(run === '' ? [] : [commands([run])])]
}

const joined = (lines: readonly string[]) => `${lines.join('\n')}\n`

const commands = (lines: readonly string[]): Snippet => ({
  name: m.servers_connect_commands(),
  language: 'shell',
  text: joined(lines),
  isFile: false,
})
