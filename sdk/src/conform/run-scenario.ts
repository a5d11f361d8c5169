/** Runs one scenario against one process of the announcer. */
import { createServer } from 'node:net'
import { AnnouncerProcess, type Exit } from './announcer-process.ts'
import { type Answer, GOODBYE, PUBLIC_ID, accepted, verdict } from './answers.ts'
import { createCredential } from './credential.ts'
import { FakeList, type Seen } from './fake-list.ts'
import {
  type Failure,
  type Settings,
  deadlineAfter,
  firstDeadline,
  judgeOutput,
  judgeRedirects,
  judgeRequest,
  judgeRequests,
  secondsText,
} from './judge.ts'
import type { Scenario } from './scenario.ts'

const GOODBYE_MS = 8000
const END_MS = 10_000
/** Requests that are still on their way when the program ends. */
const SETTLE_MS = 200

export interface Result {
  readonly scenario: Scenario
  readonly seconds: number
  /** At most one for each rule. */
  readonly failures: readonly Failure[]
  readonly wire: readonly string[]
  readonly output: string
}

export async function runScenario(scenario: Scenario, command: readonly string[]): Promise<Result> {
  const { answers, goodbye = GOODBYE, downAtStartMs, urlSuffix = '' } = scenario
  const settings: Settings = {
    credential: createCredential(PUBLIC_ID),
    port: await freePort(),
    maxPlayers: 32 + Math.floor(Math.random() * 100),
  }
  const elsewhere = new FakeList(() => accepted(2))
  const answerTo = (method: string, index: number) => {
    const answer = method === 'DELETE' ? goodbye : (answers[Math.min(index, answers.length - 1)] ?? GOODBYE)
    return answer.isRedirect === true ? { ...answer, headers: { Location: `${elsewhere.url}/announce` } } : answer
  }
  const list = new FakeList(answerTo, (request) => verdictOn(request, settings))
  await Promise.all([list.open(downAtStartMs !== undefined), elsewhere.open()])
  const announcer = new AnnouncerProcess(command, {
    MUSTER_URL: list.url + urlSuffix,
    MUSTER_CREDENTIAL: settings.credential,
    PORT: String(settings.port),
    MAX_PLAYERS: String(settings.maxPlayers),
    // Many agents run at once.
    AGENT_PORT: '0',
  })
  void announcer.exited.then(() => list.wake())
  if (downAtStartMs !== undefined) void list.goDown(downAtStartMs)
  const failures: Failure[] = []
  const startedAt = list.now
  try {
    failures.push(...(await awaitAnnounces(scenario, list, announcer)))
    failures.push(...(await stop(scenario, list, announcer)))
  } finally {
    announcer.kill()
    await Promise.all([list.close(), elsewhere.close()])
  }
  failures.push(
    ...judgeRequests(list.seen, settings),
    ...judgeRedirects(elsewhere.seen, settings.credential),
    ...judgeOutput(announcer.output, list.announces, settings.credential),
  )
  const hide = (text: string) => text.replaceAll(settings.credential, 'mst_…')
  return {
    scenario,
    seconds: (list.now - startedAt) / 1000,
    failures: failures.filter(({ rule }, index) => failures.findIndex((other) => other.rule === rule) === index),
    wire: list.seen.map((request) => hide(wireLine(request))),
    output: hide(announcer.output),
  }
}

/** How a master list rejects a wrong request; undefined for a correct one. */
export function verdictOn(request: Seen, settings: Settings): Answer | undefined {
  for (const { code } of judgeRequest(request, settings)) if (code !== undefined) return verdict(code)
  return undefined
}

/** Waits for the announces of the scenario, or until one is rejected for what it is. Returns what was missing. */
async function awaitAnnounces(scenario: Scenario, list: FakeList, announcer: AnnouncerProcess): Promise<Failure[]> {
  for (let count = 1; count <= scenario.announces; count += 1) {
    const previous = list.announces[count - 2]
    const { at, rule } = previous === undefined ? firstDeadline(scenario) : deadlineAfter(previous)
    await waitUntil(list, announcer, at, () => list.announces.length >= count)
    if (announcer.exit !== undefined) return [ended(announcer.exit, list, scenario)]
    if (list.announces.length < count)
      return [{ rule, seen: previous === undefined ? `no announce in ${secondsText(at)}` : missingAfter(previous, at) }]
    const newest = list.announces[count - 1]
    const waitsForReply = !(scenario.signalsInFlight === true && count === scenario.announces)
    if (waitsForReply && newest?.answer.breaks !== 'never')
      await waitUntil(list, announcer, list.now + END_MS, () => newest?.answeredAt !== undefined)
    if (newest?.answer.isVerdict === true) return []
  }
  await waitUntil(list, announcer, list.now + (scenario.watchSeconds ?? 0) * 1000, () => false)
  return announcer.exit === undefined ? [] : [ended(announcer.exit, list, scenario)]
}

const missingAfter = (previous: Seen, at: number) =>
  `no announce in the ${secondsText(at - (previous.answeredAt ?? previous.at))} after the reply "${previous.answer.text}"`

function ended({ code, signal }: Exit, list: FakeList, { downAtStartMs }: Scenario): Failure {
  if (code === null && signal === null) return { rule: 'first-announce', seen: 'the program could not be started' }
  const how = `with ${signal ?? `exit code ${code}`} after ${secondsText(list.now)}`
  if (list.seen.length > 0) return { rule: 'stays-alive', seen: `the program ended ${how}` }
  const seen = `the program ended before its first announce, ${how}`
  return downAtStartMs === undefined ? { rule: 'first-announce', seen } : { rule: 'stays-alive', seen: `${seen}, while the list was down` }
}

/** Sends the signal, and waits for the end. */
async function stop(scenario: Scenario, list: FakeList, announcer: AnnouncerProcess): Promise<Failure[]> {
  if (announcer.exit !== undefined) return []
  const { signal = 'SIGTERM', isDownAtEnd = false } = scenario
  const isOnline = list.announces.some(({ answer, answeredAt }) => answer.expected.kind === 'interval' && answeredAt !== undefined)
  if (isDownAtEnd) await list.close()
  const signalledAt = list.now
  announcer.signal(signal)
  while (announcer.exit === undefined && list.now < signalledAt + END_MS) await list.nextEvent(signalledAt + END_MS - list.now)
  const failures: Failure[] = []
  if (announcer.exit === undefined) failures.push({ rule: 'ends', seen: `still running ${secondsText(END_MS)} after ${signal}` })
  await list.nextEvent(SETTLE_MS)
  const [goodbye] = list.goodbyes
  if (!isOnline || isDownAtEnd) return failures
  if (goodbye === undefined) failures.push({ rule: 'goodbye', seen: `no DELETE /announce after ${signal}` })
  else if (goodbye.at - signalledAt > GOODBYE_MS)
    failures.push({ rule: 'goodbye', seen: `DELETE /announce came ${secondsText(goodbye.at - signalledAt)} after ${signal}` })
  return failures
}

/** Waits until a condition holds, the program ends, or the time comes. */
async function waitUntil(list: FakeList, announcer: AnnouncerProcess, at: number, isDone: () => boolean): Promise<void> {
  while (!isDone() && announcer.exit === undefined && list.now < at) await list.nextEvent(at - list.now)
}

function wireLine({ at, method, path, body, answer, answeredAt }: Seen): string {
  const reply = answeredAt === undefined ? 'no reply yet' : `${secondsText(answeredAt)}: ${answer.text}`
  return `${secondsText(at)}: ${method} ${path} ${body.slice(0, 300)} -> ${reply}`
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
