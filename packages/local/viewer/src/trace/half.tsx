import type { ComponentChildren } from 'preact'
import type { ChatContent } from '../../../src/trace/chat/view.ts'
import { Chat, Content } from '../content/chat.tsx'
import { Json } from '../content/json.tsx'
import { Copy } from '../empty.tsx'

/** Input or output, as a conversation where it is one. */
export function Half({ title, value, chat }: { title: string; value: unknown; chat: ChatContent | null }) {
  if (value === null || value === undefined) return null
  return (
    <Section title={title} value={value}>
      {chat ? <Chat chat={chat} /> : typeof value === 'string' ? <Content content={value} /> : <Json value={value} />}
    </Section>
  )
}

export function Section({ title, value, children }: { title: string; value: unknown; children: ComponentChildren }) {
  const text = () => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
  return (
    <section class="part" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <span class="space" />
        <Copy text={text} />
      </header>
      {children}
    </section>
  )
}
