export const libraries = ['openai-7']

const REQUEST = { type: 'mcp_approval_request', id: 'mcpr_1', name: 'weather', arguments: '{}', server_label: 'places' }
const SAID = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'sunny' }] }

/** Asks until a tool of a server needs an approval, and gives what another process needs to go on; or goes on. */
export async function run([{ default: OpenAI }], _url, paused) {
  const { id, approval } = paused === undefined ? {} : JSON.parse(paused)
  const output = paused === undefined ? [REQUEST] : [SAID]
  const answer = { id: `resp_${output.length}_${id}`, object: 'response', status: 'completed', model: 'gpt-4o', output }
  const openai = new OpenAI({ apiKey: 'none', fetch: async () => Response.json(answer) })
  const response = await openai.responses.create({
    model: 'gpt-4o',
    ...(paused === undefined
      ? { input: 'How is the weather?' }
      : {
          previous_response_id: id,
          input: [{ type: 'mcp_approval_response', approval_request_id: approval, approve: true }],
        }),
  })
  return JSON.stringify({ id: response.id, approval: response.output[0].id })
}
