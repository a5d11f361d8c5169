import { copyText } from '#web/ui/copy-text.ts'

const SHOWN_MS = 2000

/** Buttons with `data-copy` copy that text, and say so in place. */
export function startCopying(): void {
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('[data-copy]')
    const text = button?.dataset['copy']
    if (button === null || text === undefined) return
    void copyText(text).then((isCopied) => isCopied && confirm(button))
  })
}

function confirm(button: HTMLElement): void {
  const message = document.createElement('span')
  message.role = 'status'
  message.className = 'copied'
  message.textContent = button.dataset['copied'] ?? ''
  const { bottom, left } = button.getBoundingClientRect()
  message.style.top = `${bottom + scrollY + 6}px`
  message.style.left = `${left + scrollX}px`
  document.body.append(message)
  setTimeout(() => message.remove(), SHOWN_MS)
}
