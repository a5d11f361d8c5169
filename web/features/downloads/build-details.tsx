/** Details of a build: date, checksum, notes, terminal commands, and older builds. */
import { ChevronRight, Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Build } from '#contract/public-site/downloads.ts'
import { m } from '#messages'
import { sizeText } from '#web/lib/format.ts'
import { formatTime } from '#web/lib/time.ts'
import { buttonClass, CopyButton } from '#web/ui/button.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { systemOf } from './builds.ts'

/** The age of a build. Hover and focus show the date, and the time if there is one. */
export function BuildDate({ at }: { at: string }) {
  return <TimeAgo at={at} exact={at.endsWith('T00:00:00.000Z') ? formatTime(at, 'date', 'UTC') : undefined} />
}

export function Checksum({ sha256, of }: { sha256: string; of: string }) {
  return (
    <div>
      <p className="text-12 text-ink-3">SHA-256</p>
      <div className="mt-0.5 flex items-center gap-1">
        <code className="min-w-0 font-mono text-12 break-all text-ink-2 select-all">{sha256}</code>
        <CopyButton text={sha256} label={m.downloads_checksum_copy({ build: of })} />
      </div>
    </div>
  )
}

export function Notes({ text }: { text: string }) {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return (
    <div className="space-y-1 text-13 [overflow-wrap:anywhere] text-ink-2">
      {lines.map((line, index) => (
        <p key={index}>{line}</p>
      ))}
    </div>
  )
}

interface CommandsProps {
  build: Build
  name: string
  /** Whether the visitor uses Windows. Builds for all systems then show PowerShell first. */
  onWindows: boolean
}

/** Commands that download and verify, for both shells. The shell of the build's system comes first. */
export function Commands({ build, name, onWindows }: CommandsProps) {
  const system = systemOf(build.platform)
  const shells = [
    { shell: 'Linux', text: curlCommand(build), result: m.downloads_commands_linux_result() },
    { shell: 'PowerShell', text: powerShellCommand(build), result: m.downloads_commands_windows_result() },
  ]
  const inOrder = system === 'Windows' || (system === undefined && onWindows) ? shells.toReversed() : shells
  return (
    <Disclosure summary={m.downloads_commands()}>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {inOrder.map(({ shell, text, result }) => (
          <div key={shell} className="min-w-0">
            <div className="mb-1 flex items-end justify-between gap-2">
              <h3 className="text-13 font-medium">{shell}</h3>
              <CopyButton text={text} label={m.downloads_commands_copy({ shell, build: name })} />
            </div>
            <CodeBlock label={m.downloads_commands_for({ shell, build: name })} text={text} language="shell" />
            <p className="mt-1 text-12 text-ink-3">{result}</p>
          </div>
        ))}
      </div>
    </Disclosure>
  )
}

export function OlderBuilds({ product, builds }: { product: string; builds: readonly Build[] }) {
  return (
    <Disclosure summary={m.downloads_older({ count: builds.length })}>
      <ul className="divide-y divide-line border-y border-line">
        {builds.map((build) => (
          <li key={build.version} className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3">
            <div className="min-w-0 flex-1 basis-64">
              <p className="font-medium [overflow-wrap:anywhere] tabular-nums">{build.version}</p>
              <p className="mt-0.5 text-13 text-ink-3">
                <BuildDate at={build.date} /> · {sizeText(build.size)}
              </p>
              {build.notes !== '' && (
                <div className="mt-2 max-w-2xl">
                  <Notes text={build.notes} />
                </div>
              )}
              <div className="mt-2">
                <Checksum sha256={build.sha256} of={`${product} ${build.version}`} />
              </div>
            </div>
            <a href={build.url} download className={buttonClass('secondary')}>
              <Download size={15} aria-hidden="true" />
              <span aria-hidden="true">{m.downloads_download()}</span>
              <span className="sr-only">{m.downloads_download_build({ build: `${product} ${build.version}` })}</span>
            </a>
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}

/** A collapsed section of a card. Its content renders when opened, because there may be hundreds of builds. */
function Disclosure({ summary, children }: { summary: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="group border-t border-line" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 list-none items-center gap-2 px-4 text-13 text-ink-2 outline-offset-[-3px] hover:text-ink-1 sm:px-5 [&::-webkit-details-marker]:hidden">
        <ChevronRight size={15} className="shrink-0 text-ink-3 transition-transform duration-100 group-open:rotate-90" aria-hidden="true" />
        {summary}
      </summary>
      {isOpen && <div className="px-4 pb-4 sm:px-5 sm:pb-5">{children}</div>}
    </details>
  )
}

/** The file name of a build: the last part of its URL, without characters special to shells. */
export function fileName(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  const name = last.replaceAll(/[^\w.+-]/g, '_').replace(/^[.-]+/, '')
  return name === '' ? 'download' : name
}

export function curlCommand({ url, sha256 }: Build): string {
  const name = fileName(url)
  return `curl -fLo ${name} '${url.replaceAll("'", '%27')}' \\\n  && echo '${sha256}  ${name}' | sha256sum -c`
}

export function powerShellCommand({ url, sha256 }: Build): string {
  const name = fileName(url)
  return `Invoke-WebRequest '${url.replaceAll("'", '%27')}' -OutFile ${name}\n(Get-FileHash ${name} -Algorithm SHA256).Hash -eq '${sha256}'`
}
