/** The actions for the selected servers of the list. */
import { useState, useRef } from 'react'
import { serverField } from '#contract/servers/server-field-shapes.ts'
import { LIMITS } from '#contract/servers/server-fields.ts'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { messageOf } from '#web/lib/http/call.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { counted } from '#web/ui/count-text.ts'
import { Field, FieldError } from '#web/ui/form/fields.tsx'
import { BulkBar } from '#web/ui/table/bulk-bar.tsx'
import type { Selection } from '#web/ui/table/list-table.tsx'
import { resultOf, runBulk } from '#web/ui/table/run-bulk.ts'
import { toastError, toastSuccess } from '#web/ui/toast.ts'
import { lockedReason, unlocks, useEntitlement } from '#web/features/servers/listing/entitlement.ts'
import { RetryNote } from '#web/ui/states.tsx'
import { cx } from '#web/ui/class-names.ts'
import { TagsInput } from '#web/ui/form/tags-input.tsx'
import { useBulkChange, BulkChangeDialog, type ChangeDialogProps } from './bulk-change-dialog.tsx'
import { canChange, addTags, removeTags, tagsOf } from './bulk-changes.ts'

interface BulkActionsProps {
  selection: Selection<ShownServer>
  onClear: () => void
  /** Gets why servers failed. */
  onDone: (reasons: ReadonlyMap<string, string>) => void
}

export function BulkActions({ selection, onClear, onDone }: BulkActionsProps) {
  const visibility = useBulkVisibility(selection, onDone)
  const needs = (field: 'tags' | 'group_id') => ({ isDisabled: !selection.rows.some((row) => canChange(row, field)) })
  return (
    <BulkBar
      selection={selection}
      countText={m.count_servers}
      actions={[
        { label: m.servers_bulk_show(), isBusy: visibility.pending === true, onClick: () => visibility.change(true) },
        { label: m.servers_bulk_hide(), isBusy: visibility.pending === false, onClick: () => visibility.change(false) },
        { label: m.servers_bulk_add_tags(), ...needs('tags'), dialog: (target) => <TagsDialog {...target} kind="add tags" /> },
        { label: m.servers_bulk_remove_tags(), ...needs('tags'), dialog: (target) => <TagsDialog {...target} kind="remove tags" /> },
        { label: m.servers_bulk_move(), ...needs('group_id'), dialog: (target) => <GroupDialog {...target} /> },
      ]}
      onDone={(_remaining, reasons) => onDone(reasons)}
      onClear={onClear}
    />
  )
}

/** Shows or hides servers at once, because the toast can undo it. Those that failed stay selected, with the reason. */
function useBulkVisibility({ rows, idOf, unselect }: Selection<ShownServer>, onDone: BulkActionsProps['onDone']) {
  const { change, offerUndo } = useBulkChange()
  const [pending, setPending] = useState<boolean>()
  const run = async (visible: boolean) => {
    const changeable = rows.filter((row) => canChange(row, 'visible'))
    const leftOut = rows.length - changeable.length
    const reasons = new Map<string, string>()
    setPending(visible)
    const failed = await runBulk({
      rows: changeable,
      action: (row) => change(row, { field: 'visible', next: () => visible }),
      onOutcome: (row, outcome) => outcome?.ok === false && reasons.set(idOf(row), outcome.message),
      concurrency: 1,
    })
    setPending(undefined)
    unselect(new Set(changeable.filter((row) => !failed.includes(row)).map(idOf)))
    onDone(reasons)
    const changed = offerUndo()
    if (failed.length > 0 || leftOut > 0) {
      const why = [...new Set(reasons.values()), ...(leftOut > 0 ? [m.servers_bulk_left_out(counted(leftOut))] : [])]
      toastError(resultOf(changeable.length - failed.length, rows.length, m.servers_bulk_changed), why.join(' '))
    } else if (changed === 0) toastSuccess(m.servers_bulk_changed(counted(0)))
  }
  return { pending, change: useSingleFlight(run) }
}

/** The user's own if any is selected, else that of the first owner who allows the move. A selection is never empty. */
function leadingServer(rows: readonly ShownServer[]): ShownServer {
  return (rows.find(({ owner }) => owner === undefined) ??
    rows.find((row) => canChange(row, 'group_id', row.user_id)) ??
    rows[0]) as ShownServer
}

/** No group has this ID. */
const NO_GROUP = 'none'

/** Moves servers of one owner. */
function GroupDialog(props: ChangeDialogProps) {
  const [server] = useState(() => leadingServer(props.rows))
  const [groupId, setGroupId] = useState('')
  const [isMissing, setMissing] = useState(false)
  const { entitlement, error, retry } = useEntitlement(server)
  const isLocked = entitlement !== undefined && !unlocks(entitlement, 'group_id')
  const owner = server.owner?.discord.username
  return (
    <BulkChangeDialog
      {...props}
      field="group_id"
      ownerId={server.user_id}
      title={m.servers_bulk_move_title}
      confirm={m.servers_bulk_move_confirm()}
      change={() => {
        setMissing(groupId === '')
        return groupId === '' ? undefined : { field: 'group_id', next: () => (groupId === NO_GROUP ? null : groupId) }
      }}
    >
      {error ? (
        <RetryNote onRetry={retry}>{messageOf(error)}</RetryNote>
      ) : (
        <Field
          label={serverField('group_id').label()}
          hint={isLocked ? lockedReason('group_id', owner) : m.servers_listing_group_hint()}
          error={isMissing ? m.servers_bulk_group_required() : undefined}
        >
          {(control) => (
            <select {...control} value={groupId} onChange={(event) => setGroupId(event.target.value)} className="field-input">
              <option value="" disabled>
                {m.servers_bulk_group_choose()}
              </option>
              <option value={NO_GROUP}>{m.servers_listing_group_none()}</option>
              {!isLocked &&
                entitlement?.groups.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
            </select>
          )}
        </Field>
      )}
    </BulkChangeDialog>
  )
}

function TagsDialog({ kind, ...rest }: ChangeDialogProps & { kind: 'add tags' | 'remove tags' }) {
  const [tags, setTags] = useState<string[]>([])
  const [error, setError] = useState<string>()
  // Text in the field that is not a tag yet counts too.
  const pending = useRef('')
  const [known] = useState(() => tagsOf(rest.rows))
  const isAdding = kind === 'add tags'
  const read = () => {
    const all = pending.current === '' ? tags : [...tags, pending.current]
    if (all.length > 0) return isAdding ? addTags(all) : removeTags(all)
    setError(isAdding ? m.servers_bulk_tags_required() : m.servers_bulk_tags_required_remove())
    return undefined
  }
  const change = (next: string[]) => {
    setError(undefined)
    setTags(next)
  }
  return (
    <BulkChangeDialog
      {...rest}
      field="tags"
      title={isAdding ? m.servers_bulk_add_tags_title : m.servers_bulk_remove_tags_title}
      confirm={isAdding ? m.servers_bulk_add_tags_confirm() : m.servers_bulk_remove_tags_confirm()}
      change={read}
    >
      {isAdding ? (
        <Field label={m.servers_row_tags()} hint={m.servers_bulk_tags_hint({ max: LIMITS.tags.count })} error={error}>
          {(control) => (
            <TagsInput
              {...control}
              value={tags}
              onChange={change}
              onPendingText={(text) => {
                pending.current = text
              }}
              max={LIMITS.tags.count}
              maxLength={LIMITS.tags.length}
              placeholder={m.servers_listing_tags_placeholder()}
            />
          )}
        </Field>
      ) : (
        <KnownTags known={known} chosen={tags} onChange={change} error={error} />
      )}
    </BulkChangeDialog>
  )
}

interface KnownTagsProps {
  known: readonly string[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  error: string | undefined
}

function KnownTags({ known, chosen, onChange, error }: KnownTagsProps) {
  if (known.length === 0) return <p>{m.servers_bulk_tags_none()}</p>
  return (
    <fieldset>
      <legend className="mb-2 text-13 font-medium text-ink-1">{m.servers_bulk_tags_choose()}</legend>
      <div className="flex max-h-52 flex-wrap gap-1.5 overflow-y-auto p-0.5">
        {known.map((tag) => {
          const isChosen = chosen.includes(tag)
          return (
            <button
              key={tag}
              type="button"
              aria-pressed={isChosen}
              onClick={() => onChange(isChosen ? chosen.filter((each) => each !== tag) : [...chosen, tag])}
              className={cx(
                'min-h-8 max-w-full truncate rounded-6 border px-2.5 text-13 pointer-coarse:min-h-11',
                isChosen ? 'border-accent bg-surface-2 text-ink-1' : 'border-line text-ink-2 hover:border-line-strong hover:text-ink-1',
              )}
            >
              {tag}
            </button>
          )
        })}
      </div>
      <FieldError id="bulk-tags-error">{error}</FieldError>
    </fieldset>
  )
}
