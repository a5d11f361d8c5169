import { useRef, useState } from 'react'
import { LIMITS } from '#contract/servers/server-fields.ts'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { Field, FieldError } from '#web/ui/form/fields.tsx'
import { TagsInput } from '#web/ui/form/tags-input.tsx'
import { BulkChangeDialog, type ChangeDialogProps } from './bulk-change-dialog.tsx'
import { addTags, removeTags, tagsOf } from './bulk-changes.ts'

export function TagsDialog({ kind, ...rest }: ChangeDialogProps & { kind: 'add tags' | 'remove tags' }) {
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
