import type { Server } from '#contract/servers.ts'
import { EXAMPLE_SETUP, type Setup } from './announced-setup.ts'

type TomlServer = Pick<Server, 'name' | 'game_mode' | 'website' | 'language' | 'description' | 'tags'>

const ESCAPES: Record<string, string> = { '"': '\\"', '\\': '\\\\', '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r' }

function tomlString(text: string): string {
  const escaped = text.replaceAll(
    // oxlint-disable-next-line no-control-regex -- control characters must be escaped
    /["\\\u0000-\u001F\u007F]/g,
    (char) => ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `"${escaped}"`
}

/** A `server.toml` block for the game server. Its format allows at most four tags. */
export function serverToml(
  server: TomlServer,
  credential: string,
  masterlist: string,
  { port, maxPlayers }: Setup = EXAMPLE_SETUP,
): string {
  const pair = (key: string, value: string) => `${key} = ${value}`
  return [
    pair('announce', 'true'),
    pair('token', tomlString(credential)),
    pair('masterlist', tomlString(masterlist)),
    '',
    pair('name', tomlString(server.name)),
    pair('gamemode', tomlString(server.game_mode)),
    pair('website', tomlString(server.website)),
    pair('language', tomlString(server.language)),
    pair('description', tomlString(server.description)),
    pair('tags', `[${server.tags.slice(0, 4).map(tomlString).join(', ')}]`),
    pair('port', String(port)),
    pair('players', String(maxPlayers)),
    '',
  ].join('\n')
}

/** A `curl` command that sends one announce. */
export function announceCommand(credential: string, masterlist: string, { port, maxPlayers }: Setup = EXAMPLE_SETUP): string {
  const body = { port, playersCount: 0, maxPlayersCount: maxPlayers, passworded: false, version: '1.0.0', branch: 'release' }
  return [
    `curl -X POST ${masterlist.replace(/\/$/, '')}/announce`,
    `  -H 'Authorization: Bearer ${credential}'`,
    `  -H 'Content-Type: application/json'`,
    `  -d '${JSON.stringify(body)}'`,
  ].join(' \\\n')
}
