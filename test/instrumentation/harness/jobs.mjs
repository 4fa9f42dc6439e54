import { standIn } from './stand-in.mjs'

// Vendors' endpoints for what takes longer than a request: batches, runs of assistants, responses in the background. Who
// asks for one is told the second time that it is over.

let asked = 0
const since = (begun, over) => (++asked < 2 ? begun : over)

/** What each vendor says, by method and path: when it begins, when it is asked for, and of its results. */
const ENDPOINTS = {
  'POST /v1/batches': () => begin({ ...OPENAI, status: 'validating', request_counts: counts(0) }),
  'GET /v1/batches/batch_1': () =>
    since(
      { ...OPENAI, status: 'in_progress', request_counts: counts(0) },
      { ...OPENAI, status: 'completed', request_counts: counts(2), output_file_id: 'file-out', usage: TOKENS },
    ),
  'GET /v1/batches/msg_': (_, id) => ({ ...OPENAI, id, status: 'failed', errors: { data: [ERROR] } }),
  'GET /v1/files/file-out/content': () => LINES,
  'POST /v1/threads/runs': ({ stream }) => (stream ? RUN_EVENTS : begin({ ...RUN, status: 'queued' })),
  'POST /v1/threads/thread_1/runs': () => begin({ ...RUN, status: 'queued' }),
  'GET /v1/threads/thread_1/runs/run_1': () =>
    since({ ...RUN, status: 'in_progress' }, { ...RUN, status: 'requires_action', required_action: ASKS_TOOLS }),
  'POST /v1/threads/thread_1/runs/run_1/submit_tool_outputs': ({ stream }) =>
    stream ? RUN_EVENTS : { ...RUN, status: 'completed', usage: RUN_TOKENS },
  'POST /v1/responses': () => begin({ ...RESPONSE, status: 'queued', output: [] }),
  'GET /v1/responses/resp_1': () =>
    since({ ...RESPONSE, status: 'in_progress', output: [] }, { ...RESPONSE, status: 'completed', usage: TOKENS }),
  'POST /v1/messages/batches': () => begin({ ...ANTHROPIC, processing_status: 'in_progress' }),
  'GET /v1/messages/batches/msgbatch_1': () => {
    const results_url = `${jobs.url}/v1/messages/batches/msgbatch_1/results`
    return since(
      { ...ANTHROPIC, processing_status: 'in_progress' },
      { ...ANTHROPIC, processing_status: 'ended', request_counts: { succeeded: 1, errored: 1 }, results_url },
    )
  },
  'GET /v1/messages/batches/msgbatch_1/results': () => ({ custom_id: 'one', result: { type: 'expired' } }),
  'POST /v1/batch/jobs': () => begin({ ...MISTRAL, status: 'QUEUED' }),
  'GET /v1/batch/jobs/job-1': () => since({ ...MISTRAL, status: 'RUNNING' }, { ...MISTRAL, ...MISTRAL_OVER }),
  'GET /v1/files/file-mistral/content': () => LINES,
  'POST /v1/models/gemini-test:batchGenerateContent': () => begin(gemini('BATCH_STATE_PENDING')),
  'GET /v1/batches/b1': () =>
    since(gemini('BATCH_STATE_RUNNING'), gemini('BATCH_STATE_SUCCEEDED', { inlinedResponses: { inlinedResponses } })),
}

function begin(state) {
  asked = 0
  return state
}

const LINES = { text: '{"custom_id":"one"}', type: 'application/octet-stream' }
const counts = (completed) => ({ total: 2, completed, failed: 0 })
const ERROR = { code: 'invalid_url', message: 'No such endpoint', line: 1 }
const TOKENS = { input_tokens: 20, output_tokens: 10, total_tokens: 30 }
const OPENAI = { id: 'batch_1', object: 'batch', endpoint: '/v1/chat/completions', input_file_id: 'file-in' }
const RUN = { id: 'run_1', object: 'thread.run', thread_id: 'thread_1', assistant_id: 'asst_1', model: 'gpt-4o' }
const RUN_TOKENS = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 }
const called = { name: 'weather', arguments: '{"city":"Rome"}' }
const ASKS_TOOLS = {
  type: 'submit_tool_outputs',
  submit_tool_outputs: { tool_calls: [{ id: 'call_1', type: 'function', function: called }] },
}
const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  model: 'gpt-4o-mini',
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Later.', annotations: [] }] }],
}
const ANTHROPIC = { id: 'msgbatch_1', type: 'message_batch', request_counts: { processing: 2 } }
const MISTRAL = {
  ...{
    id: 'job-1',
    object: 'batch',
    input_files: ['file-in'],
    endpoint: '/v1/chat/completions',
    model: 'mistral-small',
  },
  ...{ errors: [], created_at: 0, total_requests: 2, completed_requests: 0, succeeded_requests: 0, failed_requests: 0 },
}
const MISTRAL_OVER = {
  ...{ status: 'SUCCESS', output_file: 'file-mistral', completed_requests: 2 },
  ...{ succeeded_requests: 1, failed_requests: 1 },
}
const inlinedResponses = [{ response: { candidates: [] } }, { error: { code: 3, message: 'No such model' } }]
const gemini = (state, output) => ({ name: 'batches/b1', metadata: { state, model: 'models/gemini-test', output } })

const event = (name, data) => `event: ${name}\ndata: ${JSON.stringify(data)}`
const saying = (value) => ({ delta: { content: [{ index: 0, type: 'text', text: { value } }] } })
const RUN_EVENTS = {
  events: [
    event('thread.run.created', { ...RUN, status: 'queued' }),
    event('thread.message.delta', saying('Sunny')),
    event('thread.message.delta', saying(' in Rome.')),
    event('thread.run.completed', { ...RUN, status: 'completed', usage: RUN_TOKENS }),
    'event: done\ndata: [DONE]',
  ],
}

export const jobs = await standIn(({ method, path, body }) => {
  // Of a batch that begins elsewhere each case has its own number.
  const name = `${method} ${path.replace('/v1beta/', '/v1/').replace(/(msg_)\d+$/, '$1')}`
  const answer = ENDPOINTS[name]?.(body ?? {}, path.split('/').at(-1))
  if (!answer) return { status: 404, body: { error: { message: `No such path: ${method} ${path}` } } }
  return answer.events || answer.text ? answer : { body: answer }
})
