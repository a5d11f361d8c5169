/** Renders the login page to HTML for the build. */
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { LoginPage } from './login-page.tsx'

export function renderLoginPage(): string {
  return renderToString(
    <StrictMode>
      <LoginPage hasPublicSite />
    </StrictMode>,
  )
}
