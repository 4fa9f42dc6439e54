'use client'

import { useChat } from '@ai-sdk/react'
import { useEffect, useRef, useState } from 'react'
import { nameChat } from './actions'
import { Ask } from './ask'
import { Feedback } from './feedback'
import { type ChatMessage, textOf } from './message'

interface Props {
  readonly user: string | undefined
  readonly suggestions: readonly string[]
}

export function Chat({ user, suggestions }: Props) {
  const { messages, sendMessage, status, stop, error } = useChat<ChatMessage>()
  const [name, setName] = useState('New chat')
  const writing = status === 'submitted' || status === 'streaming'
  const end = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there is more, its end is shown.
  useEffect(() => {
    end.current?.scrollIntoView()
  }, [messages, writing])

  function ask(question: string) {
    if (messages.length === 0) nameChat(question).then(setName, () => {})
    void sendMessage({ text: question })
  }

  return (
    <main>
      <header>
        <h1>{name}</h1>
        <span className="dim">{user}</span>
      </header>
      <section aria-live="polite">
        {messages.length === 0 && (
          <ul className="suggestions">
            {suggestions.map((question) => (
              <li key={question}>
                <button type="button" onClick={() => ask(question)}>
                  {question}
                </button>
              </li>
            ))}
          </ul>
        )}
        {messages.map((message) => (
          <Message key={message.id} message={message} writing={writing && message === messages.at(-1)} />
        ))}
        {error && <p className="alert">There is no answer: {error.message}</p>}
        <div ref={end} />
      </section>
      <Ask ask={ask} writing={writing} stop={stop} />
    </main>
  )
}

function Message({ message, writing }: { message: ChatMessage; writing: boolean }) {
  const { role, metadata } = message
  return (
    <article className={role} aria-busy={writing && role === 'assistant'}>
      <p>{textOf(message)}</p>
      {!writing && metadata?.traceId && <Feedback traceId={metadata.traceId} />}
    </article>
  )
}
