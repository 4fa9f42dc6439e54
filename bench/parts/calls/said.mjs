// What models are asked and answer here: 4 KB go in, 2 KB come out, in a stream as 100 chunks.
export const QUESTION = 'What is it that you do here? '.repeat(140)
export const ANSWER = 'This and that, all day. '.repeat(85)
export const CHUNKS = Array.from({ length: 100 }, (_, index) => ANSWER.slice(index * 20, index * 20 + 20))

const encoder = new TextEncoder()
const reply = (type, body) => () => new Response(body, { headers: { 'content-type': type } })

/** What answers with these, by what is measured. */
export const replies = (answer, events) => ({
  plain: reply('application/json', JSON.stringify(answer)),
  stream: reply('text/event-stream', encoder.encode(events.map(eventOf).join(''))),
})

/** An event with a `type` is announced by name, as most protocols do; a text is sent as it is. */
function eventOf(event) {
  const name = event.type ? `event: ${event.type}\n` : ''
  return `${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`
}

export async function drain(items) {
  for await (const _ of items);
}
