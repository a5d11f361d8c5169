/** Answers the list's UDP probe: only the holder of the credential can compute the answer. */
import { keyOf } from './probe.ts'

const encoder = new TextEncoder()
const PREFIX = encoder.encode('MUSTER1 ')
const PROBE_BYTES = 64
/** The random bytes follow the prefix. The rest is padding, so that an answer is never longer than a probe. */
const RANDOM_BYTES = 32

/**
 * The 40 bytes to send back to the sender; undefined for any datagram that is no probe.
 * @param endpoint `host:port` as announced, or `:port` without a host
 */
export async function udpAnswer(datagram: Uint8Array, endpoint: string, credential: string): Promise<Uint8Array | undefined> {
  if (datagram.length !== PROBE_BYTES || PREFIX.some((byte, index) => byte !== datagram[index])) return undefined
  const random = datagram.subarray(PREFIX.length, PREFIX.length + RANDOM_BYTES)
  const signature = await globalThis.crypto.subtle.sign('HMAC', await keyOf(credential), join(random, encoder.encode(endpoint)))
  return join(PREFIX, new Uint8Array(signature))
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

/** Answers on the UDP port until `close`. Resolves to undefined if the port cannot be opened. The socket does not keep the process alive. */
export async function listenForDatagrams(
  port: number,
  answerTo: (datagram: Uint8Array) => Promise<Uint8Array | undefined>,
): Promise<{ close(): void } | undefined> {
  try {
    const { createSocket } = await import('node:dgram')
    const open = async (type: 'udp4' | 'udp6') => {
      const socket = createSocket(type)
      socket.unref().on('message', (datagram, { port: from, address }) => {
        // A socket that was closed meanwhile throws.
        void answerTo(datagram)
          .then((answer) => answer && socket.send(answer, from, address))
          .catch(() => undefined)
      })
      await new Promise<void>((resolve, reject) => {
        socket.on('error', reject).bind(port, resolve)
      })
      return socket
    }
    // An IPv6 socket also receives IPv4. Not every machine has IPv6.
    return await open('udp6').catch(() => open('udp4'))
  } catch {
    return undefined
  }
}
