import { cx } from './class-names.ts'

/** A place kept for what comes; it shows itself only when the wait is felt. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cx('animate-[appear_0.1s_0.15s_both] rounded-6 bg-surface-2', className)} />
}
