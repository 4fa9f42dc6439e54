import { useEffect, useState } from 'preact/hooks'
import { parseExactly, writeText } from '../../../src/exact-json.ts'
import { decodeParameters } from '../../../src/playground/parameters.ts'
import type { Detail } from '../../../src/trace/pages/trace.ts'
import { useAnswer } from '../api.ts'
import { Empty, Failed, Loading } from '../empty.tsx'
import { usePageLocation } from '../router.ts'
import { Page } from '../table.tsx'
import { Half } from '../trace/half.tsx'
import { ModelAnswer, useModelCall } from './model-call.tsx'

type Json = Readonly<Record<string, unknown>>
interface About {
  /** Vendors that may be called. */
  readonly playground: readonly string[]
}

const useVendors = (): readonly string[] | undefined => useAnswer<About>('/viewer/about').data?.playground

/** Leads to the playground, where a key for it was given. */
export function PlaygroundLink({ detail: { traceId, id } }: { detail: Pick<Detail, 'traceId' | 'id'> }) {
  if (!useVendors()?.length) return null
  return <a href={`/playground?${new URLSearchParams({ trace: traceId, observation: id })}`}>Playground</a>
}

/** A generation, to be changed and sent to a model again. */
export function PlaygroundPage() {
  const { query } = usePageLocation()
  const [trace, id] = [query.get('trace') ?? '', query.get('observation') ?? '']
  const vendors = useVendors()
  const { data, error } = useAnswer<Detail>(
    `/viewer/traces/${encodeURIComponent(trace)}/observations/${encodeURIComponent(id)}`,
  )
  if (vendors?.length === 0) {
    return (
      <Empty title="No key for the playground">
        <p>
          Start svc-local with OPENAI_API_KEY or ANTHROPIC_API_KEY in its environment. It never leaves for the page.
        </p>
      </Empty>
    )
  }
  if (error) return <Failed error={error} />
  return data && vendors ? <Playground key={id} detail={data} vendors={vendors} /> : <Loading />
}

/** A message as it is edited: its content as text, or as the JSON of its parts, and what stays of it. */
interface Draft {
  readonly key: number
  readonly role: string
  readonly text: string
  readonly json: boolean
  readonly rest: Json
}

let drafts = 0
function draftOf({ role, content, ...rest }: Json): Draft {
  drafts += 1
  const json = typeof content === 'object' && content !== null
  const text = json ? JSON.stringify(content, null, 2) : String(content ?? '')
  return { key: drafts, role: writeText(role ?? 'user'), text, json, rest }
}

function messagesOf({ chat, input }: Detail): Draft[] {
  const messages = (chat.input?.messages ?? []) as readonly Json[]
  if (messages.length > 0) return messages.map(draftOf)
  return [draftOf({ role: 'user', content: typeof input === 'string' ? input : JSON.stringify(input, null, 2) })]
}

const ROLES = ['system', 'user', 'assistant', 'tool']
const vendorFor = (model: string, vendors: readonly string[]): string =>
  vendors.find((vendor) => (vendor === 'anthropic') === /claude/i.test(model)) ?? vendors[0] ?? ''

function Playground({ detail, vendors }: { detail: Detail; vendors: readonly string[] }) {
  const [model, setModel] = useState(detail.model ?? '')
  const [vendor, setVendor] = useState(vendorFor(detail.model ?? '', vendors))
  const [messages, setMessages] = useState(() => messagesOf(detail))
  const [parameters, setParameters] = useState(JSON.stringify(decodeParameters(detail.modelParameters), null, 2))
  const [tools, setTools] = useState(JSON.stringify(detail.chat.input?.tools ?? [], null, 2))
  const call = useModelCall()
  useEffect(call.clearError, [model, vendor, messages, parameters, tools])
  const change = (key: number, part: Partial<Draft>) =>
    setMessages(messages.map((each) => (each.key === key ? { ...each, ...part } : each)))
  const body = () => ({
    vendor,
    model,
    messages: messages.map(({ role, text, json, rest }, at) => ({
      ...rest,
      role,
      content: json ? parsed(`Message ${at + 1}`, text) : text,
    })),
    parameters: parsed('Parameters', parameters),
    tools: parsed('Tools', tools),
  })
  const onSubmit = (event: Event) => {
    event.preventDefault()
    if (!call.running) call.run(body)
  }
  return (
    <Page title="Playground">
      <form class="playground" onSubmit={onSubmit}>
        <div class="controls">
          <label>
            Model <input value={model} required onInput={({ currentTarget }) => setModel(currentTarget.value)} />
          </label>
          <label>
            Vendor{' '}
            <select value={vendor} onChange={({ currentTarget }) => setVendor(currentTarget.value)}>
              {vendors.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <span class="space" />
          <a href={`/traces/${encodeURIComponent(detail.traceId)}?observation=${encodeURIComponent(detail.id)}`}>
            {detail.name}
          </a>
        </div>
        {messages.map(({ key, role, text, rest }, at) => (
          <fieldset key={key} class="draft">
            <legend class="hidden">Message {at + 1}</legend>
            <div class="controls">
              <select
                aria-label={`Role of message ${at + 1}`}
                value={role}
                onChange={({ currentTarget }) => change(key, { role: currentTarget.value })}
              >
                {[...new Set([...ROLES, role])].map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
              {Object.keys(rest).length > 0 && <span class="dim">with {Object.keys(rest).join(', ')}</span>}
              <span class="space" />
              <button
                type="button"
                class="quiet"
                aria-label={`Remove message ${at + 1}`}
                onClick={() => setMessages(messages.filter((each) => each.key !== key))}
              >
                Remove
              </button>
            </div>
            <Text
              label={`Message ${at + 1}`}
              hidden
              value={text}
              rows={text.split('\n').length + Math.floor(text.length / 160)}
              onText={(text) => change(key, { text })}
            />
          </fieldset>
        ))}
        <button type="button" class="quiet" onClick={() => setMessages([...messages, draftOf({ role: 'user' })])}>
          Add message
        </button>
        <Text label="Parameters" value={parameters} rows={4} onText={setParameters} />
        <Text label="Tools" value={tools} rows={4} onText={setTools} />
        {call.running ? (
          <button key="stop" type="button" onClick={call.stop}>
            Stop
          </button>
        ) : (
          <button key="run" type="submit">
            Run
          </button>
        )}
      </form>
      {call.error && <Failed error={call.error} />}
      <ModelAnswer call={call} />
      <Half title="Recorded output" value={detail.output} chat={detail.chat.output} />
    </Page>
  )
}

interface TextProps {
  readonly label: string
  readonly value: string
  readonly rows: number
  readonly hidden?: boolean
  readonly onText: (text: string) => void
}

function Text({ label, value, rows, hidden = false, onText }: TextProps) {
  return (
    <label>
      <span class={hidden ? 'hidden' : undefined}>{label}</span>
      <textarea
        value={value}
        rows={Math.min(Math.max(rows, 2), 16)}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    </label>
  )
}

/** @throws Error that names the field. */
function parsed(field: string, text: string): unknown {
  try {
    return parseExactly(text)
  } catch (error) {
    throw new Error(`${field}: ${(error as Error).message}`)
  }
}
