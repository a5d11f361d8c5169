import { useMutation } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import type { Me, PublicUser } from '#contract/users.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Form } from '#web/ui/form/form.tsx'
import { UserSummary } from './user-summary.tsx'
import { normalizeUsername, findUser, isValidUsername } from './users.api.ts'

interface FindUserProps {
  me: Me
  /** Why it can't be oneself, said before anything is asked. */
  selfMessage: string
  /** Why it can't be this person, where it can't. */
  reject?: (person: PublicUser) => string | undefined
  found: PublicUser | undefined
  onFound: (person: PublicUser | undefined) => void
}

/** What is typed, what is wrong with it, and the search itself. What was typed stays through every failure. */
function useSearch({ me, selfMessage, reject, onFound }: FindUserProps) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const find = useMutation({ mutationFn: findUser })
  const look = async (): Promise<PublicUser | string> => {
    const name = normalizeUsername(text)
    if (name === '') return 'Type the name that the person has on Discord.'
    if (!isValidUsername(name)) return 'Discord names have only letters, digits, periods and underscores.'
    if (name.toLowerCase() === me.discord.username.toLowerCase()) return selfMessage
    try {
      const person = await find.mutateAsync(name)
      if (person === null) return `Nobody called ${name} has signed in here yet. Ask them to sign in once, then try again.`
      return person.id === me.id ? selfMessage : (reject?.(person) ?? person)
    } catch (error) {
      return messageOf(error)
    }
  }
  const search = useSingleFlight(async () => {
    onFound(undefined)
    setProblem(undefined)
    const result = await look()
    if (typeof result === 'string') setProblem(result)
    else onFound(result)
  })
  const type = (next: string) => {
    setText(next)
    setProblem(undefined)
    // Whom one found is not whom one types now.
    onFound(undefined)
  }
  return { text, type, problem, search, busy: find.isPending }
}

/** Finds one person by their exact name on Discord and shows who that is. */
export function FindUser(props: FindUserProps) {
  const { text, type, problem, search, busy } = useSearch(props)
  const { found } = props
  return (
    <Form onSubmit={search} className="space-y-3">
      <span role="status" className="sr-only">
        {found && `Found ${found.discord.username}`}
      </span>
      <Field label="Exact Discord name" hint="As it stands under the display name, such as night_city." error={problem}>
        {(control) => (
          <div className="flex gap-2">
            <input
              {...control}
              value={text}
              onChange={(event) => type(event.target.value)}
              readOnly={busy}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={80}
              className="field-input min-w-0 flex-1"
            />
            <Button type="submit" busy={busy} icon={<Search size={15} aria-hidden="true" />}>
              Find
            </Button>
          </div>
        )}
      </Field>
      {found && <Found person={found} />}
    </Form>
  )
}

/** Somebody who was just found, to be checked: two people may have similar names. */
function Found({ person }: { person: PublicUser }) {
  return (
    <section aria-label="Found" className="rounded-6 border border-line bg-surface-2 px-3 py-2.5">
      <UserSummary user={person}>
        <span className="flex items-center gap-0.5">
          <span>
            Discord id <span className="font-mono break-all text-ink-2">{person.discord.discord_id}</span>
          </span>
          <CopyButton text={person.discord.discord_id} label="Copy the Discord id" />
        </span>
      </UserSummary>
    </section>
  )
}
