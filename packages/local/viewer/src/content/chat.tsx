import type { ComponentChildren } from 'preact'
import { parseExactly, writeText } from '../../../src/exact-json.ts'
import type { ChatContent } from '../../../src/trace/chat/view.ts'
import { Copy } from '../empty.tsx'
import { Json } from './json.tsx'
import { Markdown } from './markdown.tsx'
import { MediaUrl } from './media.tsx'

type Fields = Readonly<Record<string, unknown>>

const isMap = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Messages as a conversation: each call with its result. */
export function Chat({ chat }: { chat: ChatContent }) {
  const messages = (chat.messages as readonly unknown[]).filter(isMap)
  const called = new Set(
    messages.flatMap((message) =>
      asArray(message.tool_calls)
        .filter(isMap)
        .map(({ id }) => id),
    ),
  )
  const results = new Map<unknown, Fields>()
  for (const message of messages) {
    if (message.tool_call_id !== undefined && called.has(message.tool_call_id))
      results.set(message.tool_call_id, message)
  }
  const paired = new Set(results.values())
  return (
    <div class="chat">
      {chat.tools.length > 0 && <Tools tools={chat.tools} />}
      {messages
        .filter((message) => !paired.has(message))
        .map((message, at) => (
          <Message key={at} message={message} results={results} />
        ))}
    </div>
  )
}

function Tools({ tools }: { tools: readonly unknown[] }) {
  return (
    <details class="tools-defined">
      <summary>
        {tools.length} {tools.length === 1 ? 'tool' : 'tools'}
        <span class="dim"> {tools.map((tool) => writeText(definitionOf(tool).name ?? '')).join(', ')}</span>
      </summary>
      {tools.map((tool) => {
        const { name, description, parameters, inputSchema, input_schema } = definitionOf(tool)
        return (
          <div key={writeText(name)} class="tool-defined">
            <b>{writeText(name ?? '')}</b> <span class="dim">{typeof description === 'string' ? description : ''}</span>
            <Json value={parameters ?? inputSchema ?? input_schema ?? {}} depth={2} />
          </div>
        )
      })}
    </details>
  )
}

const definitionOf = (tool: unknown): Fields => {
  if (!isMap(tool)) return {}
  return isMap(tool.function) ? tool.function : tool
}

const KNOWN = [
  'role',
  'name',
  'content',
  'tools',
  'tool_calls',
  'tool_call_id',
  'audio',
  'thinking',
  'redacted_thinking',
  'type',
]

function Message({ message, results }: { message: Fields; results: ReadonlyMap<unknown, Fields> }) {
  const { role, name, content, tool_calls: calls, thinking, redacted_thinking: redacted, audio } = message
  const rest = Object.entries(message).filter(
    ([key, value]) => !KNOWN.includes(key) && value !== null && value !== undefined,
  )
  const shownRole = role === undefined ? 'message' : String(role)
  return (
    <article class={`message role-${/^\w+$/.test(shownRole) ? shownRole : 'other'}`}>
      <header>
        <span class="role">{shownRole}</span>
        {typeof name === 'string' && <span class="dim">{name}</span>}
        <span class="space" />
        {typeof content === 'string' && content !== '' && <Copy text={content} />}
      </header>
      {asArray(thinking).map((thought, at) => (
        <Thought key={at} thought={thought} />
      ))}
      {asArray(redacted).length > 0 && <p class="dim">Reasoning that the provider keeps to itself</p>}
      <Content content={content} />
      {isMap(audio) && <Audio audio={audio} />}
      {asArray(calls)
        .filter(isMap)
        .map((call, at) => (
          <Call key={String(call.id ?? at)} call={call} result={results.get(call.id)} />
        ))}
      {rest.length > 0 && <Json value={Object.fromEntries(rest)} depth={9} />}
    </article>
  )
}

function Thought({ thought }: { thought: unknown }) {
  const fields = isMap(thought) ? thought : {}
  const text = fields.content ?? fields.text ?? fields.thinking ?? (typeof thought === 'string' ? thought : '')
  if (text === '') return null
  return (
    <details class="thought" open>
      <summary>Reasoning</summary>
      {typeof text === 'string' ? <Markdown text={text} /> : <Json value={text} />}
    </details>
  )
}

export function Content({ content }: { content: unknown }): ComponentChildren {
  if (content === undefined || content === null || content === '') return null
  if (typeof content === 'string') return <Markdown text={content} />
  if (!Array.isArray(content)) return <Json value={content} />
  return content.map((part, at) => <Part key={at} part={part} />)
}

function Part({ part }: { part: unknown }) {
  if (typeof part === 'string') return part.startsWith('@@@') ? <MediaUrl url={part} /> : <Markdown text={part} />
  if (!isMap(part)) return <Json value={part} />
  if (typeof part.text === 'string') return <Markdown text={part.text} />
  if (part.type === 'image_url') {
    const url = isMap(part.image_url) ? part.image_url.url : part.image_url
    if (typeof url === 'string') return <MediaUrl url={url} />
  }
  if (part.type === 'input_audio' && isMap(part.input_audio)) return <Audio audio={part.input_audio} />
  return <Json value={part} depth={1} />
}

function Audio({ audio }: { audio: Fields }) {
  const { data, format, transcript } = audio
  const url =
    typeof data !== 'string'
      ? ''
      : data.startsWith('@@@')
        ? data
        : `data:audio/${toText(format ?? 'wav').replaceAll(/\W/g, '')};base64,${data}`
  return (
    <>
      {url !== '' && <MediaUrl url={url} />}
      {typeof transcript === 'string' && <Markdown text={transcript} />}
    </>
  )
}

function Call({ call, result }: { call: Fields; result: Fields | undefined }) {
  const { id, name, arguments: given } = call
  return (
    <section class="call" aria-label={`Call of ${String(name)}`}>
      <header>
        <b>{String(name ?? '')}</b>
        <span class="dim">{id === undefined || id === '' ? '' : String(id)}</span>
        <span class="space" />
        <Copy text={toText(given)} />
      </header>
      <Json value={parsed(given)} />
      {result && (
        <div class="result">
          <span class="role">result</span>
          <Content content={result.content} />
        </div>
      )}
    </section>
  )
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return parseExactly(value)
  } catch {
    return value
  }
}
