// Announces a game server to a Muster list with the SDK, which never throws and never blocks.
//   curl --remote-name https://panel.example.com/announce.tgz
//   npm install ./announce.tgz
//   node announce.mjs
// Environment: MUSTER_URL, MUSTER_CREDENTIAL, PORT, MAX_PLAYERS; optional: MUSTER_HOST, MUSTER_PROBE, MUSTER_FAMILIES=4,6.
import { announce } from '@muster/announce'
// CommonJS: const { announce } = require('@muster/announce')

// Call it once players can join. It announces until the program ends, then says goodbye. What the list says is on the console.
const server = announce()

// Call this whenever something changes. Other fields: maxPlayers, queue, passworded, version, gameMode.
server.update({ players: 0 })

// With MUSTER_PROBE=udp, a game answers the list's probes in its UDP socket:
// socket.on('message', async (datagram, { port, address }) => {
//   const answer = await server.answerProbe(datagram)
//   if (answer) socket.send(answer, port, address)
// })
