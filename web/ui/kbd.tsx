export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="inline-flex min-w-5 items-center justify-center rounded-6 border border-line bg-surface-2 px-1.5 font-sans text-12 text-ink-2">
      {children}
    </kbd>
  )
}
