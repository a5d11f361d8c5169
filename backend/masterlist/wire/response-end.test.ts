import { once } from 'node:events'
import { type ServerResponse, createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { InFlightResponses } from '#backend/masterlist/lists/in-flight-responses.ts'
import { onceEnded } from './response-end.ts'

/** A server that never responds, and a connection with `requests` pipelined requests. */
async function asked(requests: number) {
  const responses: ServerResponse[] = []
  const server = createServer((_request, response) => void responses.push(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const ask = async (times: number) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    const before = responses.length
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(times))
    await expect.poll(() => responses.length).toBe(before + times)
    return { socket, responses: responses.slice(before) as [ServerResponse, ...ServerResponse[]] }
  }
  return { ...(await ask(requests)), ask }
}

test('a response whose connection is gone has ended, also behind others on that connection', async () => {
  const { socket, responses } = await asked(3)
  let over = 0
  const [first, ...others] = responses
  for (const response of responses) onceEnded(response, () => (over += 1))
  socket.resetAndDestroy()
  await expect.poll(() => first.req.socket.destroyed).toBe(true)
  await expect.poll(() => over).toBe(3)
  for (const response of others) onceEnded(response, () => (over += 1))
  expect(over).toBe(5)
})

test('a large response that is ready after its reader left uses no slot of the address', async () => {
  const unfinished = new InFlightResponses(1)
  const { socket, responses, ask } = await asked(2)
  const body = Buffer.alloc(20 * 1024 * 1024)
  socket.resetAndDestroy()
  await expect.poll(() => responses[0].req.socket.destroyed).toBe(true)
  const end = (response: ServerResponse) => unfinished.end(response, 'x', body, () => void response.writeHead(200))
  expect(responses.map(end)).toEqual([true, true])
  const { responses: again } = await ask(1)
  expect(end(again[0])).toBe(true)
  const { responses: more } = await ask(1)
  expect(end(more[0])).toBe(false)
})
