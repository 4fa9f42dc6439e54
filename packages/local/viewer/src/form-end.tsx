/** What stands behind the button that submits a form: one that closes it, and why it failed. */
export function FormEnd({ error, onCancel }: { readonly error: string; readonly onCancel: () => void }) {
  return (
    <>
      <button type="button" class="quiet" onClick={onCancel}>
        Cancel
      </button>
      {error !== '' && (
        <span class="failed" role="alert">
          {error}
        </span>
      )}
    </>
  )
}
