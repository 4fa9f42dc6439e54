import { type FormEvent, useState } from 'react'

interface Props {
  readonly ask: (question: string) => void
  readonly writing: boolean
  readonly stop: () => void
}

/** The line at the bottom: a question, or a way to end the answer. */
export function Ask({ ask, writing, stop }: Props) {
  const [question, setQuestion] = useState('')

  function submit(event: FormEvent) {
    event.preventDefault()
    if (writing || question.trim() === '') return
    ask(question)
    setQuestion('')
  }

  return (
    <form onSubmit={submit}>
      <input
        aria-label="Question"
        placeholder="Ask something"
        value={question}
        onChange={({ target }) => setQuestion(target.value)}
      />
      {writing ? (
        <button className="stop" type="button" onClick={stop}>
          Stop
        </button>
      ) : (
        <button className="ask" type="submit">
          Ask
        </button>
      )}
    </form>
  )
}
