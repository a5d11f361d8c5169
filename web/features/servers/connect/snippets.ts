/** What to save, paste and run for a connection, with the address of the list and the credential filled in. */
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { serverToml, setupOf } from '#web/features/servers/server-toml.ts'
import type { CodeLanguage } from '#web/ui/highlight.ts'
import { type Connection, EXAMPLE_PANEL } from './connections.ts'
import type { NamedEndpoint } from './route.ts'

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
  /** The host that players connect to, if it is not the server itself. */
  named?: NamedEndpoint | undefined
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
  const { settings, run = '', powershell = run, files = [], folder = '', language = 'shell' } = connection
  const { server, named, credential = PLACEHOLDER, masterlist } = from
  const { port, max_players } = setupOf(server, named)
  const variables = {
    MUSTER_URL: masterlist,
    MUSTER_CREDENTIAL: credential,
    ...(named && { MUSTER_HOST: named.host, MUSTER_PROBE: named.probe }),
    PORT: port,
    MAX_PLAYERS: max_players,
  }
  const saved = examples.map((text, index): Snippet => {
    const name = (files[index] ?? '').replace(/.*\//, '')
    return { name: folder + name, language: PROJECT_LANGUAGES[name.replace(/.*\./, '')] ?? language, text, isFile: true }
  })
  if (settings === undefined)
    return [{ name: 'server.toml', language: 'toml', text: serverToml(server, credential, masterlist, named), isFile: true }]
  if (settings === 'command') {
    const inPowerShell = powershell === '' ? [] : [commands(inPowerShellWith(variables, powershell), 'PowerShell')]
    return [commands(withVariables(variables, run)), ...inPowerShell, ...saved]
  }
  const environment: Snippet = {
    name: folder === '' ? 'muster.env' : '/etc/muster.env',
    language: 'shell',
    text: `${assignments(variables).join('\n')}\n`,
    isFile: true,
  }
  return [environment, ...saved, ...(run === '' ? [] : [commands(run)])]
}

type Variables = Readonly<Record<string, string | number>>

const assignments = (variables: Variables) => Object.entries(variables).map(([name, value]) => `${name}=${value}`)

/** Sets the variables for the last command only, so that they don't stay in the shell. */
const withVariables = (variables: Variables, run: string) =>
  run.replace(/.*$/, (last) => `${assignments(variables).join(' \\\n  ')} ${last}`)

/** PowerShell can't set variables for one command. They stay until its window closes. */
const inPowerShellWith = (variables: Variables, run: string) => {
  const lines = Object.entries(variables).map(([name, value]) => `$env:${name} = '${value}'\n`)
  return run.replace(/.*$/, (last) => `${lines.join('')}${last}`)
}

const commands = (lines: string, name: string = m.servers_connect_commands()): Snippet => ({
  name,
  language: 'shell',
  text: `${lines}\n`,
  isFile: false,
})
