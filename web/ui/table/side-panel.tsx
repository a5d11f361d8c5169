import * as Radix from '@radix-ui/react-dialog'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { m } from '#messages'
import { isStatus, messageOf } from '#web/lib/http/call.ts'
import { useMedia } from '#web/lib/use-media.ts'
import { CopyButton, IconButton } from '#web/ui/button.tsx'
import { RetryNote, SkeletonRows, WarnNote } from '#web/ui/states.tsx'
import { toastInfo } from '#web/ui/toast.ts'

interface SidePanelProps {
  /** The row's ID. Another row reuses the panel. */
  id: string
  title: ReactNode
  onClose: () => void
  children: ReactNode
}

/** Shows one row beside its list, which stays usable. On a narrow screen, it covers the list. */
export function SidePanel({ id, title, onClose, children }: SidePanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const coversPage = useMedia('(width < 64rem)')
  useEffect(() => {
    if (panel.current) panel.current.scrollTop = 0
    heading.current?.focus({ preventScroll: true })
  }, [id])
  return (
    <Radix.Root open onOpenChange={onClose} modal={coversPage}>
      <Radix.Content
        ref={panel}
        data-side-panel
        aria-modal={coversPage || undefined}
        aria-describedby={undefined}
        onInteractOutside={(event) => event.preventDefault()}
        // Radix keeps Tab inside of every dialog. The list beside this one is reachable, but a dialog that it opens keeps it.
        onKeyDownCapture={(event) =>
          !coversPage && event.key === 'Tab' && panel.current?.contains(event.target as Node) === true && event.stopPropagation()
        }
        onEscapeKeyDown={(event) => {
          if (event.target instanceof HTMLInputElement && event.target.type === 'search') event.preventDefault()
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          // The user may have moved the focus.
          if (document.activeElement !== document.body) return
          document.querySelector<HTMLElement>(`[data-row-link="${CSS.escape(id)}"]`)?.focus({ preventScroll: true })
        }}
        className="fixed inset-0 z-30 overflow-y-auto border-line bg-surface-1 p-5 shadow-overlay animate-[rise_0.12s_ease-out] [overflow-wrap:anywhere] sm:inset-y-0 sm:right-0 sm:left-auto sm:w-105 sm:border-l sm:p-6"
      >
        <div className="flex items-start justify-between gap-3">
          {/* A new element for each row, so screen readers read it on focus. */}
          <Radix.Title key={id} ref={heading} tabIndex={-1} className="min-w-0 pt-1 text-16 font-semibold outline-none">
            {title}
          </Radix.Title>
          <IconButton label={m.common_close()} onClick={onClose} className="-mt-1 -mr-1">
            <X size={18} aria-hidden="true" />
          </IconButton>
        </div>
        {children}
      </Radix.Content>
    </Radix.Root>
  )
}

/** Reports that the row in the address does not exist, and closes its panel. */
export function useMissingRow(isMissing: boolean, message: string, onClose: () => void): void {
  const leave = useEffectEvent(() => {
    toastInfo(message)
    onClose()
  })
  useEffect(() => {
    if (isMissing) leave()
  }, [isMissing])
}

interface QueryProps {
  error: Error | null
  onRetry: () => void
}

export function PanelPending({ error, onRetry }: QueryProps) {
  if (error) {
    return (
      <RetryNote className="mt-4" onRetry={onRetry}>
        {messageOf(error)}
      </RetryNote>
    )
  }
  return (
    <div className="mt-6 space-y-5">
      <SkeletonRows rows={5} />
    </div>
  )
}

/** Shown above cached data: the refresh failed, or the row no longer exists. */
export function PanelStale({ error, onRetry, missingText }: QueryProps & { missingText: string }) {
  if (!isStatus(error, 404)) return error && <PanelPending error={error} onRetry={onRetry} />
  return (
    <WarnNote className="mt-4">
      {missingText} {m.ui_panel_stale()}
    </WarnNote>
  )
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="mt-4 divide-y divide-line border-y border-line text-13">{children}</dl>
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-9 items-center justify-between gap-3 py-1.5">
      <dt className="shrink-0 text-ink-3">{label}</dt>
      <dd className="min-w-0 text-right text-ink-1">{children}</dd>
    </div>
  )
}

/** @param copyNoun completes "Copy the …" */
export function CopiedFact({ label, text, copyNoun }: { label: string; text: string; copyNoun: string }) {
  return (
    <Fact label={label}>
      <span className="inline-flex items-center gap-1 font-mono break-all text-balance">
        {text}
        <CopyButton text={text} label={m.ui_copy_what({ what: copyNoun })} className="-my-1.5" />
      </span>
    </Fact>
  )
}
