const MAX_TAGS = 2

/** The first tags, and the number of others, which have a tooltip. */
export function RowTags({ tags }: { tags: readonly string[] }) {
  const others = tags.slice(MAX_TAGS)
  return (
    <span className="flex min-w-0 items-center gap-1">
      {tags.slice(0, MAX_TAGS).map((tag) => (
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
