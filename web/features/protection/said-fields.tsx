import { ACT, type Act, type Said } from './admin-acts.ts'
import { SaidField } from './said-field.tsx'

interface SaidFieldsProps {
  act: Act
  said: Said
  /** What is wrong with the one that the act needs. */
  problem?: string | undefined
  readOnly?: boolean
  onChange: (said: Said) => void
}

/** What an administrator says to the owner, and what he notes for the others: as far as the act has room for it. */
export function SaidFields({ act, said, problem, readOnly = false, onChange }: SaidFieldsProps) {
  const { needs } = ACT[act]
  return (
    <>
      {act !== 'note' && (
        <SaidField
          label="Answer to the owner"
          optional={needs !== 'reply'}
          rows={3}
          error={problem}
          value={said.reply}
          readOnly={readOnly}
          onChange={(reply) => onChange({ ...said, reply })}
        />
      )}
      {act !== 'answer' && (
        <SaidField
          label="Note for administrators"
          optional={needs !== 'note'}
          rows={needs === 'note' ? 4 : 2}
          error={needs === 'note' ? problem : undefined}
          value={said.note}
          readOnly={readOnly}
          onChange={(note) => onChange({ ...said, note })}
        />
      )}
    </>
  )
}
