/** The simulator's servers, inserted into a fresh database much faster than over HTTP, and their announces. */
import { v7 as uuidv7 } from 'uuid'
import { type Profile, expectedPlayers, profilesFor } from '#backend/cli/simulate/profiles.ts'
import { PUBLIC_ID_LENGTH, hashCredential, newCredential } from '#backend/core/servers/credential.ts'
import { NAME_KEY_VERSION } from '#backend/core/servers/name-key.ts'
import { migrateToLatest } from '#backend/platform/database/migrate.ts'
import { type Db, openDatabase } from '#backend/platform/database/open.ts'
import { createLog } from '#backend/platform/log.ts'
import { randomBase62 } from '#backend/platform/random-id.ts'

export interface SeededServer {
  readonly publicId: string
  readonly credential: string
  readonly profile: Profile
}

/** What a server announces about where players connect to. */
export interface AnnouncedEndpoint {
  readonly host: string
  readonly probe: 'tcp' | 'udp'
}

/** Without an endpoint, players connect to its source address. */
export interface AnnouncingServer extends SeededServer {
  readonly endpoint?: AnnouncedEndpoint | undefined
}

/** The announce size of a verbose game server. */
const BODY_BYTES = 600
/** A fixed time of day, so that player counts are the same in every run. */
const NOON = 12 * 3_600_000
const BATCH = 2000
/** How many of ten servers change their player count with each announce. */
const CHANGING_OF_TEN = 3

/** Creates a database with registered servers. Their first announce binds them and brings them online. */
export async function seedFleet(folder: string, count: number): Promise<SeededServer[]> {
  const fleet = profilesFor(count, 1).map((profile) => {
    // Each has a capital letter.
    const publicId = `B${randomBase62(PUBLIC_ID_LENGTH - 1)}`
    return { publicId, credential: newCredential(publicId).reveal(), profile }
  })
  const database = await openDatabase({ DATA_DIR: folder }, createLog('warn'))
  try {
    await migrateToLatest(database.db)
    await insertFleet(database.db, fleet)
  } finally {
    await database.close()
  }
  return fleet
}

async function insertFleet(db: Db, fleet: readonly SeededServer[]): Promise<void> {
  const owner = uuidv7()
  await db.insertInto('users').values({ id: owner, discord_id: '1', username: 'bench', avatar: null }).execute()
  for (let from = 0; from < fleet.length; from += BATCH) {
    const batch = fleet.slice(from, from + BATCH)
    const servers = batch.map(({ publicId, profile: { input } }) => {
      const { name, description, language, region, tags, game_mode, website } = input
      const fields = { name, description, language, region, tags, game_mode, website }
      return { public_id: publicId, owner_id: owner, name_key: publicId, name_key_version: NAME_KEY_VERSION, ...fields }
    })
    const credentials = batch.map(({ publicId, credential }) => {
      return { id: uuidv7(), server_id: publicId, hash: hashCredential(credential), hint: credential.slice(-4) }
    })
    await db.insertInto('servers').values(servers).execute()
    await db.insertInto('credentials').values(credentials).execute()
  }
}

/** Two announces of every server as whole HTTP requests, one pass after the other. */
export function announceRequests(fleet: readonly AnnouncingServer[]): string[] {
  return [1, 0].flatMap((changed) =>
    fleet.map(({ credential, profile, endpoint }, index) => {
      const players = Math.min(profile.slots - 8, Math.round(expectedPlayers(profile, NOON)))
      const isChanging = index % 10 < CHANGING_OF_TEN
      return announceRequest(credential, announceBody(profile, isChanging ? players + changed * (1 + (index % 4)) : players, endpoint))
    }),
  )
}

function announceRequest(credential: string, body: string): string {
  return `POST /announce HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${credential}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** An announce with an unknown field, as newer game servers send it, padded to 600 bytes. */
function announceBody(profile: Profile, players: number, endpoint: AnnouncedEndpoint | undefined): string {
  const announce = {
    port: profile.port,
    playersCount: players,
    maxPlayersCount: profile.slots,
    passworded: profile.passworded,
    version: profile.version,
    branch: profile.branch,
    gameMode: profile.input.game_mode,
    queueCount: 0,
    useVoiceChat: profile.useVoiceChat,
    useEarlyAuth: profile.useEarlyAuth,
    earlyAuthUrl: profile.useEarlyAuth ? 'https://login.example.com/' : '',
    useCdn: false,
    cdnUrl: '',
    ...endpoint,
  }
  const padding = BODY_BYTES - JSON.stringify(announce).length - ',"resources":""'.length
  return JSON.stringify({ ...announce, resources: 'resource-of-the-server,'.repeat(30).slice(0, Math.max(0, padding)) })
}
