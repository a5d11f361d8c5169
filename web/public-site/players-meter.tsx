import { CircleQuestionMark } from 'lucide-react'
import type { PublicRow } from '#contract/public-site/public-site.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { cx } from '#web/ui/class-names.ts'

interface PlayersMeterProps {
  server: Pick<PublicRow, 'isOnline' | 'players' | 'maxPlayers' | 'arePlayersConfirmed'>
  className: string
}

/** Players of slots as number and bar. */
export function PlayersMeter({ server: { isOnline, players, maxPlayers, arePlayersConfirmed }, className }: PlayersMeterProps) {
  const classes = cx('text-right text-13 text-ink-3 tabular-nums in-[.row-left]:invisible', className)
  if (!isOnline) return <p className={classes}>{m.public_offline()}</p>
  return (
    <p className={classes}>
      {!arePlayersConfirmed && (
        <CircleQuestionMark size={12} role="img" aria-label={m.public_unconfirmed()} className="mr-1 inline-block align-[-1px]" />
      )}
      <b className="font-medium text-ink-1">{formatNumber(players)}</b> / {formatNumber(maxPlayers)}
      <meter
        aria-hidden="true"
        value={players}
        max={maxPlayers}
        className={`players-meter mt-1 h-1! w-full! ${arePlayersConfirmed ? 'text-ok' : 'text-line-strong'}`}
      />
    </p>
  )
}
