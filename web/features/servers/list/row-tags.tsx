const MAX_SHOWN = 3

/** The first tags, and the number of others, which have a tooltip. */
export function RowTags({ tags }: { tags: readonly string[] }) {
  // The number takes the place of the third.
  const shown = tags.length > MAX_SHOWN ? MAX_SHOWN - 1 : MAX_SHOWN
  const others = tags.slice(shown)
  return (
    <span className="flex min-w-0 items-center gap-1">
      {tags.slice(0, shown).map((tag) => (
        <span key={tag} className="h-6 min-w-0 truncate rounded-6 border border-line px-1.5 text-12 leading-[22px] text-ink-2">
          {tag}
        </span>
      ))}
      {others.length > 0 && (
        <span data-tip={tags.join(', ')} className="relative shrink-0 text-12 text-ink-3 tabular-nums">
          <span aria-hidden="true">+{others.length}</span>
          <span className="sr-only">{others.join(' ')}</span>
        </span>
      )}
    </span>
  )
}
