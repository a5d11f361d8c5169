/** A game server on the SDK, as in its README. */
import { announce } from '#sdk/index.ts'

const { MUSTER_URL = '', MUSTER_CREDENTIAL = '', PORT, MAX_PLAYERS } = process.env
announce({ url: MUSTER_URL, credential: MUSTER_CREDENTIAL, port: Number(PORT), maxPlayers: Number(MAX_PLAYERS), keepAlive: true })
