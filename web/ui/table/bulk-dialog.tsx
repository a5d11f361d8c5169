import { useMutation } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { m } from '#messages'
import { Button } from '#web/ui/button.tsx'
import type { CountText } from '#web/ui/count-text.ts'
import { BanFields, type BanInput, type BanReasons, BanSchema, useBanForm } from '#web/ui/dialog/ban-form.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog/dialog.tsx'
import { type Outcome, resultOf, runBulk } from './run-bulk.ts'

export interface BulkDialogProps<R> {
  /** The heading before the run starts. */
  title: string
  /** `{shown} servers banned` */
  resultText: CountText
  rows: readonly R[]
  idOf: (row: R) => string
  nameOf: (row: R) => string
  confirm: string
  danger?: boolean
  action: (row: R) => Promise<unknown>
  /** False if the form is invalid; the form shows why. */
  validate?: () => boolean
  /** How many rows run at the same time. */
  concurrency?: number
  children: ReactNode
  /** Gets the rows that failed or were not reached, and why they failed. Called even after the dialog is closed. */
  onDone: (remaining: ReadonlySet<string>, reasons: ReadonlyMap<string, string>) => void
  onClose: () => void
}

/** Runs the action on rows, and knows the outcomes of the last run. */
function useBulk<R>({ idOf, action, concurrency, onDone }: BulkDialogProps<R>) {
  // A mutation for each row, so that a 403 of a lost session is noticed.
  const { mutateAsync: act } = useMutation({ mutationFn: action, retry: false })
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>()
  const isUnmounted = useRef(false)
  useEffect(() => {
    isUnmounted.current = false
    return () => {
      isUnmounted.current = true
    }
  }, [])
  const { isPending: running, mutate: run } = useMutation({
    mutationFn: async (rows: readonly R[]) => {
      setOutcomes(new Map(rows.map((row) => [idOf(row), null])))
      const reasons = new Map<string, string>()
      const onOutcome = (row: R, outcome: Outcome) => {
        if (outcome?.ok === false) reasons.set(idOf(row), outcome.message)
        setOutcomes((previous) => new Map(previous).set(idOf(row), outcome))
      }
      const remaining = await runBulk({ rows, action: act, concurrency, onOutcome, isCancelled: () => isUnmounted.current })
      return { remaining: new Set(remaining.map(idOf)), reasons }
    },
    // Of the last render, also after the dialog is closed.
    onSuccess: ({ remaining, reasons }) => onDone(remaining, reasons),
  })
  // Paging through the same list stays allowed.
  useBlocker({
    shouldBlockFn: ({ current, next }) => running && current.pathname !== next.pathname,
    enableBeforeUnload: () => running,
  })
  return { outcomes, running, run }
}

export function BulkDialog<R>(props: BulkDialogProps<R>) {
  const { title, resultText, idOf, nameOf, confirm, danger = false, validate, onClose, children } = props
  // A snapshot of the selection: the list keeps updating under the dialog.
  const [rows, setRows] = useState(props.rows)
  const [total] = useState(rows.length)
  const { outcomes, running, run } = useBulk(props)
  const failed = rows.filter((row) => outcomes?.get(idOf(row))?.ok === false)
  const done = total - rows.length + rows.filter((row) => outcomes?.get(idOf(row))?.ok).length
  const start = (targets: readonly R[]) => {
    if (validate && !validate()) return
    setRows(targets)
    run(targets)
  }
  return (
    <Dialog
      title={outcomes ? resultOf(done, total, resultText) : title}
      role={outcomes ? 'dialog' : 'alertdialog'}
      ignoreBackdrop
      onDismiss={running ? undefined : onClose}
    >
      {outcomes ? (
        <Progress rows={rows} idOf={idOf} nameOf={nameOf} outcomes={outcomes} />
      ) : (
        <div className="mt-2 space-y-4 text-ink-2">{children}</div>
      )}
      <DialogActions>
        {!outcomes && (
          <Button data-focus-first onClick={onClose}>
            {m.common_cancel()}
          </Button>
        )}
        {failed.length > 0 && !running && <Button onClick={() => start(failed)}>{m.ui_bulk_retry()}</Button>}
        {/* One button for both actions, so it keeps the focus. */}
        <Button
          key="main"
          variant={danger && !outcomes ? 'danger' : 'primary'}
          busy={running}
          onClick={outcomes ? onClose : () => start(rows)}
        >
          {outcomes ? m.common_close() : confirm}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type ProgressProps<R> = Pick<BulkDialogProps<R>, 'rows' | 'idOf' | 'nameOf'> & { outcomes: ReadonlyMap<string, Outcome> }

function Progress<R>({ rows, idOf, nameOf, outcomes }: ProgressProps<R>) {
  const results = rows.map((row) => outcomes.get(idOf(row)) ?? null)
  const done = results.filter((outcome) => outcome?.ok).length
  const failed = results.filter((outcome) => outcome?.ok === false).length
  const count = rows.length
  return (
    <>
      <p role="status" className="mt-2 text-ink-2 tabular-nums">
        {failed > 0 ? m.ui_bulk_progress_failed({ done, count, failed }) : m.ui_bulk_progress_done({ done, count })}
      </p>
      <progress aria-label={m.ui_bulk_progress()} max={count} value={done + failed} className="mt-2 block h-1.5 w-full accent-(--accent)" />
      <ul
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll it
        tabIndex={0}
        aria-label={m.ui_bulk_results()}
        className="mt-3 max-h-72 divide-y divide-line overflow-y-auto rounded-6 border border-line"
      >
        {rows.map((row, index) => (
          <Result key={idOf(row)} name={nameOf(row)} outcome={results[index] ?? null} />
        ))}
      </ul>
    </>
  )
}

function Result({ name, outcome }: { name: string; outcome: Outcome }) {
  const [Icon, color, label] =
    outcome === null
      ? ([CircleDashed, 'text-ink-3', m.ui_bulk_waiting()] as const)
      : outcome.ok
        ? ([CircleCheck, 'text-ok', m.ui_bulk_done()] as const)
        : ([CircleAlert, 'text-danger', m.ui_bulk_failed()] as const)
  return (
    <li className="flex items-start gap-2.5 px-3 py-2 text-13">
      <Icon size={15} aria-hidden="true" className={`mt-0.5 shrink-0 ${color}`} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-ink-1">{name}</p>
        {outcome?.ok === false && <p className="text-danger [overflow-wrap:anywhere]">{outcome.message}</p>}
      </div>
      <span className={`shrink-0 text-12 ${color}`}>{label}</span>
    </li>
  )
}

interface BulkBanDialogProps<R> extends Omit<BulkDialogProps<R>, 'danger' | 'action' | 'validate'> {
  reasons: BanReasons
  hint: string
  /** Without a reason, an existing ban keeps its reason. */
  ban: (row: R, input: Partial<BanInput>) => Promise<unknown>
}

export function BulkBanDialog<R>({ reasons, hint, ban, children, ...rest }: BulkBanDialogProps<R>) {
  const form = useBanForm(undefined, async () => {})
  const fields = useRef<HTMLDivElement>(null)
  const input = useRef<Partial<BanInput>>(undefined)
  const validate = () => {
    // A retry reuses the input, even if its end has passed.
    if (input.current !== undefined) return true
    // Shows the mistakes.
    form.submit(fields.current)
    const { data } = BanSchema.safeParse(form.values)
    if (data !== undefined) input.current = data.reason === '' ? { banned_until: data.banned_until } : data
    return data !== undefined
  }
  return (
    <BulkDialog {...rest} danger validate={validate} action={(row) => ban(row, input.current ?? {})}>
      {children}
      <div ref={fields}>
        <BanFields form={form} reasons={reasons} hint={hint} />
      </div>
    </BulkDialog>
  )
}
