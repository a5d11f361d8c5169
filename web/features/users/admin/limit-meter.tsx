import { cx } from '#web/ui/class-names.ts'

interface LimitMeterProps {
  label: string
  /** Undefined where it is not known. */
  used: number | undefined
  max: number
  /** Whether an administrator set it, or the tier has it so. */
  isOwn: boolean
}

/** One limit, and how much of it is used. Who has more than he is allowed keeps it: that is said as it is. */
export function LimitMeter({ label, used, max, isOwn }: LimitMeterProps) {
  const isOver = used !== undefined && used > max
  return (
    <div className="min-w-0">
      <dt className="flex items-baseline justify-between gap-2 text-12 text-ink-3">
        {label}
        {isOwn && (
          <span data-tip="Set by an administrator, in place of what the tier allows">
            own<span className="sr-only"> limit</span>
          </span>
        )}
      </dt>
      <dd className="mt-0.5">
        <span className="text-13 tabular-nums">
          {used === undefined ? (
            <span className="text-ink-2">{max === 0 ? 'none' : `up to ${max}`}</span>
          ) : (
            <>
              <span className="font-medium text-ink-1">{used}</span>
              <span className={isOver ? 'text-warn' : 'text-ink-3'}>{isOver ? `, ${max} allowed` : ` of ${max}`}</span>
            </>
          )}
        </span>
        {used !== undefined && (
          <meter
            aria-label={`${label} used`}
            className={cx('players-meter mt-1 w-full', isOver && 'text-warn')}
            min={0}
            max={Math.max(max, 1)}
            value={Math.min(used, Math.max(max, 1))}
          >
            {used} of {max}
          </meter>
        )}
      </dd>
    </div>
  )
}
