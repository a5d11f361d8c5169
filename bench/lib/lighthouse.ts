/** Measures pages with Lighthouse (mobile, simulated throttling) in a browser of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#tests/program.ts'
import { BROWSER_ARGS, findBrowser } from '#tests/journeys/find-browser.ts'

export interface PageRun {
  /** Of the JavaScript that was transferred. */
  readonly bytes: number
  /** The largest contentful paint in milliseconds. */
  readonly paint: number
  /** The total blocking time in milliseconds. */
  readonly blocking: number
  /** The cumulative layout shift. */
  readonly shift: number
}

export interface Page {
  readonly name: string
  readonly url: string
  /** The session; signed out without it. */
  readonly cookie?: string
}

/** The temporary profile is removed when the browser exits. */
export async function startBrowser(): Promise<{ port: number; child: ChildProcess }> {
  const path = await findBrowser()
  const port = await freePort()
  const profile = mkdtempSync(join(tmpdir(), 'muster-browser-'))
  const child = spawn(
    path,
    ['--headless=new', `--remote-debugging-port=${port}`, `--user-data-dir=${profile}`, ...BROWSER_ARGS, 'about:blank'],
    { stdio: 'ignore' },
  )
  child.once('exit', () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }))
  for (let step = 0; step < 200; step += 1) {
    if (
      await fetch(`http://127.0.0.1:${port}/json/version`).then(
        (reply) => reply.ok,
        () => false,
      )
    )
      return { port, child }
    await sleep(50)
  }
  throw new Error('The browser did not start.')
}

interface NetworkItem {
  readonly resourceType?: string
  readonly transferSize: number
}

export async function measure(port: number, { url, cookie }: Page): Promise<PageRun> {
  const { default: lighthouse } = await import('lighthouse')
  const result = await lighthouse(url, {
    port,
    logLevel: 'error',
    onlyCategories: ['performance'],
    formFactor: 'mobile',
    throttlingMethod: 'simulate',
    ...(cookie !== undefined && { extraHeaders: { Cookie: cookie } }),
  })
  const audits = result?.lhr.audits
  const value = (audit: string) => audits?.[audit]?.numericValue ?? Number.NaN
  const details = audits?.['network-requests']?.details as { items?: NetworkItem[] } | undefined
  const scripts = (details?.items ?? []).filter((item) => item.resourceType === 'Script')
  return {
    bytes: scripts.reduce((sum, item) => sum + item.transferSize, 0),
    paint: value('largest-contentful-paint'),
    blocking: value('total-blocking-time'),
    shift: value('cumulative-layout-shift'),
  }
}
