import { Download } from 'lucide-react'
import type { Build } from '#contract/downloads.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { BuildDate } from './build-date.tsx'
import { Checksum } from './checksum.tsx'
import { sizeInWords } from './commands.ts'
import { Disclosure } from './disclosure.tsx'
import { Notes } from './notes.tsx'

/** What came before, folded away. */
export function OlderBuilds({ product, builds }: { product: string; builds: readonly Build[] }) {
  return (
    <Disclosure summary={builds.length === 1 ? '1 older build' : `${builds.length} older builds`}>
      <ul className="divide-y divide-line border-y border-line">
        {builds.map((build) => (
          <li key={build.version} className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3">
            <div className="min-w-0 flex-1 basis-64">
              <p className="font-medium [overflow-wrap:anywhere] tabular-nums">{build.version}</p>
              <p className="mt-0.5 text-13 text-ink-3">
                <BuildDate at={build.date} /> · {sizeInWords(build.size)}
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
              <span>
                Download<span className="sr-only">{` ${product} ${build.version}`}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}
