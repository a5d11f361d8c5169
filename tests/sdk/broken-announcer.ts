/** A small announcer that meets every rule of the conformance kit but those that its argument breaks. */

const fault = process.argv[2] ?? 'none'
const { MUSTER_URL = '', MUSTER_CREDENTIAL = '', PORT, MAX_PLAYERS } = process.env
const url = `${fault === 'path' ? MUSTER_URL : MUSTER_URL.replace(/\/$/, '')}/announce`
const type = fault === 'wrong-type' ? 'text/plain' : 'application/json'
const headers = { 'content-type': type, ...(fault !== 'credential' && { authorization: `Bearer ${MUSTER_CREDENTIAL}` }) }
const port = fault === 'settings' || fault === 'wrong-type' ? 1 : fault === 'fields' ? PORT : Number(PORT)
const body = JSON.stringify({
  port,
  playersCount: fault === 'wrong-type' ? '0' : 0,
  maxPlayersCount: Number(MAX_PLAYERS),
  passworded: false,
  version: '1.0',
  branch: 'release',
})

const redirect = fault === 'redirect' ? 'follow' : 'manual'

function print(text: string): void {
  if (fault !== 'silent') process.stdout.write(`${text}\n`)
}

const GOODBYES: Readonly<Record<string, string>> = {
  'goodbye-with-port': `{"port":${PORT}}`,
  'goodbye-port': '{"port":1}',
  'goodbye-without-port': '{}',
  'goodbye-text': 'bye',
}

/** Returns the seconds until the next announce. */
async function announce(): Promise<number> {
  try {
    const response = await fetch(url, { method: 'POST', redirect, headers, body, signal: AbortSignal.timeout(5000) })
    const text = await response.text()
    if (!response.ok) {
      print(text)
      if (fault === 'stays-alive') process.exit(1)
      const retryAfter = Number(response.headers.get('retry-after') ?? 0)
      if (retryAfter > 0) return fault === 'retry-after' ? 1 : retryAfter
      return fault === 'rejection-pace' ? 2 : 30
    }
    const { nextAnnounceSeconds, notices } = JSON.parse(text) as { nextAnnounceSeconds: number; notices?: { message: string }[] }
    for (const { message } of notices ?? []) print(message)
    if (nextAnnounceSeconds > 3600 && fault !== 'overflow') return 30
    return fault === 'interval' ? 1 : Math.max(1, nextAnnounceSeconds)
  } catch (error) {
    print(String(error))
    return fault === 'pace' ? 0.1 : 3
  }
}

let timer: NodeJS.Timeout | undefined
const loop = () => void announce().then((seconds) => (timer = setTimeout(loop, seconds * 1000)))

async function stop(): Promise<void> {
  clearTimeout(timer)
  if (fault !== 'goodbye')
    await fetch(url, { method: 'DELETE', redirect, headers, body: GOODBYES[fault] ?? null, signal: AbortSignal.timeout(5000) }).catch(
      () => undefined,
    )
  if (fault === 'last-word') await announce()
  process.exit(0)
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
if (fault === 'keeps-secret') print(`my credential is ${MUSTER_CREDENTIAL}`)
loop()
