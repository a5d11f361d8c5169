import { m } from '#messages'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { curlCommand } from './curl-command.ts'

export function CurlExample() {
  const command = curlCommand(location.origin)
  return (
    <div>
      <h3 className="mb-1.5 text-13 font-medium">{m.api_keys_example()}</h3>
      <div className="flex items-start gap-1">
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard
          tabIndex={0}
          role="region"
          aria-label={m.api_keys_example()}
          className="min-w-0 flex-1 overflow-auto rounded-6 border border-line bg-surface-0 p-3 text-left font-mono text-12 leading-5"
        >
          {command}
        </pre>
        <CopyButton text={command} label={m.api_keys_example_copy()} />
      </div>
      <p className="mt-1.5 text-13 text-ink-3">
        <a href="/api/openapi.json" className="rounded-6 text-accent hover:underline">
          {m.api_keys_reference()}
        </a>
      </p>
    </div>
  )
}
