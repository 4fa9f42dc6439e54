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

interface SectionProps {
  readonly title: string
  /** Is copied by the button. */
  readonly value: unknown
  /** More of it is on its way. */
  readonly busy?: boolean
  readonly children: ComponentChildren
}

export function Section({ title, value, busy = false, children }: SectionProps) {
  const text = () => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
  return (
    <section class="part" aria-label={title} aria-busy={busy}>
      <header>
        <h3>{title}</h3>
        <span class="space" />
        <Copy text={text} />
      </header>
      {children}
    </section>
  )
}
