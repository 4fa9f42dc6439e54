import { ask, leave } from './actions.js'

export default function Page() {
  return (
    <>
      <form action={ask}>
        <input name="question" />
      </form>
      <form action={leave} />
    </>
  )
}
