/** The ways to connect a game server to the list. */
import { m } from '#messages'
import type { CodeLanguage } from '#web/ui/highlight.ts'

export interface Connection {
  readonly key: string
  readonly label: string
  readonly hint: string
  /** How the settings of the environment are shown: as a file, or as commands before `run`. */
  readonly settings?: 'file' | 'commands'
  /** Commands that start it. */
  readonly run?: string
  /** A file in `examples/`. */
  readonly file?: string
  /** The name of the file on the user's machine, if it differs. */
  readonly path?: string
  readonly language?: CodeLanguage
}

const example = (label: string, file: string, language: CodeLanguage, run: string): Connection => ({
  key: language,
  label,
  hint: m.servers_connect_hint_example(),
  settings: 'commands',
  run,
  file,
  language,
})

const SERVER_TOML: Connection = { key: 'toml', label: 'server.toml', hint: m.servers_connect_hint_toml() }

const WITHOUT_CODE: readonly Connection[] = [
  SERVER_TOML,
  {
    key: 'agent',
    label: m.servers_connect_agent(),
    hint: m.servers_connect_hint_agent(),
    settings: 'commands',
    run: 'npx @muster/announce agent',
  },
  {
    key: 'docker',
    label: 'Docker',
    hint: m.servers_connect_hint_docker(),
    settings: 'file',
    run: 'docker compose up --detach',
    file: 'docker/compose.yaml',
    language: 'yaml',
  },
  {
    key: 'systemd',
    label: 'systemd',
    hint: m.servers_connect_hint_systemd(),
    settings: 'file',
    run: 'sudo npm install --global @muster/announce\nsudo systemctl enable --now muster-agent',
    file: 'systemd/muster-agent.service',
    path: '/etc/systemd/system/muster-agent.service',
    language: 'toml',
  },
  { key: 'env', label: m.servers_connect_env(), hint: m.servers_connect_hint_env(), settings: 'file' },
]

const IN_CODE: readonly Connection[] = [
  {
    ...example('JavaScript / TypeScript', 'javascript/announce.js', 'javascript', 'npm install @muster/announce\nnode announce.js'),
    key: 'sdk',
    hint: m.servers_connect_hint_sdk(),
  },
  example('C#', 'csharp/announce.cs', 'csharp', 'dotnet run announce.cs'),
  example('C++', 'cpp/announce.cpp', 'cpp', 'g++ -std=c++20 -o announce announce.cpp -lcurl\n./announce'),
  example('Go', 'go/announce.go', 'go', 'go run announce.go'),
  example('Java', 'java/announce.java', 'java', 'java announce.java'),
  example('Lua', 'lua/announce.lua', 'lua', 'lua announce.lua'),
  example('PHP', 'php/announce.php', 'php', 'php announce.php'),
  example('Python', 'python/announce.py', 'python', 'python3 announce.py'),
  example('Rust', 'rust/announce.rs', 'rust', 'cargo run'),
  example('Shell', 'shell/announce.sh', 'shell', 'sh announce.sh'),
]

export const CONNECTION_GROUPS = [
  { title: m.servers_connect_without_code(), connections: WITHOUT_CODE },
  { title: m.servers_connect_in_code(), connections: IN_CODE },
] as const

/** `server.toml` for an unknown key, and for none. */
export function findConnection(key: unknown): Connection {
  return [...WITHOUT_CODE, ...IN_CODE].find((each) => each.key === key) ?? SERVER_TOML
}

/** Loads a file of `examples/`. */
const FILES = import.meta.glob<string>(
  '../../../../examples/{cpp,csharp,docker,go,java,javascript,lua,php,python,rust,shell,systemd}/{announce,Announce,compose,muster-agent}.*',
  { query: '?raw', import: 'default' },
)

export async function readExample(file: string): Promise<string> {
  const load = FILES[`../../../../examples/${file}`]
  if (load === undefined) throw new Error(`missing:${file}`)
  return await load()
}
