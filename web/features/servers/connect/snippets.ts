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

interface Settings {
  server: Server
  credential: string | undefined
  masterlist: string
}

/** @param example the text of the connection's file, if it has one */
export function snippetsOf(
  connection: Connection,
  { server, credential = PLACEHOLDER, masterlist }: Settings,
  example?: string,
): Snippet[] {
  const { settings, run, file, path, language = 'shell' } = connection
  if (settings === undefined)
    return [{ name: 'server.toml', language: 'toml', text: serverToml(server, credential, masterlist), isFile: true }]
  const variables = [
    `MUSTER_URL=${masterlist}`,
    `MUSTER_CREDENTIAL=${credential}`,
    'PORT=7788',
    `MAX_PLAYERS=${server.live?.max_players ?? 128}`,
  ]
  const commands = (lines: readonly string[]) => ({
    name: m.servers_connect_commands(),
    language: 'shell' as const,
    text: `${lines.join('\n')}\n`,
    isFile: false,
  })
  const files: Snippet[] =
    file === undefined || example === undefined ? [] : [{ name: path ?? file.replace(/.*\//, ''), language, text: example, isFile: true }]
  if (settings === 'commands') return [commands([...variables.map((each) => ['export', each].join(' ')), run ?? '']), ...files]
  const environment: Snippet = {
    name: path === undefined ? 'muster.env' : '/etc/muster.env',
    language: 'shell',
    text: `${variables.join('\n')}\n`,
    isFile: true,
  }
  return [environment, ...files, ...(run === undefined ? [] : [commands([run])])]
}
