/** What is new, line by line as it was written. */
export function Notes({ text }: { text: string }) {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return (
    <div className="space-y-1 text-13 [overflow-wrap:anywhere] text-ink-2">
      {lines.map((line, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other name, and stay where they are
        <p key={at}>{line}</p>
      ))}
    </div>
  )
}
