/** Sends the report form. What the visitor typed stays if it fails. */
export function startReports(): void {
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
  if (status === null || signIn === null || button === null || button.disabled) return
  button.disabled = true
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
    signIn.hidden = reply.status !== 403
  } catch {
    status.textContent = form.dataset['failed'] ?? ''
  } finally {
    button.disabled = false
  }
}
