import type { PublicRow } from '#contract/public-site.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'

/** Players of slots as number and bar. */
export function PlayersMeter({ server }: { server: Pick<PublicRow, 'isOnline' | 'players' | 'maxPlayers' | 'arePlayersConfirmed'> }) {
  const { isOnline, players, maxPlayers, arePlayersConfirmed } = server
  if (!isOnline) return <span className="text-13 text-ink-3">{m.public_offline()}</span>
  const share = maxPlayers === 0 ? 0 : Math.min(1, players / maxPlayers)
  return (
    <span className="block" title={arePlayersConfirmed ? undefined : m.public_unconfirmed()}>
      <span className="block text-right text-13 tabular-nums">
        <span className={players > 0 ? 'font-medium' : 'text-ink-3'}>{formatNumber(players)}</span>
        <span className="text-ink-3"> / {formatNumber(maxPlayers)}</span>
        {!arePlayersConfirmed && <span className="sr-only"> {m.public_unconfirmed()}</span>}
      </span>
      <svg aria-hidden="true" viewBox="0 0 100 4" preserveAspectRatio="none" className="mt-1 h-1 w-full overflow-hidden rounded-full">
        <rect width="100" height="4" className="fill-surface-2" />
        <rect width={Math.round(share * 100)} height="4" className={arePlayersConfirmed ? 'fill-ok' : 'fill-line-strong'} />
      </svg>
    </span>
  )
}
