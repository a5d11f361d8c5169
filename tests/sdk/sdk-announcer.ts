/** A game server on the SDK, as in its README. It uses UDP itself. */
import { createSocket } from 'node:dgram'
import { announce } from '#sdk/index.ts'

const server = announce()

if (process.env.MUSTER_PROBE === 'udp') {
  const socket = createSocket('udp4').bind(Number(process.env.PORT))
  socket.on('message', (datagram, { port, address }) => {
    void server.answerProbe(datagram).then((answer) => answer && socket.send(answer, port, address))
  })
}
