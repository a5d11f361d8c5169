/** Responses count as ended once their connection is closed. */
import { once } from 'node:events'
import { type ServerResponse, createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { InFlightResponses } from '#backend/masterlist/lists/in-flight-responses.ts'
import { onceEnded } from './response-end.ts'

/** A server that never responds, and a connection with `requests` pipelined requests. */
async function sendRequests(requests: number) {
  const responses: ServerResponse[] = []
  const server = createServer((_request, response) => void responses.push(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const sendMore = async (times: number) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    const before = responses.length
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(times))
    await expect.poll(() => responses.length).toBe(before + times)
    return { socket, responses: responses.slice(before) as [ServerResponse, ...ServerResponse[]] }
  }
  return { ...(await sendMore(requests)), sendMore }
}

test('a closed connection ends all its responses, even pipelined ones and those registered later', async () => {
  const { socket, responses } = await sendRequests(3)
  let ended = 0
  const [first, ...others] = responses
  for (const response of responses) onceEnded(response, () => (ended += 1))
  socket.resetAndDestroy()
  await expect.poll(() => first.req.socket.destroyed).toBe(true)
  await expect.poll(() => ended).toBe(3)
  for (const response of others) onceEnded(response, () => (ended += 1))
  expect(ended).toBe(5)
})

test('a large response that is ready after its reader disconnected uses no slot of the address', async () => {
  const inFlight = new InFlightResponses(1)
  const { socket, responses, sendMore } = await sendRequests(2)
  const body = Buffer.alloc(20 * 1024 * 1024)
  socket.resetAndDestroy()
  await expect.poll(() => responses[0].req.socket.destroyed).toBe(true)
  const end = (response: ServerResponse) => inFlight.end(response, 'x', body, () => void response.writeHead(200))
  expect(responses.map(end)).toEqual([true, true])
  const { responses: again } = await sendMore(1)
  expect(end(again[0])).toBe(true)
  const { responses: more } = await sendMore(1)
  expect(end(more[0])).toBe(false)
})
