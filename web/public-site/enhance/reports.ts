import { tabStorage } from '#web/lib/storage.ts'

/** Sends the report form. What the visitor typed stays if it fails, and while they sign in. */
export function startReports(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-report]')
  if (form !== null) restoreDraft(form)
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (form.dataset['report'] === undefined) return
    event.preventDefault()
    void send(form, form.dataset['report'])
  })
}

async function send(form: HTMLFormElement, id: string): Promise<void> {
  const status = form.querySelector<HTMLElement>('[data-report-status]')
  const signIn = form.querySelector<HTMLElement>('[data-report-sign-in]')
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]')
  if (status === null || signIn === null || button === null || button.ariaDisabled === 'true') return
  // Not `disabled`, which would take the focus away.
  button.ariaDisabled = 'true'
  signIn.hidden = true
  try {
    const reply = await fetch(`/api/public/servers/${id}/reports`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': document.documentElement.lang },
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    })
    if (reply.ok) {
      status.textContent = form.dataset['sent'] ?? ''
      form.reset()
      return
    }
    const { errors = [] } = (await reply.json()) as { errors?: string[] }
    status.textContent = errors.join(' ')
    if (reply.status !== 403 || (await isSignedIn())) return
    signIn.hidden = false
    tabStorage.write(draftKey(form), new URLSearchParams(new FormData(form) as unknown as Record<string, string>).toString())
  } catch {
    status.textContent = form.dataset['failed'] ?? ''
  } finally {
    button.ariaDisabled = null
  }
}

const isSignedIn = async () => (await fetch('/api/auth/me')).ok

const draftKey = (form: HTMLFormElement) => `muster.report.${form.dataset['report'] ?? ''}`

/** Shows it once. */
function restoreDraft(form: HTMLFormElement): void {
  const draft = tabStorage.read(draftKey(form))
  if (draft === null) return
  tabStorage.write(draftKey(form), null)
  for (const [name, value] of new URLSearchParams(draft)) {
    const field = form.elements.namedItem(name)
    if (field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement) field.value = value
  }
  const details = form.closest('details')
  if (details !== null) details.open = true
  form.scrollIntoView({ block: 'center' })
}
