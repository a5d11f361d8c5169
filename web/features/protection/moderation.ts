import { CircleCheck, CircleSlash, Eye, type LucideIcon, MessageSquare, RotateCcw, Scale, StickyNote } from 'lucide-react'
import type { Consequence, IssueChanges, IssueStatus } from '#contract/protection.ts'

export type ModerationAction = 'acknowledge' | 'resolve' | 'dismiss' | 'reopen' | 'answer' | 'note' | 'consequence'

interface Words {
  readonly icon: LucideIcon
  /** What the button says; with an ellipsis where more is asked for first. */
  readonly button: string
  readonly title: string
  readonly explains: string
  readonly confirm: string
  readonly done: string
  readonly status?: IssueStatus
  readonly needs?: 'reply' | 'note'
}

export const MODERATION_ACTIONS: Readonly<Record<ModerationAction, Words>> = {
  acknowledge: {
    icon: Eye,
    button: 'Acknowledge',
    title: 'Acknowledge the issue',
    explains: 'It stays open, and its consequence in force. The owner sees that somebody looks into it.',
    confirm: 'Acknowledge',
    done: 'Issue acknowledged',
    status: 'ACKNOWLEDGED',
  },
  resolve: {
    icon: CircleCheck,
    button: 'Resolve…',
    title: 'Resolve the issue',
    explains: 'What it is about is put right: its consequence ends at once. Found again, it becomes a new issue.',
    confirm: 'Resolve',
    done: 'Issue resolved',
    status: 'RESOLVED',
  },
  dismiss: {
    icon: CircleSlash,
    button: 'Dismiss…',
    title: 'Dismiss the issue',
    explains: 'It is no trouble: its consequence ends at once, and the same finding makes no new issue for 30 days.',
    confirm: 'Dismiss',
    done: 'Issue dismissed',
    status: 'DISMISSED',
  },
  reopen: {
    icon: RotateCcw,
    button: 'Reopen…',
    title: 'Open the issue again',
    explains: 'Its consequence is in force again from now on.',
    confirm: 'Reopen',
    done: 'Issue opened again',
    status: 'OPEN',
  },
  answer: {
    icon: MessageSquare,
    button: 'Answer the owner…',
    title: 'Answer the owner',
    explains: 'The owner reads it on the page of the issue, from “An administrator”: your name is not told.',
    confirm: 'Send the answer',
    done: 'Answer sent',
    needs: 'reply',
  },
  note: {
    icon: StickyNote,
    button: 'Add a note…',
    title: 'Add a note',
    explains: 'Only administrators read it.',
    confirm: 'Add the note',
    done: 'Note added',
    needs: 'note',
  },
  consequence: {
    icon: Scale,
    button: 'Change what follows…',
    title: 'Change what follows',
    explains: 'It is in force from now on, whatever the rule would do, and climbs no further by itself.',
    confirm: 'Set it',
    done: 'Consequence set',
  },
}

export function actionsFor(status: IssueStatus): readonly ModerationAction[] {
  if (status === 'OPEN') return ['acknowledge', 'resolve', 'dismiss', 'answer', 'note', 'consequence']
  if (status === 'ACKNOWLEDGED') return ['resolve', 'dismiss', 'answer', 'note', 'consequence']
  return ['reopen', 'answer', 'note']
}

export const NO_MESSAGES = { reply: '', note: '' }
export type Messages = Readonly<typeof NO_MESSAGES>

export function issueChanges(act: ModerationAction, { reply, note }: Messages, consequence?: Consequence): IssueChanges {
  const { status } = MODERATION_ACTIONS[act]
  return {
    ...(status !== undefined && { status }),
    ...(act === 'consequence' && consequence !== undefined && { consequence }),
    ...(reply.trim() !== '' && { reply }),
    ...(note.trim() !== '' && { note }),
  }
}
