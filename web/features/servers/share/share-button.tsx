/** What owners and managers paste elsewhere to show a server: link, badge, card and QR code. */
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { Download, Share2 } from 'lucide-react'
import { useState } from 'react'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { useHasPublicSite } from '#web/features/about/use-has-downloads.ts'
import type { ShownServer } from '#web/features/servers/access.ts'
import { BADGE_STYLES } from '#contract/public-site/public-page.ts'
import { type BadgeOptions, DEFAULT_BADGE, type ShareCodes, shareCodes } from '#web/lib/url/share-codes.ts'
import { useNow } from '#web/lib/time.ts'
import { Button, buttonClass, CopyButton } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog/dialog.tsx'
import { Field } from '#web/ui/form/fields.tsx'
import { publicPath, whyNoPublicPage } from './public-page.ts'

const ID = 'share'

/** Opens the codes that show the server on other sites. Missing without the public site. */
export function ShareButton({ server }: { server: ShownServer }) {
  const hasPublicSite = useHasPublicSite()
  const [isOpen, setIsOpen] = useState(false)
  // The command palette links to it.
  const isLinked = useRouterState({ select: ({ location }) => location.hash === ID })
  const navigate = useNavigate()
  if (!hasPublicSite) return null
  const close = () => {
    setIsOpen(false)
    if (isLinked) void navigate({ to: '.', search: true, hash: '', replace: true, resetScroll: false })
  }
  return (
    <>
      <Button id={ID} icon={<Share2 size={15} aria-hidden="true" />} onClick={() => setIsOpen(true)}>
        {m.public_share()}
      </Button>
      {(isOpen || isLinked) && <ShareDialog server={server} onClose={close} />}
    </>
  )
}

const MAX_LABEL = 64

function ShareDialog({ server, onClose }: { server: ShownServer; onClose: () => void }) {
  const reason = whyNoPublicPage(server, useNow())
  return (
    <Dialog title={m.servers_share_title({ server: server.name })} onDismiss={onClose} wide={reason === undefined}>
      {reason === undefined ? <Codes server={server} /> : <p className="mt-2 text-ink-2">{reason}</p>}
      <DialogActions>
        <Button onClick={onClose}>{m.common_close()}</Button>
      </DialogActions>
    </Dialog>
  )
}

function Codes({ server }: { server: ShownServer }) {
  const { data: about } = useSuspenseQuery(aboutOptions)
  const [badge, setBadge] = useState(DEFAULT_BADGE)
  const site = { origin: location.origin, listUrl: about.masterlist_url }
  const codes = shareCodes(site, { publicId: server.public_id, path: publicPath(server), name: server.name }, badge)
  return (
    <div className="mt-4 space-y-6">
      <CodeField label={m.public_share_link()} code={codes.link} />
      <Badge codes={codes} badge={badge} onChange={setBadge} />
      <div className="space-y-3">
        <iframe src={codes.embedPath} title={m.servers_share_frame()} width={320} height={120} className="max-w-full rounded-10" />
        <CodeField label={m.public_share_embed()} code={codes.embed} />
      </div>
      <QrCode server={server} path={codes.qrPath} />
    </div>
  )
}

function Badge({ codes, badge, onChange }: { codes: ShareCodes; badge: BadgeOptions; onChange: (badge: BadgeOptions) => void }) {
  return (
    <div className="space-y-3">
      <div className="flex h-7 items-center">
        <img src={codes.badgeUrl} alt={m.public_share_badge_alt()} className="max-h-full max-w-full" />
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={m.servers_share_style()}>
          {(control) => (
            <select
              {...control}
              value={badge.style}
              onChange={({ target }) => onChange({ ...badge, style: BADGE_STYLES.find((style) => style === target.value) ?? 'flat' })}
              className="field-input"
            >
              {BADGE_STYLES.map((style) => (
                <option key={style}>{style}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label={m.servers_share_label()}>
          {(control) => (
            <input
              {...control}
              value={badge.label}
              maxLength={MAX_LABEL}
              onChange={({ target }) => onChange({ ...badge, label: target.value })}
              className="field-input"
            />
          )}
        </Field>
      </div>
      <CodeField label={m.public_share_badge_markdown()} code={codes.markdown} />
      <CodeField label={m.public_share_badge_html()} code={codes.html} />
      <CodeField label={m.public_share_badge_bbcode()} code={codes.bbcode} />
    </div>
  )
}

function QrCode({ server, path }: { server: ShownServer; path: string }) {
  return (
    <div className="flex flex-wrap items-center gap-4">
      <img src={path} alt={m.public_share_qr_alt({ name: server.name })} width={128} height={128} className="rounded-6" />
      <div className="space-y-2">
        <p className="text-13 font-medium">{m.public_share_qr()}</p>
        <a href={path} download={`${server.public_id}.svg`} className={buttonClass()}>
          <Download size={15} aria-hidden="true" />
          {m.servers_share_download()}
        </a>
      </div>
    </div>
  )
}

function CodeField({ label, code }: { label: string; code: string }) {
  return (
    <Field label={label}>
      {(control) => (
        <div className="flex items-center gap-1">
          <input
            {...control}
            readOnly
            value={code}
            onFocus={({ target }) => target.select()}
            className="field-input min-w-0 flex-1 font-mono text-12"
          />
          <CopyButton text={code} label={m.public_copy({ what: label })} />
        </div>
      )}
    </Field>
  )
}
