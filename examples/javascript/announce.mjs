// Announces a game server to a Muster list with the SDK, which never throws and never blocks.
//   curl --remote-name https://panel.example.com/announce.tgz
//   npm install ./announce.tgz
//   node announce.mjs
// Environment: MUSTER_URL, MUSTER_CREDENTIAL, PORT, MAX_PLAYERS.
import { announce } from '@muster/announce'

const { MUSTER_URL, MUSTER_CREDENTIAL, PORT, MAX_PLAYERS } = process.env

// Call it once players can join. It announces until the program ends, then says goodbye.
const server = announce({
  url: MUSTER_URL,
  credential: MUSTER_CREDENTIAL,
  port: Number(PORT),
  maxPlayers: Number(MAX_PLAYERS),
  // This example has no game that keeps the process alive.
  keepAlive: true,
})

server.on('listed', ({ publicId }) => console.log(`on the list as ${publicId}`))
server.on('notice', ({ message, remedy }) => console.warn(message, remedy))
server.on('rejected', ({ code, message, remedy }) => console.error(code, message, remedy))
server.on('offline', ({ message, retrySeconds }) => console.warn(`${message} Next try in ${retrySeconds} s.`))

// Call this whenever something changes. Other fields: maxPlayers, queue, passworded, version, gameMode.
server.update({ players: 0 })
