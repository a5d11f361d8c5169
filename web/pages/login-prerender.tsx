/** The login page as HTML, rendered by the build. */
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { LoginPage } from './login-page.tsx'

export function drawLoginPage(): string {
  return renderToString(
    <StrictMode>
      <LoginPage />
    </StrictMode>,
  )
}
