/** What to paste elsewhere: link, badge, frame and QR code. */
import type { PublicServerView, PublicSite } from '#contract/public-site/public-site.ts'
import { m } from '#messages'
import { shareCodes } from '#web/lib/url/share-codes.ts'
import { CopyButton } from './copy-button.tsx'

export function SharePanel({ view, site }: { view: PublicServerView; site: PublicSite }) {
  const codes = shareCodes(site, view)
  return (
    <section aria-labelledby="share" className="mt-8 border-t border-line pt-6">
      <h2 id="share" className="text-16 font-semibold">
        {m.public_share()}
      </h2>
      <div className="mt-3 flex flex-wrap gap-6">
        <div className="min-w-0 flex-1 basis-80 space-y-4">
          <Code id="link" label={m.public_share_link()} text={codes.link} />
          <div>
            <img src={codes.badgeUrl} alt={m.public_share_badge_alt()} height={20} loading="lazy" className="mb-2 h-5" />
            <Code id="markdown" label={m.public_share_badge_markdown()} text={codes.markdown} />
          </div>
          <Code id="html" label={m.public_share_badge_html()} text={codes.html} />
          <Code id="bbcode" label={m.public_share_badge_bbcode()} text={codes.bbcode} />
          <Code id="embed" label={m.public_share_embed()} text={codes.embed} />
        </div>
        <figure className="w-[160px] text-center">
          <img
            src={codes.qrPath}
            alt={m.public_share_qr_alt({ name: view.name })}
            width={160}
            height={160}
            loading="lazy"
            className="rounded-6"
          />
          <figcaption className="mt-1.5 text-12 text-ink-3">{m.public_share_qr()}</figcaption>
        </figure>
      </div>
    </section>
  )
}

function Code({ id, label, text }: { id: string; label: string; text: string }) {
  return (
    <div>
      <label htmlFor={`share-${id}`} className="block text-12 text-ink-3">
        {label}
      </label>
      <div className="mt-1 flex gap-2">
        <input id={`share-${id}`} readOnly value={text} className="field-input min-w-0 flex-1 font-mono text-12 text-ink-2" />
        <CopyButton text={text} label={m.public_copy({ what: label })} className="border border-line text-ink-2 hover:border-line-strong" />
      </div>
    </div>
  )
}
