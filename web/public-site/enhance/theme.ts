/** The theme and language that the visitor chooses, stored as the panel stores them. */
import { browserStorage } from '#web/lib/storage.ts'
import { onSystemTheme, readTheme, showTheme, storeTheme, type ThemeChoice } from '#web/lib/stored-theme.ts'

export function startTheme(): void {
  apply()
  onSystemTheme(apply)
  document.addEventListener('click', ({ target }) => {
    const choice = (target as Element).closest<HTMLElement>('[data-theme-choice]')?.dataset['themeChoice']
    if (choice === undefined) return
    storeTheme(choice as ThemeChoice)
    apply()
  })
  // A choice here takes precedence over the last language of an account (web/lib/language-choice.ts).
  document.getElementById('languages')?.addEventListener('submit', () => browserStorage.write('muster.language', null))
}

function apply(): void {
  const choice = readTheme()
  showTheme(choice)
  for (const button of document.querySelectorAll<HTMLElement>('[data-theme-choice]'))
    button.ariaPressed = String(button.dataset['themeChoice'] === choice)
}
