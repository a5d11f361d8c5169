import { type ReactNode, useState } from 'react'
import { m } from '#messages'
import { type MergeRow, type Side } from '#web/lib/merge.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog/dialog.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'

export interface ConflictPart<T> {
  /** Unique among the parts. */
  readonly name: string
  readonly label: string
  readonly fields: readonly (keyof T)[]
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
  conflict: Conflict<T>
  busy: boolean
  error: string | undefined
  /** @param mine the parts that keep the user's values. */
  onResolve: (mine: readonly ConflictPart<T>[]) => void
  /** Back to the form, which keeps its values. */
  onClose: () => void
}

/** Shows an edit by another user beside the own one. Each part keeps either. */
export function ConflictDialog<T>({ conflict: { rows, mine, theirs, savedAt }, busy, error, onResolve, onClose }: ConflictDialogProps<T>) {
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({})
  const sideOf = ({ part, preselected }: MergeRow<ConflictPart<T>>) => chosen[part.name] ?? preselected
  const kept = rows.filter((row) => sideOf(row) === 'mine').map(({ part }) => part)
  return (
    <Dialog title={m.ui_conflict_title()} wide ignoreBackdrop onDismiss={busy ? undefined : onClose}>
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
                <SideChoice
                  key={side}
                  name={`conflict-${row.part.name}`}
                  label={side === 'mine' ? m.ui_conflict_mine() : m.ui_conflict_theirs()}
                  checked={sideOf(row) === side}
                  onChoose={() => setChosen((current) => ({ ...current, [row.part.name]: side }))}
                >
                  {row.part.show(side === 'mine' ? mine : theirs)}
                </SideChoice>
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      {error !== undefined && <ErrorNote className="mt-4">{error}</ErrorNote>}
      <DialogActions>
        <Button onClick={onClose} disabled={busy}>
          {m.ui_conflict_back()}
        </Button>
        <Button variant="primary" busy={busy} onClick={() => onResolve(kept)}>
          {kept.length === 0 ? m.ui_conflict_discard() : m.ui_conflict_save()}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

interface SideChoiceProps {
  name: string
  label: string
  checked: boolean
  onChoose: () => void
  children: ReactNode
}

function SideChoice({ name, label, checked, onChoose, children }: SideChoiceProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the text is two levels down
    <label className="flex min-w-0 cursor-pointer gap-3 rounded-6 border border-line p-3 has-checked:border-accent has-checked:bg-surface-2 has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <input
        type="radio"
        name={name}
        checked={checked}
        onChange={onChoose}
        className="mt-1 size-4 shrink-0 accent-(--accent) outline-none"
      />
      <span className="min-w-0">
        <span className="block text-12 text-ink-3">{label}</span>
        <span className="block text-13 [overflow-wrap:anywhere] whitespace-pre-line">{children}</span>
      </span>
    </label>
  )
}
