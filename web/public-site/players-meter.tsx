import { CircleQuestionMark } from 'lucide-react'
import type { PublicRow } from '#contract/public-site/public-site.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'

/** Players of slots as number and bar. */
export function PlayersMeter({ server }: { server: Pick<PublicRow, 'isOnline' | 'players' | 'maxPlayers' | 'arePlayersConfirmed'> }) {
  const { isOnline, players, maxPlayers, arePlayersConfirmed } = server
  if (!isOnline) return <p className="meter">{m.public_offline()}</p>
  const share = maxPlayers === 0 ? 0 : Math.min(1, players / maxPlayers)
  return (
    <p className="meter">
      {!arePlayersConfirmed && <CircleQuestionMark size={12} role="img" aria-label={m.public_unconfirmed()} />}
      <b>{formatNumber(players)}</b> / {formatNumber(maxPlayers)}
      <svg aria-hidden="true" viewBox="0 0 100 4" preserveAspectRatio="none">
        <path d={`M0 2H${Math.round(share * 100)}`} className={arePlayersConfirmed ? undefined : 'unconfirmed'} />
      </svg>
    </p>
  )
}
