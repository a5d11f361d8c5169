/** As high as the number that replaces it, so that the text beside it keeps its place. */
export function PeakPlaceholder() {
  return (
    <span
      aria-hidden="true"
      className="inline-block w-16 animate-[appear_0.1s_0.15s_both] rounded-6 bg-surface-2 text-transparent before:content-['0']"
    />
  )
}
