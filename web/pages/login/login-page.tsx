import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SignInProvider } from '#contract/users/auth.ts'
import { m } from '#messages'
import { brand } from '#web/lib/brand.ts'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { DISCORD, DISCORD_ONLY, fetchAuthorizeUrl, providersOptions } from '#web/features/session/providers.api.ts'
import { LegalLinks } from '#web/features/about/legal-links.tsx'
import { call, messageOf } from '#web/lib/http/call.ts'
import { chooseLanguage, LANGUAGES } from '#web/lib/language-choice.ts'
import { pageLanguage } from '#web/lib/language.ts'
import { safePath, storeNextPath, takeLinking, takeSignOutReason } from '#web/lib/url/next-path.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { DiscordMark } from '#web/ui/brand.tsx'
import { LoginFrame, loginButtonClass } from './login-frame.tsx'
import { ListPanel, OnlineNow } from './list-panel.tsx'

const nextPath = () => safePath(new URLSearchParams(location.search).get('next'))

function useSignIn() {
  return useMutation({
    mutationFn: fetchAuthorizeUrl,
    onMutate: () => {
      // A link that was left without its callback must not pass for this one.
      takeLinking()
      storeNextPath(nextPath())
    },
    onSuccess: (url) => location.assign(url),
  })
}

export function LoginPage() {
  useTitle(m.login_title())
  // A failed call hides nothing that is needed to sign in.
  const { data: about } = useQuery(aboutOptions)
  const [signOutReason] = useState(takeSignOutReason)
  const { data: known = [] } = useQuery(providersOptions)
  // Without any, a click says what is missing.
  const providers = known.length === 0 ? DISCORD_ONLY : known
  const { mutate: signIn, status, variables, error, reset } = useSignIn()
  const busy = status === 'pending' || status === 'success' ? variables : undefined
  useEffect(() => {
    call('GET /api/auth/me').then(
      () => location.replace(nextPath()),
      () => {},
    )
    // The back button restores this page while it is busy.
    addEventListener('pageshow', reset)
    return () => removeEventListener('pageshow', reset)
  }, [reset])
  const isLocal = about?.local_identity === true
  const browseLink = about?.public_site !== false && <BrowseLink />
  return (
    <LoginFrame aside={<ListPanel browseLink={browseLink} />}>
      <h1 className="mt-6 text-28 font-semibold tracking-[-0.02em] [overflow-wrap:anywhere]">{brand.name}</h1>
      <p className="mt-2 text-16 text-pretty text-ink-2">{m.login_intro()}</p>
      <div role="status">
        {signOutReason !== undefined && (
          <p className="mt-5 rounded-6 border border-line bg-surface-2 px-3 py-2.5 text-13 text-ink-1">{signOutReason}</p>
        )}
      </div>
      <div className="mt-8 space-y-3">
        {providers.map((provider, index) => (
          <SignInButton
            key={provider.id}
            provider={provider}
            isLocal={isLocal}
            isMain={index === 0}
            isBusy={busy === provider.id}
            onSignIn={busy === undefined ? () => signIn(provider.id) : undefined}
          />
        ))}
      </div>
      <div role="alert">{error && <p className="mt-3 text-13 break-words text-danger">{messageOf(error)}</p>}</div>
      {isLocal && <p className="mt-3 text-12 text-ink-3">{m.common_local_sign_in()}</p>}
      <div className="mt-6 text-13 text-ink-3 min-[1100px]:hidden">
        <p className="min-h-10 tabular-nums">
          <OnlineNow />
        </p>
        {browseLink}
      </div>
      <LanguageMenu />
      <LegalLinks />
    </LoginFrame>
  )
}

interface SignInButtonProps {
  provider: SignInProvider
  /** Whether the local provider replaces Discord. */
  isLocal: boolean
  isMain: boolean
  isBusy: boolean
  /** Undefined while a sign-in starts. */
  onSignIn: (() => void) | undefined
}

function SignInButton({ provider: { id, label }, isLocal, isMain, isBusy, onSignIn }: SignInButtonProps) {
  const isDiscord = id === DISCORD
  const ofDiscord = isLocal ? m.login_sign_in_local() : m.login_sign_in()
  const secondary =
    'inline-flex min-h-11 w-full items-center justify-center gap-2.5 rounded-6 border border-line-strong bg-surface-2 px-4 text-16 font-medium text-ink-1 transition-colors duration-100 hover:bg-surface-3'
  return (
    <button
      type="button"
      onClick={onSignIn}
      aria-disabled={onSignIn === undefined || undefined}
      className={isMain ? loginButtonClass('') : secondary}
    >
      {isBusy ? <span className="spinner mx-0.5" aria-hidden="true" /> : isDiscord && !isLocal && <DiscordMark size={20} />}
      <span className="min-w-0 [overflow-wrap:anywhere]">{isDiscord ? ofDiscord : m.login_sign_in_by({ provider: label })}</span>
    </button>
  )
}

/** For visitors without an account; others choose in their preferences. */
function LanguageMenu() {
  return (
    <div role="group" aria-label={m.preferences_language()} className="mt-6 flex flex-wrap gap-x-4 text-13">
      {LANGUAGES.map(({ code, name }) => (
        <button
          key={code}
          type="button"
          lang={code}
          aria-current={code === pageLanguage || undefined}
          onClick={() => chooseLanguage(code)}
          className="min-h-8 text-ink-3 hover:text-ink-1 aria-current:font-medium aria-current:text-ink-1"
        >
          {name}
        </button>
      ))}
    </div>
  )
}

function BrowseLink() {
  return (
    <a href="/browse" className="inline-flex min-h-8 items-center text-13 text-accent hover:underline pointer-coarse:min-h-11">
      {m.login_browse()}
    </a>
  )
}
