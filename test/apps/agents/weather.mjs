// What each agent is asked, and its only tool.
export const QUESTION = 'How is the weather in Paris and Rome?'
export const baseURL = process.env.OPENAI_BASE_URL
export const apiKey = process.env.OPENAI_API_KEY
/** Whether the answer is to be streamed. */
export const streams = process.argv[2] === 'stream'

let runs = 0
export function weather({ city }) {
  runs++
  return `sunny in ${city}`
}

export function tell(answer) {
  console.log(JSON.stringify({ answer: String(answer), runs }))
}

export async function joined(parts) {
  let text = ''
  for await (const part of parts) text += part ?? ''
  return text
}
