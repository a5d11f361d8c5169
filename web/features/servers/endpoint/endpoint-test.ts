/** The test of a server's endpoint that was started in this tab. Its steps arrive as events of the panel's stream. */
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

export function addEndpointTestStep(step: EndpointTestEvent): void {
  const test = tests.get()
  if (test?.publicId !== step.public_id || isDone(test)) return
  tests.set({ ...test, steps: [...test.steps, step], at: serverTime(Date.now()) })
}
