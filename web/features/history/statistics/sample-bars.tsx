const WIDTHS = [92, 64, 45, 30, 18, 10]

/** In place of bars without data: where they will be, below a sentence. */
export function SampleBars({ sentence }: { sentence: string }) {
  return (
    <>
      <p className="text-13 text-pretty text-ink-2">{sentence}</p>
      {WIDTHS.map((width) => (
        <div key={width} aria-hidden="true" className="mt-5 h-2 rounded-[2px] bg-line" style={{ width: `${width}%` }} />
      ))}
    </>
  )
}
