import { type ReactNode, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { m } from '#messages'
import { type MergeRow, type Side } from '#web/lib/merge.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog/dialog.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { Option } from './option.tsx'
import type { Form, OpenConflict } from './form-options.ts'

export interface ConflictPart<T> {
  readonly name: keyof T & string
  readonly label: string
  readonly show: (values: T) => ReactNode
}

export interface Conflict<T> {
  readonly rows: readonly MergeRow<ConflictPart<T>>[]
  readonly mine: T
  readonly theirs: T
  /** When the other edit was saved. */
  readonly savedAt?: string | undefined
}

interface ConflictDialogProps<T> {
  conflict: OpenConflict<T>
  busy: boolean
}

export function ConflictDialog<T extends FieldValues>({ form: { conflict, isBusy } }: { form: Pick<Form<T>, 'conflict' | 'isBusy'> }) {
  return conflict && <OpenDialog key={JSON.stringify(conflict.theirs)} conflict={conflict} busy={isBusy} />
}

/** Shows an edit by another user beside the own one. Each part keeps either. */
function OpenDialog<T>({ conflict: { rows, mine, theirs, savedAt, resolve, close }, busy }: ConflictDialogProps<T>) {
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({})
  const sideOf = ({ part, preselected }: MergeRow<ConflictPart<T>>) => chosen[part.name] ?? preselected
  const kept = rows.filter((row) => sideOf(row) === 'mine').map(({ part }) => part)
  return (
    <Dialog title={m.ui_conflict_title()} wide ignoreBackdrop onDismiss={busy ? undefined : close}>
      <p className="mt-2 text-ink-2">
        {savedAt === undefined ? (
          m.ui_conflict_hint()
        ) : (
          <RichText message={m.ui_conflict_hint_saved} tags={{ time: () => <TimeAgo at={savedAt} /> }} />
        )}
      </p>
      <div className="mt-4 space-y-4">
        {rows.map((row) => (
          <fieldset key={row.part.name} className="min-w-0">
            <legend className="mb-1.5 flex flex-wrap items-baseline gap-x-2 text-14 font-medium">
              {row.part.label}
              {row.isContested && <span className="text-12 font-normal text-warn">{m.ui_conflict_contested()}</span>}
            </legend>
            <div className="grid gap-2 sm:grid-cols-2">
              {(['mine', 'theirs'] as const).map((side) => (
                <Option
                  key={side}
                  type="radio"
                  name={`conflict-${row.part.name}`}
                  checked={sideOf(row) === side}
                  onChange={() => setChosen((current) => ({ ...current, [row.part.name]: side }))}
                  title={
                    <span className="min-w-0">
                      <span className="block text-12 text-ink-3">{side === 'mine' ? m.ui_conflict_mine() : m.ui_conflict_theirs()}</span>
                      <span className="block text-13 [overflow-wrap:anywhere] whitespace-pre-line">
                        {row.part.show(side === 'mine' ? mine : theirs)}
                      </span>
                    </span>
                  }
                  className="rounded-6 border border-line has-checked:border-accent has-checked:bg-surface-2"
                />
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      <DialogActions>
        <Button onClick={close} disabled={busy}>
          {m.ui_conflict_back()}
        </Button>
        <Button variant="primary" busy={busy} onClick={() => resolve(kept)}>
          {kept.length === 0 ? m.ui_conflict_discard() : m.ui_conflict_save()}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
