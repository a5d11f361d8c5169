/**
 * Asks a game server over UDP. The question is `MUSTER1 ` and 32 random bytes, padded to 64, so that no answer is longer. The answer is
 * `MUSTER1 ` and the HMAC-SHA256 of the random bytes and the endpoint, by the SHA-256 of the credential (docs/api/game-servers.md).
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'
import { m } from '#api-messages'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import { type Outcome, type Target, TIMEOUT_MS, failed, networkFailureOf } from './question.ts'

const MARK = Buffer.from('MUSTER1 ')
const RANDOM_BYTES = 32
const QUESTION_BYTES = 64

/** Never rejects. @param endpoints texts that the answer may be for. @param stop aborts the question as inconclusive. */
export function askUdp({ address, port, key }: Target, endpoints: readonly string[], stop: AbortSignal): Promise<Outcome> {
  if (isIP(address) === 0) return Promise.resolve({ result: 'inconclusive' })
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const random = randomBytes(RANDOM_BYTES)
  const question = Buffer.concat([MARK, random], QUESTION_BYTES)
  const answers = endpoints.map((endpoint) => answerTo(random, endpoint, key))
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
  let hasWrongAnswer = false
  let isSettled = false
  const settle = (outcome: Outcome | Promise<Outcome>) => {
    if (isSettled) return
    isSettled = true
    clearTimeout(timer)
    stop.removeEventListener('abort', abort)
    socket.close()
    resolve(outcome)
  }
  const abort = () => settle({ result: 'inconclusive' })
  const timeoutText = () => m.probe_silent({ seconds: TIMEOUT_MS / 1000 }, STORED)
  const timer = setTimeout(
    () => settle(hasWrongAnswer ? failed('WRONG_ANSWER', m.probe_wrong_datagram({}, STORED)) : failed('TIMEOUT', timeoutText())),
    TIMEOUT_MS,
  )
  const fail = ({ code = '' }: NodeJS.ErrnoException) =>
    settle(networkFailureOf(code, address, timeoutText) ?? failed('WRONG_ANSWER', m.probe_wrong_datagram({}, STORED)))
  stop.addEventListener('abort', abort, { once: true })
  socket.on('error', fail)
  // A connected socket receives only from the address and port that it asks.
  socket.on('message', (datagram) => {
    if (answers.some((answer) => datagram.length === answer.length && timingSafeEqual(datagram, answer))) settle({ result: 'answered' })
    else hasWrongAnswer = true
  })
  // With a callback instead, `connect` emits no error if there is no route.
  socket.once('connect', () => {
    if (!isSettled) socket.send(question, (error) => error && fail(error))
  })
  socket.connect(port, address)
  if (stop.aborted) abort()
  return promise
}

/** @param random of the question. @param key SHA-256 of the credential. */
function answerTo(random: Buffer, endpoint: string, key: Buffer): Buffer {
  return Buffer.concat([MARK, createHmac('sha256', key).update(random).update(endpoint).digest()])
}
