/** The ways to connect a game server to the list. */
import { m } from '#messages'
import type { CodeLanguage } from '#web/ui/highlight.ts'

/** In place of the address of this panel, which serves the SDK. */
export const EXAMPLE_PANEL = 'https://panel.example.com'

export interface Connection {
  readonly key: string
  readonly label: string
  readonly hint: string
  /** Where the settings are: in a file of environment variables, or before the last command of `run`. */
  readonly settings?: 'file' | 'command'
  /** Commands that start it. */
  readonly run?: string
  /** The same in PowerShell, if they differ; empty if it needs Linux. */
  readonly powershell?: string
  /** The command that shows what it prints, if it runs in the background. */
  readonly log?: string
  /** Paths in `examples/`. */
  readonly files?: readonly string[]
  /** Where to save the files, if it matters. */
  readonly folder?: string
  /** Of the files and their settings. */
  readonly language?: CodeLanguage
}

const example = (label: string, files: readonly string[], language: CodeLanguage, run: string, powershell = run): Connection => ({
  key: language,
  label,
  hint: m.servers_connect_hint_example(),
  settings: 'command',
  run,
  powershell,
  files,
  language,
})

const SDK = 'curl --remote-name https://panel.example.com/announce.tgz\nnpm install ./announce.tgz\nnode announce.mjs'
const CPP = 'g++ -std=c++17 -pthread -o announce announce.cpp -lcurl'

const SERVER_TOML: Connection = { key: 'toml', label: 'server.toml', hint: m.servers_connect_hint_toml() }

export const WITHOUT_CODE: readonly Connection[] = [
  SERVER_TOML,
  {
    key: 'agent',
    label: m.servers_connect_agent(),
    hint: m.servers_connect_hint_agent(),
    settings: 'command',
    run: 'npx https://panel.example.com/announce.tgz agent',
  },
  {
    key: 'docker',
    label: 'Docker',
    hint: m.servers_connect_hint_docker(),
    settings: 'file',
    run: 'docker compose up --detach',
    log: 'docker compose logs muster',
    files: ['docker/compose.yaml'],
    language: 'yaml',
  },
  {
    key: 'systemd',
    label: 'systemd',
    hint: m.servers_connect_hint_systemd(),
    settings: 'file',
    run: 'sudo npm install --global https://panel.example.com/announce.tgz\nsudo systemctl enable --now muster-agent',
    log: 'journalctl --unit muster-agent',
    files: ['systemd/muster-agent.service'],
    folder: '/etc/systemd/system/',
    language: 'toml',
  },
  { key: 'env', label: m.servers_connect_env(), hint: m.servers_connect_hint_env(), settings: 'file' },
]

/** The examples have the same commands. */
export const IN_CODE: readonly Connection[] = [
  {
    ...example('JavaScript / TypeScript', ['javascript/announce.mjs'], 'javascript', SDK, SDK.replace('curl', 'curl.exe')),
    key: 'sdk',
    hint: m.servers_connect_hint_sdk(),
  },
  {
    ...example('C#', ['csharp/Announce.cs', 'csharp/Announcer.cs', 'csharp/Announce.csproj'], 'csharp', 'dotnet run'),
    hint: m.servers_connect_hint_class(),
  },
  {
    ...example('C++', ['cpp/announce.cpp', 'cpp/announcer.hpp'], 'cpp', `${CPP}\n./announce`, `${CPP} -lws2_32\n.\\announce`),
    hint: m.servers_connect_hint_class(),
  },
  example('Go', ['go/announce.go'], 'go', 'go run announce.go'),
  example('Java', ['java/Announce.java'], 'java', 'java Announce.java'),
  example('Lua', ['lua/announce.lua'], 'lua', 'lua announce.lua'),
  example('PHP', ['php/announce.php'], 'php', 'php announce.php', ''),
  example('Python', ['python/announce.py'], 'python', 'python3 announce.py', 'py announce.py'),
  example('Rust', ['rust/announce.rs', 'rust/Cargo.toml'], 'rust', 'cargo run --release'),
  example('Shell', ['shell/announce.sh'], 'shell', 'chmod +x announce.sh\n./announce.sh', ''),
]

/** `server.toml` for an unknown key, and for none. */
export function findConnection(key: unknown): Connection {
  return [...WITHOUT_CODE, ...IN_CODE].find((each) => each.key === key) ?? SERVER_TOML
}
