import { copyText } from '#web/ui/copy-text.ts'
import { clearStatus, showStatus } from './status-line.ts'

const SHOWN_MS = 2000

let timer: ReturnType<typeof setTimeout> | undefined

/** Buttons with `data-copy` copy that text, and show a tick and a message. */
export function startCopying(): void {
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('[data-copy]')
    const text = button?.dataset['copy']
    if (button === null || text === undefined) return
    void copyText(text).then((isCopied) => isCopied && confirm(button))
  })
}

function confirm(button: HTMLElement): void {
  button.classList.add('copied')
  showStatus(button.dataset['copied'])
  setTimeout(() => button.classList.remove('copied'), SHOWN_MS)
  // A second copy in the meantime is shown for as long.
  clearTimeout(timer)
  timer = setTimeout(clearStatus, SHOWN_MS)
}
