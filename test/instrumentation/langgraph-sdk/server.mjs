import { standIn } from '../harness/stand-in.mjs'

const RUN = '11111111-0000-4000-8000-000000000000'

const question = ({ input, command }) => input?.messages?.[0]?.content ?? command?.resume
const human = (body) => ({ type: 'human', id: 'q', content: question(body) })
const answer = (body) => ({ type: 'ai', id: 'a', content: `About: ${question(body)}` })

const event = (name, data) => `event: ${name}\ndata: ${JSON.stringify(data)}`
const metadata = event('metadata', { run_id: RUN, attempt: 1 })

/** Mode of a stream → its events. */
const STREAMS = {
  values: (body) => [
    event('values', { messages: [human(body)] }),
    event('values', { messages: [human(body), answer(body)] }),
  ],
  updates: (body) => [
    event('updates', { search: { found: 1 } }),
    event('updates|inner:1', { inner: { hidden: true } }),
    event('updates', { search: { found: 2 } }),
    event('updates', { agent: { messages: [answer(body)] } }),
  ],
  'messages-tuple': (body) =>
    [...answer(body).content.split(/(?= )/), [{ type: 'text', text: '.' }]].map((content) =>
      event('messages', [{ type: 'AIMessageChunk', id: 'a', content }, { langgraph_node: 'agent' }]),
    ),
  messages: (body) => [
    event('messages/metadata', { a: { metadata: {} } }),
    event('messages/partial', [{ ...answer(body), content: 'Ab' }]),
    event('messages/partial', [answer(body)]),
    event('messages/complete', [answer(body)]),
  ],
}

/** A server of graphs, whose assistants are called by what they do. */
export function startGraphs() {
  return standIn(({ path, body }) => {
    const { assistant_id: assistant, stream_mode: mode = 'values' } = body
    if (assistant === 'hangs') return undefined
    if (assistant === 'missing') return { status: 404, body: { detail: 'Assistant not found' } }
    const headers = { 'content-location': `${path.replace(/\/(wait|stream)$/, '')}/${RUN}` }
    if (path.endsWith('/stream')) return { headers, ...streamed(assistant, [mode].flat(), body) }
    if (path.endsWith('/wait')) return { headers, body: waited(assistant, body) }
    return { headers, body: { run_id: RUN, thread_id: 'thread-1', assistant_id: assistant, status: 'pending' } }
  })
}

function streamed(assistant, modes, body) {
  const events = modes.flatMap((mode) => STREAMS[mode](body))
  if (/^(stalls|breaks)$/.test(assistant)) return { events: [metadata, events[0]], [assistant]: true }
  if (assistant === 'fails') return { events: [metadata, events[0], event('error', FAILURE)] }
  return { events: [metadata, ...events, event('end', null)] }
}

const FAILURE = { error: 'ValueError', message: 'no such tool' }

function waited(assistant, body) {
  return assistant === 'fails' ? { __error__: FAILURE } : { messages: [human(body), answer(body)] }
}
