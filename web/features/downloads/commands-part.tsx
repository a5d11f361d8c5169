import type { Build } from '#contract/downloads.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { curlCommand, powerShellCommand } from './commands.ts'
import { Disclosure } from './disclosure.tsx'
import { systemOf } from './platforms.ts'

interface CommandsProps {
  build: Build
  /** What it is called, for those who hear the page. */
  name: string
  /** True where whoever looks sits at Windows; what suits every system is shown for his first. */
  onWindows: boolean
}

/** Downloads and checks in one go, for both shells; first the one of the system that the build is for. */
export function Commands({ build, name, onWindows }: CommandsProps) {
  const system = systemOf(build.platform)
  const shells = [
    { shell: 'Linux', text: curlCommand(build), ends: 'Ends with OK where the file is whole.' },
    { shell: 'PowerShell', text: powerShellCommand(build), ends: 'Ends with True where the file is whole.' },
  ]
  const inOrder = system === 'Windows' || (system === undefined && onWindows) ? shells.toReversed() : shells
  return (
    <Disclosure summary="Download and check in a terminal">
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {inOrder.map(({ shell, text, ends }) => (
          <div key={shell} className="min-w-0">
            <div className="flex items-end justify-between gap-2">
              <h3 className="text-13 font-medium">{shell}</h3>
              <CopyButton text={text} label={`Copy the commands for ${shell}: ${name}`} />
            </div>
            <pre
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by keyboard
              tabIndex={0}
              role="region"
              aria-label={`Commands for ${shell}: ${name}`}
              className="mt-1 overflow-x-auto rounded-6 border border-line bg-surface-0 p-3 font-mono text-12 leading-5"
            >
              {text}
            </pre>
            <p className="mt-1 text-12 text-ink-3">{ends}</p>
          </div>
        ))}
      </div>
    </Disclosure>
  )
}
