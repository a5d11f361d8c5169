import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleDashed } from 'lucide-react'
import type { AnnounceAttempt, Server } from '#contract/servers.ts'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { ErrorNote } from '#web/ui/note.tsx'
import { AnnounceCommand } from './credential-panel.tsx'
import { announcesOptions } from './servers.api.ts'

function checksOf(server: Server, attempts: readonly AnnounceAttempt[]) {
  const used = server.credential_last_used_at !== null
  // An attempt is shown here because its credential named this server; only these codes say that it is no good.
  const [newest] = attempts
  const isKnown = used || (newest !== undefined && !newest.code.startsWith('CREDENTIAL_'))
  return [
    { done: true, text: `${server.name} is registered`, waiting: '' },
    { done: used || attempts.length > 0, text: 'An announce arrived', waiting: 'Waiting for the first announce' },
    { done: isKnown, text: 'Its credential is right', waiting: 'The credential is checked' },
    { done: server.bound_address !== null, text: `Bound to ${server.bound_address ?? ''}`, waiting: 'The server is bound to its address' },
    { done: server.listing.listed, text: 'Players see it on the list', waiting: 'It goes on the list' },
  ]
}

export function FirstAnnounce({ server }: { server: Server }) {
  const { data: attempts = [] } = useQuery(announcesOptions(server.public_id))
  const checks = checksOf(server, attempts)
  const { listed } = server.listing
  const [newest] = attempts
  const current = checks.findIndex(({ done }) => !done)
  const notYet = server.status === 'never_seen' ? 'Waiting for the first announce…' : 'Waiting for the server to announce again…'
  return (
    <div>
      <section
        data-listed={listed}
        className={cx(
          'rounded-10 border p-5 transition-colors duration-150 sm:p-6',
          listed ? 'border-ok tint-ok' : 'border-line bg-surface-1',
        )}
      >
        <h2 className={cx('flex items-center gap-3 text-16 font-semibold', listed && 'text-ok')}>
          {listed ? (
            <CircleCheck size={22} aria-hidden="true" />
          ) : (
            <span className="size-2.5 animate-[breathe_2s_ease-in-out_infinite] rounded-full bg-accent" />
          )}
          {listed ? 'Your server is on the list' : notYet}
        </h2>
        <p role="status" className="sr-only">
          {listed ? 'The first announce arrived, and your server is on the list.' : ''}
        </p>
        {!listed && <p className="mt-1 text-ink-2">Put the block into server.toml and start the server. This page notices by itself.</p>}
        <ol className="mt-5 space-y-3">
          {checks.map(({ done, text, waiting }, index) => (
            <li key={waiting} className={cx('flex items-center gap-3', done || index === current ? 'text-ink-1' : 'text-ink-3')}>
              <CheckMark done={done} current={index === current} />
              <span className="min-w-0 break-words">{done ? text : waiting}</span>
              <span className="sr-only">{done ? 'done' : 'not yet'}</span>
            </li>
          ))}
        </ol>
        {!listed && newest?.outcome === 'refused' && (
          <ErrorNote className="mt-5">
            <span className="block font-medium">An announce was refused: {newest.message}</span>
            {newest.remedy !== '' && <span className="mt-1 block text-ink-1">{newest.remedy}</span>}
          </ErrorNote>
        )}
        {!listed && server.status === 'online' && server.listing.reasons[0] && (
          <p className="mt-5 text-13 text-ink-2">{server.listing.reasons[0].message}</p>
        )}
      </section>
      <NextLinks id={server.public_id} listed={listed} />
      {!listed && <Troubleshooting />}
    </div>
  )
}

function CheckMark({ done, current }: { done: boolean; current: boolean }) {
  if (done) return <CircleCheck size={18} className="shrink-0 text-ok" aria-hidden="true" />
  if (!current) return <CircleDashed size={18} className="shrink-0" aria-hidden="true" />
  return (
    <span className="mx-px flex size-4 shrink-0 text-accent">
      <span className="spinner" aria-hidden="true" />
    </span>
  )
}

function NextLinks({ id, listed }: { id: string; listed: boolean }) {
  return (
    <div className="mt-5 flex flex-col gap-2 sm:flex-row">
      <Link to="/servers/$server_id" params={{ server_id: id }} className={buttonClass(listed ? 'primary' : 'secondary')}>
        {listed ? 'Open the server' : 'Go to the server meanwhile'}
      </Link>
      {listed && (
        <Link to="/servers/$server_id" params={{ server_id: id }} search={{ tab: 'listing' }} className={buttonClass('secondary')}>
          Describe it
        </Link>
      )}
    </div>
  )
}

function Troubleshooting() {
  const { data: about } = useSuspenseQuery(aboutOptions)
  return (
    <details className="mt-6">
      <summary className="w-fit rounded-6 text-13 text-ink-2 hover:text-ink-1">Nothing happens?</summary>
      <ul className="mt-2 list-disc space-y-1 pl-5 text-13 text-ink-2">
        <li>
          Is <code className="font-mono">announce = true</code> in the file that the server really reads, and was it restarted since?
        </li>
        <li>
          Lost or mistyped the credential? A wrong one leaves no trace here, because nobody can tell whose it is. Reissue it on the server’s
          page.
        </li>
        <li>
          Can its machine reach <code className="font-mono break-all">{about.masterlist_url}</code>? This line tries the credential from
          there:
        </li>
      </ul>
      <div className="mt-2">
        <AnnounceCommand credential="YOUR_CREDENTIAL" />
      </div>
    </details>
  )
}
