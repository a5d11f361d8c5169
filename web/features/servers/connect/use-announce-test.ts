import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { AnnounceAttempt, Server } from '#contract/servers/servers.ts'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { announcesOptions } from '#web/features/servers/servers.api.ts'

const POLL_MS = 2000

/** The newest announce. A goodbye is an attempt, too. */
const newestOf = (attempts: readonly AnnounceAttempt[] = []) => attempts.find(({ code }) => code !== 'LEFT')

export interface AnnounceTest {
  start: () => Promise<void>
  isRunning: boolean
  /** The newest announce since the start. */
  attempt: AnnounceAttempt | undefined
  isTimedOut: boolean
  error: Error | null
}

/** Watches for announces from the start until the server is listed, for as long as a server can be silent while it is online. */
export function useAnnounceTest(server: Server): AnnounceTest {
  const { data: about } = useSuspenseQuery(aboutOptions)
  /** The time of the newest announce before the start. */
  const [since, setSince] = useState<string>()
  const [isTimedOut, setTimedOut] = useState(false)
  const isWatching = since !== undefined && !isTimedOut
  const { data, error, refetch } = useQuery({ ...announcesOptions(server.public_id), refetchInterval: isWatching && POLL_MS })
  const newest = newestOf(data)
  const attempt = since !== undefined && newest !== undefined && newest.at > since ? newest : undefined
  const timeoutMs = about.announce_ttl_seconds * 1000
  useEffect(() => {
    if (since === undefined) return undefined
    const timer = setTimeout(() => setTimedOut(true), timeoutMs)
    return () => clearTimeout(timer)
  }, [since, timeoutMs])
  return {
    start: async () => {
      // Announces of an online server are only polled, so the known ones may be old.
      const { data: current } = await refetch()
      setSince(newestOf(current)?.at ?? '')
      setTimedOut(false)
    },
    isRunning: isWatching && !(attempt?.outcome === 'accepted' && server.listing.listed),
    attempt,
    isTimedOut: isTimedOut && attempt === undefined,
    error: isWatching ? error : null,
  }
}
