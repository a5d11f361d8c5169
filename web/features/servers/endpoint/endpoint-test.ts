/** The test of a server's endpoint that was started in this tab. Its steps arrive as events of the panel's stream. */
import { useEffect, useState } from 'react'
import type { EndpointTestEvent } from '#contract/servers/endpoint.ts'
import { call, messageOf } from '#web/lib/http/call.ts'
import { serverTime } from '#web/lib/server-clock.ts'
import { createStore } from '#web/lib/store.ts'

export interface EndpointTest {
  readonly publicId: string
  readonly steps: readonly EndpointTestEvent[]
  /** When the newest step arrived, or the test started, on the server's clock. */
  readonly at: number
  /** Why it could not start. */
  readonly problem?: string
}

const tests = createStore<EndpointTest | undefined>(undefined)

/** Undefined if the newest test is of another server. */
export function useEndpointTest(publicId: string): EndpointTest | undefined {
  const test = tests.use()
  return test?.publicId === publicId ? test : undefined
}

export async function startEndpointTest(id: string): Promise<void> {
  const started: EndpointTest = { publicId: id, steps: [], at: serverTime(Date.now()) }
  tests.set(started)
  await call('POST /api/users/tokens/{id}/endpoint/test', { params: { id } }).catch((error: unknown) =>
    tests.set({ ...started, problem: messageOf(error) }),
  )
}

export const isDone = ({ steps }: EndpointTest) => steps.at(-1)?.step === 'done'

/** What the addresses answered so far. `failure` is the first one. */
export function resultsOf({ steps }: EndpointTest) {
  const results = steps.filter(({ step }) => step === 'resolve' || step === 'answer').map(({ result }) => result)
  const failure = results.find((result) => result !== '' && result !== 'answered' && result !== 'inconclusive')
  return { isAnswering: results.includes('answered'), failure }
}

/** Without a new step for this long, the stream is lost. A step takes at most 30 seconds. */
const SILENCE_MS = 60_000

export function useIsLost(test: EndpointTest | undefined): boolean {
  const [lost, setLost] = useState<EndpointTest>()
  useEffect(() => {
    if (test === undefined || isDone(test)) return undefined
    const timer = setTimeout(() => setLost(test), SILENCE_MS)
    return () => clearTimeout(timer)
  }, [test])
  return test !== undefined && lost === test
}

export function addEndpointTestStep(step: EndpointTestEvent): void {
  const test = tests.get()
  if (test?.publicId !== step.public_id || isDone(test)) return
  tests.set({ ...test, steps: [...test.steps, step], at: serverTime(Date.now()) })
}
