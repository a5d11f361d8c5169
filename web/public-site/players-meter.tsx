import { CircleQuestionMark } from 'lucide-react'
import type { PublicRow } from '#contract/public-site/public-site.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'

/** Players of slots as number and bar. */
export function PlayersMeter({ server }: { server: Pick<PublicRow, 'isOnline' | 'players' | 'maxPlayers' | 'arePlayersConfirmed'> }) {
  const { isOnline, players, maxPlayers, arePlayersConfirmed } = server
  if (!isOnline) return <p className="meter">{m.public_offline()}</p>
  return (
    <p className="meter">
      {!arePlayersConfirmed && <CircleQuestionMark size={12} role="img" aria-label={m.public_unconfirmed()} />}
      <b>{formatNumber(players)}</b> / {formatNumber(maxPlayers)}
      <meter
        aria-hidden="true"
        value={players}
        max={maxPlayers}
        className={`players-meter mt-1 h-1! w-full! ${arePlayersConfirmed ? 'text-ok' : 'text-line-strong'}`}
      />
    </p>
  )
}
