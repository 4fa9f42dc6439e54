// What each agent is asked, and its only tool.
export const QUESTION = 'How is the weather in Paris and Rome?'
export const baseURL = process.env.OPENAI_BASE_URL
export const apiKey = process.env.OPENAI_API_KEY

let runs = 0
export function weather({ city }) {
  runs++
  return `sunny in ${city}`
}

export function tell(answer) {
  console.log(JSON.stringify({ answer: String(answer), runs }))
}
