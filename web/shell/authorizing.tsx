/** Covers the screen until it is known who is there and what to show. The same words stand in index.html. */
export function Authorizing() {
  return (
    <div className="authorizing" role="status">
      <span className="spinner" aria-hidden="true" />
      Authorizing...
    </div>
  )
}
