/** The facts in two columns. */
import type { ReactNode } from 'react'
import type { BrowseQuery, PublicServerView } from '#contract/public-site/public-site.ts'
import { m } from '#messages'
import { languageName, regionName } from '#web/lib/code-names.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatTime } from '#web/lib/time.ts'
import { browsePath } from './browse-links.ts'
import { CopyButton } from './script-buttons.tsx'

export function ServerFacts({ view }: { view: PublicServerView }) {
  const { version, branch, gameMode, language, region, website, group, week, tags, since, createdAt, isOnline } = view
  return (
    <section aria-labelledby="facts" className="mt-8">
      <h2 id="facts" className="text-16 font-semibold">
        {m.public_facts()}
      </h2>
      <dl className="mt-2 grid gap-x-10 sm:grid-cols-2">
        <Fact label={m.public_fact_address()} value={<Address address={view.address} />} />
        <Fact label={m.public_fact_peak()} value={week?.peak && peakText(week.peak)} />
        <Uptime view={view} />
        <Fact label={m.public_fact_online_since()} value={isOnline && <Moment at={since} />} />
        <Fact label={m.public_fact_version()} value={`${version} (${branch})`} />
        <Fact label={m.public_fact_game_mode()} value={gameMode && <FilterLink query={{ game_mode: gameMode }} text={gameMode} />} />
        <Fact label={m.public_fact_language()} value={<FilterLink query={{ language }} text={languageName(language)} />} />
        <Fact label={m.public_fact_region()} value={region && <FilterLink query={{ region }} text={regionName(region)} />} />
        <Fact label={m.public_fact_tags()} value={tags.length > 0 && <Tags tags={tags} />} />
        <Fact label={m.public_fact_website()} value={website && <Website url={website} />} />
        <Fact label={m.public_fact_group()} value={group && <FilterLink query={{ group: group.id }} text={group.name} />} />
        <Fact label={m.public_fact_voice()} value={view.usesVoiceChat && m.public_yes()} />
        <Fact label={m.public_fact_registered()} value={formatTime(createdAt, 'longDate', 'UTC')} />
      </dl>
    </section>
  )
}

/** Nothing without a value. */
function Fact({ label, value }: { label: string; value: ReactNode }) {
  if (!value) return null
  return (
    <div className="grid grid-cols-[120px_minmax(0,1fr)] gap-3 border-t border-line py-2.5">
      <dt className="text-13 text-ink-3">{label}</dt>
      <dd className="min-w-0 text-14 [overflow-wrap:anywhere]">{value}</dd>
    </div>
  )
}

/** A server younger than the week has had no time for an outage, so its first day is named. */
function Uptime({ view: { week, createdAt } }: { view: PublicServerView }) {
  if (week?.uptime === undefined) return null
  const text = formatNumber(week.uptime, PERCENT)
  if (createdAt <= week.from) return <Fact label={m.public_fact_uptime()} value={text} />
  const date = formatTime(createdAt, 'longDate', 'UTC')
  const value = week.uptime === 1 ? m.public_uptime_no_outage({ date }) : m.public_uptime_since({ uptime: text, date })
  return <Fact label={m.public_fact_uptime_young()} value={value} />
}

/** Rounded down: 100% only without any outage. */
const PERCENT = { style: 'percent', maximumFractionDigits: 1, roundingMode: 'floor' } as const

const peakText = ({ players, at }: { players: number; at: number }) =>
  m.public_peak({ players: formatNumber(players), date: formatTime(at, 'longDate', 'UTC') })

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <span className="flex flex-wrap gap-x-3">
      {tags.map((tag) => (
        <FilterLink key={tag} query={{ tag: [tag] }} text={tag} />
      ))}
    </span>
  )
}

function Website({ url }: { url: string }) {
  return (
    <a href={url} rel="noopener nofollow ugc" className={LINK}>
      {url.replace(/^https?:\/\//, '').replace(/\/$/, '')}
    </a>
  )
}

function Address({ address }: { address: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1">
      <code className="font-mono text-13">{address}</code>
      <CopyButton
        text={address}
        label={m.public_copy_address()}
        copied={m.public_address_copied()}
        className="-my-2 text-ink-3 hover:bg-surface-2 hover:text-ink-1"
      />
    </span>
  )
}

/** The script shows it in the visitor's time zone. */
function Moment({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{`${formatTime(at, 'minute', 'UTC')} UTC`}</time>
}

const LINK = 'inline-flex min-h-6 min-w-6 max-w-full items-center text-accent hover:underline'

function FilterLink({ query, text }: { query: Partial<BrowseQuery>; text: string }) {
  return (
    <a href={browsePath(query)} rel="nofollow" className={LINK}>
      <bdi className="min-w-0">{text}</bdi>
    </a>
  )
}
