/** The login page as text, drawn while building: the first paint needs no script. */
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
