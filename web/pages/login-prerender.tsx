/** Renders the login page to HTML for the build. */
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import type { Language } from '#contract/panel-languages.ts'
import { LoginPage } from './login-page.tsx'

export function renderLoginPage(language: Language): string {
  return renderToString(
    <StrictMode>
      <LoginPage language={language} />
    </StrictMode>,
  )
}
