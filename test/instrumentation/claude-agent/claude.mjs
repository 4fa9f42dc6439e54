// Stands in for Claude Code: what the SDK starts and speaks to, line by line of JSON. What it does is told by the
// last user message.
import { createInterface } from 'node:readline'
import { setTimeout as pass } from 'node:timers/promises'

const SONNET = 'claude-sonnet-4-5-20250929'
const HAIKU = 'claude-haiku-4-5-20251001'
const session_id = '11111111-2222-3333-4444-555555555555'
const partial = process.argv.includes('--include-partial-messages')
const waiting = new Map()
let [messages, requests] = [0, 0]
let interrupted = () => {}
/** What this process has spent, by model. */
const modelUsage = {}
let total_cost_usd = 0

async function say(message) {
  // A model takes its time.
  await pass(5)
  process.stdout.write(`${JSON.stringify({ session_id, uuid: crypto.randomUUID(), ...message })}\n`)
}

async function ask(request) {
  await pass(5)
  requests += 1
  const request_id = `of-claude-${requests}`
  process.stdout.write(`${JSON.stringify({ type: 'control_request', request_id, request })}\n`)
  return new Promise((resolve) => waiting.set(request_id, resolve))
}

function spend(model, input, output, { read = 0, write = 0 } = {}) {
  modelUsage[model] ??= {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadInputTokens: 0,
    cacheCreationInputTokens: 0,
    costUSD: 0,
  }
  const spent = modelUsage[model]
  const price = model === HAIKU ? 1e-6 : 3e-6
  const costUSD = price * (input + 5 * output + 0.1 * read + 1.25 * write)
  spent.inputTokens += input
  spent.outputTokens += output
  spent.cacheReadInputTokens += read
  spent.cacheCreationInputTokens += write
  spent.costUSD += costUSD
  total_cost_usd += costUSD
}

/** A turn of the model, of which each block is a message. The output is counted as the API does at the beginning. */
async function turn(
  content,
  { model = SONNET, parent_tool_use_id = null, input = 10, output = 20, stop, ...cached } = {},
) {
  messages += 1
  const id = `msg_${messages}`
  const usage = {
    input_tokens: input,
    output_tokens: 1,
    cache_read_input_tokens: cached.read ?? 0,
    cache_creation_input_tokens: cached.write ?? 0,
  }
  const head = { id, type: 'message', role: 'assistant', model, stop_reason: null, stop_sequence: null, usage }
  const stop_reason = stop ?? (content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn')
  const event = (each) => partial && say({ type: 'stream_event', event: each, parent_tool_use_id })
  await event({ type: 'message_start', message: { ...head, content: [] } })
  for (const [index, block] of content.entries()) {
    await event({ type: 'content_block_start', index, content_block: { ...block, text: '' } })
    await event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: block.text ?? '' } })
    await say({ type: 'assistant', message: { ...head, content: [block] }, parent_tool_use_id })
    await event({ type: 'content_block_stop', index })
  }
  await event({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: output } })
  await event({ type: 'message_stop' })
  spend(model, input, output, cached)
}

const text = (content) => ({ type: 'text', text: content })
const use = (id, name, input) => ({ type: 'tool_use', id: `toolu_${id}`, name, input })
const gave = (id, content, more = {}) => ({ type: 'tool_result', tool_use_id: `toolu_${id}`, content, ...more })
const answers = (content, parent_tool_use_id = null) =>
  say({ type: 'user', message: { role: 'user', content }, parent_tool_use_id })

function end(more = {}) {
  const common = { duration_ms: 9, duration_api_ms: 8, is_error: false, num_turns: 1, permission_denials: [] }
  const usage = { input_tokens: 1, output_tokens: 1 }
  return say({ type: 'result', subtype: 'success', ...common, total_cost_usd, usage, modelUsage, ...more })
}

const SCRIPTS = {
  async plain() {
    await turn([text('A span is a piece of work.')], { read: 100, write: 40 })
    await end({ result: 'A span is a piece of work.' })
  },
  async tools() {
    await turn([
      { type: 'thinking', thinking: 'Let me look.', signature: 'x' },
      text('I look.'),
      use(1, 'Read', { file_path: 'a.txt' }),
      use(2, 'Bash', { command: 'ls' }),
    ])
    await answers([gave(1, 'the text')])
    await answers([gave(2, [text('no such command')], { is_error: true })])
    await turn([text('The file says: the text.')], { input: 60, output: 10, read: 10 })
    await end({ result: 'The file says: the text.', num_turns: 2 })
  },
  async subagent() {
    await turn([use(3, 'Task', { prompt: 'Look at it.', subagent_type: 'reader' })])
    await answers([text('Look at it.')], 'toolu_3')
    await turn([use(4, 'Grep', { pattern: 'x' })], { model: HAIKU, parent_tool_use_id: 'toolu_3' })
    await answers([gave(4, 'found')], 'toolu_3')
    await turn([text('It is there.')], { model: HAIKU, parent_tool_use_id: 'toolu_3' })
    await answers([gave(3, [text('It is there.')])])
    await turn([text('There.')])
    await end({ result: 'There.', num_turns: 2 })
  },
  async untold() {
    spend(HAIKU, 30, 5)
    await turn([text('Yes.')])
    await end({ result: 'Yes.' })
  },
  async own() {
    await turn([use(5, 'mcp__places__weather', { city: 'Paris' })])
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'weather', arguments: { city: 'Paris' }, _meta: { 'claudecode/toolUseId': 'toolu_5' } },
    }
    const { mcp_response } = await ask({ subtype: 'mcp_message', server_name: 'places', message })
    await answers([gave(5, mcp_response.result.content)])
    await turn([text('Sunny.')])
    await end({ result: 'Sunny.' })
  },
  async long() {
    await turn([text('A span is a pie')], { stop: 'max_tokens' })
    await end({ result: 'A span is a pie', stop_reason: 'max_tokens' })
  },
  async refused() {
    await turn([text('I cannot help with that.')], { stop: 'refusal' })
    await end({ result: 'I cannot help with that.', stop_reason: 'refusal' })
  },
  async turns() {
    await turn([text('One more.')])
    await end({ subtype: 'error_max_turns', is_error: true, errors: ['Reached the limit of 1 turns'] })
  },
  async limited() {
    const replyText = 'API Error: 429 slow down'
    const message = {
      id: 'error',
      type: 'message',
      role: 'assistant',
      model: '<synthetic>',
      content: [text(replyText)],
      stop_reason: 'stop_sequence',
      usage: { input_tokens: 0, output_tokens: 0 },
    }
    await say({ type: 'assistant', message, parent_tool_use_id: null, error: 'rate_limit' })
    await end({ result: replyText, is_error: true })
  },
  async crash() {
    await turn([text('I fall.')])
    process.exit(1)
  },
  async hang() {
    await turn([text('I wait.')])
    await new Promise((resolve) => {
      interrupted = resolve
    })
    await answers([text('[Request interrupted by user]')])
    await end({ subtype: 'error_during_execution', modelUsage: {}, errors: ['interrupted'] })
  },
}

async function answer(prompt) {
  const [script = 'plain'] = Object.keys(SCRIPTS).filter((name) => prompt.startsWith(name))
  const sent = ['TRACEPARENT', 'BAGGAGE'].filter((name) => process.env[name])
  const init = {
    tools: ['Read', 'Bash', 'Task'],
    mcp_servers: [],
    model: SONNET,
    permissionMode: 'default',
    slash_commands: sent,
  }
  await say({ type: 'system', subtype: 'init', cwd: '/', apiKeySource: 'user', output_style: 'default', ...init })
  await SCRIPTS[script]()
}

let work = Promise.resolve()
for await (const line of createInterface({ input: process.stdin })) {
  const { type, request_id, request, response, message } = JSON.parse(line)
  if (type === 'control_response') waiting.get(response.request_id)?.(response.response)
  if (type === 'control_request') {
    if (request.subtype === 'interrupt') interrupted()
    const commands = {
      commands: [],
      models: [],
      agents: [],
      account: {},
      output_style: 'default',
      available_output_styles: [],
    }
    process.stdout.write(
      `${JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id, response: commands } })}\n`,
    )
  }
  if (type === 'user') {
    const { content } = message
    const prompt = typeof content === 'string' ? content : content.map((block) => block.text).join('')
    work = work.then(() => answer(prompt))
  }
}
await work
