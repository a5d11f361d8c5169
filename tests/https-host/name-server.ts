/** A UDP name server for a test, with answers that may differ per query. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'
import { onTestFinished } from 'vitest'

const HEADER_BYTES = 12
const TYPES: Readonly<Record<number, 'ipv4' | 'ipv6'>> = { 1: 'ipv4', 28: 'ipv6' }

/**
 * Starts it for the duration of the test and returns `address:port`.
 * @param resolve returns the addresses of a host, for A and for AAAA; undefined sends no reply
 */
export async function startNameServer(resolve: (host: string, kind: 'ipv4' | 'ipv6') => readonly string[] | undefined): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const { host, end } = nameIn(question)
    const kind = TYPES[question.readUInt16BE(end)]
    const addresses = kind === undefined ? [] : resolve(host, kind)
    if (addresses === undefined) return
    const records = addresses.map((each) => recordOf(Buffer.from(ipaddr.parse(each).toByteArray()), question.subarray(end, end + 2)))
    const head = Buffer.from(question.subarray(0, HEADER_BYTES))
    // A successful reply to one question. Additional records of the query are dropped.
    head.writeUInt16BE(0x8180, 2)
    for (const [index, count] of [1, records.length, 0, 0].entries()) head.writeUInt16BE(count, 4 + index * 2)
    socket.send(Buffer.concat([head, question.subarray(HEADER_BYTES, end + 4), ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return `127.0.0.1:${socket.address().port}`
}

/** The queried name, and the offset of its end. */
function nameIn(question: Buffer): { host: string; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { host: labels.join('.').toLowerCase(), end: at + 1 }
}

/** A record of the queried name with TTL 0. */
function recordOf(address: Buffer, type: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xc0, HEADER_BYTES]), type, Buffer.from([0, 1, 0, 0, 0, 0, 0, address.length]), address])
}
