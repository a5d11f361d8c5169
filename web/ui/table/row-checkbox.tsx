interface RowCheckboxProps {
  label: string
  isChecked: boolean
  isMixed?: boolean
  isDisabled: boolean
  /** With Shift, a row's includes all rows since the last one. */
  onChange: (event: unknown) => void
}

/** Has a large hit area. */
export function RowCheckbox({ label, isChecked, isMixed = false, isDisabled, onChange }: RowCheckboxProps) {
  return (
    <label className="relative z-1 -m-2 flex size-8 items-center justify-center p-2 pointer-coarse:-m-3.5 pointer-coarse:size-11 select-none">
      <input
        ref={(box) => {
          if (box) box.indeterminate = isMixed && !isChecked
        }}
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        disabled={isDisabled}
        onChange={onChange}
        onClick={(event) => event.stopPropagation()}
        className="size-4 accent-(--accent)"
      />
    </label>
  )
}
