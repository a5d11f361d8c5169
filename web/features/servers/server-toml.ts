import type { Server } from '#contract/servers/servers.ts'
import type { NamedEndpoint } from './connect/route.ts'

type TomlServer = Pick<Server, 'name' | 'game_mode' | 'website' | 'language' | 'description' | 'tags' | 'last_announced'>

/** The port that players connect to, and the slots. Examples before the first announce. */
export function setupOf({ last_announced }: Pick<Server, 'last_announced'>, named?: NamedEndpoint) {
  const { port, max_players } = last_announced ?? { port: 7788, max_players: 128 }
  return { port: named?.port ?? port, max_players }
}

/** The escapes of JSON, and that of DEL, which JSON does not need. */
const tomlString = (text: string) => JSON.stringify(text).replaceAll('\u007F', '\\u007f')

/** A `server.toml` block for the game server. Its format allows at most four tags. */
export function serverToml(server: TomlServer, credential: string, masterlist: string, named?: NamedEndpoint): string {
  const { port, max_players } = setupOf(server, named)
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
    ...(named ? [pair('host', tomlString(named.host)), pair('probe', tomlString(named.probe))] : []),
    pair('port', String(port)),
    pair('players', String(max_players)),
    '',
  ].join('\n')
}

/** A `curl` command that sends one announce. */
export function announceCommand(
  server: Pick<Server, 'last_announced'>,
  credential: string,
  masterlist: string,
  named?: NamedEndpoint,
): string {
  const { port, max_players } = setupOf(server, named)
  const endpoint = named && { host: named.host, probe: named.probe }
  const body = { ...endpoint, port, playersCount: 0, maxPlayersCount: max_players, passworded: false, version: '1.0.0', branch: 'release' }
  return [
    `curl -X POST ${masterlist.replace(/\/$/, '')}/announce`,
    `  -H 'Authorization: Bearer ${credential}'`,
    `  -H 'Content-Type: application/json'`,
    `  -d '${JSON.stringify(body)}'`,
  ].join(' \\\n')
}
