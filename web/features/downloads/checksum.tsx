import { CopyButton } from '#web/ui/copy-button.tsx'

/** The whole checksum, to compare by eye, and to copy. */
export function Checksum({ sha256, of }: { sha256: string; of: string }) {
  return (
    <div>
      <p className="text-12 text-ink-3">SHA-256</p>
      <div className="mt-0.5 flex items-center gap-1">
        <code className="min-w-0 font-mono text-12 break-all text-ink-2 select-all">{sha256}</code>
        <CopyButton text={sha256} label={`Copy the checksum of ${of}`} />
      </div>
    </div>
  )
}
