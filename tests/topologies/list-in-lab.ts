/** The real program with its production settings in a namespace of the lab, and an owner who calls its panel. */
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { ListedServer } from '#contract/masterlist/masterlist.ts'
import * as servers from '#contract/servers/servers.ts'
import { ENVIRONMENT, NODE_FLAGS } from '#backend/cli/runtime-options.ts'
import { createApiKey } from '#backend/core/api-keys/api-keys.ts'
import { upsertSignedInUser } from '#backend/core/users/users.ts'
import { connect } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { readEnv } from '#backend/platform/env.ts'
import { createLog } from '#backend/platform/log.ts'
import { buildServer, setTier } from '#tests/factories.ts'
import { newDatabase } from '#tests/harness.ts'
import { MUSTER, until } from '#tests/program.ts'
import { closeAfterTest } from '#tests/running.ts'
import { type TestUser, testUser } from '#tests/test-user.ts'
import type { Lab, Namespace } from './lab.ts'
import { tcpTunnel } from './network-programs.ts'

/** The variables that production needs. All others have their defaults, except for the time to live. */
const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://panel.example',
  MASTERLIST_PUBLIC_URL: 'https://list.example',
  DISCORD_CLIENT_ID: 'lab',
  DISCORD_CLIENT_SECRET: 'lab',
  COOKIE_SECRET: 'only for the network laboratory, 40 letters',
  // A server that moves waits this long. With the default, a test would take minutes.
  ANNOUNCE_TTL_SECONDS: '10',
}
const PANEL_PORT = 3000
const LIST_PORT = 3001

/** A server of the owner, as its game server knows it. */
export interface Identity {
  readonly publicId: string
  readonly credential: string
}

export interface ListInLab {
  createServer(): Promise<Identity>
  /** Lets the server's address change (`address_policy`). */
  followAddress(server: Identity): Promise<void>
  row(server: Pick<Identity, 'publicId'>): Promise<ListedServer>
}

/** Starts it. The tests reach it over Unix sockets, because they are outside of its network. */
export async function startList(lab: Lab, namespace: Namespace): Promise<ListInLab> {
  const database = await newDatabase()
  const DATABASE_URL = `postgres://${database.user}@/${database.database}?host=${encodeURIComponent(database.host ?? '')}`
  const variables = { ...PRODUCTION, DATA_DIR: lab.folder, DATABASE_URL }
  lab.start(namespace, [...NODE_FLAGS, MUSTER, 'serve'], { ...ENVIRONMENT, ...variables })
  const urlOf = async (port: number) => {
    const path = join(lab.folder, `${port}.sock`)
    await lab.run(namespace, 'tcpTunnel', { from: { path }, to: { port } })
    const entrance = await tcpTunnel({ from: { port: 0, host: '127.0.0.1' }, to: { path } })
    closeAfterTest(() => entrance.close())
    return `http://127.0.0.1:${(entrance.address() as AddressInfo).port}`
  }
  const [panelUrl, listUrl] = [await urlOf(PANEL_PORT), await urlOf(LIST_PORT)]
  await until(async () => (await fetch(`${panelUrl}/readyz`).catch(() => undefined))?.status === 200)
  const owner = await createOwner(panelUrl, variables)
  return {
    async createServer() {
      const { public_id: publicId, credential } = await buildServer(owner)
      return { publicId, credential }
    },
    async followAddress({ publicId }) {
      const changed = await owner.call(servers.change, { params: { id: publicId }, body: { address_policy: 'follow' } })
      if (changed.status !== 200) throw new Error(changed.text)
    },
    async row({ publicId }) {
      return (await (await fetch(`${listUrl}/servers/${publicId}`)).json()) as ListedServer
    },
  }
}

/** A user with an API key, because nobody can sign in with Discord here. */
async function createOwner(panelUrl: string, variables: Readonly<Record<string, string>>): Promise<TestUser> {
  const env = readEnv(variables)
  const db = connect({ connectionString: env.DATABASE_URL }, createLog('warn'))
  const { id } = await transaction(db, (trx) => upsertSignedInUser(trx, env, { discordId: '1', username: 'owner', avatar: null }))
  const { key } = await createApiKey(db, id, { name: 'Lab', scopes: ['servers:read', 'servers:write'], expires_in_days: 1 })
  await setTier({ db }, id, 'RUBY')
  await db.destroy()
  return testUser(() => panelUrl, id, { authorization: `Bearer ${key.reveal()}` })
}
