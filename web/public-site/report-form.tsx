/** The form posts with the script (enhance.ts), because it needs the visitor's session. */
import type { PublicServerView } from '#contract/public-site/public-site.ts'
import { m } from '#messages'
import { buttonClass } from '#web/ui/button.tsx'

const REASONS = {
  fake_players: m.public_report_fake_players,
  impersonation: m.public_report_impersonation,
  malicious: m.public_report_malicious,
  offensive: m.public_report_offensive,
  other: m.public_report_other,
} as const

export function ReportForm({ view: { publicId, path } }: { view: PublicServerView }) {
  return (
    <details className="needs-script mt-8 border-t border-line pt-4">
      <summary className="inline-flex min-h-9 list-none items-center text-13 text-ink-3 hover:text-ink-1 pointer-coarse:min-h-11">
        {m.public_report()}
      </summary>
      <form
        data-report={publicId}
        data-sent={m.public_report_sent()}
        data-failed={m.public_report_failed()}
        className="mt-3 max-w-[480px] space-y-4"
      >
        <p className="text-13 text-ink-2">{m.public_report_intro()}</p>
        <div>
          <label htmlFor="report-reason" className="block text-13 font-medium">
            {m.public_report_reason()}
          </label>
          <select id="report-reason" name="reason" required defaultValue="" className="field-input mt-1">
            <option value="" disabled>
              {m.public_report_choose()}
            </option>
            {Object.entries(REASONS).map(([reason, text]) => (
              <option key={reason} value={reason}>
                {text()}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label htmlFor="report-details" className="block text-13 font-medium">
            {m.public_report_details()}
          </label>
          <textarea id="report-details" name="details" maxLength={1000} rows={4} className="field-input mt-1" />
        </div>
        <p role="status" data-report-status className="min-h-5 text-13 break-words" />
        <a
          hidden
          data-report-sign-in
          rel="nofollow"
          href={`/login?next=${encodeURIComponent(path)}`}
          className="inline-flex min-h-9 items-center text-accent hover:underline pointer-coarse:min-h-11"
        >
          {m.public_report_sign_in()}
        </a>
        <button type="submit" className={buttonClass('secondary', 'aria-disabled:opacity-60')}>
          {m.public_report_send()}
        </button>
      </form>
    </details>
  )
}
